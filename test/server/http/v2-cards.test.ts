/**
 * Card holders and cards in v2: created, listed, changed, activated, replaced and added to a wallet; and the same
 * records in v1.
 * Decisions `card-holder-id-names`, `holder-status-changes`, `card-status-changes`, `card-replacement`,
 * `controls-update`, `card-holder-status`, `v1-card-person`, `card-creation-needs`, `replacement-carries-over`,
 * `v1-one-card-limit`, `card-tokens` and `card-provision` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { CARD } from '../../contract/v2/card.ts';
import { CARD_HOLDER } from '../../contract/v2/holders.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp({ small: true });

const ADDRESS = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};
const NOBODY = `_${'0'.repeat(32)}`;
const uuidOf = (id: string) => id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const inV1 = (id: string) => `crd-${uuidOf(id)}`;
const kinds = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);

const make = (caller: Caller, body: object = {}) =>
  caller.v2('POST', '/v2/issuing/card', {
    card_holder_id: caller.seed('card_holder_id'),
    type: 'virtual',
    ...body,
  });
const makePhysical = (caller: Caller) =>
  make(caller, {
    type: 'physical',
    card_fulfilment: {
      embossing: { card_holder_name: 'ADA LOVEGOOD', business_name: '' },
      shipping_address: ADDRESS,
    },
  });
const printedOn = (answer: Answer) => ({
  expiry_month: answer.at('expiry_month'),
  expiry_year: answer.at('expiry_year'),
  last4: answer.at('last4'),
});
const act = (caller: Caller, id: string, what: string, body?: object) =>
  caller.v2(what === 'activate' ? 'PATCH' : 'POST', `/v2/issuing/card/${id}/${what}`, body);

describe('a card holder (v2_create_card_holder, v2_update_card_holder, v2_list_card_holders)', () => {
  const person = { first_name: 'Priya', last_name: 'Okafor', phone: '+15105550142', address: ADDRESS };
  const create = (caller: Caller, body: object = {}) =>
    caller.v2('POST', '/v2/issuing/card_holder', {
      sub_account_id: caller.seed('sub_account_id'),
      person,
      ...body,
    });
  const path = (id: string) => `/v2/issuing/card_holder/${id}`;

  it('is created under a sub account, active immediately, and published', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await create(caller, { external_reference_id: 'emp-1', metadata: { team: 'field' } });
    expectRecord(answer, 'v2_create_card_holder', CARD_HOLDER);
    expect(answer.body).toMatchObject({
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_id: caller.seed('sub_account_id'),
      person: { ...person, middle_name: '', id_number: '', kyc: null, idv: null },
      external_reference_id: 'emp-1',
      purpose: '',
      ofac: { status: 'pass' },
      attachments: null,
      metadata: { team: 'field' },
      status: 'activated',
      timestamps: { deactivated_at: '' },
    });
    expect((await caller.v2('GET', path(answer.id()))).body).toEqual(answer.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([
      { kind: 'card_holder.created', record: answer.body },
      { kind: 'card_holder.status.activated', record: answer.body },
    ]);
    expect(v1).toEqual([]);
  });

  it('changes by field, and its address as a whole', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    await caller.listen();
    const answer = await caller.v2('PATCH', path(id), {
      person: { first_name: 'Pri', address: { city: 'Salem' } },
      purpose: 'Travel',
      status: 'suspended',
    });
    expectRecord(answer, 'v2_update_card_holder', CARD_HOLDER);
    expect(answer.body).toMatchObject({
      person: { first_name: 'Pri', last_name: 'Okafor', address: { line1: '', city: 'Salem' } },
      purpose: 'Travel',
      status: 'suspended',
    });
    expect(kinds((await caller.receivedEvents()).v2)).toEqual([
      'card_holder.updated',
      'card_holder.status.suspended',
    ]);
  });

  it('is final when it is deactivated', async () => {
    const caller = http.caller();
    const id = (await create(caller)).id();
    const ended = await caller.v2('PATCH', path(id), { status: 'deactivated' });
    expect(ended.at('timestamps.deactivated_at')).toBe('2026-11-20T18:00:00Z');
    for (const status of ['activated', 'suspended', 'pending_activation']) {
      const answer = await caller.v2('PATCH', path(id), { status });
      expectRefusedV2(answer, { status: 400, code: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED' });
    }
    expect((await caller.v2('PATCH', path(id), { status: 'deactivated' })).status).toBe(200);
  });

  it('is refused if its account or a field is invalid', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const field = 'ERROR_CODE_INVALID_FIELD';
    const nowhere = await create(caller, { sub_account_id: `sub${NOBODY}` });
    expectRefusedV2(nowhere, {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
    const phone = await create(caller, { person: { ...person, phone: '555' } });
    expectRefusedV2(phone, { status: 400, code: 'ERROR_CODE_INVALID_PHONE', field: 'phone' });
    const born = await create(caller, { person: { ...person, date_of_birth: '2026-02-30' } });
    expectRefusedV2(born, { status: 400, code: field, field: 'person.date_of_birth' });
    const locked = await caller.v2('PATCH', path(caller.seed('card_holder_id')), { status: 'locked' });
    expectRefusedV2(locked, { status: 400, code: field, field: 'status' });
    const unknown = await caller.v2('GET', path(`cah${NOBODY}`));
    expectRefusedV2(unknown, {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find card holder by id in qldb',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is listed newest first, paginated', async () => {
    const caller = http.caller();
    const made = (await create(caller)).id();
    const first = await caller.v2('GET', '/v2/issuing/card_holder?limit=1');
    expect(first.body).toMatchObject({ total: 2, data: [{ id: made }], has_more: 'true' });
    const next = await caller.v2(
      'GET',
      `/v2/issuing/card_holder?limit=1&starting_after=${first.at('starting_after')}`,
    );
    expect(next.body).toMatchObject({
      total: 2,
      data: [{ id: caller.seed('card_holder_id') }],
      has_more: 'false',
    });
    for (const [master, total] of [
      [caller.seed('master_account_id'), 2],
      ['', 2],
      [`mas${NOBODY}`, 0],
      ['x', 0],
    ] as const) {
      const page = await caller.v2('GET', `/v2/issuing/card_holder?master_account_id=${master}`);
      expect(page.at('total'), master).toBe(total);
    }
  });

  it('that is suspended gets no card, and its cards are declined', async () => {
    const caller = http.caller();
    await caller.v2('PATCH', path(caller.seed('card_holder_id')), { status: 'suspended' });
    const refused = await make(caller);
    expectRefusedV2(refused, {
      status: 400,
      code: 'ERROR_CODE_CARD_ISSUANCE_CARDHOLDER_NOT_ACTIVE',
      field: 'card_holder_id',
      message: 'the card holder is suspended; a card needs an activated card holder',
    });
    const card = caller.seed('card_id');
    const declined = await caller.v1('POST', `/v1/card/${card}/test`, { amount: '1.00' });
    expect(declined.body).toEqual({ status: 'declined', declineReason: 'cardInactive' });
    const rows = await caller.v1('GET', `/v1/card/${card}/declined`);
    expect(rows.body).toMatchObject({ total: 1, data: [{ cardId: card, reason: 'cardInactive' }] });
  });
});

describe('a new card (v2_create_card)', () => {
  it('that is virtual is open, in the account of its card holder, and the same in v1', async () => {
    const caller = http.caller();
    await caller.listen();
    const controls = {
      allowed: { merchants: [], categories: ['5541'], countries: ['US'] },
      blocked: { merchants: ['Harbor Casino'], categories: [], countries: [] },
      limit: {
        period: 'weekly',
        max_spend_amount: '400.00',
        max_spend_per_transaction: '150.00',
        max_spend_count: '6',
      },
      atm_enabled: 'false',
    };
    const body = {
      label: 'Fuel',
      product: 'consumer_gpr',
      theme: 'midnight',
      controls,
      external_reference_id: 'card-req-9',
      metadata: { team: 'field' },
    };
    const answer = await make(caller, body);
    expectRecord(answer, 'v2_create_card', CARD);
    expect(answer.body).toMatchObject({
      ...body,
      sub_account_id: caller.seed('sub_account_id'),
      card_holder_id: caller.seed('card_holder_id'),
      cardholder_id: caller.seed('card_holder_id'),
      type: 'virtual',
      expiry_month: '11',
      expiry_year: '2030',
      card_fulfilment: null,
      status: 'open',
    });
    expect((await caller.v2('GET', `/v2/issuing/card/${answer.id()}`)).body).toEqual(answer.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(kinds(v2)).toEqual(['card.created', 'card.status.open']);
    expect(v1).toEqual([]);
    const other = await caller.v1('GET', `/v1/card/${inV1(answer.id())}`);
    expect(other.body).toMatchObject({
      id: inV1(answer.id()),
      accountId: caller.seed('account_id'),
      cardType: 'virtual',
      label: 'Fuel',
      limitAmount: '400.00',
      limitInterval: 'weekly',
      availableLimit: '',
      allowedCategories: ['5541'],
      blockedMerchants: ['Harbor Casino'],
      atmAccess: false,
      theme: 'midnight',
      cardStatus: 'active',
      shipping: null,
    });
  });

  it('that is physical waits for its activation and is shipped', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await makePhysical(caller);
    expect(answer.body).toMatchObject({
      status: 'locked',
      card_fulfilment: {
        embossing: { card_holder_name: 'ADA LOVEGOOD', business_name: '' },
        shipping_address: ADDRESS,
        tracking: { status: 'pending', eta: '2026-11-30', number: '', url: '', provider: '' },
      },
    });
    expect(kinds((await caller.receivedEvents()).v2)).toEqual(['card.created', 'card.status.locked']);
    const other = await caller.v1('GET', `/v1/card/${inV1(answer.id())}`);
    expect(other.body).toMatchObject({
      cardStatus: 'pendingActivation',
      activatedAt: '',
      embossingPerson: 'ADA LOVEGOOD',
      shipping: {
        id: `shp-${uuidOf(answer.id())}`,
        deliveryStatus: 'pending',
        shippingAddress: { addressType: 'shipping', city: 'Astoria', postalCode: '97103' },
      },
    });
  });

  it('accepts either name for the card holder, and both if they are equal', async () => {
    const caller = http.caller();
    const id = caller.seed('card_holder_id');
    const post = (body: object) => caller.v2('POST', '/v2/issuing/card', { type: 'virtual', ...body });
    for (const body of [
      { card_holder_id: id },
      { cardholder_id: id },
      { card_holder_id: id, cardholder_id: id },
    ])
      expect((await post(body)).status).toBe(201);
    const field = 'card_holder_id';
    const code = 'ERROR_CODE_INVALID_FIELD';
    const message = 'card_holder_id is required';
    const missing = 'ERROR_CODE_REQUIRED_FIELD_MISSING';
    expectRefusedV2(await post({}), { status: 400, code: missing, field, message });
    const two = await post({ card_holder_id: id, cardholder_id: `cah${NOBODY}` });
    expectRefusedV2(two, { status: 400, code, field, message: /two names of the same field/ });
    const nobody = await post({ card_holder_id: `cah${NOBODY}` });
    expectRefusedV2(nobody, { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' });
  });

  it('is refused if a field is invalid', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const code = 'ERROR_CODE_INVALID_FIELD';
    const embossed = (card_holder_name: string) => ({
      type: 'physical',
      card_fulfilment: { embossing: { card_holder_name } },
    });
    for (const [body, field, message] of [
      [{ type: undefined }, 'type', 'enum is required'],
      [{ type: 'plastic' }, 'type', /physical, virtual/],
      [{ product: 'gold' }, 'product', /business_spend/],
      [
        embossed('A&B'),
        'card_fulfilment.embossing.card_holder_name',
        /a &, which cannot be printed on a card/,
      ],
      [
        { controls: { allowed: { merchants: ['a'] }, blocked: { merchants: ['b'] } } },
        'controls.blocked.merchants',
        /an allowed and a blocked list/,
      ],
    ] as const) {
      expectRefusedV2(await make(caller, body), { status: 400, code, field, message });
    }
    expectRefusedV2(await make(caller, embossed('A'.repeat(24))), {
      status: 400,
      code: 'ERROR_CODE_MAX_ALLOWED_LENGTH_EXCEEDED',
      field: 'card_fulfilment.embossing.card_holder_name',
      message: /^card_fulfilment.embossing.card_holder_name .*the maximum on a card is 23/,
    });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is limited by the configuration of its account', async () => {
    const caller = http.caller();
    const account = `/v1/account/${caller.seed('account_id')}`;
    const config = { card: { virtual: { enabled: true, count: '1' } } };
    expect((await caller.v1('PATCH', account, { config })).status).toBe(200);
    const code = 'ERROR_CODE_CARD_ISSUANCE_PRODUCT_LIMIT_EXCEEDED';
    expectRefusedV2(await make(caller), { status: 400, code, field: 'type' });
  });
});

describe('the list of cards (v2_list_cards)', () => {
  it('contains all cards, or those of an account or a card holder, newest first', async () => {
    const caller = http.caller();
    const holder = await caller.v2('POST', '/v2/issuing/card_holder', {
      sub_account_id: caller.seed('other_sub_account_id'),
      person: { first_name: 'Ben' },
    });
    const other = (await make(caller, { card_holder_id: holder.id() })).id();
    const own = [caller.seed('physical_card_id'), caller.seed('virtual_card_id')];
    const list = async (query: string) => {
      const answer = await caller.v2('GET', `/v2/issuing/card${query}`);
      expect(answer.status, query).toBe(200);
      const ids = (answer.at('data') as { id: string }[]).map(({ id }) => id);
      expect(answer.at('total')).toBe(ids.length);
      return ids;
    };
    expect(await list('')).toEqual([other, ...own]);
    expect(await list(`?sub_account_id=${caller.seed('sub_account_id')}`)).toEqual(own);
    expect(await list(`?sub_account_id=${caller.seed('account_id')}`)).toEqual(own);
    expect(await list(`?card_holder_id=${holder.id()}`)).toEqual([other]);
    expect(await list(`?cardholder_id=${holder.id()}`)).toEqual([other]);
    expect(
      await list(`?card_holder_id=${holder.id()}&sub_account_id=${caller.seed('sub_account_id')}`),
    ).toEqual([]);
    for (const id of [`sub${NOBODY}`, 'x']) expect(await list(`?sub_account_id=${id}`)).toEqual([]);
    expect((await caller.v2('GET', '/v2/issuing/card?limit=0')).status).toBe(400);
  });
});

describe('an activation (v2_activate_card)', () => {
  it('opens the card if the sent details are correct, in both versions', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    await caller.listen();
    const answer = await act(caller, card.id(), 'activate', printedOn(card));
    expectRecord(answer, 'v2_activate_card', CARD);
    expect(answer.body).toEqual({ ...(card.body as object), status: 'open' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([{ kind: 'card.status.open', record: answer.body }]);
    expect(kinds(v1)).toEqual(['card.updated']);
    expect(v1[0]?.record).toMatchObject({ cardStatus: 'active', activatedAt: '2026-11-20T18:00:00Z' });
  });

  it('is refused with other details, for a virtual card, and a second time', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    const wrong = { ...printedOn(card), expiry_year: '2031', last4: 'none' };
    const refused = await act(caller, card.id(), 'activate', wrong);
    expectRefusedV2(refused, {
      status: 400,
      code: 'ERROR_CODE_CARD_INCORRECT_DETAILS',
      field: 'expiry_year',
      message: 'differs from the card: the expiry year, the last four digits',
    });
    expect(refused.text).not.toContain(card.id('last4'));
    const virtual = await make(caller);
    const of = await act(caller, virtual.id(), 'activate', printedOn(virtual));
    expectRefusedV2(of, {
      status: 400,
      code: 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED',
      message: /only a physical card can be activated/,
    });
    await act(caller, card.id(), 'activate', printedOn(card));
    const again = await act(caller, card.id(), 'activate', printedOn(card));
    expectRefusedV2(again, { status: 400, code: 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED_FOR_STATUS' });
    const nobody = await act(caller, `crd${NOBODY}`, 'activate', printedOn(card));
    expectRefusedV2(nobody, { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' });
  });
});

describe('a replacement (v2_replace_card)', () => {
  it('returns another card and closes the first', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    await act(caller, card.id(), 'activate', printedOn(card));
    await caller.listen();
    const shipping_address = { ...ADDRESS, city: 'Salem' };
    const answer = await act(caller, card.id(), 'replace', {
      reason: 'stolen',
      card_fulfilment: { shipping_address },
    });
    expectRecord(answer, 'v2_replace_card', CARD);
    expect(answer.id()).not.toBe(card.id());
    expect(answer.body).toEqual({
      ...(card.body as object),
      id: answer.id(),
      last4: answer.at('last4'),
      card_fulfilment: { ...(card.at('card_fulfilment') as object), shipping_address },
    });
    const old = await caller.v2('GET', `/v2/issuing/card/${card.id()}`);
    expect(old.body).toMatchObject({ status: 'closed', timestamps: { closed_at: '2026-11-20T18:00:00Z' } });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([
      { kind: 'card.status.closed', record: old.body },
      { kind: 'card.created', record: answer.body },
      { kind: 'card.status.locked', record: answer.body },
    ]);
    expect(kinds(v1)).toEqual(['card.replaced']);
    expect(v1[0]?.record).toMatchObject({ id: inV1(card.id()), cardStatus: 'canceled' });
  });

  it('is refused without a valid reason, and for a closed card', async () => {
    const caller = http.caller();
    const card = await make(caller);
    for (const [body, code] of [
      [{}, 'ERROR_CODE_REQUIRED_FIELD_MISSING'],
      [{ reason: 'bored' }, 'ERROR_CODE_INVALID_FIELD'],
    ] as const) {
      const refused = await act(caller, card.id(), 'replace', body);
      expectRefusedV2(refused, { status: 400, code, field: 'reason' });
    }
    await act(caller, card.id(), 'replace', { reason: 'expired' });
    const again = await act(caller, card.id(), 'replace', { reason: 'expired' });
    expectRefusedV2(again, { status: 400, code: 'ERROR_CODE_CARD_REPLACEMENT_NOT_ALLOWED_FOR_STATUS' });
  });
});

describe('a wallet (v2_provision_card)', () => {
  it.each(['apple_pay', 'google_pay', 'samsung_pay'])('%s receives its own object', async (wallet) => {
    const caller = http.caller();
    const card = caller.seed('virtual_card_id');
    await caller.listen();
    const answer = await act(caller, card, 'provision', { wallet, [wallet]: { device_id: 'd' } });
    expect(answer.status).toBe(200);
    const none = { apple_pay: null, google_pay: null, samsung_pay: null };
    const reference = expect.stringMatching(/^[0-9A-F]{29}$/);
    expect(answer.body).toMatchObject({
      ...none,
      wallet,
      [wallet]: { payment_account_reference: reference },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([]);
    const shown = await caller.v1('GET', `/v1/card/${inV1(card)}`);
    expect(v1).toEqual([{ kind: 'card.wallet.created', record: shown.body }]);
  });

  it('requires its object and an open card', async () => {
    const caller = http.caller();
    const card = caller.seed('virtual_card_id');
    const missing = await act(caller, card, 'provision', { wallet: 'google_pay', google_pay: {} });
    expectRefusedV2(missing, {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'google_pay',
      message: 'the wallet google_pay requires the object google_pay',
    });
    const requested = { wallet: 'google_pay', google_pay: { device_id: 'd' } };
    const state = { status: 400, code: 'ERROR_CODE_CARD_PROVISIONING_NOT_ALLOWED' };
    expectRefusedV2(await act(caller, caller.seed('physical_card_id'), 'provision', requested), state);
    await caller.v2('PATCH', `/v2/issuing/card/${card}`, { status: 'closed' });
    expectRefusedV2(await act(caller, card, 'provision', requested), state);
  });
});
