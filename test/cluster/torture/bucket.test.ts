/** The bucket of the tests has the guarantees that a cluster requires, except those that a test switches off. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, openBucket } from './bucket.ts';

let bucket: Bucket;
beforeEach(async () => {
  bucket = await openBucket(() => 0);
});
afterEach(() => bucket.close());

const call = (method: string, key: string, headers: Record<string, string> = {}, body?: string) =>
  fetch(`${bucket.url}/bank/${key}`, { method, headers, ...(body !== undefined && { body }) });
const put = (key: string, body: string, headers: Record<string, string> = {}) =>
  call('PUT', key, headers, body);
const textOf = async (key: string): Promise<string> => (await call('GET', key)).text();
const etagOf = (response: Response): string => response.headers.get('etag') ?? '';

describe('a bucket', () => {
  it('writes a new object once with If-None-Match, and replaces an object only with its current ETag', async () => {
    const first = await put('a', 'one', { 'if-none-match': '*' });
    expect(first.status).toBe(200);
    expect((await put('a', 'two', { 'if-none-match': '*' })).status).toBe(412);
    expect((await put('a', 'two', { 'if-match': etagOf(first) })).status).toBe(200);
    expect((await put('a', 'three', { 'if-match': etagOf(first) })).status).toBe(412);
    expect((await put('b', 'three', { 'if-match': etagOf(first) })).status).toBe(404);
    expect(await textOf('a')).toBe('two');
  });

  it('returns ranges, lists keys by prefix and in pages, and deletes objects', async () => {
    for (const key of ['x/1', 'x/2', 'x/y/3', 'z']) await put(key, `of ${key}`);
    const part = await call('GET', 'x/1', { range: 'bytes=3-' });
    expect([part.status, await part.text()]).toEqual([206, 'x/1']);
    // A range that ends after the object ends with it.
    const end = await call('GET', 'x/1', { range: 'bytes=4-99' });
    expect([end.headers.get('content-range'), await end.text()]).toEqual(['bytes 4-5/6', '/1']);
    const list = async (query: string): Promise<string> =>
      (await call('GET', `?list-type=2&${query}`)).text();
    const keysIn = (xml: string) => [...xml.matchAll(/<Key>([^<]+)/g)].map(([, key]) => key);
    const all = await list('prefix=x/&delimiter=/');
    expect(keysIn(all)).toEqual(['x/1', 'x/2']);
    expect(all).toContain('<CommonPrefixes><Prefix>x/y/</Prefix>');
    const page = await list('max-keys=3');
    expect(keysIn(page)).toEqual(['x/1', 'x/2', 'x/y/3']);
    const [, token = ''] = /<NextContinuationToken>([^<]+)/.exec(page) ?? [];
    expect(keysIn(await list(`continuation-token=${token}`))).toEqual(['z']);
    expect((await call('DELETE', 'x/1')).status).toBe(204);
    expect((await call('GET', 'x/1')).status).toBe(404);
  });

  it('refuses a write, or executes it and loses the response, while that fault is injected', async () => {
    bucket.faults.refuses = 1;
    expect((await put('a', 'one')).status).toBe(503);
    bucket.faults.refuses = 0;
    bucket.faults.losesAnswer = 1;
    await expect(put('a', 'one')).rejects.toThrow();
    expect(await textOf('a')).toBe('one');
    expect(bucket.counts).toMatchObject({ refused: 1, 'answers lost': 1 });
  });
});

describe('a broken bucket', () => {
  it('ignores the conditions of writes', async () => {
    bucket.faults.ignoresConditions = true;
    await put('a', 'one');
    expect((await put('a', 'two', { 'if-none-match': '*' })).status).toBe(200);
    expect(await textOf('a')).toBe('two');
  });

  it('acknowledges writes that it does not store', async () => {
    bucket.faults.forgets = 1;
    expect((await put('a', 'one')).status).toBe(200);
    expect((await call('GET', 'a')).status).toBe(404);
  });
});
