/**
 * Cards in v1: issued for a person, listed, changed, activated, replaced, canceled; the declined authorizations, the
 * wallets and the cash machines; and the same cards in v2. Decisions `card-status-changes`, `card-replacement`,
 * `v1-card-test-decline`, `one-control-list`, `controls-update`, `v1-card-person`, `card-creation-needs`,
 * `replacement-carries-over`, `v1-one-card-limit`, `card-tokens`, `card-provision`, `v1-card-filters`,
 * `cash-machines` and `cash-machine-search` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { CARD_V1 } from '../../contract/v1/card.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, type ReceivedEvent, useHttp } from './support.ts';

const http = useHttp({ small: true });

const ADDRESS = {
  addressType: 'shipping',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const NOBODY = '-00000000-0000-0000-0000-000000000000';
const inV2 = (id: string) => `crd_${id.slice(4).replaceAll('-', '')}`;
const kinds = (events: ReceivedEvent[]) => events.map(({ kind }) => kind);

const make = (caller: Caller, body: object = {}, headers?: Record<string, string>) =>
  caller.v1(
    'POST',
    '/v1/card',
    { accountId: caller.seed('account_id'), cardType: 'virtual', ...body },
    headers,
  );
const makePhysical = (caller: Caller, body: object = {}) =>
  make(caller, { cardType: 'physical', shipping: { shippingAddress: ADDRESS }, ...body });
const read = (caller: Caller, id: string) => caller.v1('GET', `/v1/card/${id}`);
const change = (caller: Caller, id: string, body: object) => caller.v1('PATCH', `/v1/card/${id}`, body);
const printedOn = (answer: Answer) => ({
  expiryMonth: answer.at('expiryMonth'),
  expiryYear: answer.at('expiryYear'),
  last4: answer.at('last4'),
});

describe('a new card (createCard)', () => {
  it('that is virtual is active immediately, and the same in v2', async () => {
    const caller = http.caller();
    await caller.listen();
    const body = {
      label: 'Travel',
      bin: 'debit',
      currency: 'USD',
      limitAmount: '400.00',
      limitInterval: 'allTime',
      allowedCategories: ['4111'],
      blockedCategories: null,
      allowedMerchants: null,
      blockedMerchants: ['Harbor Casino'],
      atmAccess: false,
      theme: 'midnight',
      metadata: { externalId: '31' },
    };
    const answer = await make(caller, { ...body, billingAddress: { ...ADDRESS, addressType: 'billing' } });
    expectRecord(answer, 'createCard', []);
    expect(answer.body).toMatchObject({
      ...body,
      accountId: caller.seed('account_id'),
      businessId: '',
      familyId: '',
      programId: caller.seed('program_id'),
      createdPersonId: caller.seed('person_id'),
      walletId: '',
      cardholder: {
        id: `chd-${uuidOf(caller.seed('card_holder_id'))}`,
        personId: caller.seed('person_id'),
        name: 'Ada Lovegood',
        billingAddress: { addressType: 'billing', city: 'Salem' },
      },
      cardType: 'virtual',
      availableLimit: '400.00',
      shipping: null,
      cardStatus: 'active',
      activatedAt: '2026-11-20T18:00:00Z',
    });
    expect((await read(caller, answer.id())).body).toEqual(answer.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([]);
    expect(kinds(v2)).toEqual(['card.created', 'card.status.open']);
    expect((await caller.v2('GET', `/v2/issuing/card/${inV2(answer.id())}`)).body).toEqual(v2[0]?.record);
    expect(v2[0]?.record).toMatchObject({
      card_holder_id: caller.seed('card_holder_id'),
      product: 'consumer_debit',
      controls: {
        allowed: { merchants: [], categories: ['4111'] },
        blocked: { merchants: ['Harbor Casino'], categories: [] },
        limit: { period: 'all_time', max_spend_amount: '400.00', max_spend_per_transaction: '' },
        atm_enabled: 'false',
      },
      status: 'open',
    });
  });

  it('that is physical requires activation', async () => {
    const caller = http.caller();
    const answer = await makePhysical(caller, { embossingPerson: 'ADA', embossingBusiness: 'HARBOR' });
    expect(answer.body).toMatchObject({
      cardType: 'physical',
      embossingPerson: 'ADA',
      embossingBusiness: 'HARBOR',
      shipping: {
        id: `shp-${answer.id().slice(4)}`,
        shippingAddress: ADDRESS,
        deliveryStatus: 'pending',
        eta: '',
      },
      cardStatus: 'pendingActivation',
      activatedAt: '',
    });
    const other = await caller.v2('GET', `/v2/issuing/card/${inV2(answer.id())}`);
    expect(other.body).toMatchObject({
      status: 'locked',
      card_fulfilment: { embossing: { card_holder_name: 'ADA', business_name: 'HARBOR' } },
    });
  });

  it('belongs to the person of the header, who becomes a card holder once', async () => {
    const caller = http.caller();
    const person = await caller.v1('POST', '/v1/person', {
      firstName: 'Uma',
      lastName: 'Reed',
      phone: '+15035550199',
      email: 'uma@reed.example',
    });
    const headers = { 'sd-person-id': person.id() };
    await caller.listen();
    const [first, second] = [await make(caller, {}, headers), await make(caller, {}, headers)];
    expect(first.body).toMatchObject({
      createdPersonId: person.id(),
      cardholder: { personId: person.id(), name: 'Uma Reed' },
    });
    expect(second.at('cardholder')).toEqual(first.at('cardholder'));
    expect(kinds((await caller.receivedEvents()).v2)).toEqual([
      'card_holder.created',
      'card_holder.status.activated',
      'card.created',
      'card.status.open',
      'card.created',
      'card.status.open',
    ]);
  });

  it('of a business belongs to the person who created it, or to nobody', async () => {
    const caller = http.caller();
    const business = caller.seed('business_holder_id');
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${business}/kyb`);
    const account = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: business,
      type: 'checking',
    });
    const body = { accountId: account.id() };
    const refused = await make(caller, body);
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_PERSON_ID_HEADER_REQUIRED',
      message: 'person id missing in header',
    });
    const answer = await make(caller, body, { 'sd-person-id': caller.seed('person_id') });
    expect(answer.body).toMatchObject({
      businessId: `bus-${uuidOf(business)}`,
      createdPersonId: caller.seed('person_id'),
      cardholder: { personId: caller.seed('person_id') },
    });
  });

  it('is a debit card by default, and a credit card permanently on request', async () => {
    const caller = http.caller();
    const usual = await make(caller);
    expect(usual.at('bin')).toBe('debit');
    const credit = await makePhysical(caller, { bin: 'credit' });
    expectRecord(credit, 'createCard', CARD_V1);
    expect(credit.at('bin')).toBe('credit');
    await caller.listen();
    await change(caller, credit.id(), { label: 'Fuel' });
    const list = await caller.v1('GET', `/v1/card?accountId=${caller.seed('account_id')}`);
    const found = (list.at('data') as { id: string; bin: string }[]).find(({ id }) => id === credit.id());
    expect(found?.bin).toBe('credit');
    const next = await caller.v1('POST', `/v1/card/${credit.id()}/replace`, { reason: 'lost' });
    expect(next.at('bin')).toBe('credit');
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind, record }) => [kind, record.bin])).toEqual([
      ['card.updated', 'credit'],
      ['card.replaced', 'credit'],
    ]);
  });

  it('is refused if a field is invalid', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const code = 'EC_CARD_INVALID_REQUEST';
    for (const [body, message] of [
      [{ cardType: undefined }, 'cardType is required'],
      [{ cardType: 'physical' }, 'shipping.shippingAddress is required for a physical card'],
      [{ cardType: 'physical', shipping: { shippingAddress: null } }, /shippingAddress is required/],
      [{ limitAmount: '10.00' }, /limitAmount and limitInterval depend on each other/],
      [{ limitInterval: 'daily' }, /limitAmount and limitInterval depend on each other/],
      [{ limitAmount: '10.5', limitInterval: 'daily' }, /limitAmount must be an amount/],
      [{ limitAmount: '10.00', limitInterval: 'hourly' }, /limitInterval must be one of/],
      [{ allowedCategories: ['41'] }, /allowedCategories/],
      [{ bin: 'prepaid' }, /bin must be one of debit, credit/],
      [{ currency: 'EUR' }, /currency must be one of USD/],
    ] as const) {
      expectRefusedV1(await make(caller, body), { status: 400, code, message });
    }
    const long = await makePhysical(caller, { embossingPerson: 'A'.repeat(24) });
    expectRefusedV1(long, {
      status: 400,
      code,
      message: 'embossingPerson has 24 characters; the maximum on a card is 23',
    });
    const odd = await makePhysical(caller, { embossingBusiness: 'A & B' });
    expectRefusedV1(odd, { status: 400, code, message: /^embossingBusiness has a &/ });
    const both = await make(caller, { allowedCategories: ['4111'], blockedCategories: ['7995'] });
    expectRefusedV1(both, { status: 400, code: 'EC_CARD_INVALID_CONTROLS' });
    const nowhere = await make(caller, { accountId: `acc${NOBODY}` });
    expectRefusedV1(nowhere, { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' });
    const nobody = await make(caller, {}, { 'sd-person-id': `per${NOBODY}` });
    expectRefusedV1(nobody, { status: 404, code: 'EC_PERSON_NOT_FOUND' });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('is refused for a closed account, and creates no card holder', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const { store } = caller.sandbox;
    const [account] = store.accounts.list.all([{ field: 'label', is: 'Everyday' }]);
    if (account === undefined) throw new Error('no account');
    store.accounts.replace({ ...account, status: 'closed', closedAt: account.updatedAt });
    const refused = await make(caller, { accountId });
    expectRefusedV1(refused, { status: 400, code: 'EC_ACCOUNT_NOT_ACTIVE', message: /accountId: .*closed/ });
    store.accounts.replace(account);
  });
});

describe('the list of cards (listCards, listProgramCards)', () => {
  const list = async (caller: Caller, query: Record<string, string>, path = '/v1/card') => {
    const answer = await caller.v1('GET', `${path}?${new URLSearchParams(query)}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.at('data') as { id: string }[]).map(({ id }) => id);
  };

  it('requires an existing account', async () => {
    const caller = http.caller();
    const unnamed = await caller.v1('GET', '/v1/card');
    expectRefusedV1(unnamed, {
      status: 400,
      code: 'EC_CARD_INVALID_REQUEST',
      message: 'accountId is required',
    });
    for (const id of [`acc${NOBODY}`, 'x', '']) {
      const unknown = await caller.v1('GET', `/v1/card?accountId=${id}`);
      expectRefusedV1(unknown, { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' });
    }
  });

  it('is sorted newest or oldest first, and paginated', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const seeded = await list(caller, { accountId });
    expect(seeded).toHaveLength(2);
    expect(seeded[1]).toBe(caller.seed('card_id'));
    const made = (await make(caller)).id();
    expect(await list(caller, { accountId, orderBy: '-createdAt' })).toEqual([made, ...seeded]);
    expect(await list(caller, { accountId, orderBy: 'createdAt' })).toEqual([made, ...seeded].reverse());
    const page = await caller.v1('GET', `/v1/card?accountId=${accountId}&limit=1&offset=1`);
    expectRecord(page, 'listCards', []);
    expect(page.body).toMatchObject({ total: 3, data: [{ id: seeded[0] }] });
  });

  it('supports filters', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const [physical = '', virtual = ''] = await list(caller, { accountId });
    const card = await make(caller, { theme: 'dark', metadata: { externalId: '31' } });
    const made = card.id();
    const find = (query: Record<string, string>) => list(caller, { accountId, ...query });
    expect(await find({ cardType: 'physical' })).toEqual([physical]);
    expect(await find({ query: card.id('last4') })).toEqual([made]);
    expect(await find({ query: card.id('last4').slice(1) })).toEqual([]);
    expect(await find({ theme: 'dark' })).toEqual([made]);
    expect(await find({ externalId: '31' })).toEqual([made]);
    expect(await find({ id: virtual })).toEqual([virtual]);
    expect(await find({ walletId: 'wlt-1' })).toEqual([]);
    expect(await find({ status: 'pendingActivation' })).toEqual([physical]);
    expect(await find({ status: 'active' })).toEqual([made, virtual]);
    await caller.v1('DELETE', `/v1/card/${made}`);
    expect(await find({ status: 'canceled' })).toEqual([made]);
    expect(await find({ startTime: '2026-11-20T18:00:01Z' })).toEqual([]);
    for (const query of ['status=open', 'orderBy=label', 'minAvailableLimit=1.5', 'cardType=x']) {
      const refused = await caller.v1('GET', `/v1/card?accountId=${accountId}&${query}`);
      expectRefusedV1(refused, { status: 400, code: 'EC_CARD_INVALID_REQUEST' });
    }
  });

  it('is filtered by the remaining limits for all time', async () => {
    const caller = http.caller();
    const accountId = caller.seed('account_id');
    const limited = async (limitAmount: string, limitInterval = 'allTime') =>
      (await make(caller, { limitAmount, limitInterval })).id();
    const [small, large] = [await limited('10.00'), await limited('100.00')];
    await limited('50.00', 'monthly');
    await caller.v1('POST', `/v1/card/${large}/test`, { amount: '60.00' });
    const find = (query: Record<string, string>) => list(caller, { accountId, ...query });
    expect(await find({ minAvailableLimit: '10.00' })).toEqual([large, small]);
    expect(await find({ minAvailableLimit: '10.01' })).toEqual([large]);
    expect(await find({ maxAvailableLimit: '39.99', orderBy: 'createdAt' })).toEqual([small]);
    expect(await find({ minAvailableLimit: '1.00', maxAvailableLimit: '40.00' })).toEqual([large, small]);
  });

  it('of the program includes all accounts', async () => {
    const caller = http.caller();
    const other = caller.seed('other_sub_account_id');
    const made = (await make(caller, { accountId: other })).id();
    const path = `/v1/program/${caller.seed('program_id')}/card`;
    expect(await list(caller, {}, path)).toHaveLength(3);
    expect(await list(caller, { accountId: other }, path)).toEqual([made]);
    expect(await list(caller, { accountId: 'x' }, path)).toEqual([]);
    const unknown = await caller.v1('GET', `/v1/program/prg${NOBODY}/card`);
    expectRefusedV1(unknown, { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
  });
});

describe('a change of a card (updateCard)', () => {
  it('affects the sent fields, with whole lists and one limit', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    await caller.listen();
    const body = {
      label: 'Books',
      limitAmount: '150.00',
      limitInterval: 'monthly',
      allowedCategories: ['5942'],
      allowedMerchants: ['Harbor Books'],
      atmAccess: false,
      metadata: { externalId: '32' },
      cardStatus: 'inactive',
    };
    const answer = await change(caller, id, { ...body, billingAddress: ADDRESS });
    expectRecord(answer, 'updateCard', []);
    expect(answer.body).toMatchObject({
      ...body,
      availableLimit: '',
      cardholder: { billingAddress: { addressType: 'billing', line1: '9 Pier Road' } },
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(kinds(v1)).toEqual(['card.updated', 'card.updated']);
    expect(v1[1]?.record).toEqual(answer.body);
    expect(kinds(v2)).toEqual(['card.updated', 'card.status.blocked']);
    const next = await change(caller, id, {
      allowedCategories: [],
      cardStatus: 'active',
      billingAddress: null,
    });
    expect(next.body).toMatchObject({
      allowedCategories: null,
      allowedMerchants: ['Harbor Books'],
      limitAmount: '150.00',
      cardStatus: 'active',
      cardholder: { billingAddress: null },
    });
  });

  it('shows the remaining limit for all time, also in events', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    await change(caller, id, { limitAmount: '20.00', limitInterval: 'allTime' });
    await caller.v1('POST', `/v1/card/${id}/test`, { amount: '7.50' });
    expect((await read(caller, id)).body).toMatchObject({ limitAmount: '20.00', availableLimit: '12.50' });
    await caller.listen();
    await change(caller, id, { label: 'x' });
    expect((await caller.receivedEvents()).v1[0]?.record).toMatchObject({ availableLimit: '12.50' });
    const emptied = await change(caller, id, { limitAmount: '', limitInterval: '' });
    expect(emptied.body).toMatchObject({ limitAmount: '', limitInterval: '', availableLimit: '' });
    expectRefusedV1(await change(caller, id, { limitAmount: '1.00' }), {
      status: 400,
      code: 'EC_CARD_INVALID_REQUEST',
      message: /depend on each other/,
    });
  });

  it('of the limit per transaction changes the limit that v2 set, and keeps its count', async () => {
    const caller = http.caller();
    const [id, other] = [caller.seed('card_id'), `/v2/issuing/card/${caller.seed('virtual_card_id')}`];
    await caller.v2('PATCH', other, {
      controls: { limit: { period: 'weekly', max_spend_per_transaction: '5.00', max_spend_count: '3' } },
    });
    expect((await read(caller, id)).body).toMatchObject({
      limitAmount: '5.00',
      limitInterval: 'perTransaction',
    });
    await change(caller, id, { limitAmount: '6.00' });
    const limit = async () => (await caller.v2('GET', other)).at('controls.limit');
    expect(await limit()).toEqual({
      period: 'per_transaction',
      max_spend_amount: '6.00',
      max_spend_per_transaction: '',
      max_spend_count: '3',
    });
    await change(caller, id, { limitInterval: 'daily' });
    expect(await limit()).toMatchObject({ period: 'daily', max_spend_amount: '6.00' });
  });

  it('accepts a record as it was read', async () => {
    const caller = http.caller();
    await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, {
      controls: { limit: { period: 'weekly', max_spend_count: '3' } },
    });
    const { body } = await read(caller, caller.seed('card_id'));
    const answer = await change(caller, caller.seed('card_id'), {
      ...(body as object),
      cardStatus: 'active',
    });
    expect(answer.body).toEqual(body);
  });

  it('to the status that v1 already shows changes nothing, even for a locked card', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    await caller.v2('POST', `/_sandbox/simulate/cards/${id}/lock`, {});
    expect((await read(caller, id)).at('cardStatus')).toBe('inactive');
    expect((await change(caller, id, { cardStatus: 'inactive' })).status).toBe(200);
    const refused = await change(caller, id, { cardStatus: 'active' });
    expectRefusedV1(refused, { status: 409, code: 'EC_CARD_INVALID_STATE' });
  });

  it('is refused for an invalid status, for a card before its activation, and for a canceled card', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    for (const cardStatus of ['canceled', 'pendingActivation', 'open']) {
      const refused = await change(caller, id, { cardStatus });
      expectRefusedV1(refused, { status: 400, code: 'EC_CARD_INVALID_REQUEST' });
    }
    const waiting = await makePhysical(caller);
    const state = { status: 409, code: 'EC_CARD_INVALID_STATE' };
    expectRefusedV1(await change(caller, waiting.id(), { cardStatus: 'active' }), state);
    await caller.v1('DELETE', `/v1/card/${id}`);
    expectRefusedV1(await change(caller, id, { cardStatus: 'active' }), state);
    const controls = await change(caller, id, { atmAccess: false });
    expectRefusedV1(controls, { status: 409, code: 'EC_CARD_CANCELED' });
    expectRefusedV1(await change(caller, `crd${NOBODY}`, {}), { status: 404, code: 'EC_CARD_NOT_FOUND' });
  });
});

describe('a cancellation (cancelCard)', () => {
  it('is final, and may be repeated', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    await caller.listen();
    const answer = await caller.v1('DELETE', `/v1/card/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id, cardStatus: 'canceled' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(kinds(v1)).toEqual(['card.canceled']);
    expect(kinds(v2)).toEqual(['card.status.closed']);
    expect((await read(caller, id)).at('cardStatus')).toBe('canceled');
    expect((await caller.v1('DELETE', `/v1/card/${id}`)).body).toEqual(answer.body);
    expect((await caller.receivedEvents()).v1).toEqual([]);
  });
});

describe('an activation (activateCard)', () => {
  it('returns a status and opens the card', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    const answer = await caller.v1('PATCH', `/v1/card/${card.id()}/activate`, printedOn(card));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: card.id(), status: 'active' });
    expect((await read(caller, card.id())).body).toMatchObject({
      cardStatus: 'active',
      activatedAt: '2026-11-20T18:00:00Z',
    });
    const other = await caller.v2('GET', `/v2/issuing/card/${inV2(card.id())}`);
    expect(other.at('status')).toBe('open');
  });

  it('is refused with other details and for a virtual card', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    const path = `/v1/card/${card.id()}/activate`;
    const refused = await caller.v1('PATCH', path, { ...printedOn(card), last4: 'abcd' });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_CARD_DETAILS_MISMATCH',
      message: 'last4: differs from the card: the last four digits',
    });
    const missing = await caller.v1('PATCH', path, {});
    expectRefusedV1(missing, { status: 400, code: 'EC_CARD_INVALID_REQUEST', message: /is required/ });
    const virtual = await make(caller);
    const of = await caller.v1('PATCH', `/v1/card/${virtual.id()}/activate`, printedOn(virtual));
    expectRefusedV1(of, {
      status: 409,
      code: 'EC_CARD_INVALID_STATE',
      message: /only a physical card can be activated/,
    });
  });
});

describe('a replacement (replaceCard)', () => {
  it('is a new card that replaces the old one', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller, { label: 'Travel', embossingPerson: 'ADA' });
    await caller.listen();
    const answer = await caller.v1('POST', `/v1/card/${card.id()}/replace`, {
      reason: 'lost',
      shipping: { shippingAddress: { ...ADDRESS, city: 'Bend' } },
    });
    expectRecord(answer, 'replaceCard', []);
    expect(answer.id()).not.toBe(card.id());
    expect(answer.body).toMatchObject({
      label: 'Travel',
      embossingPerson: 'ADA',
      cardholder: card.at('cardholder'),
      shipping: { shippingAddress: { ...ADDRESS, city: 'Bend' } },
      cardStatus: 'pendingActivation',
    });
    const old = await read(caller, card.id());
    expect(old.at('cardStatus')).toBe('canceled');
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'card.replaced', record: old.body }]);
    expect(kinds(v2)).toEqual(['card.status.closed', 'card.created', 'card.status.locked']);
    expect(v2[1]?.record.id).toBe(inV2(answer.id()));
  });

  it('keeps the address if none is sent, and is refused for a canceled card', async () => {
    const caller = http.caller();
    const card = await makePhysical(caller);
    const path = `/v1/card/${card.id()}/replace`;
    const answer = await caller.v1('POST', path, { reason: 'expired', shipping: null });
    expect(answer.at('shipping.shippingAddress')).toEqual(ADDRESS);
    const again = await caller.v1('POST', path, { reason: 'expired' });
    expectRefusedV1(again, { status: 409, code: 'EC_CARD_INVALID_STATE' });
    const odd = await caller.v1('POST', path, { reason: 'bored' });
    expectRefusedV1(odd, { status: 400, code: 'EC_CARD_INVALID_REQUEST', message: /reason must be one of/ });
  });
});

describe('the declined authorizations (listDeclinedAuthorizations)', () => {
  it('are those of the card, newest first and paginated', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    const test = (amount: string) => caller.v1('POST', `/v1/card/${id}/test`, { amount });
    await test('99999.00');
    await test('1.00');
    await test('88888.00');
    const answer = await caller.v1('GET', `/v1/card/${id}/declined`);
    expect(answer.body).toMatchObject({
      total: 2,
      data: [
        { cardId: id, amount: '88888.00', currency: '840', reason: 'lowBalance', approved: 'false' },
        { amount: '99999.00', currencyConversionRate: '1.0000000000', localTransactionCurrency: '' },
      ],
    });
    const page = await caller.v1('GET', `/v1/card/${id}/declined?limit=1&offset=1`);
    expect(page.body).toMatchObject({ total: 2, data: [{ amount: '99999.00' }] });
    const none = await caller.v1('GET', `/v1/card/${(await make(caller)).id()}/declined`);
    expect(none.body).toEqual({ total: 0, data: [] });
    const nobody = await caller.v1('GET', `/v1/card/crd${NOBODY}/declined`);
    expectRefusedV1(nobody, { status: 404, code: 'EC_CARD_NOT_FOUND' });
  });
});

describe('a wallet (provisionCard)', () => {
  it('receives its own object, and the event contains the card', async () => {
    const caller = http.caller();
    const id = caller.seed('card_id');
    await caller.listen();
    const answer = await caller.v1('POST', `/v1/card/${id}/provision`, {
      wallet: 'applePay',
      applePay: { nonce: 'bm9uY2U' },
    });
    expect(answer.status).toBe(201);
    const text = expect.stringMatching(/^[A-Za-z0-9]{88}$/);
    expect(answer.body).toEqual({
      wallet: 'applePay',
      applePay: {
        paymentAccountReference: expect.stringMatching(/^[0-9A-F]{29}$/),
        activationData: text,
        encryptedPassData: text,
        ephemeralPublicKey: text,
      },
      googlePay: null,
      samsungPay: null,
    });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1).toEqual([{ kind: 'card.wallet.created', record: (await read(caller, id)).body }]);
    expect(v2).toEqual([]);
    const missing = await caller.v1('POST', `/v1/card/${id}/provision`, { wallet: 'googlePay' });
    expectRefusedV1(missing, {
      status: 400,
      code: 'EC_CARD_INVALID_REQUEST',
      message: /googlePay: the wallet googlePay requires the object googlePay/,
    });
  });
});

it.each([
  ['applePay', 'applepay', 'applepay'],
  ['googlepay', 'googlepay', 'googlepay'],
  ['samsungpay', 'samsungPay', 'samsungpay'],
  ['samsungPay', 'samsungPay', 'samsungPay'],
])('the wallet %s with the object %s is answered as %s (provisionCard)', async (wallet, object, answered) => {
  const caller = http.caller();
  const answer = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/provision`, {
    wallet,
    [object]: { deviceId: 'd' },
  });
  expect([answer.status, answer.at('wallet')]).toEqual([201, answered]);
  expect(answer.body).toHaveProperty(`${answered}.paymentAccountReference`);
  expect(Object.keys(answer.body as object)).toHaveLength(4);
});

describe('the cash machines (listAtms)', () => {
  const find = (caller: Caller, query: string) => caller.v1('GET', `/v1/card/atm?${query}`);

  it('are the ten nearest ones, with their distance', async () => {
    const answer = await find(http.caller(), 'latitude=45.5189&longitude=-122.6793');
    expect(answer.status).toBe(200);
    expect(answer.at('total')).toBe(10);
    expect(answer.at('data.0')).toEqual({
      name: 'Tern Market',
      description: '810 Invented Avenue, Portland',
      coordinates: { latitude: 45.5189, longitude: -122.6793 },
      address: {
        addressType: 'mailing',
        line1: '810 Invented Avenue',
        line2: '',
        city: 'Portland',
        state: 'OR',
        country: 'US',
        postalCode: '97205',
      },
      latitude: 45.5189,
      longitude: -122.6793,
      distance: 0,
      distanceUnit: 'miles',
    });
  });

  it('are those within a radius, possibly none', async () => {
    const caller = http.caller();
    expect((await find(caller, 'latitude=45.5152&longitude=-122.6784&radius=2.5')).at('total')).toBe(4);
    expect((await find(caller, 'latitude=0&longitude=0&radius=10')).body).toEqual({ total: 0, data: [] });
  });

  it.each([
    ['longitude=0', 'latitude'],
    ['latitude=91&longitude=0', 'latitude'],
    ['latitude=north&longitude=0', 'latitude'],
    ['latitude=0&longitude=-180.5', 'longitude'],
    ['latitude=0&longitude=0&radius=-1', 'radius'],
    ['latitude=0&longitude=0&radius=1e3', 'radius'],
  ])('are refused for %s', async (query, field) => {
    const refused = await find(http.caller(), query);
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_CARD_INVALID_REQUEST',
      message: new RegExp(`^${field} (?:must be a number from |is required$)`),
    });
  });
});

function uuidOf(id: string): string {
  return id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
