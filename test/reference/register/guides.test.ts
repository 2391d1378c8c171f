/** Rows of the register that follow the platform's guides and help articles rather than its reference. */
import { describe, expect } from 'vitest';
import { writeForm } from '../../server/http/forms.ts';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  expectAnswer,
  holdRows,
  makeBusiness,
  makeHolder,
  makePerson,
  ok,
  payee,
  refusalOf,
  rows,
  setClock,
  simulate,
} from './checks.ts';

const http = useHttp({ small: true });
const account1 = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const set = (caller: Caller, settings: object) => ok(caller.v2('PUT', '/_sandbox/settings', settings));
const BOX = { line1: 'P.O. Box 12', line2: '', city: 'Salem', state: 'OR', country: 'US' };

holdRows(http, 'interface', {
  'late-request': [
    'The body of a request to an unknown path is not read, so the journal has none, unless the sandbox has faults.',
    async (caller) => {
      const bodyOf = async () => {
        const answer = await caller.v2('POST', '/v2/nowhere', { a: 1 });
        expectAnswer(answer, 404);
        const entry = await ok(caller.v2('GET', `/_sandbox/requests/${answer.headers['x-request-id']}`));
        return entry.at('request_body');
      };
      expect(await bodyOf()).toBeNull();
      await ok(caller.v2('POST', '/_sandbox/faults', { match: { method: 'GET' }, error: { status: 503 } }));
      expect(await bodyOf()).toEqual({ a: 1 });
    },
  ],
  'v2-error-codes': [
    '403 `ERROR_CODE_FORBIDDEN`, 405, 408, 410, 413, 415, 431, 501, 503.',
    async (caller) => {
      const path = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
      await ok(caller.v2('PATCH', path, { status: 'closed' }));
      expect(refusalOf(await caller.v2('PATCH', path, { status: 'open' }))).toBe(
        '400 ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS status',
      );
      expect((await caller.v2('PUT', path)).status).toBe(405);
      expectAnswer(await caller.v2('POST', '/v2/webhook', 'x', { 'content-type': 'text/plain' }), 415);
      const foreign = await http.call('GET', '/v2/nowhere', { headers: { host: 'a.example' } });
      expect(refusalOf(foreign)).toBe('403 ERROR_CODE_FORBIDDEN');
      // Every documented error status of an operation of v2 is in the row, as published or as ours.
      const { body } = await http.call('GET', '/openapi/v2.json');
      const { paths } = body as { paths: Record<string, Record<string, { responses: object }>> };
      const statuses = Object.values(paths)
        .flatMap((methods) => Object.values(methods))
        .flatMap(({ responses }) => Object.keys(responses))
        .filter((status) => Number(status) >= 400);
      const listed = ['400', '401', '404', '409', '413', '415', '429', '431', '500', '503'];
      expect([...new Set(statuses)].toSorted()).toEqual(listed);
    },
  ],
  'request-id': [
    'in the error body, in the format of the version. An error before the key is checked, or for unreadable headers, has its id only in the body.',
    async () => {
      for (const [path, at] of [
        ['/v2/webhook', 'request_id'],
        ['/v1/webhook', 'requestId'],
      ] as const) {
        const unknown = await http.call('GET', path);
        expectAnswer(unknown, 401);
        expect(unknown.at(at)).toMatch(/^req[_-]/);
        expect(unknown.headers['x-request-id']).toBeUndefined();
      }
    },
  ],
  'server-names': [
    "the platform's own (`api.solidfi.com`, `test-api.solidfi.com`, `api.sandbox.solidfi.com`)",
    async (caller) => {
      const asked = (host: string, path = '/v2/webhook') =>
        http.call('GET', path, { headers: { 'api-key': caller.key, host } });
      for (const host of [
        'localhost:4800',
        'api.solidfi.com',
        'test-api.solidfi.com',
        'api.sandbox.solidfi.com',
      ])
        expectAnswer(await asked(host), 200);
      expectAnswer(await asked('solidfi.example', '/v2/nowhere'), 403);
    },
  ],
  'v1-check-image-upload': [
    'Images are sent once, and again while the deposit is in review',
    async (caller) => {
      const order = { accountId: caller.seed('account_id'), contactId: await payee(caller), amount: '5.00' };
      const id = (await ok(caller.v1('POST', '/v1/receive/check', order))).id();
      const upload = () => {
        const form = writeForm(
          ['front', 'back'].map((name) => ({
            name,
            filename: 'x.png',
            contentType: 'image/png',
            content: 'x',
          })),
        );
        return caller.v1('PATCH', `/v1/receive/check/${id}/files`, form.body, form.headers);
      };
      expectAnswer(await upload(), 200);
      expectAnswer(await upload(), 409);
      await ok(simulate(caller, id, 'review', { reason: 'invalidCheckAddress' }));
      expectAnswer(await upload(), 200, { reviewCode: '', status: 'pending' });
    },
  ],
});

holdRows(http, 'behaviour', {
  'counterparty-status': [
    'a counterparty never has that status, so it is 400 (ours)',
    async (caller) => {
      const path = `/v2/payments/counterparty/${caller.seed('ach_counterparty_id')}`;
      const set = (status: string) => caller.v2('PATCH', path, { status });
      expectAnswer(await caller.v2('GET', path), 200, { status: 'activated' });
      expectAnswer(await set('pending_activation'), 400);
      expectAnswer(await set('suspended'), 200, { status: 'suspended' });
      expectAnswer(await set('pending_activation'), 400);
      expectAnswer(await set('activated'), 200, { status: 'activated' });
      expectAnswer(await set('deactivated'), 200, { status: 'deactivated' });
      expectAnswer(await set('activated'), 400);
    },
  ],
  'account-config-changes': [
    'a limit of ACH may not be above the overall limit of its side and period: 400',
    async (caller) => {
      const limit = (send: object) => caller.v1('PATCH', account1(caller), { config: { limits: { send } } });
      expectAnswer(await limit({ daily: '10.00', ach: { daily: '10.00' } }), 200);
      expectAnswer(await limit({ ach: { daily: '10.01' } }), 400);
      expectAnswer(await limit({ wire: { daily: '10.01' } }), 200);
    },
  ],
  'new-card-defaults': [
    'v1 has an empty `eta` until the card is shipped',
    async (caller) => {
      const id = caller.seed('physical_card_id');
      expectAnswer(await caller.v1('GET', `/v1/card/${id}`), 200, { shipping: { eta: '' } });
      const card = await ok(caller.v2('GET', `/v2/issuing/card/${id}`));
      expect(card.at('card_fulfilment.tracking.eta')).toMatch(/^2026-11-/);
      await ok(caller.v2('POST', `/_sandbox/simulate/cards/${id}/ship`, {}));
      expect((await ok(caller.v1('GET', `/v1/card/${id}`))).at('shipping.eta')).toBe('2026-11-25');
    },
  ],
  'verification-needs': [
    'A KYC in v2 requires only a residence that is not a P.O. box',
    async (caller) => {
      const person = { first_name: 'Mara', last_name: 'Quill', address: { ...BOX, postal_code: '97301' } };
      const { id } = (await ok(makeHolder(caller, { person }))).body as { id: string };
      const kyc = () => caller.v2('POST', `/v2/accounts/sub_account_holder/${id}/kyc`);
      expect(refusalOf(await kyc())).toBe('400 ERROR_CODE_INVALID_FIELD person.address.line1');
    },
  ],
  'v1-kyc-needs': [
    'An address of a person that is a P.O. box is 400 too',
    async (caller) => {
      const address = { ...BOX, addressType: 'mailing', postalCode: '97301' };
      const { id } = (await ok(makePerson(caller, { address }))).body as { id: string };
      expectAnswer(await caller.v1('POST', `/v1/person/${id}/kyc`), 400);
    },
  ],
  'v1-kyb-not-needed': [
    'With `disclosure_required` of `PUT /_sandbox/settings` such a KYB is refused with 400 `EC_BUSINESS_DISCLOSURE_REQUIRED`',
    async (caller) => {
      const headers = { 'sd-person-id': caller.seed('person_id') };
      const { id } = (await ok(makeBusiness(caller, {}, headers))).body as { id: string };
      await set(caller, { disclosure_required: true });
      const kyb = () => caller.v1('POST', `/v1/business/${id}/kyb`);
      expect(refusalOf(await kyb())).toBe('400 EC_BUSINESS_DISCLOSURE_REQUIRED');
      await set(caller, { disclosure_required: false });
      expectAnswer(await kyb(), 201);
    },
  ],
});

describe('on calendar rails', () => {
  const calendar = useHttp({ small: true, rails: 'calendar' });
  holdRows(calendar, 'rails', {
    'v1-magic-amounts': [
      'one of 1100.00 or more is declined before it is sent; on `calendar` rails both happen at the next full hour',
      async (caller) => {
        const contactId = await payee(caller);
        const send = (amount: string) =>
          ok(
            caller.v1('POST', '/v1/send/ach', {
              accountId: caller.seed('account_id'),
              contactId,
              amount,
              description: 'x',
              type: 'nextDay',
            }),
          );
        await setClock(caller, '2026-11-20T18:20:00Z');
        for (const amount of ['99.99', '1100.00', '25.00']) await send(amount);
        const reversals = async () =>
          (await rows(caller)).filter(({ subType }) => subType === 'reversal').map(({ amount }) => amount);
        await setClock(caller, '2026-11-20T18:59:59Z');
        expect(await reversals()).toEqual([]);
        await setClock(caller, '2026-11-20T19:00:00Z');
        expect((await reversals()).toSorted()).toEqual(['1100.00', '99.99']);
      },
    ],
  });
});
