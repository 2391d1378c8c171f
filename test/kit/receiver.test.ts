/**
 * The receiver of a test, and the check of signatures that a program's own handler uses.
 */
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../src/bank/delivery/signature.ts';
import type { Sandbank } from '../../src/kit/bank.ts';
import { verifyWebhook, WebhookSignatureError } from '../../src/kit/client/webhook.ts';
import { test } from '../../src/kit/vitest.ts';
import { PATIENTLY } from '../support/patience.ts';

async function rename(bank: Sandbank, label: string): Promise<string> {
  const { sub_account_id } = await bank.seeded();
  await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label } });
  return sub_account_id;
}

describe('a receiver', () => {
  test('receives the events of both versions, signed, with their records', async ({ bank }) => {
    const receiver = await bank.receiver();
    const id = await rename(bank, 'Rent');
    const ofV2 = await receiver.next('sub_account.updated', { resource: id, ...PATIENTLY });
    expect(ofV2).toMatchObject({ version: 'v2', status: 200, problem: '', type: 'sub_account.updated' });
    expect(ofV2.data.label).toBe('Rent');
    const ofV1 = await receiver.next('account.updated', PATIENTLY);
    expect(ofV1.version).toBe('v1');
    expect(ofV1.data.label).toBe('Rent');
    expect(ofV2.id).toBe((await bank.events.waitFor('sub_account.updated', PATIENTLY)).id);
  });

  test('returns each delivery once, and waits for the next', async ({ bank }) => {
    const receiver = await bank.receiver({ types: ['sub_account.updated'] });
    await rename(bank, 'one');
    await rename(bank, 'two');
    expect((await receiver.next('sub_account.updated', PATIENTLY)).data.label).toBe('one');
    expect((await receiver.next('sub_account.updated', PATIENTLY)).data.label).toBe('two');
    const waiting = receiver.next('sub_account.updated', PATIENTLY);
    await rename(bank, 'three');
    expect((await waiting).data.label).toBe('three');
    expect(new Set(receiver.deliveries.map(({ type }) => type))).toEqual(new Set(['sub_account.updated']));
    expect(Object.keys(receiver.secrets)).toEqual(['v2']);
  });

  test('fails as often as configured, and receives the same event again', async ({ bank }) => {
    const receiver = await bank.receiver({ types: ['sub_account.updated'] });
    receiver.fail(1, 503);
    await rename(bank, 'Rent');
    await bank.sandbox.drain();
    expect(receiver.deliveries.map(({ status }) => status)).toEqual([503]);
    const [{ id: event } = { id: '' }] = await bank.events.list('sub_account.updated');
    const { attempts } = await bank.sandbox.listEventAttempts({ params: { id: event } });
    const due = attempts.find(({ next_due_at }) => next_due_at !== '')?.next_due_at;
    await expect(receiver.next('sub_account.updated')).rejects.toThrow(
      new RegExp(
        `was accepted: the clock is frozen at .*answered 503\\nThe next attempt of ${event} is due at ${due} on the.*Next is at \\S+ \\(attempt 2 to deliver sub_account.updated to \\w+\\): advance the clock to it`,
        's',
      ),
    );
    await bank.clock.advance('PT10S');
    const { id } = await receiver.next('sub_account.updated', PATIENTLY);
    expect(receiver.deliveries.map((one) => [one.id, one.status])).toEqual([
      [id, 503],
      [id, 200],
    ]);
  });

  test('rejects a delivery with an invalid signature', async ({ bank }) => {
    const receiver = await bank.receiver({ types: ['sub_account.updated'] });
    const body = '{"event_type":"sub_account.updated","data":{"id":"sub_1"}}';
    const headers = signatureHeaders({
      secret: 'another',
      id: 'evt_1',
      timestampSeconds: Math.floor(Date.now() / 1000),
      body,
    });
    expect((await fetch(`${receiver.url}/v2`, { method: 'POST', headers, body })).status).toBe(401);
    expect((await fetch(`${receiver.url}/v2`, { method: 'POST', body: 'no event' })).status).toBe(400);
    expect(receiver.deliveries).toHaveLength(1);
    await expect(receiver.next('sub_account.updated', { timeout: 20 })).rejects.toThrow(
      /answered 401: webhook-signature does not match/,
    );
  });

  test('lists what was delivered at a timeout', async ({ bank }) => {
    const receiver = await bank.receiver();
    await expect(receiver.next('card.spend', { timeout: 20 })).rejects.toThrow(
      'no delivery of card.spend was accepted within 20 ms; nothing was delivered yet.',
    );
  });

  test('refuses an unknown kind', async ({ bank }) => {
    // @ts-expect-error there is no such kind
    await expect(bank.receiver({ types: ['card.spent'] })).rejects.toThrow(
      'card.spent is not an event type of',
    );
  });

  test('ends with its webhooks, and with the bank', async ({ bank, bankServer }) => {
    const first = await bank.receiver();
    await first.close();
    expect((await bank.v1.listWebhooks()).data.map(({ url }) => url)).not.toContain(`${first.url}/v1`);
    await expect(fetch(first.url)).rejects.toThrow();
    const other = await bankServer.inSandbox('receiver_ends');
    const second = await other.receiver();
    await other.close();
    await expect(fetch(second.url)).rejects.toThrow();
  });
});

describe('verifyWebhook', () => {
  const secret = 'whsec_mine';
  const now = new Date('2026-11-20T12:00:00Z');
  const body = '{"event_type":"card.created","data":{"id":"card_é"}}';
  const signed = (secrets: string | [string, ...string[]] = secret) =>
    signatureHeaders({ secret: secrets, id: 'evt_1', timestampSeconds: now.getTime() / 1000, body });
  const { 'sd-webhook-sha256-signature': platform = '' } = signed();

  it.each<[string, string | Uint8Array, Headers | Record<string, string | string[]>]>([
    ['of node:http', body, signed()],
    ['of fetch', body, new Headers(signed())],
    ['in capitals', body, { 'SD-Webhook-SHA256-Signature': platform }],
    ['as lists', body, { 'sd-webhook-sha256-signature': [platform] }],
    ['beside bytes', Buffer.from(body), signed()],
  ])('takes the signatures from headers %s', (_, raw, headers) => {
    expect(verifyWebhook(raw, headers, secret, { now })).toEqual(JSON.parse(body));
    const standard = `whsec_${Buffer.from(secret).toString('base64')}`;
    expect(verifyWebhook(raw, headers, standard, { now })).toEqual(JSON.parse(body));
  });

  it('accepts either secret during a rotation', () => {
    const headers = signed(['new', 'old']);
    expect(verifyWebhook(body, headers, 'old', { now })).toBeDefined();
    expect(verifyWebhook(body, headers, 'new', { now })).toBeDefined();
    expect(verifyWebhook(body, headers, ['other', 'old'], { now })).toBeDefined();
  });

  it('accepts the platform’s header alone', () => {
    expect(verifyWebhook(body, { 'sd-webhook-sha256-signature': platform }, secret)).toBeDefined();
    expect(platform).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  });

  it.each<[string, string, Record<string, string>, string]>([
    ['no signature', body, {}, 'has no signature'],
    ['another body', `${body} `, signed(), 'webhook-signature does not match'],
    ['another secret', body, signed('other'), 'webhook-signature does not match'],
    [
      'an empty signature',
      body,
      { ...signed(), 'webhook-signature': 'v1,' },
      'webhook-signature does not match',
    ],
    ['another id', body, { ...signed(), 'webhook-id': 'evt_2' }, 'webhook-signature does not match'],
    ['another time', body, { ...signed(), 'webhook-timestamp': '1' }, 'webhook-signature does not match'],
    [
      'a time that is not an integer',
      body,
      { ...signed(), 'webhook-timestamp': 'noon' },
      'expected whole seconds since 1970',
    ],
    ['another platform signature', body, { 'sd-webhook-sha256-signature': 'ab' }, 'does not match the body'],
  ])('refuses %s', (_, raw, headers, message) => {
    const verify = () => verifyWebhook(raw, headers, secret, { now });
    expect(verify).toThrow(WebhookSignatureError);
    expect(verify).toThrow(message);
  });

  it('names the missing header', () => {
    const { 'webhook-id': _, ...headers } = signed();
    expect(() => verifyWebhook(body, headers, secret, { now })).toThrow('has no header webhook-id');
  });

  it('rejects a delivery that is too old or too new', () => {
    const away = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    expect(() => verifyWebhook(body, signed(), secret, { now: away(301) })).toThrow('301 seconds away');
    expect(() => verifyWebhook(body, signed(), secret, { now: away(-301) })).toThrow('301 seconds away');
    expect(verifyWebhook(body, signed(), secret, { now: away(301), toleranceSeconds: 400 })).toBeDefined();
    for (const limit of [300, -300]) {
      expect(verifyWebhook(body, signed(), secret, { now: away(limit) })).toBeDefined();
    }
  });

  it('rejects a body that is not JSON, and an invalid secret', () => {
    const headers = {
      'sd-webhook-sha256-signature': createHmac('sha256', secret).update('no').digest('hex'),
    };
    expect(() => verifyWebhook('no', headers, secret)).toThrow('is not JSON');
    expect(() => verifyWebhook(body, signed(), '')).toThrow('missing or empty');
    expect(() => verifyWebhook(body, signed(), [])).toThrow('missing or empty');
  });
});
