/**
 * Rows of the register about requests: paths, keys, statuses, errors, lists and filters, tokens, and which fields
 * count as sent.
 */
import { describe, expect } from 'vitest';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  control,
  expectAnswer,
  figures,
  holdRows,
  makeHolder,
  makePerson,
  ok,
  originate,
  refusalOf,
  setClock,
  testCard,
} from './checks.ts';

const http = useHttp({ small: true });
const NOBODY = '0'.repeat(32);
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const account1 = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const card1 = (caller: Caller, what = '') => `/v1/card/${caller.seed('card_id')}${what}`;
const card2 = (caller: Caller, what = '') => `/v2/issuing/card/${caller.seed('virtual_card_id')}${what}`;
const list = async (caller: Caller, path: string) =>
  (await ok(path.startsWith('/v1') ? caller.v1('GET', path) : caller.v2('GET', path))).at('data') as Record<
    string,
    unknown
  >[];

holdRows(http, 'interface', {
  'served-paths': [
    'One slash at the end of a path of v1, v2 or the control plane is ignored, because pages of v1 print some paths with it; otherwise paths are compared exactly, including case.',
    async (caller) => {
      for (const path of ['/v1/account/', '/v1/account/?limit=1', '/v1/webhook/events/']) {
        expectAnswer(await caller.v1('GET', path), 200);
      }
      for (const path of [`${account(caller)}/`, '/_sandbox/clock/'])
        expectAnswer(await caller.v2('GET', path), 200);
      expectAnswer(await caller.v1('GET', '/v1/Account'), 404);
      expectAnswer(await caller.v1('GET', '/v1/account//'), 404);

      for (const name of ['v2', 'v1', 'sandbox']) {
        expectAnswer(await http.call('GET', `/openapi/${name}.json`), 200, { openapi: '3.1.0' });
      }
      for (const path of ['/livez', '/readyz']) expectAnswer(await http.call('GET', path), 200);
      expectAnswer(await http.call('GET', '/nothing'), 404, { error: { code: 'path_unknown' } });
    },
  ],
  'v2-success-status': [
    '204 without a body for DELETE',
    async (caller) => {
      const made = await caller.v2('POST', '/v2/webhook', {
        url: 'http://hooks.example',
        events: ['card.created'],
      });
      expectAnswer(made, 201);
      const gone = await caller.v2('DELETE', `/v2/webhook/${made.id()}`);
      expect([gone.status, gone.text]).toEqual([204, '']);
      expectAnswer(await caller.v2('POST', card2(caller, '/show_token')), 200);
      expectAnswer(await originate(caller), 201);
    },
  ],
  'v1-success-status': [
    '200 for GET, PATCH, DELETE and every test helper',
    async (caller) => {
      expectAnswer(await makePerson(caller), 201);
      expectAnswer(await testCard(caller, { amount: '1.00' }), 200);
      const ach = { amount: '1.00', txnType: 'credit' };
      expectAnswer(await caller.v1('POST', `${account1(caller)}/test/ach`, ach), 200);
      expectAnswer(await caller.v1('DELETE', `/v1/contact/${caller.seed('contact_id')}`), 200);
    },
  ],
  'api-keys': [
    'a missing or unknown key is 401, on unknown paths too. Ours: `x-sandbox-hint` of a 401 names the problem and shows the format of a key',
    async () => {
      const unknown = await http.call('GET', '/v2/nowhere');
      expectAnswer(unknown, 401);
      expect(unknown.headers['x-sandbox-hint']).toContain('there is no key; send api-key: test_<name>');
      expectAnswer(await http.call('GET', '/v1/nowhere', { headers: { 'sd-api-key': 'live_x' } }), 401);
      for (const name of ['x'.repeat(65), '_x', '-x', '']) {
        const headers = { 'api-key': `test_${name}` };
        expectAnswer(await http.call('GET', '/v2/webhook', { headers }), 401);
      }
    },
  ],
  'person-header': [
    'No, according to the field tables of v1. If it is sent, it must name a person of the sandbox, otherwise 404.',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/account'), 200);
      const unknown = { 'sd-person-id': `per-${NOBODY}` };
      expect(refusalOf(await caller.v1('GET', '/v1/account', undefined, unknown))).toBe(
        '404 EC_PERSON_NOT_FOUND',
      );
    },
  ],
  'v2-error-body': [
    'here it is the client of the sandbox, and empty only with 401.',
    async (caller) => {
      const missing = await caller.v2('GET', `/v2/webhook/whk_${NOBODY}`);
      expectAnswer(missing, 404, { client_id: caller.seed('client_id'), error: { field_name: '' } });
      expectAnswer(await http.call('GET', '/v2/webhook'), 401, { client_id: '' });
      const card = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
      expectAnswer(await caller.v2('PATCH', card, { controls: { limit: { period: 'hourly' } } }), 400, {
        error: { field_name: 'controls.limit.period' },
      });
    },
  ],
  'v1-error-body': [
    '`{requestId, method, status, code, message, sysMessage, programId, env, createdAt}`',
    async (caller) => {
      const { body } = await caller.v1('GET', `/v1/card/crd-${NOBODY}`);
      expect(Object.keys(body as object).sort()).toEqual(
        [
          'requestId',
          'method',
          'status',
          'code',
          'message',
          'sysMessage',
          'programId',
          'env',
          'createdAt',
        ].sort(),
      );
    },
  ],
  'v2-error-codes': [
    '401 `ERROR_CODE_UNAUTHORIZED`; 404 `ERROR_CODE_RESOURCE_NOT_FOUND`',
    async (caller) => {
      expect(refusalOf(await http.call('GET', '/v2/webhook'))).toBe('401 ERROR_CODE_UNAUTHORIZED');
      expect(refusalOf(await caller.v2('GET', `/v2/webhook/whk_${NOBODY}`))).toBe(
        '404 ERROR_CODE_RESOURCE_NOT_FOUND',
      );
      expect(refusalOf(await caller.v2('POST', '/v2/payments/ach/push', '{'))).toBe(
        '400 ERROR_CODE_INVALID_REQUEST_BODY',
      );
      const phone = { type: 'person', person: { first_name: 'A', last_name: 'B', phone: '12' } };
      expect(refusalOf(await makeHolder(caller, phone))).toBe('400 ERROR_CODE_INVALID_PHONE phone');
      expect(refusalOf(await originate(caller, { amount: 'x' }))).toBe(
        '400 ERROR_CODE_INVALID_AMOUNT amount',
      );
    },
  ],
  'v1-error-codes': [
    '`sysMessage` is the code without `EC_` in lower case, and `message` names the invalid field.',
    async (caller) => {
      const answer = await makePerson(caller, { phone: 'x' });
      expectAnswer(answer, 400, { code: 'EC_PERSON_INVALID_PHONE', sysMessage: 'person_invalid_phone' });
      expect(answer.at('message')).toMatch(/^phone/);
    },
  ],
  'value-strictness': [
    'greater than zero; in v1 it may also be a whole number of dollars',
    async (caller) => {
      for (const amount of ['0.00', '-1.00', '01.00', '1', '1.0', 25, '1.000']) {
        expectAnswer(await originate(caller, { amount }), 400, { error: { field_name: 'amount' } });
      }
      expectAnswer(
        await caller.v1('POST', `${account1(caller)}/test/ach`, { amount: '200', txnType: 'credit' }),
        200,
        {
          amount: '200.00',
        },
      );
      expectAnswer(await caller.v1('GET', `${account1(caller)}/transaction?minAmount=1&maxAmount=200`), 200, {
        total: 1,
      });
    },
  ],
  'unknown-fields': [
    'It is ignored, and the header `x-sandbox-hint` names it',
    async (caller) => {
      const answer = await originate(caller, { colour: 'red' });
      expectAnswer(answer, 201);
      expect(answer.headers['x-sandbox-hint']).toContain('colour');
      expect((await caller.v2('GET', '/v2/webhook?shade=1')).headers['x-sandbox-hint']).toContain('shade');
    },
  ],
  'empty-body': [
    'it counts as an object without fields',
    async (caller) => expectAnswer(await caller.v2('PATCH', account(caller), ''), 200, { label: 'Everyday' }),
  ],
  'unset-values': [
    'an empty control list is `[]` in v2 and `null` in v1',
    async (caller) => {
      expectAnswer(await caller.v2('GET', card2(caller)), 200, {
        controls: { allowed: { merchants: [] } },
        metadata: null,
      });
      expectAnswer(await caller.v1('GET', card1(caller)), 200, { allowedMerchants: null });
    },
  ],
  'card-holder-id-names': [
    'v2 answers with both',
    async (caller) => {
      const id = caller.seed('card_holder_id');
      const spent = await authorize(caller);
      expect(spent.at('transaction.card')).toMatchObject({ cardholder_id: id, card_holder_id: id });
    },
  ],
  'has-more-words': [
    'The words `"true"` and `"false"`',
    async (caller) => {
      expectAnswer(await caller.v2('GET', '/v2/accounts/sub_account?limit=1'), 200, { has_more: 'true' });
      expectAnswer(await caller.v2('GET', '/v2/accounts/sub_account'), 200, { has_more: 'false' });
    },
  ],
  'list-paging': [
    'a `limit` above 100 counts as 100, because a public client relies on it, and `x-sandbox-hint` says so',
    async (caller) => {
      for (let made = 0; made < 26; made += 1) await ok(originate(caller, { amount: '1.00' }));
      expect(await list(caller, '/v2/payments/transaction')).toHaveLength(25);
      expect(await list(caller, `${account1(caller)}/transaction`)).toHaveLength(25);
      for (const path of ['/v2/webhook?limit=101', '/v2/webhook?limit=0', '/v2/webhook?starting_after=x']) {
        expectAnswer(await caller.v2('GET', path), 400);
      }
      const long = await ok(caller.v1('GET', '/v1/account?limit=101'));
      expect(long.headers['x-sandbox-hint']).toContain('the maximum of limit is 100');
      for (const query of ['limit=0', 'offset=-1']) {
        expectAnswer(await caller.v1('GET', `/v1/account?${query}`), 400);
      }
      const page = await caller.v1('GET', '/v1/account?limit=1&offset=1');
      expect(Object.keys(page.body as object)).toEqual(['total', 'data']);
      expectAnswer(page, 200, { total: 2, data: [{ id: caller.seed('account_id') }] });
    },
  ],
  'id-format': [
    'Ours: both forms are accepted wherever an id is expected, but never the prefix of another kind of record.',
    async (caller) => {
      const dashed = caller.seed('account_id');
      expectAnswer(await caller.v2('GET', `/v2/accounts/sub_account/${dashed}`), 200, {
        id: caller.seed('sub_account_id'),
      });
      expectAnswer(
        await caller.v2('GET', account(caller).replace('sub_account/sub', 'sub_account/crd')),
        404,
      );
    },
  ],
  'idempotency-keys': [
    'A different request with a used key is not executed. v2 answers it with 400 `ERROR_CODE_IDEMPOTENCY_BAD_REQUEST`',
    async (caller) => {
      const pay = (amount: string) =>
        caller.v2(
          'POST',
          '/v2/payments/intra_account/push',
          {
            sub_account_id: caller.seed('sub_account_id'),
            counterparty_id: caller.seed('intra_counterparty_id'),
            amount,
          },
          { 'idempotency-key': 'k' },
        );
      const [first, other] = [await pay('10.00'), await pay('20.00')];
      expect(refusalOf(other)).toBe('400 ERROR_CODE_IDEMPOTENCY_BAD_REQUEST');
      expect(await figures(caller)).toEqual(['4990.00', '0.00', '0.00']);
      await setClock(caller, '2026-11-21T18:00:01Z');
      expect((await pay('20.00')).id()).not.toBe(first.id());
      const key = { 'sd-idempotency-key': 'r' };
      expectAnswer(await caller.v1('POST', '/v1/auth/register', {}, key), 200, { accessToken: caller.key });
      const rows = caller.sandbox.store.answers;
      expect(rows.find('v1:r', 0)).toBeUndefined();
    },
  ],
  'v1-wallets': [
    'No chain is behind a wallet: it has no balance',
    async (caller) => {
      const accountId = caller.seed('account_id');
      const made = await ok(caller.v1('POST', '/v1/wallet', { accountId, currency: 'ETH' }));
      expect(made.body).toMatchObject({ id: expect.stringMatching(/^cpw-/), accountId, status: 'active' });
      expect(Object.keys(made.body as object)).not.toContain('balance');
      const listed = await ok(caller.v1('GET', `/v1/wallet?accountId=${accountId}`));
      expect(listed.at('data.0.id')).toBe(made.id());
      const events = await ok(caller.v1('GET', '/_sandbox/events?type=wallet.*'));
      expect((events.at('events') as { type: string }[]).map(({ type }) => type)).toContain('wallet.created');
    },
  ],
  'document-links': [
    'An expired link is answered with 410 and a forged one with 404, in the error body of v1',
    async (caller) => {
      const made = await ok(
        caller.v1('POST', `/v1/person/${caller.seed('person_id')}/document`, {
          type: 'license',
          description: 'x',
        }),
      );
      const link = new URL(made.id('url'));
      const path = link.pathname + link.search;
      const forged = path.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      expectAnswer(await http.call('GET', forged), 404, { env: 'test' });
      const put = await http.app.server.inject({
        method: 'PUT',
        url: path,
        payload: Buffer.from('x'),
        headers: { 'content-type': 'text/plain' },
      });
      expect(put.statusCode).toBeLessThan(300);
      await setClock(caller, '2026-11-20T18:15:01Z');
      expectAnswer(await http.call('GET', path), 410, { env: 'test' });
    },
  ],
  'card-number-shown': [
    '`GET /v1/card/{id}/show` and `GET /v2/card/{id}/show` with `sd-show-token`',
    async (caller) => {
      const token = (await ok(caller.v1('POST', card1(caller, '/showtoken')))).id('showToken');
      for (const path of [card1(caller, '/show'), `/v2/card/${caller.seed('card_id')}/show`]) {
        expectAnswer(await http.call('GET', path, { headers: { 'sd-show-token': token } }), 200, {
          cardNumber: expect.stringMatching(/^4\d{15}$/),
        });
      }
      await setClock(caller, '2026-11-20T18:05:01Z');
      expectAnswer(
        await http.call('GET', card1(caller, '/show'), { headers: { 'sd-show-token': token } }),
        401,
      );
    },
  ],
  'person-list-or-self': [
    'With `sd-person-id` that person, otherwise the list of persons.',
    async (caller) => {
      const id = caller.seed('person_id');
      expectAnswer(await caller.v1('GET', '/v1/person', undefined, { 'sd-person-id': id }), 200, { id });
      expectAnswer(await caller.v1('GET', '/v1/person'), 200, { total: 2 });
    },
  ],
  'metadata-changes': [
    'Key by key; an empty value removes its key. More than 20 keys or 4 KB are refused with 400.',
    async (caller) => {
      const put = (metadata: object) => caller.v2('PATCH', account(caller), { metadata });
      await ok(put({ a: '1', b: '2' }));
      expectAnswer(await put({ a: '' }), 200, { metadata: { b: '2' } });
      const many = Object.fromEntries(Array.from({ length: 21 }, (_, key) => [`k${key}`, 'v']));
      expectAnswer(await put(many), 400);
      expectAnswer(await put({ long: 'x'.repeat(4096) }), 400);
    },
  ],
  'v1-pending-counters': [
    'The counters of the ledger.',
    async (caller) => {
      await ok(originate(caller, {}, 'ach/pull'));
      await ok(authorize(caller));
      expectAnswer(await caller.v1('GET', account1(caller)), 200, {
        pendingCredit: '25.00',
        pendingDebit: '10.00',
      });
    },
  ],
  'method-not-allowed': [
    '405 with the header `allow`; an unknown path is 404.',
    async (caller) => {
      const wrong = await caller.v2('DELETE', account(caller));
      expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, PATCH']);
      expectAnswer(await caller.v1('GET', '/v1/nowhere'), 404);
    },
  ],
  'request-id': [
    'In the header `x-request-id` of every answer to a known key',
    async (caller) => {
      expect((await caller.v1('GET', '/v1/account')).headers['x-request-id']).toMatch(/^req-/);
      const missing = await caller.v2('GET', '/v2/nowhere');
      expect(missing.headers['x-request-id']).toBe(missing.at('request_id'));
    },
  ],
  'idempotency-kept-answers': [
    'a key belongs to the sandbox and one version, because the two have different response formats, and not to an operation.',
    async (caller) => {
      const label = (value: string, key: string) =>
        caller.v2('PATCH', account(caller), { label: value }, { 'idempotency-key': key });
      const first = await label('One', 'k');
      const other = await caller.v2('PATCH', card2(caller), { label: 'X' }, { 'idempotency-key': 'k' });
      expect(refusalOf(other)).toBe('400 ERROR_CODE_IDEMPOTENCY_BAD_REQUEST');
      expect((await label('One', 'k')).text).toBe(first.text);
      const v1 = await caller.v1('PATCH', account1(caller), { label: 'Two' }, { 'sd-idempotency-key': 'k' });
      expectAnswer(v1, 200, { label: 'Two' });
      expectAnswer(
        await caller.v2('PATCH', account(caller), { label: 1 }, { 'idempotency-key': 'bad' }),
        400,
      );
      expectAnswer(await label('Three', 'bad'), 400);
    },
  ],
  'malformed-ids': [
    '404, as for an unknown id, in paths and in bodies.',
    async (caller) => {
      expectAnswer(await caller.v2('GET', '/v2/webhook/hello'), 404);
      expectAnswer(await originate(caller, { counterparty_id: 'hello' }), 404);
    },
  ],
  'user-tokens': [
    '`Authorization: Bearer <key>` stands for `sd-api-key`, and `Bearer <key>:<person id>` for `sd-api-key` and `sd-person-id`. Both forms can be sent if they agree, otherwise 400.',
    async (caller) => {
      const person = caller.seed('person_id');
      const read = (headers: Record<string, string>) => http.call('GET', '/v1/person', { headers });
      expectAnswer(await read({ authorization: `Bearer ${caller.key}` }), 200, { total: 2 });
      const token = { authorization: `Bearer ${caller.key}:${person}` };
      expectAnswer(await read(token), 200, { id: person });
      expectAnswer(await read({ ...token, 'sd-api-key': caller.key, 'sd-person-id': person }), 200);
      expectAnswer(await read({ ...token, 'sd-api-key': 'test_other' }), 400);
      expectAnswer(await read({ ...token, 'sd-person-id': `per-${NOBODY}` }), 400);
      expectAnswer(await read({ authorization: 'Bearer ' }), 401);
      expectAnswer(await http.call('GET', '/v2/webhook', { headers: token }), 401);
      const { body } = await ok(caller.v2('GET', `/_sandbox/persons/${person}/token`));
      expect(body).toEqual({
        token: `${caller.key}:${person}`,
        authorization: `Bearer ${caller.key}:${person}`,
      });
      const sign = (way: string) =>
        http.call('POST', `/v1/auth/${way}`, {
          headers: { ...token, 'content-type': 'application/json' },
          body: {},
        });
      const accessToken = `${caller.key}:${person}`;
      expect((await ok(sign('register'))).body).toEqual({ accessToken, refreshRequired: false });
      expect((await ok(sign('logout'))).body).toEqual({});
      expectAnswer(await read(token), 200, { id: person });
    },
  ],
  'lists-by-person': [
    'contain what that person owns, made or is a member of, as three public clients expect.',
    async (caller) => {
      const person = { 'sd-person-id': (await ok(makePerson(caller))).id() };
      const lists = ['account', 'business', 'family'];
      for (const name of lists) {
        expectAnswer(await caller.v1('GET', `/v1/${name}`, undefined, person), 200, { total: 0 });
        const all = (await ok(caller.v1('GET', `/v1/${name}`))).body;
        const program = `/v1/program/${caller.seed('program_id')}/${name}`;
        expect((await ok(caller.v1('GET', program, undefined, person))).body).toEqual(all);
      }
      await ok(caller.v2('PUT', '/_sandbox/settings', { lists_by_person: false }));
      for (const name of lists) {
        const all = (await ok(caller.v1('GET', `/v1/${name}`))).body;
        expect((await ok(caller.v1('GET', `/v1/${name}`, undefined, person))).body).toEqual(all);
      }
    },
  ],
  'person-header-rights': [
    'and is compared with the owner of a record only as `lists-by-person` and `family-money` describe: for lists, because three clients expect it, and for money of families, as their page says.',
    async (caller) => {
      const other = (await ok(makePerson(caller))).id();
      expectAnswer(await caller.v1('GET', account1(caller), undefined, { 'sd-person-id': other }), 200);
    },
  ],
  'rate-limits-off': [
    'Only if `SANDBANK_RATE_LIMITS` is set (`rate-limits`).',
    async (caller) => {
      for (let request = 0; request < 101; request += 1)
        expectAnswer(await caller.v2('GET', account(caller)), 200);
    },
  ],
  'unmatched-filters': [
    'The list is empty; an empty filter is ignored.',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/person?phone=%2B19999999999'), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', '/v1/person?phone='), 200, { total: 2 });
    },
  ],
  'member-paths': [
    '`/v1/member`, and the older `/v1/owner` with the same operations',
    async (caller) => {
      const members = await caller.v1('GET', '/v1/member');
      expect((await caller.v1('GET', '/v1/owner')).body).toEqual(members.body);
      for (const path of ['/v1/member', '/v1/owner']) {
        const kyc = await ok(caller.v1('GET', `${path}/${members.at('data.0.id')}/kyc`));
        expect(kyc.body).toEqual(members.at('data.0.person.kyc'));
      }
    },
  ],
  'v1-party-lists': [
    'and also `createdPersonId` and `personId`',
    async (caller) => {
      const person = { 'sd-person-id': caller.seed('person_id') };
      await ok(caller.v1('POST', '/v1/family', { name: 'Doe' }, person));
      await ok(
        caller.v1(
          'POST',
          '/v1/family',
          { name: 'Roe' },
          { 'sd-person-id': (await ok(makePerson(caller))).id() },
        ),
      );
      expectAnswer(await caller.v1('GET', '/v1/family'), 200, { total: 2 });
      expectAnswer(await caller.v1('GET', `/v1/family?personId=${caller.seed('person_id')}`), 200, {
        total: 1,
      });
    },
  ],
  'statement-contents': [
    'There is no other path: `2026-11` in one segment is 404',
    async (caller) => {
      const path = `${account1(caller)}/statement`;
      expectAnswer(await caller.v1('GET', path), 200, { data: [{ month: 11, year: 2026 }] });
      expectAnswer(await caller.v1('GET', `${path}/2026/11`), 200, {
        totalCredit: '5000.00',
        totalDebit: '0.00',
      });
      expectAnswer(await caller.v1('GET', `${path}/2026-11`), 404);
      expectAnswer(await caller.v1('GET', `${path}/2026/10`), 404);
      expectAnswer(await caller.v1('GET', `${path}/2026/13`), 400);
    },
  ],
  'v2-sub-accounts': [
    '`activated` is `open`, `deactivated` is `closed`, `suspended` matches the blocked states, and `pending_activation` none.',
    async (caller) => {
      await ok(caller.v2('PATCH', account(caller), { status: 'debit_blocked' }));
      for (const [word, total] of [
        ['activated', '1'],
        ['suspended', '1'],
        ['deactivated', '0'],
        ['pending_activation', '0'],
      ]) {
        const found = await caller.v2('GET', `/v2/accounts/sub_account?status=${word}`);
        expect([word, String(found.at('total'))]).toEqual([word, total]);
      }
    },
  ],
  'card-tokens': [
    'A token that shows a card can be used any number of times',
    async (caller) => {
      const token = (await ok(caller.v2('POST', card2(caller, '/show_token')))).id('show_token');
      for (let time = 0; time < 4; time += 1) {
        expectAnswer(
          await http.call('GET', card2(caller, '/show'), { headers: { 'show-token': token } }),
          200,
        );
      }
      const unredact = () => caller.v1('GET', `/v1/card/${caller.seed('virtual_card_id')}/unredact`);
      expect((await ok(unredact())).at('cardNumber')).toMatch(/^\d{16}$/);
      await ok(caller.v2('PATCH', card2(caller), { status: 'closed' }));
      expectAnswer(await caller.v2('POST', card2(caller, '/show_token')), 400);
      expectAnswer(await unredact(), 409);
    },
  ],
  'v2-transaction-filters': [
    'An unknown or malformed id matches nothing',
    async (caller) => {
      const path = '/v2/payments/transaction';
      expectAnswer(await caller.v2('GET', `${path}?sub_account_id=none`), 200, { total: 0 });
      expectAnswer(await caller.v2('GET', `${path}?sub_account_id=`), 200, { total: 2 });
      const both = `ledger_type=master_account&sub_account_id=${caller.seed('sub_account_id')}`;
      expectAnswer(await caller.v2('GET', `${path}?${both}`), 200, { total: 0 });
    },
  ],
  'v1-transfer-paths': [
    'It can be retrieved at both paths of the rail, `send` and `receive`; lists and updates exist only for requested transfers, and `transferSubType` is the sub-type of the transaction.',
    async (caller) => {
      const ordered = await ok(originate(caller, { amount: '5.00' }, 'intra_account/push'));
      expectAnswer(await caller.v1('GET', `/v1/send/intrabank/${ordered.id()}`), 200);
      expectAnswer(await caller.v1('GET', `/v1/receive/intrabank/${ordered.id()}`), 404);
      const other = `/v1/account/${caller.seed('other_account_id')}`;
      const entry = await ok(caller.v1('GET', `${other}/transaction?transferType=intrabank&limit=1`));
      const transferId = entry.id('data.0.intrabank.transferId');
      for (const way of ['send', 'receive']) {
        const path = `/v1/${way}/intrabank`;
        expectAnswer(await caller.v1('GET', `${path}/${transferId}`), 200, {
          id: transferId,
          accountId: caller.seed('other_account_id'),
          amount: '5.00',
          status: 'completed',
          txnType: 'credit',
          transferSubType: 'received',
        });
        expectAnswer(await caller.v1('PATCH', `${path}/${transferId}`, { title: 'x' }), 404);
        expect((await ok(caller.v1('GET', path))).text).not.toContain(transferId);
        expectAnswer(await caller.v1('GET', `/v1/${way}/ach/${transferId}`), 404);
      }
    },
  ],
  'v1-transaction-filters': [
    '`startDate` and `endDate` are aliases of `startTime` and `endTime` and can be UTC dates, and `query` matches a text in the title, the description or the name of the other side.',
    async (caller) => {
      const path = `${account1(caller)}/transaction`;
      expectAnswer(await caller.v1('GET', `${path}?endDate=2020-01-01&query=x`), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', `${path}?subType=overdraft`), 200, { total: 0 });
      const sent = await ok(originate(caller, { amount: '12.34', description: 'Quince harvest' }));
      await ok(
        caller.v1('PATCH', `/v1/send/ach/${sent.id()}`, {
          title: 'Orchard',
          metadata: { crop: 'quince pears' },
        }),
      );
      for (const query of [
        'query=quince',
        'query=ORCHARD',
        'minAmount=12.34&maxAmount=12.34',
        'metadata.crop=quince%20pears',
        'metadata.query=pears',
        'startDate=2026-11-20&endDate=2026-11-20&query=harvest',
      ]) {
        expectAnswer(await caller.v1('GET', `${path}?${query}`), 200, { total: 1 });
      }
      expectAnswer(await caller.v1('GET', `${path}?query=apricot`), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', `${path}?subType=blue`), 400);
      expectAnswer(await caller.v1('GET', `/v1/program/${caller.seed('program_id')}/transaction`), 200);
    },
  ],
  'cross-origin': [
    'their preflight is 204 without a key',
    async (caller) => {
      const send = (url: string) =>
        http.app.server.inject({
          method: 'OPTIONS',
          url,
          headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
        });
      const open = await send(card1(caller, '/show'));
      expect([open.statusCode, open.headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(open.headers['access-control-allow-headers']).toContain('sd-show-token');
      expect((await send('/v1/card')).headers['access-control-allow-origin']).toBeUndefined();
    },
  ],
  'v2-vault-paths': [
    'an error has the body of v2',
    async (caller) => {
      const path = `/v2/card/${caller.seed('card_id')}/show`;
      expect(refusalOf(await http.call('GET', path, { headers: { 'sd-show-token': 'x' } }))).toBe(
        '401 ERROR_CODE_UNAUTHORIZED',
      );
    },
  ],
  'zero-values': [
    'and an empty list or text in `controls`, `config` and `metadata` clears that field.',
    async (caller) => {
      await ok(control(caller, { allowed: { merchants: ['Mill'] } }));
      expectAnswer(
        await caller.v2('PATCH', card2(caller), { controls: { allowed: { merchants: [] } } }),
        200,
        {
          controls: { allowed: { merchants: [] } },
        },
      );
      const zero = { line1: '', line2: '', city: '', state: '', country: '', postal_code: '' };
      const person = { first_name: 'Zoe', last_name: 'Low', id_type: '', address: zero, phone: '' };
      expectAnswer(await makeHolder(caller, { person, verification: null }), 201, {
        person: { address: null },
      });
    },
  ],
  'documented-refusals': [
    '429 is listed with every operation, although it occurs only as `rate-limits-off` and `rate-limits` describe, and 409 with every POST and PATCH of the two versions, because the platform documents it (`v2-error-codes`). Answers that do not come from an operation are not listed',
    async () => {
      type Paths = Record<string, Record<string, { responses: Record<string, unknown> }>>;
      for (const name of ['v2', 'v1']) {
        const { body } = await http.call('GET', `/openapi/${name}.json`);
        const operations = Object.values((body as { paths: Paths }).paths).flatMap(Object.entries);
        expect(operations.length).toBeGreaterThan(60);
        for (const [method, { responses }] of operations) {
          const due = ['401', '429', ...(/post|patch/.test(method) ? ['409'] : [])];
          expect(Object.keys(responses)).toEqual(expect.arrayContaining(due));
          expect(Object.keys(responses)).not.toEqual(expect.arrayContaining(['405']));
        }
      }
    },
  ],
});

describe('with strict fields and a strict header', () => {
  const strict = useHttp({ strictFields: true, strictPersonHeader: true });
  holdRows(strict, 'interface', {
    'person-header': [
      'With `SANDBANK_STRICT_PERSON_HEADER=on` a call without it is 400 `EC_PERSON_ID_HEADER_REQUIRED`, the documented error, except for webhooks, for signing in and out, and for the creation of a person.',
      async (caller) => {
        expect(refusalOf(await caller.v1('GET', '/v1/account'))).toBe('400 EC_PERSON_ID_HEADER_REQUIRED');
        expectAnswer(await caller.v1('GET', '/v1/webhook'), 200);
        expectAnswer(await makePerson(caller), 201);
      },
    ],
    'unknown-fields': [
      'except, in an update, for the fields of the record itself: so a client can send a record back as it was returned.',
      async (caller) => {
        expectAnswer(await originate(caller, { colour: 'red' }), 400);
        expectAnswer(await caller.v2('GET', '/v2/webhook?shade=1'), 400);
        const { body } = await ok(caller.v2('GET', account(caller)));
        expectAnswer(await caller.v2('PATCH', account(caller), body), 200);
      },
    ],
  });
});

describe('with rate limits', () => {
  const limited = useHttp({ rates: 'sandbox' });
  holdRows(limited, 'interface', {
    'rate-limits': [
      'Then each sandbox allows 50 or 100 reads and as many writes per second',
      async (caller) => {
        for (let request = 0; request < 50; request += 1)
          expectAnswer(await caller.v1('GET', account1(caller)), 200);
        expectAnswer(await caller.v2('GET', account(caller)), 429);
        expectAnswer(await caller.v2('PATCH', account(caller), {}), 200);
        limited.clock.advance(1001);
        expectAnswer(await caller.v2('GET', account(caller)), 200);
      },
    ],
  });
});
