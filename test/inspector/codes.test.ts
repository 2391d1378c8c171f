/**
 * A request as code, executed if a program for the language is installed; and every operation of the control plane is
 * available.
 */
import { exec, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CODES, type Sent } from '../../inspector/codes.ts';
import { harEntry } from '../../inspector/har.ts';
import { addressOf, idOf, operationsOf, type Version } from '../../inspector/operations.ts';
import { V1_OPERATIONS } from '../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../src/bank/api/v2/index.ts';
import { TABLES } from '../../src/kit/client/table.ts';
import { CONTROL_OPERATIONS } from '../../src/sandboxes/control/index.ts';
import { useHttp } from '../server/http/support.ts';

const http = useHttp({ small: true });

const SENT: Sent = {
  origin: '',
  method: 'POST',
  path: '/v2/payments/ach/pull?a=1',
  key: 'test_default',
  idempotencyKey: "it's mine",
  body: { amount: '5.00', description: 'Ada\'s "rent"', flag: true, none: null },
  status: 201,
};

/** Responds with 201 and the request. */
async function received(run: (origin: string) => Promise<unknown>) {
  const requests: { method?: string; url?: string; key: unknown; idempotency: unknown; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({
        method,
        url,
        key: headers['api-key'],
        idempotency: headers['idempotency-key'],
        body: JSON.parse(text),
      });
      response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((done) => server.close(done));
  return requests;
}

describe('a request as code', () => {
  it('for a shell sends the same request, with its idempotency key', async () => {
    const found = await received((origin) => promisify(exec)(CODES.curl?.({ ...SENT, origin }) ?? ''));
    expect(found).toEqual([
      { method: 'POST', url: SENT.path, key: SENT.key, idempotency: SENT.idempotencyKey, body: SENT.body },
    ]);
  });

  it('for Node sends the same request', async () => {
    const found = await received((origin) =>
      promisify(exec)(`"${process.execPath}" --input-type=module -e "$CODE"`, {
        env: { ...process.env, CODE: CODES.Node?.({ ...SENT, origin }) },
      }),
    );
    expect(found[0]).toMatchObject({ url: SENT.path, idempotency: SENT.idempotencyKey, body: SENT.body });
  });

  it('for vitest expects the status, and for Python is Python if it is installed', () => {
    expect(CODES.vitest?.(SENT)).toContain('toBe(201)');
    const code = CODES.Python?.(SENT) ?? '';
    const python = 'import ast, sys; ast.parse(sys.stdin.read())';
    expect(() => execFileSync('python3', ['-c', python], { input: code })).not.toThrow();
  });

  it('of v1 has the headers of v1', () => {
    expect(CODES.curl?.({ ...SENT, path: '/v1/person' })).toContain('sd-idempotency-key');
  });
});

describe('the screen for sending requests', () => {
  it('has every operation of the control plane, and fills its paths', async () => {
    const { body } = await http.call('GET', '/openapi/sandbox.json');
    const operations = operationsOf(body as { paths: Record<string, unknown> });
    expect(operations.map(({ id }) => id).toSorted()).toEqual(
      CONTROL_OPERATIONS.map(({ id }) => id).toSorted(),
    );
    const snapshot = operations.find(({ id }) => id === 'sandbox_compare_snapshot');
    expect(snapshot && addressOf(snapshot, { name: 'a b', with: 'c' })).toMatch(/\/a%20b\/.*\?with=c$/);
    expect(operations.find(({ id }) => id === 'sandbox_import')?.fileType).toBe('application/vnd.sqlite3');
    expect(operations.find(({ id }) => id === 'sandbox_create_fault')?.body).toContain('"status": 503');
  });
});

describe('an operation in the command palette', () => {
  it('has the same id as in the documents', () => {
    const idsOf = (version: Version, table: object) =>
      Object.keys(table)
        .map((name) => idOf(version, name))
        .toSorted();
    const ids = (operations: readonly { id: string }[]) => operations.map(({ id }) => id).toSorted();
    expect(idsOf('v2', TABLES.v2)).toEqual(ids(V2_OPERATIONS));
    expect(idsOf('v1', TABLES.v1)).toEqual(ids(V1_OPERATIONS));
    expect(idsOf('control', TABLES.sandbox)).toEqual(ids(CONTROL_OPERATIONS));
  });
});

describe('the HAR of a request', () => {
  it('has its parts and its idempotency key', () => {
    const entry = harEntry(
      {
        at: '2026-03-01T12:00:00Z',
        ms: 2,
        method: 'POST',
        path: '/v1/person',
        query: { a: '1' },
        idempotency_key: 'k',
        request_body: { firstName: 'Ada' },
        answer_body: { id: 'per_1' },
        status: 201,
        id: 'req_1',
      } as unknown as Parameters<typeof harEntry>[0],
      'http://127.0.0.1:4800',
    );
    expect(entry).toMatchObject({
      request: {
        url: 'http://127.0.0.1:4800/v1/person?a=1',
        headers: [{ name: 'sd-idempotency-key', value: 'k' }],
        postData: { text: '{"firstName":"Ada"}' },
      },
      response: { status: 201, content: { text: '{"id":"per_1"}' } },
    });
  });
});
