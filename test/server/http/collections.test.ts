/**
 * The served collections for Postman and Bruno: every operation with variables, a new idempotency key per request, a
 * test and a response. test/long/collections.test.ts sends all requests with these programs.
 */
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { API_DOCUMENTS } from '../../../src/reference/openapi/document.ts';
import { LEFT_OUT } from '../../../src/reference/pages/collections/steps.ts';
import { useHttp } from './support.ts';

const http = useHttp({ small: true });

interface Item {
  name: string;
  item?: Item[];
  auth?: { apikey: { key: string; value: string }[] };
  request?: {
    method: string;
    header: { key: string; value: string }[];
    url: { path: string[]; raw: string };
    body?: object;
  };
  response?: { code: number; body: string }[];
}

const OPERATIONS = API_DOCUMENTS.flatMap(({ operations }) => [...operations]);
const SENT = OPERATIONS.filter(({ id }) => !Object.hasOwn(LEFT_OUT, id));
const leavesOf = (item: Item): Item[] => item.item?.flatMap(leavesOf) ?? [item];

describe('the collection for Postman', () => {
  let collection: Item & {
    info: { schema: string };
    event: { listen: string }[];
    variable: { key: string; value: string }[];
  };
  let leaves: Item[];

  beforeAll(async () => {
    const { statusCode, headers, body } = await http.app.server.inject({
      url: '/docs/collections/postman.json',
      headers: { host: '127.0.0.1:4999' },
    });
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    collection = JSON.parse(body);
    leaves = leavesOf(collection);
  });

  it('has the format v2.1, with key and scripts at the root', () => {
    expect(collection.info.schema).toMatch(/v2\.1\.0/);
    expect(collection.auth?.apikey).toContainEqual({ key: 'value', value: '{{apiKey}}', type: 'string' });
    expect(collection.event.map(({ listen }) => listen)).toEqual(['prerequest', 'test']);
  });

  it('sends its requests to the bank that served it', () => {
    expect(collection.variable).toContainEqual({ key: 'baseUrl', value: 'http://127.0.0.1:4999' });
  });

  it('has a request for each operation, except those that a collection cannot send', () => {
    expect(Object.keys(LEFT_OUT).filter((id) => !OPERATIONS.some((row) => row.id === id))).toEqual([]);
    const named = leaves.map(({ name, request }) => `${request?.method} ${name}`);
    expect(named.toSorted()).toEqual(SENT.map(({ method, summary }) => `${method} ${summary}`).toSorted());
  });

  it('names seeded records with variables, and leaves no path parameter empty', () => {
    const paths = leaves.map(({ request }) => request?.url.path ?? []);
    expect(paths.filter((path) => path.includes(''))).toEqual([]);
    expect(JSON.stringify(leaves.map(({ request }) => request))).not.toMatch(
      /[a-z]{3}[_-][0-9a-f]{8}-?[0-9a-f]{4}/,
    );
  });

  it('has a new idempotency key for every command of v2 and v1', () => {
    const keys = leaves.flatMap(({ request }) =>
      (request?.header ?? []).filter(({ key }) => key.endsWith('idempotency-key')).map(({ value }) => value),
    );
    const commands = SENT.filter(({ method, path }) => /^\/v[12]/.test(path) && /POST|PATCH/.test(method));
    expect(keys).toEqual(commands.map(() => '{{$guid}}'));
  });

  it('has the response of every request that is not a file; a 204 is empty', () => {
    const without = leaves.filter(({ response }) => response?.length === 0).map(({ name }) => name);
    expect(without).toEqual(['Export the bank as a SQLite database', 'Make a trace of the sandbox']);
    for (const { response = [] } of leaves)
      for (const { code, body } of response) expect([code < 300, body === '']).toEqual([true, code === 204]);
  });
});

describe('the collection for Bruno', () => {
  it('has a file for each of the same requests', async () => {
    const { rawPayload, headers } = await http.app.server.inject({ url: '/docs/collections/bruno.zip' });
    expect(headers['content-type']).toBe('application/zip');
    const files = Object.entries(unzipSync(new Uint8Array(rawPayload)));
    const requests = files.filter(([name]) => /\(\w+\)\.bru$/.test(name));
    expect(requests.map(([name]) => /\((\w+)\)\.bru$/.exec(name)?.[1]).toSorted()).toEqual(
      SENT.map(({ id }) => id).toSorted(),
    );
    const texts = requests.map(([, bytes]) => strFromU8(bytes));
    expect(texts.filter((text) => !/^ {2}url: \{\{baseUrl\}\}\/(v1|v2|_sandbox)/m.test(text))).toEqual([]);
    const hasJson = (text: string): boolean => /^ {2}body: json$/m.test(text);
    expect(texts.filter((text) => hasJson(text) !== /^body:json \{$/m.test(text))).toEqual([]);
    expect(texts.filter(hasJson).length).toBeGreaterThan(80);
    const names = files.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'sandbank/bruno.json',
        'sandbank/collection.bru',
        'sandbank/environments/local.bru',
      ]),
    );
  });
});
