/**
 * What the fuzzer knows about a server: its served OpenAPI documents, and the responses to plain GET requests before
 * the fuzzing. It reads no code.
 */
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { createDocumentAjv } from '../support/document-ajv.ts';
import { wholeDocument } from '../support/whole-document.ts';

export type Json = Record<string, unknown>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Json;
  readonly example?: unknown;
}

interface Content {
  readonly schema?: Json;
  readonly example?: unknown;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Record<string, { readonly content?: Record<string, Content>; readonly $ref?: string }>;
}

export interface Document {
  readonly paths: Record<string, Record<string, Described>>;
  readonly security: readonly Json[];
  readonly components: {
    readonly schemas: Json;
    readonly responses: Record<string, { readonly content?: Record<string, Content> }>;
    readonly securitySchemes: Record<string, { readonly name: string }>;
  };
}

export interface Operation extends Described {
  readonly document: Document;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The header that selects a sandbox. */
  readonly keyHeader: string;
  /** The methods of this path in the document. */
  readonly methods: readonly string[];
}

const NAMES = ['v2', 'v1', 'sandbox'];
/** They respond when another event occurs, or never. */
const WAITING = new Set(['sandbox_stream', 'sandbox_drain']);
/** They would wait as long as requested. */
const WAITING_PARAMETERS = new Set(['wait']);

export async function readOperations(url: string): Promise<Operation[]> {
  const operations: Operation[] = [];
  for (const name of NAMES) {
    const document = wholeDocument((await (await fetch(`${url}/openapi/${name}.json`)).json()) as Document);
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, described] of Object.entries(methods)) {
        const parameters = described.parameters ?? [];
        const declared = parameters.find(({ name: header }) => header === 'api-key')?.name;
        operations.push({
          ...described,
          parameters: parameters.filter(({ name: own }) => own !== declared && !WAITING_PARAMETERS.has(own)),
          document,
          path,
          method: method.toUpperCase(),
          methods: Object.keys(methods).map((other) => other.toUpperCase()),
          keyHeader: declared ?? document.components.securitySchemes.api_key?.name ?? 'api-key',
        });
      }
    }
  }
  return operations.filter(({ operationId }) => !WAITING.has(operationId));
}

/** The shape behind a reference, or the shape itself. */
export function resolve(document: Document, schema: Json): Json {
  const { $ref } = schema as { $ref?: string };
  if ($ref === undefined) return schema;
  let found: unknown = document;
  for (const part of $ref.split('/').slice(1)) found = (found as Json)[part];
  return resolve(document, found as Json);
}

const compilers = new Map<Document, Ajv2020>();
const compiled = new Map<Json, ValidateFunction>();

function compile(document: Document, schema: Json): ValidateFunction {
  let check = compiled.get(schema);
  if (check === undefined) {
    let ajv = compilers.get(document);
    if (ajv === undefined) {
      ajv = createDocumentAjv();
      compilers.set(document, ajv);
      ajv.addSchema({ $id: 'document', components: document.components });
    }
    check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')));
    compiled.set(schema, check);
  }
  return check;
}

/** How a JSON response differs from the document for its status; `undefined` if it does not. */
export function mismatch(operation: Operation, status: number, body: unknown): string | undefined {
  const { document, responses } = operation;
  const response =
    responses[status] ?? (status >= 400 ? Object.values(document.components.responses)[0] : undefined);
  const schema = response?.content?.['application/json']?.schema;
  if (schema === undefined) return 'the document has no JSON for this status';
  const check = compile(document, schema);
  if (check(body)) return undefined;
  const { instancePath = '', message = '', params = {} } = check.errors?.[0] ?? {};
  return `${instancePath.replace(/\/\d+(?=\/|$)/g, '/*')} ${message} ${JSON.stringify(params)}`;
}

/** Values for fields and ids for paths, from the examples and from a new sandbox. */
export interface Known {
  readonly byField: Map<string, unknown[]>;
  /** The ids in the response of GET at a path. */
  readonly idsAt: Map<string, string[]>;
  readonly ids: string[];
  /** A whole sandbox, as its export. */
  image: Uint8Array;
}

const ID = /^(?:[a-z]{2,5}[-_][0-9a-f-]{30,40}|\d{1,4})$/;
const IMAGE = 'application/vnd.sqlite3';
const MOST_OF_A_FIELD = 12;

/** Reads the examples, and calls every GET without an id. */
export async function learn(url: string, operations: readonly Operation[], key: string): Promise<Known> {
  const known: Known = { byField: new Map(), idsAt: new Map(), ids: [], image: new Uint8Array() };
  for (const { parameters, requestBody } of operations) {
    for (const { name, example } of parameters) if (example !== undefined) note(known, name, example);
    for (const { example } of Object.values(requestBody?.content ?? {})) walk(known, example);
  }
  for (const { method, path, keyHeader } of operations) {
    if (method !== 'GET' || path.includes('{')) continue;
    const answer = await fetch(`${url}${path}`, { headers: { [keyHeader]: key } });
    const type = answer.headers.get('content-type') ?? '';
    if (answer.status === 200 && type.startsWith(IMAGE))
      known.image = new Uint8Array(await answer.arrayBuffer());
    else if (answer.status === 200 && type.includes('json')) idsIn(known, path, await answer.json());
    else await answer.arrayBuffer();
  }
  return known;
}

function note(known: Known, name: string, value: unknown): void {
  const values = known.byField.get(name) ?? [];
  if (values.length < MOST_OF_A_FIELD && !values.includes(value)) values.push(value);
  known.byField.set(name, values);
}

function walk(known: Known, value: unknown, name = ''): void {
  if (Array.isArray(value)) for (const item of value) walk(known, item, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [inner, held] of Object.entries(value)) walk(known, held, inner);
  } else if (name !== '') note(known, name, value);
}

function idsIn(known: Known, path: string, value: unknown, name = ''): void {
  if (typeof value === 'object' && value !== null) {
    for (const [inner, held] of Object.entries(value)) {
      idsIn(known, path, held, Array.isArray(value) ? name : inner);
    }
  } else if (/(^|_)id$|Id$/.test(name) && ID.test(String(value))) {
    const at = known.idsAt.get(path) ?? [];
    const id = String(value);
    if (at.length < MOST_OF_A_FIELD && !at.includes(id)) at.push(id);
    known.idsAt.set(path, at);
    if (!known.ids.includes(id)) known.ids.push(id);
  }
}
