/**
 * The tokens of cards: created with a key, valid for five minutes in both versions, and sufficient for their action:
 * showing data any number of times, or setting data once. Decisions `card-number-shown`, `card-tokens` and
 * `v2-vault-paths` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Caller, type Http, useHttp } from './support.ts';

const http = useHttp();

const V1 = 'sd-show-token';
const V2 = 'show-token';
const PIN = 'sd-pin-token';
const GONE = { status: 401, code: 'ERROR_CODE_UNAUTHORIZED' };
const GONE_V1 = { status: 401, code: 'EC_CARD_INVALID_TOKEN' };

const pathV1 = (caller: Caller, what: string) => `/v1/card/${caller.seed('card_id')}/${what}`;
const pathV2 = (caller: Caller, what: string) => `/v2/issuing/card/${caller.seed('virtual_card_id')}/${what}`;
const tokenV1 = async (caller: Caller) =>
  (await caller.v1('POST', pathV1(caller, 'showtoken'))).id('showToken');
const tokenV2 = async (caller: Caller) =>
  (await caller.v2('POST', pathV2(caller, 'show_token'))).id('show_token');
const pinToken = async (caller: Caller) =>
  (await caller.v1('POST', pathV1(caller, 'pintoken'))).id('pinToken');

/** With only the token. */
const showV1 = (caller: Caller, token: string, { call }: Http = http) =>
  call('GET', pathV1(caller, 'show'), { headers: { [V1]: token } });
const showV2 = (caller: Caller, token: string, headers: Record<string, string> = {}) =>
  http.call('GET', pathV2(caller, 'show'), { headers: { [V2]: token, ...headers } });
const printedOn = async (caller: Caller) => {
  const card = await caller.v1('GET', `/v1/card/${caller.seed('card_id')}`);
  return { expiryMonth: card.at('expiryMonth'), expiryYear: card.at('expiryYear'), last4: card.at('last4') };
};
const setPin = async (
  caller: Caller,
  token: string,
  body: object = {},
  headers: Record<string, string> = {},
  path = pathV1(caller, 'pin'),
) =>
  http.call('POST', path, {
    body: { ...(await printedOn(caller)), pin: '2580', ...body },
    headers: { [PIN]: token, ...headers },
  });
/** The same in v2, where v2's clients send it. */
const setPinInV2 = (caller: Caller, token: string, body: object = {}) =>
  setPin(caller, token, body, {}, `/v2/card/${caller.seed('virtual_card_id')}/pin`);

describe('a card token', () => {
  it('is created for a card and contains its purpose', async () => {
    const caller = http.caller();
    const show = await caller.v2('POST', pathV2(caller, 'show_token'));
    expect(show.status).toBe(200);
    expect(show.body).toEqual({
      id: caller.seed('virtual_card_id'),
      show_token: expect.stringMatching(/^card_show_test_[0-9a-f]{32}$/),
    });
    const pin = await caller.v2('POST', pathV2(caller, 'set_pin_token'));
    expect(pin.status).toBe(200);
    expect(pin.body).toEqual({
      id: caller.seed('virtual_card_id'),
      set_pin_token: expect.stringMatching(/^card_pin_test_[0-9a-f]{32}$/),
    });
    for (const what of ['showtoken', 'show-token']) {
      const answer = await caller.v1('POST', pathV1(caller, what));
      expect(answer.status).toBe(201);
      const showToken = expect.stringMatching(/^card_show_test_[0-9a-f]{32}$/);
      expect(answer.body).toEqual({ id: caller.seed('card_id'), showToken });
    }
    const other = await caller.v1('POST', pathV1(caller, 'pintoken'));
    expect(other.status).toBe(201);
    const token = expect.stringMatching(/^card_pin_test_[0-9a-f]{32}$/);
    expect(other.body).toEqual({ id: caller.seed('card_id'), pinToken: token });
  });

  it('is not created for a closed or unknown card, or without a key', async () => {
    const caller = http.caller();
    await caller.v1('DELETE', `/v1/card/${caller.seed('card_id')}`);
    for (const [what, code] of [
      ['show_token', 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS'],
      ['set_pin_token', 'ERROR_CODE_CARD_SET_PIN_NOT_ALLOWED'],
    ] as const) {
      expectRefusedV2(await caller.v2('POST', pathV2(caller, what)), { status: 400, code });
      expect((await http.call('POST', pathV2(caller, what))).status).toBe(401);
    }
    for (const what of ['showtoken', 'show-token', 'pintoken']) {
      const closed = await caller.v1('POST', pathV1(caller, what));
      expectRefusedV1(closed, { status: 409, code: 'EC_CARD_CANCELED', message: 'the card is canceled' });
    }
    const nobody = await caller.v2('POST', `/v2/issuing/card/crd_${'0'.repeat(32)}/show_token`);
    expectRefusedV2(nobody, { status: 404, code: 'ERROR_CODE_RESOURCE_NOT_FOUND' });
  });

  it('is valid only for its purpose', async () => {
    const caller = http.caller();
    const token = await tokenV2(caller);
    const headers = { [V2]: token, [V1]: token };
    for (const path of [
      `/v2/issuing/card/${caller.seed('virtual_card_id')}`,
      '/v2/issuing/card',
      '/v2/nope',
    ]) {
      expectRefusedV2(await http.call('GET', path, { headers }), GONE);
    }
    expectRefusedV1(await setPin(caller, token), GONE_V1);
    expectRefusedV2(await showV2(caller, await pinToken(caller)), GONE);
    const other = `/v2/issuing/card/${caller.seed('physical_card_id')}/show`;
    expectRefusedV2(await http.call('GET', other, { headers }), GONE);
    expect((await showV2(caller, token)).status).toBe(200);
  });

  it('is valid only in its own sandbox, even if another one did the same at the same time', async () => {
    const [one, other] = [http.caller(), http.caller()];
    const [first, second] = [await tokenV2(one), await tokenV2(other)];
    expect(first.slice(0, -8)).toBe(second.slice(0, -8));
    expect(first).not.toBe(second);
    const before = digestOf(one.sandbox);
    expect((await showV2(other, second)).status).toBe(200);
    expect(digestOf(one.sandbox)).toBe(before);
    // Their cards have the same id, so only the token identifies the card.
    await one.v2('PATCH', `/v2/issuing/card/${one.seed('virtual_card_id')}`, { status: 'closed' });
    expect((await showV2(other, second)).status).toBe(200);
    expectRefusedV2(await showV2(one, first), {
      status: 400,
      code: 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS',
    });
  });
});

describe('an operation that accepts a token', () => {
  it.each([
    ['v2', '/v2/issuing/card/{card_id}/show', 'get', V2],
    ['v1', '/v1/card/{cardId}/show', 'get', V1],
    ['v1', '/v1/card/{cardId}/pin', 'post', PIN],
    ['v2', '/v2/card/{cardId}/show', 'get', V1],
    ['v2', '/v2/card/{cardId}/pin', 'post', PIN],
    ['v2', '/v2/contact/{contactId}/debitcard', 'patch', 'sd-debitcard-token'],
    ['v2', '/v2/contact/{contactId}/debitcard', 'post', 'sd-debitcard-token'],
  ])('is documented in %s: %s', async (name, path, method, header) => {
    const { body } = await http.call('GET', `/openapi/${name}.json`);
    const { paths } = body as {
      paths: Record<string, Record<string, { security: object[]; parameters: object[] }>>;
    };
    const operation = paths[path]?.[method];
    expect(operation?.security).toEqual([{}, { api_key: [] }]);
    expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: header, in: 'header' }));
  });
});

describe('the card data', () => {
  it('are returned for a token alone', async () => {
    const caller = http.caller();
    const token = await tokenV2(caller);
    const answer = await showV2(caller, token);
    expectRecord(answer, 'v2_show_card', ['id', 'card_number', 'cvv', 'expiry_month', 'expiry_year']);
    const card = await caller.v2('GET', `/v2/issuing/card/${caller.seed('virtual_card_id')}`);
    expect(answer.body).toEqual({
      id: card.id(),
      card_number: expect.stringMatching(new RegExp(`^40000200\\d{4}${card.id('last4')}$`)),
      cvv: expect.stringMatching(/^\d{3}$/),
      expiry_month: card.at('expiry_month'),
      expiry_year: card.at('expiry_year'),
    });
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
  });

  it('are returned any number of times while the token is valid, without a change', async () => {
    const caller = http.caller();
    const [inV2, inV1] = [await tokenV2(caller), await tokenV1(caller)];
    await caller.listen();
    const before = digestOf(caller.sandbox);
    const shown = await Promise.all([1, 2, 3, 4].map(() => showV2(caller, inV2)));
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(shown.map(({ text }) => text)).size).toBe(1);
    for (const _ of [1, 2, 3, 4]) expect((await showV1(caller, inV1)).status).toBe(200);
    expect(digestOf(caller.sandbox)).toBe(before);
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
  });

  it('are the same in v1, whichever version created the token', async () => {
    const caller = http.caller();
    const answer = await showV1(caller, await tokenV2(caller));
    expectRecord(answer, 'showCard', ['id', 'cardNumber', 'cvv', 'expiryMonth', 'expiryYear']);
    const other = await showV2(caller, await tokenV1(caller));
    expect(other.body).toMatchObject({ card_number: answer.at('cardNumber'), cvv: answer.at('cvv') });
    const below = await http.call('GET', `/v2/card/${caller.seed('card_id')}/show`, {
      headers: { [V1]: await tokenV1(caller) },
    });
    expect([below.status, below.body]).toEqual([200, answer.body]);
  });

  it('are available for five minutes', async () => {
    const caller = http.caller();
    const token = await tokenV2(caller);
    http.clock.advance(5 * MINUTE_MS - 1);
    expect((await showV2(caller, token)).status).toBe(200);
    http.clock.advance(1);
    expectRefusedV2(await showV2(caller, token), {
      ...GONE,
      message: 'the token is unknown, was used, or has expired',
    });
  });

  it('are also available with a key in addition, which selects the sandbox', async () => {
    const [caller, other] = [http.caller(), http.caller()];
    expect((await showV2(caller, await tokenV2(caller), { 'api-key': caller.key })).status).toBe(200);
    const token = await tokenV2(caller);
    expectRefusedV2(await showV2(caller, token, { 'api-key': other.key }), GONE);
    expectRefusedV2(await showV2(caller, token, { 'api-key': 'live_1' }), GONE);
    expectRefusedV2(await showV2(caller, token, { 'api-key': '' }), GONE);
    expect((await showV2(caller, token)).status).toBe(200);
  });

  it('are not available without a token', async () => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    for (const token of ['', 'x', 'card_show_test_', `card_show_test_${'0'.repeat(32)}`, 'x'.repeat(5000)]) {
      expectRefusedV2(await showV2(caller, token), GONE);
      const refused = await showV1(caller, token);
      expectRefusedV1(refused, { ...GONE_V1, code: token === '' ? 'EC_UNAUTHORIZED' : GONE_V1.code });
      expectRefusedV1(await caller.v1('GET', pathV1(caller, 'show'), undefined, { [V1]: token }), GONE_V1);
    }
    expectRefusedV2(await caller.v2('GET', pathV2(caller, 'show')), GONE);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('are masked in the journal', async () => {
    const caller = http.caller();
    const token = await tokenV2(caller);
    const answer = await showV2(caller, token);
    const journal = await caller.v2('GET', '/_sandbox/requests');
    expect(journal.at('requests.0')).toMatchObject({ operation: 'v2_show_card', status: 200 });
    for (const secret of [token, answer.id('card_number'), `"${answer.id('cvv')}"`]) {
      expect(journal.text).not.toContain(secret);
    }
  });

  it('are available for HEAD requests', async () => {
    const caller = http.caller();
    const headers = { [V2]: await tokenV2(caller) };
    const { statusCode, body } = await http.app.server.inject({
      method: 'HEAD',
      url: pathV2(caller, 'show'),
      headers,
    });
    expect([statusCode, body]).toEqual([200, '']);
  });
});

describe('a PIN', () => {
  it('is set once with a token alone, and not stored', async () => {
    const caller = http.caller();
    const token = await pinToken(caller);
    await caller.listen();
    const answer = await setPin(caller, token, { pin: '9174' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: caller.seed('card_id') });
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
    const journal = await caller.v2('GET', '/_sandbox/requests');
    expect(journal.at('requests.0')).toMatchObject({ operation: 'setPin', request_body: { pin: '****' } });
    expectRefusedV1(await setPin(caller, token), GONE_V1);
  });

  it('is also set with a token of v2, within five minutes', async () => {
    const caller = http.caller();
    const token = (await caller.v2('POST', pathV2(caller, 'set_pin_token'))).id('set_pin_token');
    expect((await setPin(caller, token)).status).toBe(200);
    const late = (await caller.v2('POST', pathV2(caller, 'set_pin_token'))).id('set_pin_token');
    http.clock.advance(5 * MINUTE_MS);
    expectRefusedV1(await setPin(caller, late), GONE_V1);
  });

  it('is also set in v2, once, with a token of either version', async () => {
    const caller = http.caller();
    const ofV2 = async () => (await caller.v2('POST', pathV2(caller, 'set_pin_token'))).id('set_pin_token');
    for (const token of [await ofV2(), await pinToken(caller)]) {
      const answer = await setPinInV2(caller, token);
      expect([answer.status, answer.body]).toEqual([200, { id: caller.seed('card_id') }]);
      expect(answer.headers['x-request-id']).toMatch(/^req_/);
      expectRefusedV2(await setPinInV2(caller, token), GONE);
    }
  });

  it('is refused in the format of v2, with the field as it was sent', async () => {
    const caller = http.caller();
    const token = await pinToken(caller);
    const invalid = { status: 400, code: 'ERROR_CODE_CARD_INCORRECT_DETAILS' };
    expectRefusedV2(await setPinInV2(caller, token, { expiryMonth: '00' }), {
      ...invalid,
      field: 'expiryMonth',
      message: 'differs from the card: the expiry month',
    });
    expectRefusedV2(await setPinInV2(caller, token, { expiryYear: undefined }), {
      status: 400,
      code: 'ERROR_CODE_REQUIRED_FIELD_MISSING',
      field: 'expiryYear',
    });
    expectRefusedV2(await setPinInV2(caller, token, { pin: '1' }), {
      status: 400,
      code: 'ERROR_CODE_INVALID_FIELD',
      field: 'pin',
    });
    expect((await setPinInV2(caller, token)).status).toBe(200);
  });

  it('requires the printed card data, and a mismatch does not use up the token', async () => {
    const caller = http.caller();
    const token = await pinToken(caller);
    const refused = await setPin(caller, token, { expiryMonth: '00', last4: '' });
    expectRefusedV1(refused, {
      status: 400,
      code: 'EC_CARD_DETAILS_MISMATCH',
      message: 'expiryMonth: differs from the card: the expiry month, the last four digits',
    });
    for (const pin of ['258', '25800', 'abcd', '٢٥٨٠']) {
      const odd = await setPin(caller, token, { pin });
      expectRefusedV1(odd, { status: 400, code: 'EC_CARD_INVALID_REQUEST', message: /^pin/ });
    }
    expect((await setPin(caller, token)).status).toBe(200);
  });

  it('is set once if a request is repeated under one idempotency key', async () => {
    const caller = http.caller();
    const token = await pinToken(caller);
    const key = { 'sd-idempotency-key': 'pin-1' };
    const [first, second] = [await setPin(caller, token, {}, key), await setPin(caller, token, {}, key)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expectRefusedV1(await setPin(caller, token), GONE_V1);
  });
});

describe('with a strict person header', () => {
  const strict = useHttp({ strictPersonHeader: true });

  it('a request with a token needs none', async () => {
    const caller = strict.caller();
    const headers = { 'sd-person-id': caller.seed('person_id') };
    const made = await caller.v1('POST', pathV1(caller, 'showtoken'), undefined, headers);
    expect((await showV1(caller, made.id('showToken'), strict)).status).toBe(200);
    const unnamed = await caller.v1('POST', pathV1(caller, 'showtoken'));
    expectRefusedV1(unnamed, { status: 400, code: 'EC_PERSON_ID_HEADER_REQUIRED' });
  });
});
