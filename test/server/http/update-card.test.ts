/**
 * PATCH /v2/issuing/card/{id}: the fields that can be changed, the status changes, and their effects on the card.
 * Decisions `card-holder-id-names`, `card-status-changes`, `authorization-checks`, `v2-simulated-decline`,
 * `v1-card-test-decline`, `card-limit-periods`, `one-control-list`, `merchant-matching`, `controls-update` and
 * `metadata-changes` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { CARD } from '../../contract/v2/card.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV2 } from './expectations.ts';
import { setPin } from './pin.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const change = (caller: Caller, body: unknown, card = 'virtual_card_id') =>
  caller.v2('PATCH', `/v2/issuing/card/${caller.seed(card)}`, body);
const read = (caller: Caller, card = 'virtual_card_id') =>
  caller.v2('GET', `/v2/issuing/card/${caller.seed(card)}`);
const pay = async (caller: Caller, body: object) => {
  const answer = await caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body);
  return answer.at('declineReason');
};

const CONTROLS = {
  allowed: { merchants: ['Harbor Books'], categories: ['5942'], countries: ['US', 'CA'] },
  blocked: { merchants: [], categories: [], countries: [] },
  limit: {
    period: 'weekly',
    max_spend_amount: '400.00',
    max_spend_per_transaction: '150.00',
    max_spend_count: '6',
  },
  atm_enabled: 'false',
};

describe('a change (v2_update_card)', () => {
  it('of all fields returns the whole card', async () => {
    const caller = http.caller();
    const body = {
      label: 'Fuel',
      controls: CONTROLS,
      external_reference_id: 'card-9',
      metadata: { team: 'field' },
      status: 'blocked',
    };
    const answer = await change(caller, body);
    expectRecord(answer, 'v2_update_card', CARD);
    expect(answer.body).toMatchObject({
      ...body,
      id: caller.seed('virtual_card_id'),
      client_id: caller.seed('client_id'),
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_id: caller.seed('sub_account_id'),
      cardholder_id: caller.seed('card_holder_id'),
      card_holder_id: caller.seed('card_holder_id'),
      product: 'consumer_debit',
      type: 'virtual',
      expiry_month: '11',
      expiry_year: '2030',
      last4: expect.stringMatching(/^\d{4}$/),
      card_fulfilment: null,
      attachments: null,
    });
    expect((await read(caller)).body).toEqual(answer.body);
  });

  it('publishes events in both versions', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await change(caller, { label: 'Fuel', controls: CONTROLS, status: 'blocked' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v2).toEqual([
      { kind: 'card.updated', record: answer.body },
      { kind: 'card.status.blocked', record: answer.body },
    ]);
    expect(v1.map(({ kind }) => kind)).toEqual(['card.updated', 'card.updated']);
    expect(v1[1]?.record).toMatchObject({
      id: caller.seed('card_id'),
      label: 'Fuel',
      cardStatus: 'inactive',
      limitAmount: '400.00',
      limitInterval: 'weekly',
      allowedMerchants: ['Harbor Books'],
      allowedCategories: ['5942'],
      blockedMerchants: null,
      atmAccess: false,
    });
  });

  it('without fields is refused', async () => {
    const caller = http.caller();
    const { body: before } = await read(caller);
    http.clock.advance(1000);
    expectRefusedV2(await change(caller, {}), { status: 400, code: 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED' });
    expect((await read(caller)).body).toEqual(before);
  });

  it('of a physical card contains its shipping', async () => {
    const caller = http.caller();
    const answer = await change(caller, { label: 'Wallet 2' }, 'physical_card_id');
    expectRecord(answer, 'v2_update_card', CARD);
    expect(answer.body).toMatchObject({
      label: 'Wallet 2',
      type: 'physical',
      status: 'locked',
      card_fulfilment: { tracking: { status: 'pending', eta: '2026-11-30' } },
    });
  });
});

describe('controls', () => {
  it('that are not sent stay the same; a list is replaced as a whole, a limit by field', async () => {
    const caller = http.caller();
    await change(caller, { controls: CONTROLS });
    const answer = await change(caller, {
      controls: {
        allowed: { categories: ['5812', '5814'] },
        limit: { max_spend_count: '', period: 'daily' },
      },
    });
    expect(answer.at('controls')).toEqual({
      ...CONTROLS,
      allowed: { ...CONTROLS.allowed, categories: ['5812', '5814'] },
      limit: { ...CONTROLS.limit, max_spend_count: '', period: 'daily' },
    });
    expect((await read(caller)).at('controls')).toEqual(answer.at('controls'));
  });

  it('may be sent as they were read', async () => {
    const caller = http.caller();
    const untouched = await read(caller);
    const answer = await change(caller, { label: 'Read', controls: untouched.at('controls') });
    expect({ status: answer.status, controls: answer.at('controls') }).toEqual({
      status: 200,
      controls: untouched.at('controls'),
    });
  });

  it('accept JSON booleans and return strings', async () => {
    const caller = http.caller();
    expect((await change(caller, { controls: { atm_enabled: false } })).at('controls.atm_enabled')).toBe(
      'false',
    );
    expect((await change(caller, { controls: { atm_enabled: true } })).at('controls.atm_enabled')).toBe(
      'true',
    );
  });

  it.each([
    ['merchants', ['Shop']],
    ['categories', ['5411']],
    ['countries', ['US']],
  ])('that allow and block %s are refused, also in separate requests', async (list, entries) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const both = { controls: { allowed: { [list]: entries }, blocked: { [list]: entries } } };
    const refused = { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: `controls.blocked.${list}` };
    expectRefusedV2(await change(caller, both), refused);
    expect(digestOf(caller.sandbox)).toBe(before);

    expect((await change(caller, { controls: { allowed: { [list]: entries } } })).status).toBe(200);
    expectRefusedV2(await change(caller, { controls: { blocked: { [list]: entries } } }), refused);
    const swapped = { allowed: { [list]: [] }, blocked: { [list]: entries } };
    expect((await change(caller, { controls: swapped })).status).toBe(200);
  });

  const shop = { merchantName: 'Harbor Books', merchantCategoryCode: '5942', merchantCountry: 'US' };
  it.each([
    [{ blocked: { merchants: ['harbor BOOKS '] } }, 'merchantNotAllowed'],
    [{ allowed: { merchants: ['Other'] } }, 'merchantNotAllowed'],
    [{ allowed: { merchants: ['HARBOR books'] } }, ''],
    [{ blocked: { categories: ['5942'] } }, 'categoryNotAllowed'],
    [{ allowed: { categories: ['5411'] } }, 'categoryNotAllowed'],
    [{ blocked: { countries: ['US'] } }, 'countryNotAllowed'],
    [{ allowed: { countries: ['CA'] } }, 'countryNotAllowed'],
    [{ limit: { period: 'daily', max_spend_per_transaction: '9.99' } }, 'perTransactionLimit'],
    [{ limit: { period: 'per_transaction', max_spend_amount: '9.99' } }, 'perTransactionLimit'],
    [{ limit: { period: 'daily', max_spend_per_transaction: '10.00' } }, ''],
    [{ limit: { period: 'per_transaction', max_spend_amount: '10.00' } }, ''],
    [{ limit: { period: 'daily', max_spend_amount: '9.99' } }, 'spendLimit'],
    [{ limit: { period: 'daily', max_spend_amount: '10.00', max_spend_count: '1' } }, ''],
    [{ limit: { period: 'all_time', max_spend_amount: '10.00' } }, ''],
    [{ limit: { period: 'daily', max_spend_count: '0' } }, 'countLimit'],
    [
      { blocked: { countries: ['US'], categories: ['5942'], merchants: ['Harbor Books'] } },
      'countryNotAllowed',
    ],
  ])('%j make a purchase of 10.00 result in %j', async (controls, reason) => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
    expect((await change(caller, { controls })).status).toBe(200);
    expect(await pay(caller, { amount: '10.00', merchant: shop })).toBe(reason);
  });

  it('can disable cash withdrawals', async () => {
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
    const cash = { amount: '20.00', merchant: { merchantName: 'Cash', merchantCategoryCode: '6011' } };
    expect(await pay(caller, cash)).toBe('pinNotSet');
    await setPin(caller);
    expect(await pay(caller, cash)).toBe('');
    await change(caller, { controls: { atm_enabled: 'false' } });
    expect(await pay(caller, cash)).toBe('doNotHonor');
  });

  it.each([
    ['daily', 24 * 3_600_000],
    ['weekly', 3 * 24 * 3_600_000],
    ['monthly', 11 * 24 * 3_600_000],
    ['yearly', 42 * 24 * 3_600_000],
  ])('reset a %s limit in the next period', async (period, untilNext) => {
    const own = http.clock.now();
    // Starts on Friday, 20 November, regardless of other tests.
    http.clock.advance(Date.UTC(2026, 10, 20, 18) - own);
    const caller = http.caller();
    await caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true });
    await change(caller, {
      controls: { limit: { period, max_spend_amount: '10.00', max_spend_count: '2' } },
    });
    expect(await pay(caller, { amount: '6.00' })).toBe('');
    expect(await pay(caller, { amount: '6.00' })).toBe('spendLimit');
    expect(await pay(caller, { amount: '4.00' })).toBe('');
    expect(await pay(caller, { amount: '0.01' })).not.toBe('');
    http.clock.advance(untilNext - 18 * 3_600_000 - 1);
    expect(await pay(caller, { amount: '6.00' })).toBe('spendLimit');
    http.clock.advance(1);
    expect(await pay(caller, { amount: '6.00' })).toBe('');
  });
});

const FIXED = 'CARD_UPDATE_NOT_ALLOWED_FOR_STATUS';

describe('the status', () => {
  it.each<[string, string[], string[]]>([
    ['virtual_card_id', ['blocked', 'open', 'blocked', 'closed'], ['blocked', 'open', 'blocked', 'closed']],
    ['virtual_card_id', ['open'], ['CARD_UPDATE_NOT_ALLOWED']],
    ['virtual_card_id', ['closed', 'closed'], ['closed', 'CARD_UPDATE_NOT_ALLOWED']],
    ['virtual_card_id', ['closed', 'open'], ['closed', FIXED]],
    ['virtual_card_id', ['closed', 'blocked'], ['closed', FIXED]],
    ['physical_card_id', ['open'], [FIXED]],
    ['physical_card_id', ['blocked'], [FIXED]],
    ['physical_card_id', ['closed'], [FIXED]],
  ])('of the %s changes through %j to %j', async (card, requests, outcomes) => {
    const caller = http.caller();
    for (const [place, status] of requests.entries()) {
      const answer = await change(caller, { status }, card);
      const outcome = outcomes[place];
      if (outcome?.startsWith('CARD_')) {
        expect([answer.status, answer.at('error.code')]).toEqual([400, `ERROR_CODE_${outcome}`]);
      } else {
        expect({ code: answer.status, status: answer.at('status') }).toEqual({ code: 200, status: outcome });
      }
    }
  });

  it('that is already set publishes nothing', async () => {
    const caller = http.caller();
    await caller.listen();
    await change(caller, { status: 'open' });
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
  });

  it('closed is final and keeps its time', async () => {
    const caller = http.caller();
    const at = new Date(http.clock.now()).toISOString().replace('.000', '');
    const closed = await change(caller, { status: 'closed' });
    expect(closed.at('timestamps.closed_at')).toBe(at);
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await change(caller, { controls: { atm_enabled: 'false' } }), {
      status: 400,
      code: `ERROR_CODE_${FIXED}`,
      field: 'controls',
    });
    expect(digestOf(caller.sandbox)).toBe(before);
    expect((await change(caller, { label: 'Old' })).at('label')).toBe('Old');
  });

  it.each([
    ['blocked', 'cardInactive'],
    ['closed', 'cardCanceled'],
  ])('%s declines purchases in v1 with %s', async (status, reason) => {
    const caller = http.caller();
    await change(caller, { status });
    expect(await pay(caller, { amount: '1.00' })).toBe(reason);
  });

  it('closed is published as canceled in v1', async () => {
    const caller = http.caller();
    await caller.listen();
    await change(caller, { status: 'closed' });
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind, record }) => [kind, record.cardStatus])).toEqual([['card.canceled', 'canceled']]);
    expect(v2.map(({ kind }) => kind)).toEqual(['card.status.closed']);
  });
});

describe('metadata', () => {
  it('is merged by key, and an empty value removes its key', async () => {
    const caller = http.caller();
    expect((await change(caller, { label: 'x' })).at('metadata')).toBeNull();
    await change(caller, { metadata: { a: '1', b: '2' } });
    const answer = await change(caller, { metadata: { b: '', c: '3' } });
    expect(answer.at('metadata')).toEqual({ a: '1', c: '3' });
    expect((await read(caller)).at('metadata')).toEqual({ a: '1', c: '3' });
  });

  it('accepts 20 keys in total and 4 KB', async () => {
    const caller = http.caller();
    const keys = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, place) => [`k${from + place}`, 'x']));
    expect((await change(caller, { metadata: keys(0, 20) })).status).toBe(200);
    const before = digestOf(caller.sandbox);
    const refused = { status: 400, code: 'ERROR_CODE_INVALID_FIELD', field: 'metadata' };
    expectRefusedV2(await change(caller, { metadata: keys(20, 21), label: 'never' }), refused);
    expectRefusedV2(await change(caller, { metadata: { k0: 'x'.repeat(4096) } }), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
    expect((await change(caller, { metadata: { k0: '', k20: 'x' } })).status).toBe(200);
  });
});

describe('an error (v2_update_card)', () => {
  const invalid = (field: string, code = 'INVALID_FIELD') => ({
    status: 400,
    code: `ERROR_CODE_${code}`,
    field,
  });
  it.each([
    ['an unknown status', { status: 'locked' }, invalid('status')],
    ['a status that is a number', { status: 1 }, invalid('status')],
    ['a label that is a number', { label: 1 }, invalid('label')],
    [
      'a label that is too long',
      { label: 'x'.repeat(2001) },
      invalid('label', 'MAX_ALLOWED_LENGTH_EXCEEDED'),
    ],
    ['controls that are a string', { controls: 'none' }, invalid('controls')],
    [
      'a category of three digits',
      { controls: { allowed: { categories: ['541'] } } },
      invalid('controls.allowed.categories'),
    ],
    [
      'a category that is a number',
      { controls: { allowed: { categories: [5411] } } },
      invalid('controls.allowed.categories'),
    ],
    [
      'a country in lower case',
      { controls: { blocked: { countries: ['us'] } } },
      invalid('controls.blocked.countries'),
    ],
    [
      'merchants that are a string',
      { controls: { blocked: { merchants: 'Shop' } } },
      invalid('controls.blocked.merchants'),
    ],
    ['an unknown period', { controls: { limit: { period: 'hourly' } } }, invalid('controls.limit.period')],
    [
      'a limit with one decimal',
      { controls: { limit: { max_spend_amount: '1.5' } } },
      invalid('controls.limit.max_spend_amount', 'INVALID_AMOUNT'),
    ],
    [
      'a limit that is a number',
      { controls: { limit: { max_spend_amount: 1 } } },
      invalid('controls.limit.max_spend_amount', 'INVALID_AMOUNT'),
    ],
    [
      'a negative limit',
      { controls: { limit: { max_spend_per_transaction: '-1.00' } } },
      invalid('controls.limit.max_spend_per_transaction', 'INVALID_AMOUNT'),
    ],
    [
      'a count as text',
      { controls: { limit: { max_spend_count: 'six' } } },
      invalid('controls.limit.max_spend_count'),
    ],
    ['a switch that is not a boolean', { controls: { atm_enabled: 'yes' } }, invalid('controls.atm_enabled')],
    ['metadata with a list', { metadata: { a: [] } }, invalid('metadata')],
  ])('%s', async (_, body, refused) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    expectRefusedV2(await change(caller, body), refused);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each([`crd_${'0'.repeat(32)}`, 'crd_1', `sub_${'0'.repeat(32)}`])(
    'for an unknown card %s',
    async (id) => {
      const caller = http.caller();
      expectRefusedV2(await caller.v2('PATCH', `/v2/issuing/card/${id}`, { label: 'x' }), {
        status: 404,
        code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
        message: 'cannot find card holder by id in qldb',
      });
    },
  );
});
