/**
 * An attacker who knows the public seed gains no access: the secrets that can be derived from the seed are valid only
 * in a bank with seeded secrets, and the valid secrets are shown only to holders of a key.
 * Decisions `random-secrets`, `secret-lifetimes` and `seeded-secrets` in docs/fidelity.md.
 */
import { createHmac, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Bank, openBank, openServer, type Server } from './server.ts';

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
const MARK_LENGTH = 8;
const TEN_YEARS = 10 * 366 * 86_400;

const openRandom = (): Promise<Bank> => openBank({ hasRandomSecrets: true });
/** A bank with the same seed and instant, whose secrets anybody can compute. */
const openSeeded = (): Promise<Bank> => openBank();

const seededOf = async ({ call }: Bank): Promise<Record<string, string>> =>
  (await call('GET', '/_sandbox')).body.seeded;

/** A link to the seeded document for ten years, signed with the key of this server's default sandbox. */
function forge({ registry, clock }: Server): string {
  const { seeded } = registry.default();
  const id = seeded.ids.person_document ?? '';
  const expires = Math.floor(clock.now() / 1000) + TEN_YEARS;
  const signature = createHmac('sha256', seeded.linkSecret)
    .update(`default/document/${id}/${expires}`)
    .digest('hex');
  return `/_sandbox/files/default/${document(id)}?expires=${expires}&signature=${signature}`;
}

const document = (id: string): string =>
  `doc-${[id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join('-')}`;

/** The response to an upload at a link. */
const putAt = async ({ call }: Server, link: string): Promise<number> =>
  (await call('PUT', link, Buffer.from('forged'), '')).status;

describe('a link for ten years that is signed with the key of the public seed', () => {
  it('is valid in a bank with seeded secrets', async () => {
    const seeded = await openServer();
    expect(await putAt(seeded, forge(seeded))).toBe(200);
  });

  it('is refused by every other bank', async () => {
    const server = await openServer({ randomText });
    expect(await putAt(server, forge(await openServer()))).toBe(404);
    expect(await putAt(server, forge(server))).toBe(200);
  });

  it('is not valid for another sandbox of the same server', async () => {
    const server = await openServer({ randomText });
    server.registry.create('a');
    expect(await putAt(server, forge(server).replace('/default/', '/a/'))).toBe(404);
  });
});

/** Requests the data of the seeded card with a token and no key. */
const show = async ({ call }: Bank, card: string | undefined, token: string): Promise<number> =>
  (await call('GET', `/v1/card/${card}/show`, undefined, '', { 'sd-show-token': token })).status;

describe('the seeded tokens', () => {
  it('are shown to the holder of a key, and cannot be computed by others', async () => {
    const [server, seeded] = await Promise.all([openRandom(), openSeeded()]);
    const { card_id: card, show_token: own = '' } = await seededOf(server);
    const { card_id: other, show_token: known = '' } = await seededOf(seeded);
    expect([await show(server, card, own), await show(seeded, other, known)]).toEqual([200, 200]);
    expect(await show(server, card, known)).toBe(401);
  });

  it('of one sandbox are not valid in another', async () => {
    const server = await openRandom();
    await server.call('POST', '/_sandbox/sandboxes', { name: 'a' });
    const { card_id: card, show_token: own = '' } = await seededOf(server);
    const theirs = (await server.call('GET', '/_sandbox', undefined, 'test_a')).body.seeded.show_token;
    // The mark at its end identifies the sandbox of a token, and anybody can compute it.
    const moved = own.slice(0, -MARK_LENGTH) + theirs.slice(-MARK_LENGTH);
    expect([await show(server, card, own), await show(server, card, theirs)]).toEqual([200, 200]);
    expect(await show(server, card, moved)).toBe(401);
  });
});

describe('an event', () => {
  it('is signed with a secret that the seed does not reveal, before and after a reset', async () => {
    const server = await openRandom();
    const { call } = server;
    const before = await seededOf(server);
    expect(before.webhook_secret).not.toBe((await seededOf(await openSeeded())).webhook_secret);
    await call('POST', '/_sandbox/reset');
    expect(await seededOf(server)).toEqual(before);
    const { webhook_secret: secret = '', webhook_id: id = '', person_id: person } = before;
    const hook = await call('PATCH', `/v1/webhook/${id}`, {
      url: `${server.receiver}hooks`,
      status: 'active',
    });
    expect(hook.status).toBe(200);
    await call('PATCH', `/v1/person/${person}`, { metadata: { a: 'b' } });
    await server.idle();
    const [event] = server.sent;
    const signed = createHmac('sha256', secret)
      .update(event?.body ?? '')
      .digest('hex');
    expect(event?.headers['sd-webhook-sha256-signature']).toBe(signed);
  });
});

describe('two servers with one seed', () => {
  it('have the same ids, and different secrets', async () => {
    const [one, other] = await Promise.all([openRandom(), openRandom()]);
    const [mine, theirs] = [await seededOf(one), await seededOf(other)];
    const differing = Object.keys(mine).filter((name) => mine[name] !== theirs[name]);
    expect(differing.sort()).toEqual(['debit_card_token', 'pin_token', 'show_token', 'webhook_secret']);
  });
});
