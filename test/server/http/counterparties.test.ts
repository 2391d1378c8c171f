/**
 * Counterparties of v2: created with every rail, listed and changed in part, and the same contacts in v1; the bank
 * look-up.
 * Decisions `unfit-payment-side`, `deleted-things`, `counterparty-in-bank`, `bank-numbers`, `counterparty-needs`,
 * `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty`, `debit-card-kept`,
 * `v1-debit-card-token`, `bank-account-verification` and `contact-deletion` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const PATH = '/v2/payments/counterparty';
const http = useHttp({ small: true });

const ADDRESS = {
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postal_code: '97301',
};
const BANK = {
  account_number: '000123456789',
  routing_number: '021000021',
  account_type: 'business_checking',
};
const PERSON = { first_name: 'Mara', last_name: 'Quill', email: 'mara@quill.example', phone: '+15035550190' };
const BUSINESS = { legal_name: 'Quill Press LLC', entity_type: 'limited_liability_company' };
const ABROAD = { identifier_code: 'ICICINBBNRI', name: 'ICICI Bank', address: { ...ADDRESS, country: 'IN' } };
const RAILS = {
  ach: BANK,
  domestic_wire: BANK,
  international_wire: {
    account_number: '920020006167511',
    beneficiary_bank: ABROAD,
    correspondent_bank: null,
  },
  rtp: BANK,
  fednow: BANK,
  check: { address: ADDRESS },
  debit_card: {
    card_number: '4000056655665556',
    expiry_month: '04',
    expiry_year: '2030',
    cvv: '123',
    address: ADDRESS,
  },
};

const create = (caller: Caller, body: object = {}) =>
  caller.v2('POST', PATH, {
    sub_account_id: caller.seed('sub_account_id'),
    type: 'person',
    person: PERSON,
    ...body,
  });
const retrieve = (caller: Caller, id: string) => caller.v2('GET', `${PATH}/${id}`);
const change = (caller: Caller, id: string, body: object) => caller.v2('PATCH', `${PATH}/${id}`, body);
const contactOf = (caller: Caller, id: string) => caller.v1('GET', `/v1/contact/${id}`);
const INVALID = { status: 400, code: 'ERROR_CODE_INVALID_FIELD' };
const MISSING = {
  status: 404,
  code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
  message: 'cannot find counterparty by id in qldb',
};

/** Another sub account of the seeded person. */
async function ownOther(caller: Caller): Promise<string> {
  const holder = caller.seed('person_holder_id');
  return (
    await caller.v2('POST', '/v2/accounts/sub_account', { sub_account_holder_id: holder, type: 'cash' })
  ).id();
}

describe('a new counterparty (v2_create_counterparty)', () => {
  it('has every rail of the request, and no security code of its card', async () => {
    const caller = http.caller();
    const own = caller.seed('other_sub_account_id');
    const number = (await caller.v2('GET', `/v2/accounts/sub_account/${own}`)).id('account_number');
    const answer = await create(caller, {
      label: 'Printer',
      intra_account: { sub_account_number: number },
      ...RAILS,
      purpose: 'Print runs',
      external_reference_id: 'vendor-12',
      metadata: { vendor: '12' },
    });
    expectRecord(answer, 'v2_create_counterparty', []);
    const bank = { ...BANK, bank_name: 'JPMorgan Chase' };
    expect(answer.body).toMatchObject({
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_id: caller.seed('sub_account_id'),
      label: 'Printer',
      type: 'person',
      person: { ...PERSON, middle_name: '', address: null, kyc: null, idv: null },
      business: null,
      intra_account: { sub_account_number: number, sub_account_id: own },
      ach: { ...bank, verification_status: 'pass' },
      domestic_wire: bank,
      international_wire: RAILS.international_wire,
      rtp: { ...bank, verification_status: 'pass' },
      fednow: { ...bank, verification_status: 'pass' },
      check: RAILS.check,
      debit_card: {
        card_number: expect.stringMatching(/^tok_test_[0-9a-f]{32}$/),
        last4: '5556',
        expiry_month: '04',
        expiry_year: '2030',
        cvv: '',
        address: ADDRESS,
        pull_enabled: 'true',
        push_enabled: 'true',
      },
      purpose: 'Print runs',
      external_reference_id: 'vendor-12',
      ofac: { status: 'pass', last_updated_at: '2026-11-20T18:00:00Z' },
      attachments: null,
      metadata: { vendor: '12' },
      status: 'activated',
      timestamps: {
        created_at: '2026-11-20T18:00:00Z',
        updated_at: '2026-11-20T18:00:00Z',
        deactivated_at: '',
      },
    });
    expect((await retrieve(caller, answer.id())).body).toEqual(answer.body);
  });

  it('is a contact of v1, with the fields of its person', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = (await create(caller, RAILS)).id();
    const contact = await contactOf(caller, id);
    expect(contact.body).toMatchObject({
      accountId: caller.seed('account_id'),
      name: 'Mara Quill',
      label: 'Mara Quill',
      email: PERSON.email,
      phone: PERSON.phone,
      type: 'others',
      status: 'active',
      ach: { accountNumber: BANK.account_number, bankName: 'JPMorgan Chase', last4: '6789', verified: true },
      wire: {
        domestic: { accountNumber: BANK.account_number, address: null },
        international: { bankIdentifierType: 'swift', bankIdentifierCode: 'ICICINBBNRI' },
      },
      check: { address: { line1: '9 Pier Road' } },
      card: null,
      debitCard: { cardNumber: '************5556', last4: '5556', pull: { enabled: true } },
    });
    const events = await caller.receivedEvents();
    expect(events.v2.map(({ kind }) => kind)).toEqual([
      'counterparty.created',
      'counterparty.status.activated',
    ]);
    expect(events.v1).toEqual([{ kind: 'contact.created', record: contact.body }]);
  });

  it('of type business has the legal name, and the other object is ignored', async () => {
    const caller = http.caller();
    const answer = await create(caller, { type: 'business', business: BUSINESS });
    expect(answer.body).toMatchObject({ type: 'business', person: null, label: 'Quill Press LLC' });
    expect(answer.at('business')).toMatchObject({ ...BUSINESS, kyb: null, members: [] });
    expect((await contactOf(caller, answer.id())).at('name')).toBe('Quill Press LLC');
  });

  it('accepts null for absent objects, as responses have it', async () => {
    const caller = http.caller();
    const nothing = Object.fromEntries(Object.keys(RAILS).map((rail) => [rail, null]));
    const answer = await create(caller, { business: null, intra_account: null, metadata: null, ...nothing });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject({ business: null, intra_account: null, metadata: null, ...nothing });
  });

  it('can be paid immediately', async () => {
    const caller = http.caller();
    const id = (await create(caller, { ach: BANK })).id();
    const answer = await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: id,
      amount: '10.00',
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.at('counterparty')).toMatchObject({ id, name: 'Mara Quill', bank_name: 'JPMorgan Chase' });
  });

  it('may be another account of the same holder, which has its own type in v1', async () => {
    const caller = http.caller();
    const other = await ownOther(caller);
    const answer = await create(caller, { intra_account: { sub_account_id: other } });
    expect(answer.at('intra_account.sub_account_id')).toBe(other);
    expect((await contactOf(caller, answer.id())).at('type')).toBe('selfIntrabank');
  });

  it('shows how its ACH account was verified, if the client sends that', async () => {
    const caller = http.caller();
    const answer = await create(caller, { ach: { ...BANK, verification_status: 'review' } });
    expect(answer.at('ach.verification_status')).toBe('review');
    expect((await contactOf(caller, answer.id())).at('ach.verified')).toBe(false);
  });
});

describe('a new counterparty is refused (v2_create_counterparty)', () => {
  const refused: [string, object, { field?: string; message?: string | RegExp; code?: string }][] = [
    ['without a type', { type: undefined }, { message: 'type must be properly set' }],
    ['of an unknown type', { type: 'robot' }, { message: 'type must be properly set' }],
    ['without the object of its type', { type: 'business' }, { field: 'business' }],
    ['with null as that object', { person: null }, { field: 'person' }],
    [
      'without an account',
      { sub_account_id: undefined },
      { field: 'sub_account_id', code: 'ERROR_CODE_REQUIRED_FIELD_MISSING' },
    ],
    ['with an invalid date', { person: { date_of_birth: '1990-02-30' } }, { field: 'person.date_of_birth' }],
    [
      'with a wrong check digit',
      { ach: { ...BANK, routing_number: '021000022' } },
      { field: 'ach.routing_number' },
    ],
    [
      'with half a bank account',
      { rtp: { routing_number: '021000021' } },
      { field: 'rtp.account_number', code: 'ERROR_CODE_REQUIRED_FIELD_MISSING' },
    ],
    [
      'with an invalid SWIFT code',
      { international_wire: { account_number: '1', beneficiary_bank: { identifier_code: 'NOPE' } } },
      { field: 'international_wire.beneficiary_bank.identifier_code', message: /SWIFT/ },
    ],
    [
      'with such a correspondent bank',
      { international_wire: { account_number: '1', correspondent_bank: { identifier_code: 'NOPE' } } },
      { field: 'international_wire.correspondent_bank.identifier_code' },
    ],
    ['with an unknown account', { intra_account: { sub_account_number: '1' } }, { field: 'intra_account' }],
    ['with an unknown id', { intra_account: { sub_account_id: 'sub_1' } }, { field: 'intra_account' }],
    ['with neither number nor id', { intra_account: { number: 'x' } }, { field: 'intra_account' }],
    [
      'with a card of four digits',
      { debit_card: { card_number: '1234' } },
      { field: 'debit_card.card_number' },
    ],
    [
      'with a card that never expires',
      { debit_card: { ...RAILS.debit_card, expiry_month: '13' } },
      { field: 'debit_card.expiry_month' },
    ],
    ['with metadata beyond the limits', { metadata: { a: 'x'.repeat(4096) } }, { field: 'metadata' }],
  ];

  it.each(refused)('%s', async (_, body, refusal) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await create(caller, body), { ...INVALID, ...refusal });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('for the own account', async () => {
    const caller = http.caller();
    const body = { intra_account: { sub_account_id: caller.seed('sub_account_id') } };
    expectRefusedV2(await create(caller, body), { ...INVALID, field: 'intra_account' });
  });

  it('with an invalid phone number', async () => {
    const body = { person: { ...PERSON, phone: '555' } };
    expectRefusedV2(await create(http.caller(), body), {
      status: 400,
      code: 'ERROR_CODE_INVALID_PHONE',
      field: 'phone',
    });
  });

  it.each(['sub_00000000000000000000000000000000', 'x'])('for an unknown account: %s', async (id) => {
    expectRefusedV2(await create(http.caller(), { sub_account_id: id }), {
      ...MISSING,
      message: 'cannot find account by id in qldb',
    });
  });
});

describe('a change of a counterparty (v2_update_counterparty)', () => {
  it('keeps fields that it omits, and those that exist only in v1', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = caller.seed('ach_counterparty_id');
    const address = { line1: '9 Pier Road', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' };
    const bank = { accountNumber: '1', routingNumber: '021000021', accountType: 'personalSavings' };
    await caller.v1('PATCH', `/v1/contact/${id}`, {
      email: 'v1@harbor.example',
      wire: { domestic: { ...bank, address } },
      card: { address },
    });
    await caller.receivedEvents();
    http.clock.advance(60_000);
    const before = (await retrieve(caller, id)).body as object;
    const answer = await change(caller, id, {
      label: 'Harbor',
      person: { last_name: 'Keeper' },
      domestic_wire: { ...BANK, account_type: 'personal_savings' },
      metadata: { vendor: '7' },
    });
    expectRecord(answer, 'v2_update_counterparty', []);
    expect(answer.body).toMatchObject({
      ...before,
      label: 'Harbor',
      person: { first_name: '', last_name: 'Keeper' },
      domestic_wire: { account_number: BANK.account_number, bank_name: 'JPMorgan Chase' },
      metadata: { vendor: '7' },
      timestamps: { updated_at: expect.stringContaining('T') },
    });
    const contact = await contactOf(caller, id);
    expect(contact.body).toMatchObject({
      name: 'Harbor Supplies',
      label: 'Harbor',
      email: 'v1@harbor.example',
      phone: '+15035550120',
      wire: { domestic: { last4: '6789', address: { line1: '9 Pier Road' } } },
      card: { address: { city: 'Salem' } },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'contact.updated', record: contact.body }]);
    expect(v2).toEqual([{ kind: 'counterparty.updated', record: answer.body }]);
  });

  it('accepts a record as it was read', async () => {
    const caller = http.caller();
    const made = await create(caller, {
      intra_account: { sub_account_id: caller.seed('other_sub_account_id') },
      ...RAILS,
    });
    const answer = await change(caller, made.id(), made.body as object);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual(made.body);
    expect(answer.headers['x-sandbox-hint']).toContain('ofac');
  });

  it('replaces a rail as a whole, and removes it with null', async () => {
    const caller = http.caller();
    const id = (await create(caller, RAILS)).id();
    const answer = await change(caller, id, {
      ach: { account_number: '42', routing_number: '121042882' },
      rtp: null,
      debit_card: null,
    });
    expect(answer.body).toMatchObject({
      ach: { account_number: '42', account_type: '', bank_name: 'Wells Fargo', verification_status: 'pass' },
      rtp: null,
      debit_card: null,
      fednow: { account_number: BANK.account_number },
    });
  });

  it('of the names also changes the name in v1 and in payments', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    await change(caller, id, { person: { last_name: 'Feather' } });
    expect((await contactOf(caller, id)).at('name')).toBe('Mara Feather');
    await caller.v1('PATCH', `/v1/contact/${id}`, { name: 'M. F.' });
    await change(caller, id, { person: { last_name: 'Inkwell' } });
    expect((await contactOf(caller, id)).at('name')).toBe('M. F.');
    expect((await retrieve(caller, id)).at('person.last_name')).toBe('Inkwell');
  });

  it('to the other type requires its object', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    expectRefusedV2(await change(caller, id, { type: 'business' }), { ...INVALID, field: 'business' });
    expectRefusedV2(await change(caller, id, { type: 'x' }), {
      ...INVALID,
      message: 'type must be properly set',
    });
    const answer = await change(caller, id, { type: 'business', business: BUSINESS });
    expect(answer.body).toMatchObject({ type: 'business', person: null, business: BUSINESS });
  });

  it('of its status follows the state machine, and decides whether it can be paid', async () => {
    const caller = http.caller();
    await caller.listen();
    const id = caller.seed('ach_counterparty_id');
    const pay = () =>
      caller.v2('POST', '/v2/payments/ach/pull', {
        sub_account_id: caller.seed('sub_account_id'),
        counterparty_id: id,
        amount: '1.00',
      });
    const set = (status: string) => change(caller, id, { status });
    const refusal = { status: 400, code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED' };
    expect((await set('suspended')).at('status')).toBe('suspended');
    expectRefusedV2(await pay(), { ...INVALID, field: 'counterparty_id' });
    expectRefusedV2(await set('pending_activation'), { ...refusal, message: /suspended/ });
    expect((await set('activated')).at('status')).toBe('activated');
    expect((await pay()).status).toBe(201);
    http.clock.advance(60_000);
    const last = await set('deactivated');
    expect(last.at('timestamps.deactivated_at')).toBe(last.at('timestamps.updated_at'));
    expectRefusedV2(await set('activated'), refusal);
    expect((await set('deactivated')).status).toBe(200);
    expect((await contactOf(caller, id)).at('status')).toBe('deleted');
    const { v2 } = await caller.receivedEvents();
    expect(v2.map(({ kind }) => kind).filter((kind) => kind.includes('counterparty.status'))).toEqual([
      'counterparty.status.suspended',
      'counterparty.status.activated',
      'counterparty.status.deactivated',
    ]);
  });

  it.each(['locked', 'open', ' '])('to the status %j is refused', async (status) => {
    const caller = http.caller();
    const answer = await change(caller, caller.seed('ach_counterparty_id'), { status });
    expectRefusedV2(answer, { ...INVALID, field: 'status' });
  });

  it('requires an existing counterparty that v1 has not deleted', async () => {
    const caller = http.caller();
    for (const id of ['ctp_00000000000000000000000000000000', 'x', caller.seed('sub_account_id')]) {
      expectRefusedV2(await change(caller, id, {}), MISSING);
      expectRefusedV2(await retrieve(caller, id), MISSING);
    }
    const id = caller.seed('ach_counterparty_id');
    await caller.v1('DELETE', `/v1/contact/${id}`);
    expectRefusedV2(await change(caller, id, { label: 'x' }), MISSING);
    const answer = await retrieve(caller, id);
    expectRecord(answer, 'v2_retrieve_counterparty', []);
    expect(answer.at('status')).toBe('deactivated');
  });
});

describe('the list of counterparties (v2_list_counterparties)', () => {
  it('is sorted newest first, paginated, filtered by account, reference and status', async () => {
    const caller = http.caller();
    const other = await create(caller, { sub_account_id: caller.seed('other_sub_account_id') });
    const made = await create(caller, { external_reference_id: 'ref-1' });
    await change(caller, caller.seed('intra_counterparty_id'), { status: 'deactivated' });
    const list = (query: string) => caller.v2('GET', `${PATH}?${query}`);
    const idsOf = async (query: string) =>
      ((await list(query)).at('data') as { id: string }[]).map(({ id }) => id);
    const [ach, intra] = [caller.seed('ach_counterparty_id'), caller.seed('intra_counterparty_id')];

    const first = await list('limit=3');
    expectRecord(first, 'v2_list_counterparties', []);
    expect(first.body).toMatchObject({ total: 4, has_more: 'true', ending_before: '' });
    expect(first.at('data.0')).toEqual(made.body);
    expect(await idsOf('limit=3')).toEqual([made.id(), other.id(), intra]);
    expect(await idsOf(`limit=3&starting_after=${encodeURIComponent(first.id('starting_after'))}`)).toEqual([
      ach,
    ]);

    expect(await idsOf(`sub_account_id=${caller.seed('account_id')}`)).toEqual([made.id(), intra, ach]);
    expect(await idsOf('status=deactivated')).toEqual([intra]);
    expect(await idsOf('external_reference_id=ref-1')).toEqual([made.id()]);
    expect(await idsOf(`status=activated&sub_account_id=${caller.seed('other_sub_account_id')}`)).toEqual([
      other.id(),
    ]);
    expect(await idsOf('external_reference_id=&sub_account_id=')).toHaveLength(4);
    expect(await idsOf('sub_account_id=sub_nobody')).toEqual([]);
    expect(await idsOf('status=pending_activation')).toEqual([]);
  });

  it.each(['status=locked', 'limit=0', 'starting_after=x'])('is refused for %s', async (query) => {
    const answer = await http.caller().v2('GET', `${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.at('error.field_name')).toBe(query.split('=')[0]);
  });
});

describe('the bank look-up (v2_retrieve_bank_info)', () => {
  const look = (query: string) => http.caller().v2('GET', `${PATH}/bank?${query}`);

  it('returns a bank of the table with its address and payment methods', async () => {
    const answer = await look('type=aba&routing_number=021000021');
    expectRecord(answer, 'v2_retrieve_bank_info', []);
    expect(answer.body).toEqual({
      routing_number: '021000021',
      bank_name: 'JPMorgan Chase',
      type: 'aba',
      payment_methods: ['ach', 'wire'],
      address: { line1: '', line2: '', city: 'New York', state: 'NY', country: 'US', postal_code: '' },
    });
  });

  it('knows the bank in the example of the reference', async () => {
    const answer = await look('type=aba&routing_number=021214189');
    expect(answer.body).toMatchObject({
      bank_name: 'ConnectOne Bank',
      address: { city: 'Fort Lee', state: 'NJ' },
    });
  });

  it('returns a foreign bank by its BIC, and its country', async () => {
    const answer = await look('type=swift&routing_number=COBADEFFXXX');
    expect(answer.body).toMatchObject({
      routing_number: 'COBADEFFXXX',
      bank_name: 'Commerzbank',
      type: 'swift',
      payment_methods: ['wire'],
      address: { city: '', country: 'DE' },
    });
  });

  it.each(['type=aba&routing_number=123456780', 'type=swift&routing_number=ZZZZFRPP'])(
    'returns no name for a valid number that is in no table: %s',
    async (query) => {
      const answer = await look(query);
      expectRecord(answer, 'v2_retrieve_bank_info', []);
      expect(answer.at('bank_name')).toBe('');
    },
  );

  it.each([
    ['type=aba&routing_number=021000022', 'routing_number'],
    ['type=aba&routing_number=COBADEFF', 'routing_number'],
    ['type=swift&routing_number=021000021', 'routing_number'],
    ['type=iban&routing_number=021000021', 'type'],
  ])('is refused for %s', async (query, field) => {
    expectRefusedV2(await look(query), { ...INVALID, field });
  });

  it.each([
    ['type=aba', 'routing_number'],
    ['routing_number=021000021', 'type'],
  ])('is refused for %s alone', async (query, field) => {
    expectRefusedV2(await look(query), { status: 400, code: 'ERROR_CODE_REQUIRED_FIELD_MISSING', field });
  });
});
