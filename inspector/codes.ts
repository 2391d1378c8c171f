/** A request as code for a shell, Node, Python or a test. Random keys are variables. */

export interface Sent {
  readonly origin: string;
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly key: string;
  /** `''` without one. */
  readonly idempotencyKey: string;
  /** `null` without one. */
  readonly body: unknown;
  readonly status: number;
}

const isV1 = (path: string): boolean => path.startsWith('/v1/');

function headersOf({ path, key, idempotencyKey, body }: Sent): Record<string, string> {
  return {
    [isV1(path) ? 'sd-api-key' : 'api-key']: key,
    ...(idempotencyKey !== '' && { [isV1(path) ? 'sd-idempotency-key' : 'idempotency-key']: idempotencyKey }),
    ...(body !== null && { 'content-type': 'application/json' }),
  };
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function curl(sent: Sent): string {
  const { origin, method, path, body } = sent;
  const headers = Object.entries(headersOf(sent)).filter(([name]) => name !== 'content-type');
  return [
    `curl -s${method === (body === null ? 'GET' : 'POST') ? '' : ` -X ${method}`} ${quote(origin + path)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--json ${quote(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

const json = (value: unknown, indent: string): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);

function fetchOf(sent: Sent, indent: string): string {
  const { origin, method, path, body } = sent;
  const lines = [
    `const response = await fetch(${JSON.stringify(origin + path)}, {`,
    `  method: '${method}',`,
    `  headers: ${json(headersOf(sent), '  ')},`,
    ...(body === null ? [] : [`  body: JSON.stringify(${json(body, '  ')}),`]),
    '});',
  ];
  return lines.join('\n').replaceAll('\n', `\n${indent}`);
}

const node = (sent: Sent): string =>
  `${fetchOf(sent, '')}\nconsole.log(response.status, await response.json());`;

function python(sent: Sent): string {
  const { origin, method, path, body } = sent;
  // Python parses the JSON text, so true, false and null need no translation.
  return [
    'import json, urllib.error, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(origin + path)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers=${JSON.stringify(headersOf(sent))},`,
    ...(body === null ? [] : [`    data=${JSON.stringify(JSON.stringify(body))}.encode(),`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    '        print(response.status, json.load(response))',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
  ].join('\n');
}

const vitest = (sent: Sent): string =>
  [
    "import { expect, it } from 'vitest';",
    '',
    `it('${sent.method} ${sent.path.split('?', 1)[0]}', async () => {`,
    `  ${fetchOf(sent, '  ')}`,
    `  expect(response.status).toBe(${sent.status});`,
    '});',
  ].join('\n');

/** Every language, by its name. */
export const CODES: Readonly<Record<string, (sent: Sent) => string>> = {
  curl,
  Node: node,
  Python: python,
  vitest,
};
