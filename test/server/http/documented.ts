/**
 * Whether the OpenAPI documents contain every response: each response in a test of the interface is compared with its
 * operation's document. A success has the documented status and schema; an error has a status and a code of its
 * operation, the documented schema, and names a field by its whole path.
 */

import type { TSchema } from '@sinclair/typebox';
import type { ValidateFunction } from 'ajv';
import { V1_OPERATIONS } from '../../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { refuse } from '../../../src/bank/kernel/refusal.ts';
import { API_DOCUMENTS } from '../../../src/reference/openapi/document.ts';
import { refusalCodesOf, statusIn } from '../../../src/reference/openapi/refusals.ts';
import {
  type ApiDocument,
  createSchemas,
  type OperationRow,
} from '../../../src/reference/openapi/schemas.ts';
import { CONTROL_OPERATIONS } from '../../../src/sandboxes/control/index.ts';
import { createDocumentAjv } from '../../support/document-ajv.ts';

/** A response in a test. */
interface Given {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** The document of one operation. */
interface Known {
  readonly row: OperationRow;
  readonly matches: RegExp;
  readonly refusals: ReadonlySet<string>;
  /** The error of a body by the document; `''` if there is none. */
  readonly problemWith: { success(body: unknown): string; refusal(body: unknown): string };
}

/** The code of an error's body; those of v1 contain the kind of holder, which depends on the field. */
function codeIn(body: unknown): string {
  const { code, error } = body as { code?: string; error?: { code?: string } };
  return String(code ?? error?.code).replace(/_(PERSON|BUSINESS)(?=_|$)/, '_HOLDER');
}

/** Validates values with a schema of a document; compiled at its first use. */
function createCheck({ name }: ApiDocument, shape: TSchema | undefined, row?: OperationRow) {
  let validate: ValidateFunction | undefined;
  return (body: unknown): string => {
    if (shape === undefined) return body === undefined ? '' : 'an answer with a body';
    if (validate === undefined) {
      const schemas = createSchemas();
      const writer = name === 'v2' && row?.recordsOf !== undefined ? schemas.named('V1') : schemas;
      const schema = writer.write(shape);
      const ajv = createDocumentAjv();
      validate = ajv.compile({ ...schema, components: { schemas: schemas.components } });
    }
    if (validate(body)) return '';
    const [{ instancePath = '', message = '', params = {} } = {}] = validate.errors ?? [];
    return `${instancePath} ${message} ${JSON.stringify(params)}`;
  };
}

const OPERATIONS: Readonly<Record<ApiDocument['name'], readonly OperationRow[]>> = {
  v2: V2_OPERATIONS,
  v1: V1_OPERATIONS,
  sandbox: CONTROL_OPERATIONS,
};

const KNOWN: readonly Known[] = API_DOCUMENTS.flatMap((document) => {
  const refusal = createCheck(document, document.error);
  return OPERATIONS[document.name].map((row) => ({
    row,
    matches: new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}/?$`),
    refusals: new Set(
      refusalCodesOf(document.name, row).map((code) => {
        const status = statusIn(document.name, code);
        return `${status} ${codeIn(document.formatRefusal(refuse(code), row))}`;
      }),
    ),
    problemWith: { success: createCheck(document, row.response, row), refusal },
  }));
});

/** A literal path has precedence over one with a parameter in its place. */
function rowOf(method: string, path: string): Known | undefined {
  const found = KNOWN.filter(({ row, matches }) => row.method === method && matches.test(path));
  return found.find(({ row }) => row.path === path.replace(/\/$/, '')) ?? found[0];
}

/** What is not documented in a response; `undefined` if everything is. */
export function undocumented(method: string, url: string, answer: Given): string | undefined {
  // A fault is requested by a caller, and a repeated response belongs to another operation.
  if (/^fault |key was used for another request/.test(answer.headers['x-sandbox-hint'] ?? ''))
    return undefined;
  const known = rowOf(method, url.split('?', 1)[0] ?? '');
  if (known === undefined) return undefined;
  const problem = answer.status < 400 ? problemOfSuccess(known, answer) : problemOfRefusal(known, answer);
  return problem === '' ? undefined : `${known.row.id}: ${problem}`;
}

function problemOfSuccess({ row, problemWith }: Known, { status, headers, body }: Given): string {
  const type = String(headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  if (status !== row.status) return `status ${status}`;
  if (type !== '' && type !== 'application/json') {
    return [row.contentType, ...(row.fileTypes ?? [])].includes(type) ? '' : `content of ${type}`;
  }
  return row.contentType === undefined ? problemWith.success(body) : '';
}

function problemOfRefusal({ row, refusals, problemWith }: Known, { status, body }: Given): string {
  if (typeof body !== 'object' || body === null) return '';
  const given = `${status} ${codeIn(body)}`;
  if (!refusals.has(given)) return given;
  const field = fieldIn(body as RefusalBody);
  if (field !== '' && !namesField(row, field)) return `${given} names ${field}, which is no whole path`;
  return problemWith.refusal(body);
}

interface RefusalBody {
  readonly code?: string;
  readonly message?: string;
  readonly error?: { code: string; field_name: string; message: string };
}

/**
 * A message of v1 begins with the invalid field: `address.line1: ...`, or a path as the subject of its sentence.
 */
const V1_FIELD = /^(?:([\w-]+(?:\.[\w-]+)*): |([a-z]\w*(?:\.\w+)+|[a-z]+[A-Z]\w*) )/;

/**
 * The path of the field that a refusal names; `''` for none, and for a field that the operation does not have.
 */
function fieldIn({ message = '', error }: RefusalBody): string {
  if (/this operation does not accept/.test(error?.message ?? message)) return '';
  // Published without its person: decision `v2-error-body` in docs/fidelity.md.
  if (error?.code === 'ERROR_CODE_INVALID_PHONE' && error.field_name === 'phone') return '';
  if (error !== undefined) return error.field_name ?? '';
  const [, named, subject] = V1_FIELD.exec(message) ?? [];
  return named ?? subject ?? '';
}

const HEADERS = ['sd-person-id', 'authorization'];

/**
 * True if the body, the query, the path or the headers of an operation have a field at this path, ignoring list
 * indexes. A command without a body concerns a record that it does not contain completely.
 */
function namesField(row: OperationRow, field: string): boolean {
  const { method, body, query, params, files = {}, tokenHeader } = row;
  if (method === 'POST' && body === undefined) return true;
  if ([tokenHeader, ...HEADERS, ...Object.keys(files)].includes(field)) return true;
  // The name of a filter may contain a dot.
  if (query !== undefined && (field in query.properties || field.startsWith('metadata.'))) return true;
  const path = field.split('.').filter((step) => !/^\d+$/.test(step));
  return [body, query, params].some((shape) => shape !== undefined && leadsSomewhere(shape, path));
}

function leadsSomewhere(shape: TSchema, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { anyOf = [], items = [], properties = {}, patternProperties = {} }: TSchema = shape;
  const inner: TSchema[] = [...anyOf, ...[items].flat()];
  const own: TSchema[] = [properties[name], ...Object.values(patternProperties)];
  return (
    own.some((part) => part !== undefined && leadsSomewhere(part, rest)) ||
    inner.some((part) => leadsSomewhere(part, path))
  );
}
