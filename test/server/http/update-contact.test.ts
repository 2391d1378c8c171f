/**
 * PATCH /v1/contact/{contactId}: only sent fields change, and payments of both versions use the new details.
 * Decisions `value-strictness`, `shared-records`, `deleted-things` and `metadata-changes` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { CONTACT } from '../../contract/v1/contact.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const change = (caller: Caller, body: unknown, contact = 'contact_id') =>
  caller.v1('PATCH', `/v1/contact/${caller.seed(contact)}`, body);
const numberOf = async (caller: Caller, account: string) =>
  (await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed(account)}`)).id('account_number');

const ADDRESS = {
  addressType: 'mailing',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const BANK = {
  accountNumber: '000123456789',
  routingNumber: '122235821',
  accountType: 'businessSavings',
};

describe('a change (updateContact)', () => {
  it('of all documented fields returns the whole contact', async () => {
    const caller = http.caller();
    const accountNumber = await numberOf(caller, 'other_sub_account_id');
    http.clock.advance(60_000);
    const answer = await change(caller, {
      accountId: caller.seed('account_id'),
      email: 'new@harbor.example',
      name: 'Harbor Supply LLC',
      phone: '+15125550100',
      intrabank: { accountNumber },
    });
    expectRecord(answer, 'updateContact', CONTACT);
    expect(answer.body).toEqual({
      id: caller.seed('contact_id'),
      accountId: caller.seed('account_id'),
      programId: caller.seed('program_id'),
      name: 'Harbor Supply LLC',
      label: 'Harbor Supplies',
      email: 'new@harbor.example',
      phone: '+15125550100',
      type: 'others',
      status: 'active',
      intrabank: { accountId: expect.stringMatching(/^acc-/), accountNumber },
      ach: {
        accountNumber: '5500112233',
        accountType: 'businessChecking',
        bankName: 'Wells Fargo',
        last4: '2233',
        routingNumber: '121042882',
        verified: true,
      },
      wire: null,
      check: null,
      card: null,
      debitCard: null,
      crossBorder: null,
      metadata: null,
      createdAt: '2026-11-20T18:00:00Z',
      modifiedAt: '2026-11-20T18:01:00Z',
    });
    expect((await change(caller, {})).body).toEqual(answer.body);
  });

  it('of every rail is stored', async () => {
    const caller = http.caller();
    const answer = await change(caller, {
      ach: BANK,
      wire: {
        domestic: { ...BANK, address: ADDRESS },
        international: {
          accountNumber: 'DE89370400440532013000',
          bankIdentifierCode: 'COBADEFF',
          bankIdentifierType: 'swift',
          beneficiaryBank: 'Commerz',
          beneficiaryAddress: { ...ADDRESS, country: 'de' },
          correspondentBank: 'JPM',
        },
      },
      check: { address: ADDRESS },
      card: { address: ADDRESS },
    });
    expectRecord(answer, 'updateContact', CONTACT);
    expect(answer.body).toMatchObject({
      ach: { ...BANK, bankName: 'U.S. Bank', last4: '6789', verified: false },
      wire: {
        domestic: {
          ...BANK,
          bankName: 'U.S. Bank',
          last4: '6789',
          address: { ...ADDRESS, addressType: 'wire' },
        },
        international: {
          accountNumber: 'DE89370400440532013000',
          bankIdentifierCode: 'COBADEFF',
          beneficiaryAddress: { country: 'DE' },
          beneficiaryBankAddress: null,
          correspondentBank: 'JPM',
          correspondentBankIdentifierCode: '',
        },
      },
      check: { address: { ...ADDRESS, addressType: 'check' } },
      card: { address: { ...ADDRESS, addressType: 'card' } },
    });
  });

  it('of one rail keeps the others, and null removes one', async () => {
    const caller = http.caller();
    await change(caller, { check: { address: ADDRESS }, wire: { domestic: BANK } });
    const answer = await change(caller, { ach: null });
    expect(answer.body).toMatchObject({
      ach: null,
      check: { address: { line1: '9 Pier Road' } },
      wire: { domestic: { last4: '6789' }, international: null },
    });
    // A wire is replaced as a whole: an address that is not sent again is removed.
    await change(caller, { wire: { domestic: { ...BANK, address: ADDRESS } } });
    expect((await change(caller, { wire: { domestic: BANK } })).at('wire.domestic.address')).toBeNull();
    expect((await change(caller, { wire: null })).at('wire')).toBeNull();
    for (const rail of ['check', 'card', 'intrabank']) {
      await change(caller, { card: { address: ADDRESS } });
      expect((await change(caller, { [rail]: null })).at(rail), rail).toBeNull();
    }
  });

  it('applies to the next payments of both versions', async () => {
    const caller = http.caller();
    await change(caller, { name: 'Harbor Two', ach: BANK });
    const ids = { accountId: caller.seed('account_id'), contactId: caller.seed('contact_id') };
    const inV1 = await caller.v1('POST', '/v1/receive/ach', { ...ids, amount: '1.00' });
    expect(inV1.body).toMatchObject({ name: 'Harbor Two', ...BANK });
    const inV2 = await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: ids.accountId,
      counterparty_id: ids.contactId,
      amount: '1.00',
    });
    expect(inV2.at('counterparty')).toMatchObject({
      name: 'Harbor Two',
      account_number: '000123456789',
      account_type: 'business_savings',
    });
  });

  it('publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await change(caller, { name: 'Harbor Two', email: 'two@harbor.example' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'contact.updated', record: answer.body }]);
    expect(v2.map(({ kind }) => kind)).toEqual(['counterparty.updated']);
    expect(v2[0]?.record).toMatchObject({
      id: caller.seed('ach_counterparty_id'),
      label: 'Harbor Supplies',
      ach: { account_number: '5500112233' },
      status: 'activated',
    });
  });

  it('accepts a record as it was read', async () => {
    const caller = http.caller();
    const read = await change(caller, {
      intrabank: { accountNumber: await numberOf(caller, 'other_sub_account_id') },
    });
    const { ach, ...rest } = read.body as { ach: object };
    const answer = await change(caller, { ...rest, ach });
    expect(answer.status).toBe(200);
    expect(answer.at('intrabank')).toEqual(read.at('intrabank'));
  });

  it('merges metadata', async () => {
    const caller = http.caller();
    await change(caller, { metadata: { externalId: '7', gone: 'x' } });
    expect((await change(caller, { metadata: { gone: '' } })).at('metadata')).toEqual({ externalId: '7' });
  });
});

describe('an account of this bank in a contact', () => {
  it.each([
    ['its number', 'number'],
    ['its id', 'id'],
  ])('is found by %s', async (_, by) => {
    const caller = http.caller();
    const accountNumber = await numberOf(caller, 'other_sub_account_id');
    const given = by === 'number' ? { accountNumber } : { accountId: caller.seed('other_sub_account_id') };
    const answer = await change(caller, { intrabank: given });
    expect(answer.at('intrabank.accountNumber')).toBe(accountNumber);
    const pull = await caller.v2('POST', '/v2/payments/intra_account/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '1.00',
    });
    expect(pull.at('status')).toBe('settled');
  });

  it('that is unknown is refused', async () => {
    const caller = http.caller();
    for (const intrabank of [
      { accountNumber: '9500000000000000' },
      { accountId: `acc-${crypto.randomUUID()}` },
    ]) {
      expectRefusedV1(await change(caller, { intrabank }), {
        status: 400,
        code: 'EC_CONTACT_INVALID_INTRABANK_ACCOUNT',
      });
    }
  });

  it('that belongs to the contact itself is refused with the published message', async () => {
    const caller = http.caller();
    const accountNumber = await numberOf(caller, 'sub_account_id');
    const answer = await change(caller, { intrabank: { accountNumber } });
    expectRefusedV1(answer, { status: 400, code: 'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST' });
    expect(answer.at('message')).toBe('Invalid self intrabank request');
  });
});

describe('an error (updateContact)', () => {
  const invalid = { status: 400, code: 'EC_CONTACT_INVALID_REQUEST' };
  it.each([
    ['a name that is a number', () => ({ name: 7 }), { ...invalid, message: /name/ }],
    ['a name that is too long', () => ({ name: 'x'.repeat(101) }), { ...invalid, message: /name/ }],
    ['an email without @', () => ({ email: 'harbor' }), { ...invalid, message: /email/ }],
    ['a phone number as text', () => ({ phone: 'home' }), { status: 400, code: 'EC_CONTACT_INVALID_PHONE' }],
    [
      'an account number that is a number',
      () => ({ ach: { ...BANK, accountNumber: 1 } }),
      { ...invalid, message: /accountNumber/ },
    ],
    [
      'a routing number of eight digits',
      () => ({ ach: { ...BANK, routingNumber: '12223582' } }),
      { ...invalid, message: /routingNumber/ },
    ],
    [
      'an account type of v2',
      () => ({ ach: { ...BANK, accountType: 'business_checking' } }),
      { ...invalid, message: /accountType/ },
    ],
    [
      'half an address',
      () => ({ check: { address: { line1: 'x' } } }),
      { ...invalid, message: /city|country/ },
    ],
    ['a check without an address', () => ({ check: { memo: 'x' } }), { ...invalid, message: /address/ }],
    [
      'intrabank without an account',
      () => ({ intrabank: { bank: 'x' } }),
      { ...invalid, message: /intrabank/ },
    ],
    ['metadata that is a string', () => ({ metadata: 'x' }), { ...invalid, message: /metadata/ }],
    [
      'metadata beyond the limits',
      () => ({ metadata: { a: 'x'.repeat(4097) } }),
      { status: 400, code: 'EC_CONTACT_METADATA_TOO_LARGE' },
    ],
    [
      'another account',
      (caller: Caller) => ({ accountId: caller.seed('other_sub_account_id'), name: 'never' }),
      { status: 400, code: 'EC_CONTACT_INVALID_ACCOUNT' },
    ],
    ['a malformed account id', () => ({ accountId: 'mine' }), { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' }],
  ])('%s', async (_, body, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await change(caller, body(caller)), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([`con-${crypto.randomUUID()}`, 'con-1', `acc-${crypto.randomUUID()}`])(
    'for an unknown contact %s',
    async (id) => {
      const caller = http.caller();
      expectRefusedV1(await caller.v1('PATCH', `/v1/contact/${id}`, { name: 'x' }), {
        status: 404,
        code: 'EC_CONTACT_NOT_FOUND',
        message: 'contact not found',
      });
    },
  );

  it('for a deleted contact', async () => {
    const caller = http.caller();
    const { store, seeded, clock, commit } = caller.sandbox;
    await commit(() => {
      const contact = store.counterparties.byId(seeded.ids.ach_counterparty ?? '');
      if (contact !== undefined) store.counterparties.replace({ ...contact, deletedAt: clock.now() });
    });
    expectRefusedV1(await change(caller, { name: 'x' }), { status: 404, code: 'EC_CONTACT_NOT_FOUND' });
  });
});
