/**
 * Contacts of v1: created, listed with every filter, read and deleted, with a debit card that is set by a token; and
 * the same counterparties in v2. Decisions `deleted-things`, `counterparty-in-bank`, `bank-numbers`,
 * `counterparty-needs`, `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty`,
 * `debit-card-kept`, `v1-debit-card-token`, `bank-account-verification` and `contact-deletion` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { CONTACT } from '../../contract/v1/contact.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1, operationOf } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v1/contact';
const http = useHttp({ small: true });

const ADDRESS = {
  addressType: 'card',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const BANK = { accountNumber: '000123456789', routingNumber: '122235821', accountType: 'businessSavings' };
const WIRE = {
  domestic: { ...BANK, accountNumber: '000777', routingNumber: '021000021', address: ADDRESS },
  international: {
    accountNumber: '31140210201',
    accountType: 'business',
    bankIdentifierCode: 'BBDABMHM',
    bankIdentifierType: 'swift',
    beneficiaryAddress: { ...ADDRESS, state: '', country: 'BM' },
  },
};
const CARD = {
  cardNumber: '4000056655665556',
  expiryMonth: '04',
  expiryYear: '2030',
  cvv: 'never kept',
  address: ADDRESS,
};
const GONE = { status: 404, code: 'EC_CONTACT_NOT_FOUND', message: 'contact not found' };
const INVALID = { status: 400, code: 'EC_CONTACT_INVALID_REQUEST' };

const create = (caller: Caller, body: object = {}) =>
  caller.v1('POST', PATH, { accountId: caller.seed('account_id'), name: 'Pier Nine LLC', ...body });
const counterpartyOf = (caller: Caller, id: string) => caller.v2('GET', `/v2/payments/counterparty/${id}`);
const idsOf = async (caller: Caller, query: string, path = PATH): Promise<string[]> => {
  const answer = await caller.v1('GET', `${path}?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.at('data') as { id: string }[]).map(({ id }) => id);
};

describe('a new contact (createContact)', () => {
  it('has every rail of the request, and its name as label', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await create(caller, {
      email: 'office@piernine.example',
      phone: '+15035550190',
      intrabank: { accountId: caller.seed('other_sub_account_id') },
      ach: BANK,
      wire: WIRE,
      check: { address: ADDRESS },
      card: { address: ADDRESS },
      metadata: { externalId: '9' },
    });
    expectRecord(answer, 'createContact', CONTACT);
    expect(answer.body).toMatchObject({
      accountId: caller.seed('account_id'),
      programId: caller.seed('program_id'),
      name: 'Pier Nine LLC',
      label: 'Pier Nine LLC',
      email: 'office@piernine.example',
      phone: '+15035550190',
      type: 'others',
      status: 'active',
      intrabank: {
        accountId: expect.stringMatching(/^acc-/),
        accountNumber: expect.stringMatching(/^95\d{14}$/),
      },
      ach: { ...BANK, bankName: 'U.S. Bank', last4: '6789', verified: false },
      wire: {
        domestic: { bankName: 'JPMorgan Chase', last4: '0777', address: { ...ADDRESS, addressType: 'wire' } },
        international: { bankIdentifierCode: 'BBDABMHM', beneficiaryBank: 'HSBC Bank Bermuda' },
      },
      check: { address: { ...ADDRESS, addressType: 'check' } },
      card: { address: { ...ADDRESS, addressType: 'card' } },
      debitCard: null,
      crossBorder: null,
      metadata: { externalId: '9' },
      createdAt: '2026-11-20T18:00:00Z',
      modifiedAt: '2026-11-20T18:00:00Z',
    });
    const read = await caller.v1('GET', `${PATH}/${answer.id()}`);
    expectRecord(read, 'retrieveContact', CONTACT);
    expect(read.body).toEqual(answer.body);
    expect((await caller.receivedEvents()).v1).toEqual([{ kind: 'contact.created', record: answer.body }]);
  });

  it('is a counterparty of v2 without a type', async () => {
    const caller = http.caller();
    const id = (await create(caller, { label: 'Pier', ach: BANK })).id();
    expect((await counterpartyOf(caller, id)).body).toMatchObject({
      sub_account_id: caller.seed('sub_account_id'),
      label: 'Pier',
      type: 'person',
      person: null,
      business: null,
      ach: { account_number: BANK.accountNumber, bank_name: 'U.S. Bank', verification_status: 'review' },
      rtp: null,
      status: 'activated',
    });
  });

  it("for an account of the same holder is not marked as another person's", async () => {
    const caller = http.caller();
    const holder = caller.seed('person_holder_id');
    const own = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: holder,
      type: 'cash',
    });
    const intrabank = { accountNumber: own.id('account_number') };
    expectRefusedV1(await create(caller, { intrabank, type: 'others' }), {
      status: 400,
      code: 'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST',
      message: 'Invalid self intrabank request',
    });
    for (const type of ['selfIntrabank', 'selfAch']) {
      const answer = await create(caller, { intrabank, type });
      expect(answer.body).toMatchObject({ type, intrabank });
    }
  });

  it('keeps fields that exist only in v2 when v1 changes it', async () => {
    const caller = http.caller();
    const made = await caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: caller.seed('sub_account_id'),
      type: 'person',
      person: { first_name: 'Mara', last_name: 'Quill' },
      rtp: { account_number: '1', routing_number: '021000021' },
      fednow: { account_number: '2', routing_number: '021000021' },
      purpose: 'Rent',
      external_reference_id: 'r-1',
    });
    const answer = await caller.v1('PATCH', `${PATH}/${made.id()}`, {
      name: 'Mara Q.',
      email: 'q@quill.example',
    });
    expect(answer.body).toMatchObject({ name: 'Mara Q.', email: 'q@quill.example', label: 'Mara Quill' });
    const { person, rtp, fednow, purpose, external_reference_id } = made.body as Record<string, unknown>;
    expect((await counterpartyOf(caller, made.id())).body).toMatchObject({
      person,
      rtp,
      fednow,
      purpose,
      external_reference_id,
    });
  });

  const refused: [string, object, RegExp][] = [
    ['without a name', { name: undefined }, /name is required/],
    ['without an account', { accountId: undefined }, /accountId is required/],
    ['of an unknown type', { type: 'mine' }, /type must be one of/],
    ['with an invalid email address', { email: 'x' }, /^email: /],
    [
      'with a wrong check digit',
      { ach: { ...BANK, routingNumber: '122235822' } },
      /^ach\.routingNumber: .*check/,
    ],
    [
      'with a wrong check digit for wires',
      { wire: { domestic: { ...BANK, routingNumber: '122235822' } } },
      /^wire\.domestic\.routingNumber: /,
    ],
    [
      'with an invalid SWIFT code',
      { wire: { international: { ...WIRE.international, bankIdentifierCode: '122235821' } } },
      /^wire\.international\.bankIdentifierCode: /,
    ],
    [
      'with such a correspondent bank',
      { wire: { international: { ...WIRE.international, correspondentBankIdentifierCode: 'X' } } },
      /^wire\.international\.correspondentBankIdentifierCode: /,
    ],
    ['with neither number nor id', { intrabank: { bank: 'x' } }, /^intrabank: /],
  ];

  it.each(refused)('is refused %s', async (_, body, message) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV1(await create(caller, body), { ...INVALID, message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each(['acc-00000000-0000-0000-0000-000000000000', 'x'])(
    'is refused for the account %s',
    async (accountId) => {
      expectRefusedV1(await create(http.caller(), { accountId }), {
        status: 404,
        code: 'EC_ACCOUNT_NOT_FOUND',
      });
    },
  );
});

describe('the list of contacts (listContacts, listProgramContacts)', () => {
  it('is sorted newest first, with offset and limit', async () => {
    const caller = http.caller();
    const made = [await create(caller), await create(caller, { name: 'Other' })];
    const answer = await caller.v1('GET', `${PATH}?limit=2&offset=1`);
    expectRecord(answer, 'listContacts', []);
    expect(answer.at('total')).toBe(4);
    expect(answer.at('data.0')).toEqual(made[0]?.body);
    expect(await idsOf(caller, 'offset=3')).toEqual([caller.seed('contact_id')]);
  });

  it('is filtered by every field of a contact', async () => {
    const caller = http.caller();
    const seeded = caller.seed('contact_id');
    const intra = (await caller.v1('GET', `${PATH}/${caller.seed('intra_counterparty_id')}`)).id();
    const number = (await caller.v1('GET', `${PATH}/${intra}`)).id('intrabank.accountNumber');
    http.clock.advance(3_600_000);
    const made = await create(caller, {
      accountId: caller.seed('other_sub_account_id'),
      ach: BANK,
      wire: WIRE,
      type: 'selfAch',
      metadata: { externalId: 'x-1', team: 'north' },
    });
    const at = made.id('createdAt');
    const own = made.id();
    const filters: [string, string[]][] = [
      [`id=${own}`, [own]],
      ['status=active', [own, intra, seeded]],
      ['type=selfAch', [own]],
      ['type=others', [intra, seeded]],
      [`accountId=${caller.seed('other_sub_account_id')}`, [own]],
      [`intrabankAccountNumber=${number}`, [intra]],
      ['achAccountNumber=000123456789', [own]],
      ['achRoutingNumber=121042882', [seeded]],
      ['wireDomesticAccountNumber=000777', [own]],
      ['wireDomesticRoutingNumber=021000021', [own]],
      ['wireInternationalAccountNumber=31140210201', [own]],
      ['wireInternationalBankIdentifierCode=BBDABMHM', [own]],
      [`startTime=${at}`, [own]],
      [`endTime=${at}`, [own, intra, seeded]],
      [`modifiedStartTime=${at}&modifiedEndTime=${at}`, [own]],
      ['externalId=x-1', [own]],
      ['achAccountNumber=000123456789&type=others', []],
      ['achAccountNumber=&id=&externalId=', [own, intra, seeded]],
      ['id=con-nobody', []],
      ['accountId=acc-nobody', []],
    ];
    for (const [query, ids] of filters) {
      expect([query, await idsOf(caller, query)]).toEqual([query, ids]);
      const ofProgram = await idsOf(caller, query, `/v1/program/${caller.seed('program_id')}/contact`);
      expect([query, ofProgram]).toEqual([query, ids]);
    }
  });

  it.each(['limit=0', 'offset=-1', 'status=gone', 'type=mine', 'startTime=soon'])(
    'is refused for %s',
    async (query) => {
      const caller = http.caller();
      const name = new RegExp(query.split('=')[0] ?? '');
      expectRefusedV1(await caller.v1('GET', `${PATH}?${query}`), { ...INVALID, message: name });
    },
  );

  it('of a program is available only for the own program', async () => {
    const caller = http.caller();
    const answer = await caller.v1('GET', `/v1/program/${caller.seed('program_id')}/contact`);
    expectRecord(answer, 'listProgramContacts', []);
    expect(answer.at('total')).toBe(2);
    for (const id of ['prg-00000000-0000-0000-0000-000000000000', 'x']) {
      expectRefusedV1(await caller.v1('GET', `/v1/program/${id}/contact`), {
        status: 404,
        code: 'EC_PROGRAM_NOT_FOUND',
      });
    }
  });
});

describe('a deleted contact (deleteContact)', () => {
  it('is readable and in no list, and refuses changes, payments and a second deletion', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = caller.seed('contact_id');
    http.clock.advance(60_000);
    const answer = await caller.v1('DELETE', `${PATH}/${id}`);
    expectRecord(answer, 'deleteContact', []);
    expect(answer.body).toEqual({ id, status: 'deleted' });
    const read = await caller.v1('GET', `${PATH}/${id}`);
    expect(read.body).toMatchObject({ id, status: 'deleted', name: 'Harbor Supplies' });
    expect(await idsOf(caller, '')).not.toContain(id);
    expect(await idsOf(caller, `id=${id}`)).toEqual([]);
    expect(await idsOf(caller, 'status=deleted')).toEqual([id]);

    expectRefusedV1(await caller.v1('DELETE', `${PATH}/${id}`), GONE);
    expectRefusedV1(await caller.v1('PATCH', `${PATH}/${id}`, { name: 'x' }), GONE);
    expectRefusedV1(await caller.v1('POST', `${PATH}/${id}/debitcard/token`), GONE);
    const pull = { accountId: caller.seed('account_id'), contactId: id, amount: '1.00', type: 'nextDay' };
    expectRefusedV1(await caller.v1('POST', '/v1/receive/ach', pull), {
      status: 404,
      code: 'EC_CONTACT_NOT_FOUND',
    });

    const events = await caller.receivedEvents();
    expect(events.v1).toEqual([{ kind: 'contact.updated', record: read.body }]);
    const seen = await counterpartyOf(caller, id);
    expect(seen.at('status')).toBe('deactivated');
    expect(seen.at('timestamps.deactivated_at')).toBe(read.at('modifiedAt'));
    expect(events.v2).toEqual([{ kind: 'counterparty.status.deactivated', record: seen.body }]);
  });

  it('that v2 deactivated can still be deleted', async () => {
    const caller = http.caller();
    const id = caller.seed('contact_id');
    await caller.v2('PATCH', `/v2/payments/counterparty/${id}`, { status: 'deactivated' });
    expect(await idsOf(caller, 'status=deleted')).toEqual([id]);
    expect((await caller.v1('DELETE', `${PATH}/${id}`)).status).toBe(200);
  });

  it.each(['con-00000000-0000-0000-0000-000000000000', 'x'])('with an unknown id is 404: %s', async (id) => {
    const caller = http.caller();
    expectRefusedV1(await caller.v1('DELETE', `${PATH}/${id}`), GONE);
    expectRefusedV1(await caller.v1('GET', `${PATH}/${id}`), GONE);
  });
});

describe('the debit card of a contact (createDebitCardToken)', () => {
  const tokenFor = async (caller: Caller): Promise<string> => {
    const answer = await caller.v1('POST', `${PATH}/${caller.seed('contact_id')}/debitcard/token`);
    expectRecord(answer, 'createDebitCardToken', []);
    expect(answer.body).toEqual({
      id: caller.seed('contact_id'),
      debitCardToken: expect.stringMatching(/^debit_card_test_[0-9a-f]{32}$/),
    });
    return answer.id('debitCardToken');
  };
  const INVALID_TOKEN = { status: 401, code: 'EC_CONTACT_INVALID_TOKEN' };

  it.each([operationOf('updateDebitCard'), operationOf('setDebitCard')])(
    'is set by $method with a token and without a key',
    async (operation) => {
      const caller = http.caller();
      const id = caller.seed('contact_id');
      const token = await tokenFor(caller);
      await caller.listen();
      const answer = await http.call(operation.method, `${PATH}/${id}/debitcard`, {
        body: { debitCard: CARD },
        headers: { 'sd-debitcard-token': token },
      });
      expectRecord(answer, operation, CONTACT);
      expect(answer.at('debitCard')).toEqual({
        cardNumber: '************5556',
        last4: '5556',
        expiryMonth: '04',
        expiryYear: '2030',
        address: ADDRESS,
        pull: { enabled: true },
        push: { enabled: true },
        usageType: '',
      });
      expect((await counterpartyOf(caller, id)).at('debit_card')).toMatchObject({
        card_number: expect.stringMatching(/^tok_test_/),
        last4: '5556',
        cvv: '',
        pull_enabled: 'true',
      });
      expect((await caller.receivedEvents()).v1).toEqual([{ kind: 'contact.updated', record: answer.body }]);
      const image = caller.sandbox.image();
      expect(image.includes(CARD.cardNumber)).toBe(false);
      expect(image.includes(CARD.cvv)).toBe(false);
    },
  );

  it('requires a valid, unused token for this contact', async () => {
    const caller = http.caller();
    const token = await tokenFor(caller);
    const set = (
      headers: Record<string, string>,
      body: object = { debitCard: CARD },
      contact = 'contact_id',
    ) => caller.v1('PATCH', `${PATH}/${caller.seed(contact)}/debitcard`, body, headers);
    const good = { 'sd-debitcard-token': token };
    expectRefusedV1(await set({}), INVALID_TOKEN);
    expectRefusedV1(await set({ 'sd-debitcard-token': 'debit_card_test_1' }), INVALID_TOKEN);
    expectRefusedV1(await set(good, undefined, 'intra_counterparty_id'), INVALID_TOKEN);
    expectRefusedV1(await set(good, {}), { ...INVALID, message: /debitCard is required/ });
    const short = { debitCard: { ...CARD, cardNumber: '4000' } };
    expectRefusedV1(await set(good, short), { ...INVALID, message: /debitCard\.cardNumber: / });
    expect((await set(good)).status).toBe(200);
    expectRefusedV1(await set(good), INVALID_TOKEN);
    const late = { 'sd-debitcard-token': await tokenFor(caller) };
    http.clock.advance(5 * 60_000);
    expectRefusedV1(await set(late), INVALID_TOKEN);
  });

  it('requires an existing contact', async () => {
    const caller = http.caller();
    for (const id of ['con-00000000-0000-0000-0000-000000000000', 'x']) {
      expectRefusedV1(await caller.v1('POST', `${PATH}/${id}/debitcard/token`), GONE);
    }
  });
});

describe('the bank look-up (retrieveBank)', () => {
  const look = (query: string) => http.caller().v1('GET', `${PATH}/bank?${query}`);

  it('returns the bank of a routing number', async () => {
    const answer = await look('type=aba&routingNumber=122235821');
    expectRecord(answer, 'retrieveBank', []);
    expect(answer.body).toEqual({
      routingNumber: '122235821',
      bankName: 'U.S. Bank',
      type: 'aba',
      paymentMethods: ['ach', 'wire'],
      address: {
        addressType: '',
        line1: '',
        line2: '',
        city: 'Minneapolis',
        state: 'MN',
        country: 'US',
        postalCode: '',
      },
    });
  });

  it('returns what is known of a bank without a name', async () => {
    const answer = await look('type=swift&routingNumber=ZZZZFRPP');
    expect(answer.body).toMatchObject({ bankName: '', paymentMethods: ['wire'], address: { country: 'FR' } });
  });

  it.each(['type=aba&routingNumber=122235822', 'type=aba', 'type=x&routingNumber=122235821'])(
    'is refused for %s',
    async (query) => {
      expectRefusedV1(await look(query), INVALID);
    },
  );
});
