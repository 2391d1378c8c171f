/** Request number N of a seed depends only on the documents, not on earlier requests. */
import fc from 'fast-check';
import type { Json, Known, Operation, Parameter } from './documents.ts';
import { fitting, STRANGE, spoiled } from './values.ts';

export type Sort = 'valid' | 'almost' | 'hostile';

export interface Sent {
  readonly operation: Operation;
  readonly sort: Sort;
  readonly sandbox: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
  /** False if another operation may respond, or none. */
  readonly isItsOwn: boolean;
}

/** Faults affect everything in their sandbox, so they have a separate one. */
export const FAULTY = 'fuzzfaults';
export const SANDBOXES = ['fuzzone', 'fuzztwo', 'fuzzthree', 'fuzzfour', FAULTY];
const isOfFaults = ({ method, path }: Operation): boolean => method === 'POST' && path.endsWith('/faults');

const BOUNDARY = 'sandbank-fuzz';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const ODD_SEGMENTS = [
  '%00',
  '%2f',
  '%2F..%2f..%2fetc',
  '..%5c',
  '%2e%2e',
  '%',
  '%zz',
  '%c0%af',
  '%ff',
  '%ed%a0%80',
  '',
  '.',
  '*',
  ';a=b',
  '__proto__',
  'constructor',
  'null',
  '0',
  '-1',
  '1e9',
  'a'.repeat(3_000),
  '%41'.repeat(600),
  '%F0%9F%8F%A6',
];
const ODD_QUERIES = [
  'limit=1&limit=2',
  'limit[]=1',
  'limit[a][b]=1',
  'limit=-1',
  'limit=1e3',
  'limit=999999999999999999999',
  'limit=%00',
  'limit=%',
  'starting_after=%00&ending_before=%ff',
  '__proto__[x]=1',
  'constructor=1',
  '&&&==&',
  'a=1;b=2',
  `x=${'y'.repeat(4_000)}`,
  Array.from({ length: 500 }, (_, at) => `p${at}=1`).join('&'),
  'offset=-1',
  'offset=99999999999999999999',
  'since=-1',
  'from=0000-00-00&to=9999-99-99',
  'from=0001-01-01&to=9999-12-31',
];
const ODD_BODIES: readonly (string | Uint8Array)[] = [
  '{',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  'null',
  '"text"',
  '12',
  '[]',
  '[[]]',
  'true',
  'NaN',
  "{'a':1}",
  ' ',
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"a":"\\ud800"}',
  '['.repeat(5_000),
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `{"a":"${'x'.repeat(300_000)}"}`,
  `{${Array.from({ length: 5_000 }, (_, at) => `"f${at}":1`).join(',')}}`,
  `{"a":${'9'.repeat(5_000)}}`,
  new Uint8Array([0xff, 0xfe, 0x00, 0x7b]),
  new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
];
const ODD_HEADERS: readonly Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/xml' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'multipart/form-data' },
  { 'content-type': `multipart/form-data; boundary=${'b'.repeat(300)}` },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;;;' },
  { 'content-type': 'APPLICATION/JSON' },
  { 'content-type': 'application/vnd.sqlite3' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
  { accept: 'image/png' },
  { accept: ';;;' },
  { 'accept-encoding': '*;q=0' },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'k'.repeat(2_000) },
  { 'idempotency-key': '\u00e9\u00ff' },
  { 'idempotency-key': '__proto__' },
  { 'x-odd': 'x'.repeat(20_000) },
  Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`x-odd-${at}`, '1'])),
  { 'if-none-match': '*' },
  { range: 'bytes=0-1,5-' },
  { origin: 'null' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '::1' },
  { 'sd-person-id': '%00' },
  { cookie: 'a=b; c' },
  { authorization: 'Basic ====' },
];
const ODD_KEYS = [
  '',
  'wrong',
  'test_',
  'test_..',
  'live_a',
  'test_A B',
  'x'.repeat(4_000),
  '\u00ff',
  'test___proto__',
];

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Values for a parameter: examples, existing ids, or values of its shape. */
function ofParameter(
  { document, path }: Operation,
  parameter: Parameter,
  known: Known,
): fc.Arbitrary<string> {
  const { name, schema = {} } = parameter;
  const before = path.split(`/{${name}}`)[0] ?? '';
  const examples = [
    parameter.example ?? [],
    known.byField.get(name) ?? [],
    known.idsAt.get(before) ?? [],
  ].flat();
  const shaped = fitting(document, schema, known, name).map(String);
  const choices: fc.WeightedArbitrary<string>[] = [
    { weight: examples.length > 0 ? 1 : 3, arbitrary: shaped },
  ];
  if (examples.length > 0) choices.push({ weight: 6, arbitrary: fc.constantFrom(...examples.map(String)) });
  if (parameter.in === 'path' && schema.enum === undefined && known.ids.length > 0) {
    choices.push({ weight: examples.length > 0 ? 1 : 6, arbitrary: fc.constantFrom(...known.ids) });
  }
  return fc.oneof(...choices);
}

interface Parts {
  readonly parameters: readonly (string | undefined)[];
  readonly body: unknown;
}

const isHeader = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

/** A valid request of an operation. */
function parts(operation: Operation, known: Known): fc.Arbitrary<Parts> {
  const parameters = operation.parameters.map((parameter) => {
    const values = ofParameter(operation, parameter, known);
    if (parameter.in === 'path' || parameter.required) return values;
    return fc.option(values, { nil: undefined, freq: 1 });
  });
  const content = operation.requestBody?.content['application/json'];
  if (content === undefined)
    return fc.record({ parameters: fc.tuple(...parameters), body: fc.constant(undefined) });
  const shaped = fitting(operation.document, content.schema ?? {}, known);
  const mixed = fc.tuple(shaped, fc.nat({ max: 99 })).map(([made, at]) => {
    if (typeof content.example !== 'object' || content.example === null || Array.isArray(content.example))
      return made;
    const fields = Object.keys((made ?? {}) as Json);
    const field = fields[at % Math.max(1, fields.length)];
    return field === undefined ? content.example : { ...content.example, [field]: (made as Json)[field] };
  });
  const body = fc.oneof(
    { weight: 4, arbitrary: fc.constant(content.example) },
    { weight: 4, arbitrary: mixed },
    { weight: 2, arbitrary: shaped },
  );
  return fc.record({ parameters: fc.tuple(...parameters), body });
}

function form(operation: Operation): string {
  const schema = operation.requestBody?.content['multipart/form-data']?.schema as
    | { properties?: Record<string, Json> }
    | undefined;
  const fields = Object.keys(schema?.properties ?? {}).map(
    (name) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`,
  );
  const file = Buffer.from(PNG, 'base64').toString('latin1');
  return `${fields.map((head) => `${head}${file}\r\n`).join('')}--${BOUNDARY}--\r\n`;
}

/** The request as it is sent. */
function assemble(operation: Operation, { parameters, body }: Parts, sandbox: string, known: Known): Sent {
  let { path } = operation;
  const query: string[] = [];
  const headers: Record<string, string> = { [operation.keyHeader]: `test_${sandbox}` };
  for (const [at, { name, in: place }] of operation.parameters.entries()) {
    const value = parameters[at];
    if (value === undefined) continue;
    if (place === 'path') path = path.replace(`{${name}}`, encode(value));
    else if (place === 'query') query.push(`${encode(name)}=${encode(value)}`);
    else if (isHeader(value)) headers[name] = value.trim();
  }
  if (query.length > 0) path += `?${query.join('&')}`;
  const base = {
    operation,
    sort: 'valid',
    sandbox,
    method: operation.method,
    headers,
    // One slash at the end is ignored, so an empty id calls the list.
    isItsOwn: !path.split('?', 1)[0]?.endsWith('/'),
  } as const;
  const types = Object.keys(operation.requestBody?.content ?? {});
  const type = types[0];
  if (type === undefined) return { ...base, path };
  headers['content-type'] = type;
  if (type === 'application/json') {
    const text = JSON.stringify(body);
    return text === undefined ? { ...base, path } : { ...base, path, body: text };
  }
  if (!type.startsWith('multipart/')) return { ...base, path, body: known.image };
  headers['content-type'] = `${type}; boundary=${BOUNDARY}`;
  return { ...base, path, body: Buffer.from(form(operation), 'latin1') };
}

/** The same with one invalid parameter or one invalid field. */
function almost(operation: Operation, known: Known, sandbox: string): fc.Arbitrary<Sent> {
  return parts(operation, known).chain((made) => {
    const count = operation.parameters.length;
    const hasBody = made.body !== undefined;
    const inParameter = fc.tuple(fc.nat(Math.max(0, count - 1)), STRANGE).map(([at, strange]) => {
      const text = typeof strange === 'string' ? strange : JSON.stringify(strange);
      return { ...made, parameters: made.parameters.with(at, text.slice(0, 2_000)) };
    });
    const inBody = spoiled(made.body).map((body) => ({ ...made, body }));
    const wrong = count === 0 ? inBody : hasBody ? fc.oneof(inParameter, inBody, inBody) : inParameter;
    return wrong.map((whole) => ({ ...assemble(operation, whole, sandbox, known), sort: 'almost' as const }));
  });
}

function hostile(operation: Operation, known: Known, sandbox: string): fc.Arbitrary<Sent> {
  const odd = fc.oneof(
    fc.constantFrom(...ODD_SEGMENTS).map((segment) => ({ segment })),
    fc.constantFrom(...ODD_QUERIES).map((query) => ({ query })),
    fc.constantFrom(...ODD_BODIES).map((body) => ({ body })),
    fc.string({ unit: 'binary', maxLength: 60 }).map((body) => ({ body })),
    fc.nat(400).map((cut) => ({ cut })),
    fc.constantFrom(...ODD_HEADERS).map((headers) => ({ headers })),
    fc.constantFrom(...ODD_KEYS).map((key) => ({ headers: { [operation.keyHeader]: key } })),
    fc
      .constantFrom(...METHODS.filter((name) => !operation.methods.includes(name)))
      .map((method) => ({ method })),
  );
  return fc.tuple(parts(operation, known), odd).map(([made, change]) => {
    const sent = { ...assemble(operation, made, sandbox, known), sort: 'hostile' as const };
    const what = change as Partial<{
      segment: string;
      query: string;
      body: string | Uint8Array;
      cut: number;
    }> &
      Partial<{ headers: Record<string, string>; method: string }>;
    if (what.segment !== undefined) {
      const path = operation.path.includes('{')
        ? operation.path.replace(/\{\w+\}/g, () => what.segment ?? '')
        : `${operation.path}/${what.segment}`;
      return { ...sent, path, isItsOwn: false };
    }
    if (what.query !== undefined)
      return {
        ...sent,
        path: `${operation.path === sent.path ? sent.path : sent.path.split('?')[0]}?${what.query}`,
      };
    if (what.method !== undefined) {
      const { body: _, ...rest } = sent;
      return { ...rest, method: what.method, isItsOwn: false };
    }
    if (what.headers !== undefined) return { ...sent, headers: { ...sent.headers, ...what.headers } };
    if (operation.method === 'GET') return sent;
    const headers = { 'content-type': 'application/json', ...sent.headers };
    if (what.cut !== undefined)
      return { ...sent, headers, body: (sent.body ?? '{"a":[1').slice(0, what.cut) };
    return { ...sent, headers, body: what.body ?? '' };
  });
}

/** Generates requests: the same seed and number result in the same request. */
export function makeRequests(operations: readonly Operation[], known: Known, seed: number) {
  const drawn = new Map<string, fc.Arbitrary<Sent>>();
  const sorts: Record<Sort, typeof hostile> = {
    valid: (operation, _, sandbox) =>
      parts(operation, known).map((made) => assemble(operation, made, sandbox, known)),
    almost,
    hostile,
  };
  return (number: number): Sent => {
    // fast-check mixes its seed well, so consecutive seeds are independent.
    const own = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b)) | 0;
    const [at = 0, sort = 'valid', sandbox = FAULTY] = fc.sample(
      fc.tuple(
        fc.nat(operations.length - 1),
        fc.constantFrom<Sort>('valid', 'valid', 'almost', 'almost', 'hostile'),
        fc.constantFrom(...SANDBOXES.filter((name) => name !== FAULTY)),
      ),
      { seed: own, numRuns: 1 },
    )[0] ?? [0, 'valid', FAULTY];
    const operation = operations[at];
    if (operation === undefined) throw new Error('the documents have no operations');
    const where = isOfFaults(operation) ? FAULTY : sandbox;
    const key = `${operation.operationId} ${sort} ${where}`;
    let arbitrary = drawn.get(key);
    if (arbitrary === undefined) {
      arbitrary = sorts[sort](operation, known, where);
      drawn.set(key, arbitrary);
    }
    const sent = fc.sample(arbitrary, { seed: own, numRuns: 1 })[0];
    if (sent === undefined) throw new Error(`nothing is drawn for ${key}`);
    // A key repeats the first response under it, also of another operation, so each operation has its own keys.
    for (const [name, value] of Object.entries(sent.headers)) {
      if (name.endsWith('idempotency-key') && value !== '')
        sent.headers[name] = `${operation.operationId} ${value}`;
    }
    return sent;
  };
}
