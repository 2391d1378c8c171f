// The signatures, checked like in a receiver: with test vectors from `openssl dgst -sha256 -hmac`, with the reference
// library of Standard Webhooks, and with the lines of node:crypto that a client of the platform writes.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { signatureHeaders } from '../../../src/bank/delivery/signature.ts';

const SECRET = 'sk_test_0123456789abcdef0123456789abcdef';
const OLDER_SECRET = 'k3Jq0VtY8mZc5RbN1xWd7PfLs2GhUa9E';
const ID = 'evt_018f8613012b7e51b96c6eeabb6dbe92';
const BODY = `{"id":"${ID}","event_type":"sub_account.created","data":{"label":"Zoë’s account"}}`;
const TIMESTAMP = 1_795_198_444;
const signed = { secret: SECRET, id: ID, timestampSeconds: TIMESTAMP, body: BODY };

const asLibrarySecret = (secret: string) => `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('the signature headers', () => {
  test('equal those computed by openssl', () => {
    expect(signatureHeaders(signed)).toEqual({
      'sd-webhook-sha256-signature': '84bfd130bb5aca937e48e894980abe9f75cab2059865973af1d1cbf1173e7e4d',
      'webhook-id': ID,
      'webhook-timestamp': '1795198444',
      'webhook-signature': 'v1,SOVWbkGWHHR3DQ3DIa/kGGQXH/A0pqfpYSNeHqpaYCI=',
    });
  });

  test('also cover an empty body', () => {
    expect(signatureHeaders({ ...signed, body: '' })['sd-webhook-sha256-signature']).toBe(
      '19eb697553200fd5ffc81119bb189caafa6b1d655b4c73f587eed983da112cf3',
    );
  });

  test('use the UTF-8 bytes of the secret as the key', () => {
    expect(signatureHeaders({ ...signed, secret: 'clé-£-秘密' })['sd-webhook-sha256-signature']).toBe(
      '295e6721183825a6b6f6bcc5bd25962e4114b1858807fe703762a38d0dfedb83',
    );
  });

  test('have one signature for each secret in the standard header during a rotation, and the newest in the other', () => {
    const headers = signatureHeaders({ ...signed, secret: [OLDER_SECRET, SECRET] });
    expect(headers['webhook-signature']).toBe(
      'v1,ni9g79U/dWvCRJXoPqFckLdIuQYZ8Qf95P22ASdoBaM= v1,SOVWbkGWHHR3DQ3DIa/kGGQXH/A0pqfpYSNeHqpaYCI=',
    );
    expect(headers['sd-webhook-sha256-signature']).toBe(
      '7f01fd5d7dd509cf47db751f9e915fdbd1e4b0a7d0a54fa259e83fe654e0cb59',
    );
  });
});

describe('the library of Standard Webhooks', () => {
  test('accepts the headers', () => {
    const headers = signatureHeaders({ ...signed, timestampSeconds: nowSeconds() });
    expect(new Webhook(asLibrarySecret(SECRET)).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test('accepts them with both secrets of a rotation', () => {
    const headers = signatureHeaders({
      ...signed,
      secret: [OLDER_SECRET, SECRET],
      timestampSeconds: nowSeconds(),
    });
    for (const secret of [OLDER_SECRET, SECRET])
      expect(new Webhook(asLibrarySecret(secret)).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  test('rejects another body, id, time or secret', () => {
    const headers = signatureHeaders({ ...signed, timestampSeconds: nowSeconds() });
    const library = new Webhook(asLibrarySecret(SECRET));
    expect(() => library.verify(`${BODY} `, headers)).toThrow('No matching signature');
    expect(() => library.verify(BODY, { ...headers, 'webhook-id': 'evt_other' })).toThrow('No matching');
    expect(() => library.verify(BODY, { ...headers, 'webhook-timestamp': `${nowSeconds() - 9}` })).toThrow(
      'No matching',
    );
    expect(() => new Webhook(asLibrarySecret(OLDER_SECRET)).verify(BODY, headers)).toThrow('No matching');
  });
});

test("a short verification by a client accepts the platform's header", () => {
  const expected = createHmac('sha256', Buffer.from(SECRET)).update(Buffer.from(BODY)).digest();
  const given = Buffer.from(signatureHeaders(signed)['sd-webhook-sha256-signature'] ?? '', 'hex');
  expect(timingSafeEqual(given, expected)).toBe(true);
});
