/**
 * The OpenAPI documents: of version 3.1, complete (every operation, parameter and body of the server), valid (names
 * are unique, references exist, schemas are JSON Schema) and correct (the responses of the server match them).
 */
import { Validator } from '@seriousme/openapi-schema-validator';
import type { Options } from 'ajv';
import { describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../src/bank/api/v2/index.ts';
import { CONTROL_OPERATIONS } from '../../src/sandboxes/control/index.ts';
import { defaultSeedDocument } from '../../src/sandboxes/sandbox/seed-document.ts';
import { writeExampleForm } from '../server/http/forms.ts';
import { useHttp } from '../server/http/support.ts';
import { createDocumentAjv } from '../support/document-ajv.ts';
import { wholeDocument } from '../support/whole-document.ts';

const http = useHttp();

type Json = Record<string, unknown>;
interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: { name: string; in: string; required?: boolean; schema: Json; example?: string }[];
  requestBody?: { required: boolean; content: Record<string, { schema?: Json; example?: Json }> };
  responses: Record<
    string,
    { description?: string; content?: Record<string, { schema: Json; examples?: Json }>; $ref?: string }
  >;
}
interface Document {
  openapi: string;
  info: Json;
  security: Json[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { securitySchemes: Record<string, Json>; schemas: Json; responses: Json };
}

const DOCUMENTS = [
  { name: 'v2', rows: V2_OPERATIONS },
  { name: 'v1', rows: V1_OPERATIONS },
  { name: 'sandbox', rows: CONTROL_OPERATIONS },
] as const;

const documents = new Map<string, Promise<Document>>();

/** A document of the server; read once, because hundreds of tests use it. */
function read(name: string): Promise<Document> {
  const known = documents.get(name);
  if (known !== undefined) return known;
  const fetched = http.call('GET', `/openapi/${name}.json`).then((answer) => {
    expect(answer.status).toBe(200);
    return answer.body as Document;
  });
  documents.set(name, fetched);
  return fetched;
}

/** Compiles a schema of a document, which may refer to the document's components. */
const compile = (document: Document, schema: Json, options: Options = {}) =>
  createDocumentAjv(options).compile({ ...schema, components: document.components });

const described = (document: Document): { path: string; method: string; operation: Described }[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Every schema of a document, with its location. */
function shapesOf(document: Document): [string, Json][] {
  const found: [string, Json][] = Object.entries(document.components.schemas) as [string, Json][];
  for (const { operation } of described(document)) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    for (const { name, schema } of parameters) found.push([`${operationId} ${name}`, schema]);
    for (const { schema = {} } of Object.values(requestBody?.content ?? {}))
      found.push([`${operationId} body`, schema]);
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { schema } of Object.values(content)) found.push([`${operationId} ${status}`, schema]);
    }
  }
  return found;
}

/** A schema that refers to the document that was added under its name. */
const withinDocument = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));

/** Every keyword of a schema that is null or known only to Ajv. */
function wordsOf(value: unknown, found = new Set<string>(), isMap = false): Set<string> {
  if (Array.isArray(value)) for (const item of value) wordsOf(item, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [word, inner] of Object.entries(value)) {
      if (!isMap) found.add(word);
      wordsOf(inner, found, word === 'properties' || word === 'patternProperties');
    }
  }
  return found;
}

describe.each(DOCUMENTS)('the document of $name', ({ name, rows }) => {
  it('is accepted by an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...(await read(name)) });
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('is also available as OpenAPI 3.0, with the same operations', async () => {
    const { status, body } = await http.call('GET', `/openapi/3.0/${name}.json`);
    expect(status).toBe(200);
    const older = body as Document;
    const ids = (document: Document) => described(document).map(({ operation }) => operation.operationId);
    expect(ids(older)).toEqual(ids(await read(name)));
    const validator = new Validator();
    const { errors } = await validator.validate({ ...older });
    expect(errors).toBeUndefined();
    expect(validator.version).toBe('3.0');
  });

  it('is OpenAPI 3.1 with a title, a version and a security scheme', async () => {
    const document = await read(name);
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({
      title: expect.stringContaining('Sandbank'),
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const schemes = Object.keys(document.components.securitySchemes);
    for (const needed of document.security.flatMap(Object.keys)) expect(schemes).toContain(needed);
    for (const scheme of Object.values(document.components.securitySchemes)) {
      expect(scheme).toMatchObject({
        type: 'apiKey',
        in: 'header',
        name: expect.stringMatching(/^[a-z-]+$/),
      });
    }
  });

  it('describes every operation once, with its id, its success and its errors', async () => {
    const document = wholeDocument(await read(name));
    const all = described(document);
    expect(all.map(({ operation }) => operation.operationId).sort()).toEqual(rows.map(({ id }) => id).sort());
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const tags = document.tags.map((tag) => tag.name);
    for (const row of rows) {
      const path = row.path.replace(/:(\w+)/g, '{$1}');
      const operation = document.paths[path]?.[row.method.toLowerCase()];
      expect(operation, row.id).toBeDefined();
      expect(operation?.operationId).toBe(row.id);
      expect(operation?.summary).toBe(row.summary);
      expect(tags).toContain(operation?.tags[0]);
      const { [row.status]: answer, default: other, ...refusals } = operation?.responses ?? {};
      expect(other?.$ref).toBe('#/components/responses/Error');
      // The tests of the interface check which: each error there is in its operation's document.
      expect(Object.keys(refusals), row.id).toEqual(expect.arrayContaining(['429', '500']));
      // Every id in a path may be unknown; OF_FIELDS of src/reference/openapi/refusals.ts determines the refusal.
      if (row.path.includes(':')) expect(Object.keys(refusals), row.id).toContain('404');
      for (const [refused, { content = {} }] of Object.entries(refusals)) {
        expect(Number(refused)).toBeGreaterThanOrEqual(400);
        const { schema, examples } = content['application/json'] ?? {};
        expect(schema).toEqual({ $ref: '#/components/schemas/Error' });
        expect(Object.keys(examples ?? {}).length, `${row.id} ${refused}`).toBeGreaterThan(0);
      }
      expect(answer?.content !== undefined, `${row.id} has an answer`).toBe(row.response !== undefined);
      if (row.status === 204) expect(answer?.content).toBeUndefined();
    }
  });

  it('lists every path parameter once, and every query parameter', async () => {
    const document = await read(name);
    for (const { path, operation } of described(document)) {
      const parameters = operation.parameters ?? [];
      const named = parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(named).size, operation.operationId).toBe(named.length);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map((parameter) => parameter.name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part),
      );
      for (const parameter of inPath) expect(parameter.required).toBe(true);
      const row = rows.find(({ id }) => id === operation.operationId);
      const query = Object.keys((row?.query as { properties?: object } | undefined)?.properties ?? {});
      expect(
        parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name),
      ).toEqual(query);
      const takes = row?.body !== undefined || (row !== undefined && ('bodyType' in row || 'files' in row));
      expect(operation.requestBody !== undefined, operation.operationId).toBe(takes);
    }
  });

  it('has no two paths that a caller cannot distinguish', async () => {
    const { paths } = await read(name);
    const shapes = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  // Compiling every schema takes long on a busy machine.
  it('has schemas in JSON Schema 2020-12 with standard keywords only', async () => {
    const document = await read(name);
    const ajv = createDocumentAjv({
      strict: true,
      strictTypes: false,
      strictTuples: false,
      strictRequired: false,
      keywords: ['components'],
      inlineRefs: false,
    });
    // Once for all, for the schemas that others refer to; each is compiled at its reference.
    ajv.addSchema({ $id: 'document', components: document.components });
    for (const [place, schema] of shapesOf(document)) {
      expect(() => ajv.compile(withinDocument(schema)), place).not.toThrow();
      expect([...wordsOf(schema)], place).not.toContain('nullable');
    }
  });

  it('has a schema for every body, and none that accepts any field', async () => {
    const document = await read(name);
    for (const { operation } of described(document)) {
      for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
        expect(Object.keys(schema ?? {}), `${operation.operationId} ${type}`).not.toEqual([]);
      }
    }
    // Unknown fields are accepted with a hint; a client generated from the document detects them earlier.
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":true');
  });

  it('has only valid references', async () => {
    const document = await read(name);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(references.length).toBeGreaterThan(0);
    for (const path of references) {
      const found = path
        .split('/')
        .reduce<unknown>((value, step) => (value as Json | undefined)?.[step], document);
      expect(found, path).toBeDefined();
    }
  });

  it('is deterministic', async () => {
    const twice = [1, 2].map(() => http.call('GET', `/openapi/${name}.json`));
    const [one, other] = await Promise.all(twice);
    expect(one?.text).toBe(other?.text);
    expect(one?.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe.each([
  { name: 'v2', rows: V2_OPERATIONS, header: 'api-key' },
  { name: 'v1', rows: V1_OPERATIONS, header: 'sd-api-key' },
] as const)('an example of $name', ({ name, rows, header }) => {
  const key = { [header]: 'test_default' };
  const reset = async () => {
    const { status } = await http.call('POST', '/_sandbox/reset', { headers: { 'api-key': 'test_default' } });
    expect(status).toBe(200);
  };
  /** The example of an operation in the document. */
  const shown = async (id: string) => {
    const found = described(await read(name)).find(({ operation }) => operation.operationId === id);
    if (found === undefined) throw new Error(`${id} is not described`);
    const { parameters = [], requestBody } = found.operation;
    const at = (place: string): [string, string][] =>
      parameters.flatMap((it) =>
        it.in === place && it.example !== undefined ? [[it.name, it.example]] : [],
      );
    const inPath = Object.fromEntries(at('path'));
    return {
      names: parameters.filter((it) => it.in === 'path').map((it) => it.name),
      inPath,
      path: found.path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(inPath[part] ?? '')),
      query: new URLSearchParams(at('query')).toString(),
      headers: Object.fromEntries(at('header')),
      ...requestBody?.content['application/json'],
    };
  };
  const each = rows.map((row) => [row.id, row] as const);

  it.each(each)('%s: exists for every path parameter', async (id) => {
    const { names, inPath } = await shown(id);
    expect(Object.keys(inPath)).toEqual(names);
    for (const part of Object.values(inPath)) expect(part).not.toBe('');
  });

  it.each(each.filter(([, { body }]) => body !== undefined))('%s: matches its schema', async (id) => {
    const { schema = {}, example } = await shown(id);
    expect(schema).not.toEqual({});
    const check = compile(await read(name), schema, { allErrors: true });
    expect(example).toBeTypeOf('object');
    expect(check(example), JSON.stringify(check.errors)).toBe(true);
  });

  it.each(each)('%s: succeeds unchanged', async (id, { method, status, example: { files } = {} }) => {
    await reset();
    const { path, query, headers, example } = await shown(id);
    const url = query === '' ? path : `${path}?${query}`;
    // A document cannot describe the files of a form.
    const form = files && writeExampleForm(files);
    const answer = await http.call(method, url, {
      body: form?.body ?? example,
      headers: { ...key, ...headers, ...form?.headers },
    });
    expect([answer.status, answer.text]).toEqual([status, answer.text]);
    expect(answer.headers['x-sandbox-hint']).toBeUndefined();
  });
});

describe('an example of the control plane', () => {
  /** A path parameter that an earlier call creates. */
  const MADE = [
    'sandbox_retrieve_event',
    'sandbox_render_event',
    'sandbox_list_event_attempts',
    'sandbox_resend_event',
    'sandbox_send_example',
    'sandbox_replay_events',
    'sandbox_delete_fault',
    'sandbox_retrieve_request',
    'sandbox_keep_platform_answer',
    'sandbox_simulate_transaction',
    'sandbox_simulate_authorization',
  ];

  it('exists for every path parameter and every body, and matches its schema', async () => {
    const document = await read('sandbox');
    for (const { operation } of described(document)) {
      const { operationId: id, parameters = [], requestBody } = operation;
      const lacking = parameters.filter((it) => it.in === 'path' && it.example === undefined);
      expect(lacking.map(({ name }) => name).length, id).toBe(MADE.includes(id) ? 1 : 0);
      const content = requestBody?.content['application/json'];
      if (content === undefined) continue;
      expect(content.example, id).toBeTypeOf('object');
      const check = compile(document, content.schema ?? {}, { allErrors: true });
      expect(check(content.example), `${id} ${JSON.stringify(check.errors)}`).toBe(true);
    }
  });
});

describe('the examples', () => {
  const { call } = useHttp();

  it('refer to records of the current seed', async () => {
    const print = async () =>
      (await call('GET', '/openapi/v2.json')).text + (await call('GET', '/openapi/v1.json')).text;
    const placeholder = /"<\w+>"/;
    expect(await print()).not.toMatch(placeholder);
    const { program, persons, businesses, accounts } = defaultSeedDocument();
    const { status } = await call('POST', '/_sandbox/seed', {
      body: { program, persons, businesses, accounts, counterparties: [], card_holders: [], cards: [] },
      headers: { 'api-key': 'test_default' },
    });
    expect(status).toBe(200);
    const { seeded } = (await call('GET', '/_sandbox')).body as { seeded: Record<string, string> };
    const text = await print();
    expect(text).toMatch(placeholder);
    expect(text).toContain(`"example":"${seeded.transaction_id}"`);
  });
});

describe('every response of the server', () => {
  const fits = (document: Document, operationId: string, status: string, body: unknown): void => {
    const found = described(wholeDocument(document)).find(
      ({ operation }) => operation.operationId === operationId,
    );
    const answer = found?.operation.responses[status];
    const schema =
      answer?.$ref === undefined
        ? answer?.content?.['application/json']?.schema
        : (document.components.schemas.Error as Json);
    expect(schema, `${operationId} ${status}`).toBeDefined();
    const check = compile(document, schema ?? {});
    expect(check(body), JSON.stringify(check.errors)).toBe(true);
  };

  it('matches the documents, with null only where it is allowed', async () => {
    const caller = http.caller();
    const [v2, v1, sandbox] = [await read('v2'), await read('v1'), await read('sandbox')];
    const card = caller.seed('card_id').replaceAll('-', '').replace('crd', 'crd_');
    fits(v2, 'v2_retrieve_card', '200', (await caller.v2('GET', `/v2/issuing/card/${card}`)).body);
    fits(v2, 'v2_retrieve_card', 'default', (await caller.v2('GET', '/v2/issuing/card/crd_1')).body);
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    fits(v1, 'retrieveAccount', '200', account.body);
    fits(v1, 'retrieveAccount', 'default', (await caller.v1('GET', '/v1/account/acc-1')).body);
    await caller.v2('POST', '/_sandbox/faults', { error: { status: 503 }, match: { method: 'POST' } });
    for (const [id, path] of [
      ['sandbox_retrieve_summary', '/_sandbox'],
      ['sandbox_list_faults', '/_sandbox/faults'],
      ['sandbox_list_requests', '/_sandbox/requests'],
      ['sandbox_list_assumptions', '/_sandbox/assumptions'],
      ['sandbox_retrieve_coverage', '/_sandbox/coverage'],
    ] as const) {
      fits(sandbox, id, '200', (await caller.v2('GET', path)).body);
    }
    fits(sandbox, 'sandbox_delete_fault', 'default', (await caller.v2('DELETE', '/_sandbox/faults/x')).body);
  });
});
