/**
 * Attachments of v2: created for records of any kind, uploaded and downloaded with links that are valid for 5
 * minutes, shown in their record, and deleted. Decisions `deleted-things`, `attachment-subjects`, `attachments-shown`
 * and `attachment-links` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { V2_OPERATIONS } from '../../../src/bank/api/v2/index.ts';
import { ATTACHMENT } from '../../contract/v2/others.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2, problemsWith } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true });
const FILE = Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff]);
const stamp = () => `${new Date(http.clock.now()).toISOString().slice(0, 19)}Z`;

const attach = (caller: Caller, reference: string, label = 'lease') =>
  caller.v2('POST', '/v2/attachment', { reference_id: reference, label });
const linkOf = (url: string): string => new URL(url).pathname + new URL(url).search;
const give = (url: string, payload = FILE) =>
  http.app.server.inject({
    method: 'PUT',
    url: linkOf(url),
    payload,
    headers: { 'content-type': 'application/pdf' },
  });
const take = (url: string) => http.app.server.inject({ method: 'GET', url: linkOf(url) });

/** A record of each kind that accepts attachments: its name in the seed, and its path. */
const RECORDS = [
  ['a person', 'person_holder_id', '/v2/accounts/sub_account_holder/'],
  ['a business', 'business_holder_id', '/v2/accounts/sub_account_holder/'],
  ['a sub account', 'sub_account_id', '/v2/accounts/sub_account/'],
  ['a master account', 'master_account_id', '/v2/accounts/master_account/'],
  ['a card holder', 'card_holder_id', '/v2/issuing/card_holder/'],
  ['a card', 'virtual_card_id', '/v2/issuing/card/'],
  ['a counterparty', 'ach_counterparty_id', '/v2/payments/counterparty/'],
  ['a transaction', 'transaction_id', '/v2/payments/transaction/'],
] as const;

describe('an attachment (v2_create_attachment, v2_retrieve_attachment)', () => {
  it('is created with every field of the record', async () => {
    const caller = http.caller();
    const answer = await attach(caller, caller.seed('sub_account_id'));
    expectRecord(answer, 'v2_create_attachment', ATTACHMENT);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^att_[0-9a-f]{32}$/),
      reference_id: caller.seed('sub_account_id'),
      label: 'lease',
      url: expect.stringMatching(/^http:\/\/.+\/att_/),
      created_at: stamp(),
      timestamps: { created_at: stamp(), deleted_at: '' },
    });
  });

  it('needs no label, and accepts ids in the format of v1', async () => {
    const caller = http.caller();
    const answer = await caller.v2('POST', '/v2/attachment', { reference_id: caller.seed('contact_id') });
    expect(answer.status).toBe(201);
    expect([answer.at('label'), answer.at('reference_id')]).toEqual(['', caller.seed('ach_counterparty_id')]);
  });

  it.each(RECORDS)('of %s is part of the record until it is deleted', async (_, seed, path) => {
    const caller = http.caller();
    const id = caller.seed(seed);
    const shown = async () => (await caller.v2('GET', path + id)).at('attachments');
    expect(await shown()).toBeNull();
    const first = (await attach(caller, id, 'first')).id();
    const second = (await attach(caller, id, 'second')).id();
    const item = (attached: string, label: string) => ({
      id: attached,
      label,
      created_at: stamp(),
      timestamps: { created_at: stamp(), deleted_at: '' },
    });
    expect(await shown()).toEqual([item(second, 'second'), item(first, 'first')]);
    expect((await caller.v2('DELETE', `/v2/attachment/${second}`)).status).toBe(204);
    expect(await shown()).toEqual([item(first, 'first')]);
    await caller.v2('DELETE', `/v2/attachment/${first}`);
    expect(await shown()).toBeNull();
  });

  it("of a master transaction is not an attachment of the sub account's transaction", async () => {
    const caller = http.caller();
    const own = caller.seed('transaction_id');
    const shown = (id: string) => caller.v2('GET', `/v2/payments/transaction/${id}`);
    const entry = (await shown(own)).id('reconciliation.master_account.0.transaction_id');
    expect((await attach(caller, entry)).at('reference_id')).toBe(entry);
    expect([(await shown(own)).at('attachments'), (await shown(entry)).at('attachments.0.label')]).toEqual([
      null,
      'lease',
    ]);
  });

  it('of one record does not appear in another', async () => {
    const caller = http.caller();
    await attach(caller, caller.seed('sub_account_id'));
    const other = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('other_sub_account_id')}`);
    expect(other.at('attachments')).toBeNull();
  });

  it('publishes no event, and appears in none', async () => {
    const caller = http.caller();
    await caller.listen();
    await attach(caller, caller.seed('virtual_card_id'));
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label: 'Travel' });
    const { v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind, record }) => [kind, record.label, record.attachments])).toEqual([
      ['card.updated', 'Travel', null],
    ]);
  });

  it('is part of snapshots, and removed by a reset', async () => {
    const caller = http.caller();
    const control = (method: 'POST' | 'PUT', path: string) =>
      http.call(method, `/_sandbox${path}`, { headers: { 'api-key': caller.key } });
    const shown = async () =>
      (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`)).at('attachments');
    await attach(caller, caller.seed('sub_account_id'));
    expect((await control('PUT', '/snapshots/with')).status).toBeLessThan(300);
    expect((await control('POST', '/reset')).status).toBeLessThan(300);
    expect(await shown()).toBeNull();
    expect((await control('POST', '/snapshots/with/restore')).status).toBeLessThan(300);
    expect(await shown()).toHaveLength(1);
  });

  it('that was rolled back does not exist', async () => {
    const caller = http.caller();
    const { sandbox } = caller;
    const id = caller.seed('sub_account_id').slice('sub_'.length);
    const failed = sandbox.commit(() => {
      sandbox.bank.attachments.create({ kind: 'account', referenceId: id });
      throw new Error('and something fails after it');
    });
    await expect(failed).rejects.toThrow('something fails');
    const shown = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    expect(shown.at('attachments')).toBeNull();
  });
});

describe('the list (v2_list_attachments)', () => {
  it('contains those of all records, newest first, paginated and without links', async () => {
    const caller = http.caller();
    const ids: string[] = [];
    for (const [, seed] of RECORDS) ids.unshift((await attach(caller, caller.seed(seed), seed)).id());
    await caller.v2('DELETE', `/v2/attachment/${ids[0]}`);
    const first = await caller.v2('GET', '/v2/attachment?limit=5');
    expectRecord(first, 'v2_list_attachments', [
      'total',
      'data',
      'has_more',
      'starting_after',
      'ending_before',
    ]);
    expect(first.body).toMatchObject({ total: 7, has_more: 'true', ending_before: '' });
    const second = await caller.v2('GET', `/v2/attachment?starting_after=${first.id('starting_after')}`);
    const items = [first, second].flatMap((page) => page.at('data') as { id: string; url: string }[]);
    expect(items.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(new Set(items.map(({ url }) => url))).toEqual(new Set(['']));
  });

  it('is empty at first', async () => {
    expect((await http.caller().v2('GET', '/v2/attachment')).body).toEqual({
      total: 0,
      data: [],
      has_more: 'false',
      starting_after: '',
      ending_before: '',
    });
  });
});

describe('the links of an attachment', () => {
  it('accept the file and return it, byte for byte, without a key', async () => {
    const caller = http.caller();
    const made = await attach(caller, caller.seed('sub_account_id'));
    expect((await give(made.id('url'))).statusCode).toBe(200);
    const answer = await caller.v2('GET', `/v2/attachment/${made.id()}`);
    expectRecord(answer, 'v2_retrieve_attachment', ATTACHMENT);
    const got = await take(answer.id('url'));
    expect(got.statusCode).toBe(200);
    expect(got.rawPayload).toEqual(FILE);
    expect(got.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment',
    });
  });

  it('expire after 5 minutes, and each retrieval returns new ones', async () => {
    const caller = http.caller();
    const made = await attach(caller, caller.seed('sub_account_id'));
    await give(made.id('url'));
    http.clock.advance(300_000 - 1);
    expect((await take(made.id('url'))).statusCode).toBe(200);
    http.clock.advance(1);
    const expired = await take(made.id('url'));
    expect([expired.statusCode, expired.json().error.code]).toEqual([410, 'ERROR_CODE_RESOURCE_GONE']);
    const fresh = (await caller.v2('GET', `/v2/attachment/${made.id()}`)).id('url');
    expect((await take(fresh)).statusCode).toBe(200);
  });

  it('return 404 before a file is uploaded', async () => {
    const caller = http.caller();
    const made = await attach(caller, caller.seed('sub_account_id'));
    const empty = await take(made.id('url'));
    expect([empty.statusCode, empty.json().error.message]).toEqual([404, 'nothing was uploaded here yet']);
  });

  it('return 404 after it is deleted', async () => {
    const caller = http.caller();
    const made = await attach(caller, caller.seed('sub_account_id'));
    await give(made.id('url'));
    await caller.v2('DELETE', `/v2/attachment/${made.id()}`);
    expect((await take(made.id('url'))).statusCode).toBe(404);
    const before = digestOf(caller.sandbox);
    expect((await give(made.id('url'))).statusCode).toBe(404);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('are not valid for a document with the same number', async () => {
    const caller = http.caller();
    const url = (await attach(caller, caller.seed('sub_account_id'))).id('url');
    const forged = url.replace(
      /att_(.{8})(.{4})(.{4})(.{4})(.{12})/,
      (_, ...parts: string[]) => `doc-${parts.slice(0, 5).join('-')}`,
    );
    expect(forged).not.toBe(url);
    const refused = await take(forged);
    expect([refused.statusCode, refused.json().code]).toEqual([404, 'EC_DOCUMENT_LINK_NOT_FOUND']);
  });
});

describe('a request is refused for', () => {
  const invalid = { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'reference_id' };
  const missing = { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' };
  const nobody = '0123456789abcdef0123456789abcdef';

  it.each([
    ['no reference', undefined, { ...invalid, code: 'ERROR_CODE_REQUIRED_FIELD_MISSING' }],
    ['a reference that is a number', 7, invalid],
    ['a malformed id', 'lease', { ...invalid, message: /sub_\.\.\./ }],
    ['a webhook', `whk_${nobody}`, invalid],
    ['an unknown holder', `sah_${nobody}`, missing],
    ['an unknown account', `sub_${nobody}`, missing],
    ['another master account', `mas_${nobody}`, missing],
    ['an unknown card holder', `cah_${nobody}`, missing],
    ['an unknown card', `crd_${nobody}`, missing],
    ['an unknown counterparty', `ctp_${nobody}`, missing],
    ['an unknown transaction', `txn_${nobody}`, missing],
  ])('an attachment to %s', async (_, reference, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await caller.v2('POST', '/v2/attachment', { reference_id: reference, label: 'x' });
    expectRefusedV2(answer, refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each(['GET', 'DELETE'] as const)(
    '%s: an attachment that does not exist or was deleted',
    async (method) => {
      const caller = http.caller();
      const made = (await attach(caller, caller.seed('sub_account_id'))).id();
      await caller.v2('DELETE', `/v2/attachment/${made}`);
      for (const id of [made, `att_${nobody}`, 'att_1', caller.seed('sub_account_id')]) {
        const answer = await caller.v2(method, `/v2/attachment/${id}`);
        expectRefusedV2(answer, { ...missing, message: 'cannot find attachment by id' });
      }
    },
  );

  it('a cursor of another list', async () => {
    const cursor = Buffer.from(`whk_${nobody}`).toString('base64');
    const answer = await http.caller().v2('GET', `/v2/attachment?starting_after=${cursor}`);
    expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'starting_after' });
  });
});

describe('a record with attachments', () => {
  it.each(RECORDS)('has the same schema: %s', async (_, seed, path) => {
    const caller = http.caller();
    const retrieve = V2_OPERATIONS.find(
      (operation) => operation.method === 'GET' && operation.path.replace(/:\w+$/, '') === path,
    );
    if (retrieve?.response === undefined) throw new Error(`nothing is retrieved at ${path}`);
    await attach(caller, caller.seed(seed));
    const { body } = await caller.v2('GET', path + caller.seed(seed));
    expect(problemsWith(retrieve.response, body)).toEqual([]);
  });
});
