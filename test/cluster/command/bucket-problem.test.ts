/** The explanation of a bucket that an instance cannot use: its address, the cause, and what to do. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { explainBucket } from '../../../src/cluster/command/bucket-problem.ts';
import { freePort } from '../torture/members.ts';

const BUCKET = 's3://bank/sandbank';
/** What workerd prints. */
const reported = (failure: string): string =>
  `cluster: could not load deployments from ${BUCKET}: bucket: GET sandbank/v1/deploy/catalog.json: ${failure}\n`;
const NO_CONNECTION = reported('client error (Connect)');

it('an address without a server is named, with the error of the connection', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  expect(await explainBucket(NO_CONNECTION, { bucket: BUCKET, endpoint: `http://${address}` })).toBe(
    `the bucket ${BUCKET} at http://${address} cannot be reached (connect ECONNREFUSED ${address}): ` +
      'start it, or correct --endpoint (AWS_ENDPOINT_URL)',
  );
});

it('an address that responds now is named with the error that workerd reported', async () => {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await explainBucket(NO_CONNECTION, { bucket: BUCKET, endpoint })).toContain(
    `at ${endpoint} cannot be reached (client error (Connect))`,
  );
});

it('without an address of its own, the bucket is named', async () => {
  expect(await explainBucket(NO_CONNECTION, { bucket: 'gs://bank/sandbank', endpoint: undefined })).toMatch(
    /^the bucket gs:\/\/bank\/sandbank cannot be reached \(client error/,
  );
});

it.each([
  ['403 SignatureDoesNotMatch', 'check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'],
  ['404 NoSuchBucket', 'create the bucket, or correct --bucket'],
  ['501 NotImplemented', 'it must know conditional writes'],
  ['500 InternalError', 'look into its log'],
])('a bucket that responds with %s: %s', async (failure, advice) => {
  expect(
    await explainBucket(reported(failure), { bucket: BUCKET, endpoint: 'http://bucket.example' }),
  ).toContain(`the bucket ${BUCKET} at http://bucket.example responds with ${failure}: ${advice}`);
});

it('a bucket that ignores the conditions of writes is named, with what it must obey', async () => {
  const output =
    'failed: joining the cluster: bucket config: the bucket ignores conditional writes (If-None-Match and If-Match on S3)\n';
  expect(await explainBucket(output, { bucket: BUCKET, endpoint: 'http://bucket.example' })).toBe(
    `the bucket ${BUCKET} at http://bucket.example ignores conditions: use one that obeys conditional writes, as those of Amazon S3, Cloudflare R2 and MinIO do`,
  );
});

it.each(['', 'the lease lapsed', 'a bucket: it is full'])(
  'other output has no explanation: %j',
  async (output) => {
    expect(await explainBucket(output, { bucket: BUCKET, endpoint: undefined })).toBeUndefined();
  },
);
