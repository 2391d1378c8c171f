/** Rows of the register about the interface: paths, statuses, errors, ids, lists, and the fields of records. */
import { describe, expect } from 'vitest';
import { type Caller, useHttp } from '../http/support.ts';
import {
  authorize,
  control,
  expectAnswer,
  figures,
  holdRows,
  makeBusiness,
  makeHolder,
  makePerson,
  ok,
  originate,
  payee,
  receive,
  refusalOf,
  rows,
  setClock,
  simulate,
  testCard,
} from './checks.ts';

const http = useHttp();
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
  '1': [
    'the three OpenAPI documents below `/openapi`',
    async () => {
      for (const name of ['v2', 'v1', 'sandbox']) {
        expectAnswer(await http.call('GET', `/openapi/${name}.json`), 200, { openapi: '3.1.0' });
      }
      for (const path of ['/livez', '/readyz']) expectAnswer(await http.call('GET', path), 200);
      expectAnswer(await http.call('GET', '/metrics'), 404, { error: { code: 'path_unknown' } });
    },
  ],
  '2': [
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
  '3': [
    '200 for GET, PATCH, DELETE and every test helper',
    async (caller) => {
      expectAnswer(await makePerson(caller), 201);
      expectAnswer(await testCard(caller, { amount: '1.00' }), 200);
      const ach = { amount: '1.00', txnType: 'credit' };
      expectAnswer(await caller.v1('POST', `${account1(caller)}/test/ach`, ach), 200);
      expectAnswer(await caller.v1('DELETE', `/v1/contact/${caller.seed('contact_id')}`), 200);
    },
  ],
  '4': [
    'a missing or unknown key is 401, on unknown paths too',
    async () => {
      expectAnswer(await http.call('GET', '/v2/nowhere'), 401);
      expectAnswer(await http.call('GET', '/v1/nowhere', { headers: { 'sd-api-key': 'live_x' } }), 401);
      for (const name of ['x'.repeat(65), '_x', '-x', '']) {
        const headers = { 'api-key': `test_${name}` };
        expectAnswer(await http.call('GET', '/v2/webhook', { headers }), 401);
      }
    },
  ],
  '5': [
    'when it is sent it must name a person of the sandbox, else 404',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/account'), 200);
      const stranger = { 'sd-person-id': `per-${NOBODY}` };
      expect(refusalOf(await caller.v1('GET', '/v1/account', undefined, stranger))).toBe(
        '404 EC_PERSON_NOT_FOUND',
      );
    },
  ],
  '6': [
    'here it is the client of the sandbox, and empty on 401 only',
    async (caller) => {
      const missing = await caller.v2('GET', `/v2/webhook/whk_${NOBODY}`);
      expectAnswer(missing, 404, { client_id: caller.seed('client_id'), error: { field_name: '' } });
      expectAnswer(await http.call('GET', '/v2/webhook'), 401, { client_id: '' });
    },
  ],
  '7': [
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
  '8': [
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
      expect(refusalOf(await originate(caller, { amount: 'x' }))).toBe('400 ERROR_CODE_INVALID_FIELD amount');
    },
  ],
  '9': [
    '`sysMessage` is the code without `EC_` in lower case, and the field at fault is named in `message`',
    async (caller) => {
      const answer = await makePerson(caller, { phone: 'x' });
      expectAnswer(answer, 400, { code: 'EC_PERSON_INVALID_PHONE', sysMessage: 'person_invalid_phone' });
      expect(answer.at('message')).toMatch(/^phone/);
    },
  ],
  '10': [
    'An amount is a string of dollars and two decimals, without sign or leading zeros, greater than zero',
    async (caller) => {
      for (const amount of ['0.00', '-1.00', '01.00', '1', '1.0', 25, '1.000']) {
        expectAnswer(await originate(caller, { amount }), 400, { error: { field_name: 'amount' } });
      }
      expectAnswer(await caller.v1('GET', `${account1(caller)}/transaction?minAmount=1`), 200, { total: 1 });
    },
  ],
  '11': [
    'It is ignored, and the header `x-sandbox-hint` names it',
    async (caller) => {
      const answer = await originate(caller, { colour: 'red' });
      expectAnswer(answer, 201);
      expect(answer.headers['x-sandbox-hint']).toContain('colour');
      expect((await caller.v2('GET', '/v2/webhook?shade=1')).headers['x-sandbox-hint']).toContain('shade');
    },
  ],
  '12': [
    'it counts as an object without fields',
    async (caller) => expectAnswer(await caller.v2('PATCH', account(caller), ''), 200, { label: 'Everyday' }),
  ],
  '13': [
    'an empty control list is `[]` in v2 and `null` in v1',
    async (caller) => {
      expectAnswer(await caller.v2('GET', card2(caller)), 200, {
        controls: { allowed: { merchants: [] } },
        metadata: null,
      });
      expectAnswer(await caller.v1('GET', card1(caller)), 200, { allowedMerchants: null });
    },
  ],
  '14': [
    'v2 answers with both',
    async (caller) => {
      const id = caller.seed('card_holder_id');
      const spent = await authorize(caller);
      expect(spent.at('transaction.card')).toMatchObject({ cardholder_id: id, card_holder_id: id });
    },
  ],
  '15': [
    'The words `"true"` and `"false"`',
    async (caller) => {
      expectAnswer(await caller.v2('GET', '/v2/accounts/sub_account?limit=1'), 200, { has_more: 'true' });
      expectAnswer(await caller.v2('GET', '/v2/accounts/sub_account'), 200, { has_more: 'false' });
    },
  ],
  '16': [
    '`offset` (0 unless sent) and `limit` with the same bounds, `{total, data}`',
    async (caller) => {
      for (let made = 0; made < 26; made += 1) await ok(originate(caller, { amount: '1.00' }));
      expect(await list(caller, '/v2/payments/transaction')).toHaveLength(25);
      expect(await list(caller, `${account1(caller)}/transaction`)).toHaveLength(25);
      for (const path of ['/v2/webhook?limit=101', '/v2/webhook?limit=0', '/v2/webhook?starting_after=x']) {
        expectAnswer(await caller.v2('GET', path), 400);
      }
      for (const query of ['limit=0', 'limit=101', 'offset=-1']) {
        expectAnswer(await caller.v1('GET', `/v1/account?${query}`), 400);
      }
      const page = await caller.v1('GET', '/v1/account?limit=1&offset=1');
      expect(Object.keys(page.body as object)).toEqual(['total', 'data']);
      expectAnswer(page, 200, { total: 2, data: [{ id: caller.seed('account_id') }] });
    },
  ],
  '17': [
    'either spelling is read wherever an id is read, but never the prefix of another kind',
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
  '18': [
    'a different request under a used key gets the old answer, is not carried out, and is told so in `x-sandbox-hint`',
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
      expect(other.text).toBe(first.text);
      expect(other.headers['x-sandbox-hint']).toMatch(/another request/);
      expect(await figures(caller)).toEqual(['4990.00', '0.00', '0.00']);
      await setClock(caller, '2026-11-21T18:00:01Z');
      expect((await pay('20.00')).id()).not.toBe(first.id());
    },
  ],
  '19': [
    "501 in the generation's own error body, never 404",
    async (caller) => {
      expect(refusalOf(await caller.v1('GET', '/v1/wallet'))).toBe('501 EC_NOT_EMULATED');
      expectAnswer(await caller.v1('POST', `${account1(caller)}/processor-token`), 501);
    },
  ],
  '45': [
    'An expired link is 410 and a forged one 404, in the error body of v1',
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
  '45b': [
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
  '45c': [
    'With `sd-person-id` that person, without it the list',
    async (caller) => {
      const id = caller.seed('person_id');
      expectAnswer(await caller.v1('GET', '/v1/person', undefined, { 'sd-person-id': id }), 200, { id });
      expectAnswer(await caller.v1('GET', '/v1/person'), 200, { total: 2 });
    },
  ],
  '46': [
    'an empty value removes its key. More than 20 keys or 4 KB is refused with 400',
    async (caller) => {
      const put = (metadata: object) => caller.v2('PATCH', account(caller), { metadata });
      await ok(put({ a: '1', b: '2' }));
      expectAnswer(await put({ a: '' }), 200, { metadata: { b: '2' } });
      const many = Object.fromEntries(Array.from({ length: 21 }, (_, key) => [`k${key}`, 'v']));
      expectAnswer(await put(many), 400);
      expectAnswer(await put({ long: 'x'.repeat(4096) }), 400);
    },
  ],
  '69': [
    'The real counters of the ledger',
    async (caller) => {
      await ok(originate(caller, {}, 'ach/pull'));
      await ok(authorize(caller));
      expectAnswer(await caller.v1('GET', account1(caller)), 200, {
        pendingCredit: '25.00',
        pendingDebit: '10.00',
      });
    },
  ],
  '70': [
    '405 with the header `allow`; a path that nobody knows is 404',
    async (caller) => {
      const wrong = await caller.v2('DELETE', account(caller));
      expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, PATCH']);
      expectAnswer(await caller.v1('GET', '/v1/nowhere'), 404);
    },
  ],
  '71': [
    'In the header `x-request-id` of every answer to a known key',
    async (caller) => {
      expect((await caller.v1('GET', '/v1/account')).headers['x-request-id']).toMatch(/^req-/);
      const missing = await caller.v2('GET', '/v2/nowhere');
      expect(missing.headers['x-request-id']).toBe(missing.at('request_id'));
    },
  ],
  '72': [
    'a key belongs to the sandbox and one generation, since the two answer in different shapes, and not to an operation',
    async (caller) => {
      const label = (value: string, key: string) =>
        caller.v2('PATCH', account(caller), { label: value }, { 'idempotency-key': key });
      const first = await label('One', 'k');
      const other = await caller.v2('PATCH', card2(caller), { label: 'X' }, { 'idempotency-key': 'k' });
      expect(other.text).toBe(first.text);
      const v1 = await caller.v1('PATCH', account1(caller), { label: 'Two' }, { 'sd-idempotency-key': 'k' });
      expectAnswer(v1, 200, { label: 'Two' });
      expectAnswer(
        await caller.v2('PATCH', account(caller), { label: 1 }, { 'idempotency-key': 'bad' }),
        400,
      );
      expectAnswer(await label('Three', 'bad'), 400);
    },
  ],
  '73': [
    'the same 404 as an id that nobody has, in paths and in bodies',
    async (caller) => {
      expectAnswer(await caller.v2('GET', '/v2/webhook/hello'), 404);
      expectAnswer(await originate(caller, { counterparty_id: 'hello' }), 404);
    },
  ],
  '74': [
    'is not compared with the owner of anything',
    async (caller) => {
      const other = (await ok(makePerson(caller))).id();
      expectAnswer(await caller.v1('GET', account1(caller), undefined, { 'sd-person-id': other }), 200);
    },
  ],
  '75': [
    'Not unless `SANDBANK_RATE_LIMITS` is set',
    async (caller) => {
      for (let asked = 0; asked < 101; asked += 1) expectAnswer(await caller.v2('GET', account(caller)), 200);
    },
  ],
  '77': [
    'At most 13 digits of dollars',
    async (caller) => {
      expectAnswer(await originate(caller, { amount: '12345678901234.00' }), 400);
      expectAnswer(await receive(caller, 'ach_push', { amount: '1234567890123.00' }), 201);
    },
  ],
  '78': [
    'The time of its creation',
    async (caller) => {
      const made = await ok(makeHolder(caller));
      expect(made.at('timestamps.updated_at')).toBe(made.at('timestamps.created_at'));
    },
  ],
  '79': [
    'A locked account is `blocked`, a blocked or locked card `inactive`',
    async (caller) => {
      await ok(caller.v2('POST', `/_sandbox/simulate/accounts/${caller.seed('sub_account_id')}/lock`));
      await ok(caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/lock`, {}));
      expectAnswer(await caller.v1('GET', account1(caller)), 200, { status: 'blocked' });
      expectAnswer(await caller.v1('GET', card1(caller)), 200, { cardStatus: 'inactive' });
      const waits = (await ok(makeHolder(caller))).id();
      expectAnswer(await caller.v1('GET', `/v1/person/${waits}`), 200, { status: 'active' });
    },
  ],
  '80': [
    'As a transaction: `pending`, then `settled`',
    async (caller) => {
      const body = {
        accountId: caller.seed('account_id'),
        contactId: caller.seed('contact_id'),
        amount: '25.00',
        description: 'x',
      };
      const push = await ok(caller.v1('POST', '/v1/send/ach', { ...body, type: 'nextDay' }));
      const pull = await ok(caller.v1('POST', '/v1/receive/ach', { ...body, type: 'nextDay' }));
      expect([push.at('status'), pull.at('status')]).toEqual(['completed', 'pending']);
      expect((await rows(caller)).slice(0, 2).map(({ status }) => status)).toEqual(['pending', 'settled']);
      await ok(simulate(caller, pull.id(), 'settle'));
      expect((await rows(caller)).map(({ status }) => status)).toEqual(['settled', 'settled', 'settled']);
    },
  ],
  '81': [
    '`insufficientFunds`, `accountClosed`, `accountNotFound`, `invalidAccountNumber`, `invalidRoutingNumber`',
    async (caller) => {
      const words: unknown[] = [];
      for (const code of ['R01', 'R02', 'R03', 'R04', 'R13', 'R10']) {
        const { id } = (await ok(originate(caller))).body as { id: string };
        await ok(simulate(caller, id, 'settle'));
        await ok(simulate(caller, id, 'return', { return_code: code }));
        words.push((await rows(caller))[0]?.reviewCode);
      }
      expect(words).toEqual([
        'insufficientFunds',
        'accountClosed',
        'accountNotFound',
        'invalidAccountNumber',
        'invalidRoutingNumber',
        'R10',
      ]);
    },
  ],
  '82': [
    'Where it gave none, the transfer has `""` and the transaction one in the words of the published examples',
    async (caller) => {
      const sent = await ok(
        caller.v1('POST', '/v1/send/ach', {
          accountId: caller.seed('account_id'),
          contactId: caller.seed('contact_id'),
          amount: '25.00',
          description: 'x',
          type: 'nextDay',
        }),
      );
      expect(sent.at('title')).toBe('');
      expect((await rows(caller))[0]?.title).toMatch(/^Paid to /);
    },
  ],
  '83': [
    'a limit per transaction is shown where the card has no other',
    async (caller) => {
      const shown = async (limit: object) => {
        await ok(control(caller, { limit }));
        const { body } = await caller.v1('GET', card1(caller));
        const { limitAmount, limitInterval, availableLimit } = body as Record<string, string>;
        return [limitInterval, limitAmount, availableLimit];
      };
      const single = { period: 'per_transaction', max_spend_per_transaction: '40.00' };
      expect(await shown(single)).toEqual(['perTransaction', '40.00', '']);
    },
  ],
  '84': [
    'With `rtp` or `fednow` as `transferType`',
    async (caller) => {
      await ok(receive(caller, 'rtp'));
      await ok(receive(caller, 'fednow'));
      expect((await rows(caller)).slice(0, 2).map(({ transferType }) => transferType)).toEqual([
        'fednow',
        'rtp',
      ]);
    },
  ],
  '85': [
    'All that the program allows, unless `PATCH /v1/account/{id}` has changed it',
    async (caller) => {
      expectAnswer(await caller.v1('GET', account1(caller)), 200, {
        config: { send: { ach: { enabled: true } } },
      });
      await ok(caller.v1('PATCH', account1(caller), { config: { send: { ach: { enabled: false } } } }));
      expectAnswer(await caller.v1('GET', account1(caller)), 200, {
        config: { send: { ach: { enabled: false } } },
      });
    },
  ],
  '86': [
    'Each says what the whole check says, with no reasons; until the check has begun they are empty',
    async (caller) => {
      const made = await ok(makeHolder(caller));
      expect(made.at('person.kyc.details.name')).toEqual({ status: '', reasons: null });
      const path = `/v2/accounts/sub_account_holder/${made.id()}`;
      await ok(caller.v2('POST', `${path}/kyc`));
      const details = (await caller.v2('GET', path)).at('person.kyc.details') as Record<string, object>;
      expect(Object.values(details)).toEqual(
        Object.keys(details).map(() => ({ status: 'pass', reasons: null })),
      );
    },
  ],
  '136': [
    'Making a person needs first and last name, phone and email',
    async (caller) => {
      const least = { firstName: 'A', lastName: 'B', phone: '+15035550177', email: 'a@b.example' };
      expectAnswer(await caller.v1('POST', '/v1/person', { ...least, idType: 'ssn', idNumber: '4321' }), 201);
      for (const field of Object.keys(least)) {
        expectAnswer(await caller.v1('POST', '/v1/person', { ...least, [field]: undefined }), 400);
      }
    },
  ],
  '137': [
    'The list is empty; a filter that is sent empty asks nothing',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/person?phone=%2B19999999999'), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', '/v1/person?phone='), 200, { total: 2 });
    },
  ],
  '141': [
    '`/v1/member`, and the older `/v1/owner` with the same four operations',
    async (caller) => {
      const members = await caller.v1('GET', '/v1/member');
      expect((await caller.v1('GET', '/v1/owner')).body).toEqual(members.body);
    },
  ],
  '144': [
    'What `PATCH` sent last, whole',
    async (caller) => {
      const { id } = (await ok(makeBusiness(caller))).body as { id: string };
      const path = `/v1/business/${id}/projection`;
      const way = (name: string) => ({
        transactions: { annual: { send: { [name]: { count: '1', amount: '1.00' } } } },
      });
      expectAnswer(await caller.v1('GET', path), 200, { transactions: null });
      await ok(caller.v1('PATCH', path, way('ach')));
      const sent = await ok(caller.v1('PATCH', path, way('anyOther')));
      expect(sent.at('transactions.annual.send')).toEqual({ anyOther: { count: '1', amount: '1.00' } });
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${id}/pass`));
      expectAnswer(await caller.v1('PATCH', path, way('ach')), 400);
    },
  ],
  '145': [
    'The link is good for five minutes and the same within them unless `action` is `regenerate`, as published; a later one ends those before (410)',
    async (caller) => {
      const { id } = (await ok(makeBusiness(caller))).body as { id: string };
      const begin = async (more: object = {}) => {
        const body = { redirectUri: 'https://client.example/signed', ...more };
        return (await ok(caller.v1('POST', `/v1/business/${id}/ownershipDisclosure`, body))).id('url');
      };
      const open = (url: string) => http.call('GET', url.replace(/^https?:\/\/[^/]+/, ''));
      const first = await begin();
      expect(await begin()).toBe(first);
      const second = await begin({ action: 'regenerate' });
      expectAnswer(await open(first), 410);
      expectAnswer(await open(second), 302);
      expectAnswer(await caller.v1('GET', `/v1/business/${id}`), 200, { disclosureStatus: 'completed' });
    },
  ],
  '147': [
    '45 that small businesses name often, with 47 national ones',
    async (caller) => {
      const { body } = await ok(caller.v1('GET', '/v1/business/naicscode'));
      const sectors = (body as { data: Record<string, unknown>[] }).data;
      type Industry = { nationalIndustries: object[] };
      const industries = sectors.flatMap((sector) => sector.industries as Industry[]);
      const national = industries.flatMap(({ nationalIndustries }) => nationalIndustries);
      expect(sectors).toHaveLength(20);
      expect(Object.keys(sectors[0] ?? {})).toEqual(['code', 'name', 'total', 'industries']);
      expect([industries.length, national.length]).toEqual([45, 47]);
      expect(sectors.map(({ code }) => code)).toContain(31);
    },
  ],
  '149': [
    '`sd-person-id` names who calls and narrows nothing; `createdPersonId` and `personId` do',
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
      expectAnswer(await caller.v1('GET', '/v1/family', undefined, person), 200, { total: 2 });
      expectAnswer(await caller.v1('GET', `/v1/family?personId=${caller.seed('person_id')}`), 200, {
        total: 1,
      });
    },
  ],
  '156': [
    'There is no other path: `2026-11` in one part finds nothing',
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
  '157': [
    '`activated` is `open`, `deactivated` is `closed`, `suspended` any of the blocked ones, `pending_activation` none',
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
  '158': [
    'otherwise the person of `sd-person-id`, without whom it is 400',
    async (caller) => {
      const body = { label: 'Savings', acceptedTerms: true };
      expectAnswer(await caller.v1('POST', '/v1/account', body), 400);
      const person = { 'sd-person-id': caller.seed('person_id') };
      expectAnswer(await caller.v1('POST', '/v1/account', body, person), 201, {
        personId: caller.seed('person_id'),
      });
      expectAnswer(await caller.v1('POST', '/v1/account', { ...body, acceptedTerms: false }, person), 400);
    },
  ],
  '175': [
    'One that shows a card is good as often as one likes',
    async (caller) => {
      const token = (await ok(caller.v2('POST', card2(caller, '/show_token')))).id('show_token');
      for (let time = 0; time < 4; time += 1) {
        expectAnswer(
          await http.call('GET', card2(caller, '/show'), { headers: { 'show-token': token } }),
          200,
        );
      }
      await ok(caller.v2('PATCH', card2(caller), { status: 'closed' }));
      expectAnswer(await caller.v2('POST', card2(caller, '/show_token')), 409);
    },
  ],
  '177': [
    '`accountId` must name an account, else 400 or 404',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/card'), 400);
      expectAnswer(await caller.v1('GET', '/v1/card?accountId=x'), 404);
      expectAnswer(
        await caller.v1('GET', `/v1/card?accountId=${caller.seed('account_id')}&walletId=x`),
        200,
        {
          total: 0,
        },
      );
    },
  ],
  '179': [
    '`latitude` and `longitude` in degrees are required, `radius` in miles may be left out',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/card/atm?latitude=45.5'), 400);
      const near = await ok(caller.v1('GET', '/v1/card/atm?latitude=45.5051&longitude=-122.675&radius=0.1'));
      expect(near.at('data')).toMatchObject([
        { name: 'Riverside Kiosk', distance: 0, distanceUnit: 'miles' },
      ]);
    },
  ],
  '183': [
    'An id that nobody has, or that is none, finds nothing',
    async (caller) => {
      const path = '/v2/payments/transaction';
      expectAnswer(await caller.v2('GET', `${path}?sub_account_id=none`), 200, { total: 0 });
      expectAnswer(await caller.v2('GET', `${path}?sub_account_id=`), 200, { total: 2 });
      const both = `ledger_type=master_account&sub_account_id=${caller.seed('sub_account_id')}`;
      expectAnswer(await caller.v2('GET', `${path}?${both}`), 200, { total: 0 });
    },
  ],
  '187': [
    '2000 characters',
    async (caller) => {
      expectAnswer(await originate(caller, { description: 'x'.repeat(2000) }), 201);
      expectAnswer(await originate(caller, { description: 'x'.repeat(2001) }), 400);
    },
  ],
  '190': [
    'has at most 500 characters, 135 for a wire, 200 for a check that is sent or deposited; `title` has at most 500',
    async (caller) => {
      const contactId = await payee(caller);
      const status = async (path: string, more: object) =>
        (
          await caller.v1('POST', `/v1/${path}`, {
            accountId: caller.seed('account_id'),
            contactId,
            amount: '5.00',
            ...more,
          })
        ).status;
      for (const [path, most] of [
        ['send/intrabank', 500],
        ['send/ach', 500],
        ['send/wire', 135],
        ['send/check', 200],
        ['receive/check', 200],
      ] as const) {
        const more = path === 'send/wire' ? { type: 'domestic' } : {};
        expect([path, await status(path, { ...more, description: 'x'.repeat(most) })]).toEqual([path, 201]);
        expect([path, await status(path, { ...more, description: 'x'.repeat(most + 1) })]).toEqual([
          path,
          400,
        ]);
      }
      expect(await status('send/ach', { title: 'x'.repeat(501) })).toBe(400);
      expect(await status('receive/debitpull', { amount: '2500.01' })).toBe(400);
      expect(await status('receive/debitpull', { amount: '2500.00' })).toBe(201);
    },
  ],
  '194': [
    'one that nobody has finds nothing, and so does a published word that is never written here, while any other word is 400',
    async (caller) => {
      const path = `${account1(caller)}/transaction`;
      expectAnswer(await caller.v1('GET', `${path}?subType=overdraft`), 200, { total: 0 });
      expectAnswer(await caller.v1('GET', `${path}?subType=blue`), 400);
      expectAnswer(await caller.v1('GET', `/v1/program/${caller.seed('program_id')}/transaction`), 200);
    },
  ],
  '195': [
    '`csv` with a line for each entry and seventeen of its fields',
    async (caller) => {
      const { text } = await ok(caller.v1('GET', `${account1(caller)}/transaction?export=csv`));
      const [head = '', ...lines] = text.trim().split('\n');
      expect([head.split(',').length, lines.length]).toEqual([17, 1]);
    },
  ],
  '200': [
    '`reference_id` takes either spelling; an id of anything else is 400, one that nobody has is 404',
    async (caller) => {
      const attach = (reference_id: string) => caller.v2('POST', '/v2/attachment', { reference_id });
      expectAnswer(await attach(caller.seed('account_id')), 201);
      expectAnswer(await attach(caller.seed('webhook_id')), 400);
      expectAnswer(await attach(`sub_${'0'.repeat(32)}`), 404);
    },
  ],
  '201': [
    '`attachments` is `null` when nothing is, else the newest first',
    async (caller) => {
      const attach = (label: string) =>
        ok(caller.v2('POST', '/v2/attachment', { reference_id: caller.seed('sub_account_id'), label }));
      expectAnswer(await caller.v2('GET', account(caller)), 200, { attachments: null });
      for (const label of ['one', 'two']) await attach(label);
      const shown = await ok(caller.v2('GET', account(caller)));
      expect(shown.at('attachments')).toMatchObject([{ label: 'two' }, { label: 'one' }]);
      expect(Object.keys(shown.at('attachments.0') as object)).toEqual([
        'id',
        'label',
        'created_at',
        'timestamps',
      ]);
    },
  ],
  '202': [
    'for 5 minutes: the creation gives the link to upload, a retrieval a fresh one to download, a list none',
    async (caller) => {
      const made = await ok(
        caller.v2('POST', '/v2/attachment', { reference_id: caller.seed('sub_account_id') }),
      );
      const [listed] = await list(caller, '/v2/attachment');
      expect(listed?.url ?? '').toBe('');
      const link = new URL((await ok(caller.v2('GET', `/v2/attachment/${made.id()}`))).id('url'));
      await setClock(caller, '2026-11-20T18:05:01Z');
      expectAnswer(await http.call('GET', link.pathname + link.search), 410, {
        error: { code: 'ERROR_CODE_RESOURCE_GONE' },
      });
    },
  ],
  '203': [
    '`url` is fresh in a creation and a single retrieval, empty in a list and an update',
    async (caller) => {
      const path = `/v1/person/${caller.seed('person_id')}/document`;
      const made = await ok(caller.v1('POST', path, { type: 'license', description: 'x' }));
      expect(made.at('url')).toMatch(/^http/);
      expectAnswer(await caller.v1('GET', path), 200, { data: [{ url: '' }] });
      expectAnswer(await caller.v1('PATCH', `${path}/${made.id()}`, { description: 'y' }), 200, { url: '' });
    },
  ],
  '205': [
    '`id`, `name`, `status` (always `active`), `env` (always `test`), `sponsorBankName` and `routingNumber`',
    async (caller) => {
      const { body } = await ok(caller.v1('GET', `/v1/program/${caller.seed('program_id')}`));
      expect(body).toMatchObject({ status: 'active', env: 'test' });
      expect(Object.keys(body as object)).toEqual([
        'id',
        'name',
        'status',
        'env',
        'sponsorBankName',
        'routingNumber',
      ]);
    },
  ],
  '210': [
    'What the client sent with its own `verification`, otherwise empty',
    async (caller) => {
      const verification = { status: 'pass', method: 'manual', url: 'https://checks.example/1' };
      const person = { first_name: 'Ida', last_name: 'Moss', id_number: '723450009' };
      const own = await ok(makeHolder(caller, { person: { ...person, kyc: undefined }, verification }));
      const none = await ok(makeHolder(caller));
      expect([own.at('person.kyc.url'), none.at('person.kyc.url')]).toEqual([verification.url, '']);
    },
  ],
  '212': [
    'a card without a type names the field `type`',
    async (caller) => {
      const card = { card_holder_id: caller.seed('card_holder_id') };
      expect(refusalOf(await caller.v2('POST', '/v2/issuing/card', card))).toBe(
        '400 ERROR_CODE_INVALID_FIELD type',
      );
      const holder = `/v2/accounts/sub_account_holder/sah_${NOBODY}`;
      const [kyc, update] = [await caller.v2('POST', `${holder}/kyc`), await caller.v2('PATCH', holder, {})];
      expect(kyc.at('error.message')).toBe(update.at('error.message'));
    },
  ],
  '220': [
    'Beside the `businessId` or `familyId` always a `personId`',
    async (caller) => {
      const person = { 'sd-person-id': caller.seed('person_id') };
      const businessId = (await ok(makeBusiness(caller, {})))?.id();
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${businessId}/pass`));
      const made = await ok(
        caller.v1('POST', '/v1/account', { businessId, label: 'x', acceptedTerms: true }, person),
      );
      expect(made.body).toMatchObject({ businessId, personId: caller.seed('person_id') });
      expectAnswer(await caller.v1('GET', `/v1/account/${made.id()}/transaction`), 200, {
        data: [{ businessId, personId: caller.seed('person_id') }],
      });
    },
  ],
  '235': [
    'As `usd` everywhere',
    async (caller) => {
      await ok(receive(caller, 'international_wire'));
      await ok(authorize(caller));
      const words = (await list(caller, '/v2/payments/transaction')).map(({ currency }) => currency);
      expect(new Set(words)).toEqual(new Set(['usd']));
    },
  ],
  '236': [
    'of a domestic wire that came in it is empty',
    async (caller) => {
      const sender = { name: 'Mill', routing_number: '021000021', account_number: '99887766' };
      const wire = await ok(receive(caller, 'domestic_wire', { sender }));
      expect(wire.at('transaction.counterparty')).toMatchObject({
        routing_number: '021000021',
        bank_name: '',
      });
      const ach = await ok(receive(caller, 'ach_push', { sender }));
      expect(ach.at('transaction.counterparty.bank_name')).toBe('JPMorgan Chase');
    },
  ],
  '237': [
    'both are there and say the same instant',
    async (caller) => {
      const opened = await ok(
        caller.v2('POST', '/v2/accounts/sub_account', {
          sub_account_holder_id: caller.seed('person_holder_id'),
          type: 'cash',
        }),
      );
      const closed = await ok(
        caller.v2('PATCH', `/v2/accounts/sub_account/${opened.id()}`, { status: 'closed' }),
      );
      const now = closed.at('timestamps.closed_at');
      expect(now).toMatch(/^2026-11/);
      expect(closed.at('timestamps.deactivated_at')).toBe(now);
      const master = await ok(
        caller.v2('GET', `/v2/accounts/master_account/${caller.seed('master_account_id')}`),
      );
      expect(Object.keys(master.at('timestamps') as object)).not.toContain('deactivated_at');
    },
  ],
  '250': [
    'their preflight is 204 without a key',
    async (caller) => {
      const ask = (url: string) =>
        http.app.server.inject({
          method: 'OPTIONS',
          url,
          headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
        });
      const open = await ask(card1(caller, '/show'));
      expect([open.statusCode, open.headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(open.headers['access-control-allow-headers']).toContain('sd-show-token');
      expect((await ask('/v1/card')).headers['access-control-allow-origin']).toBeUndefined();
    },
  ],
  '251': [
    "a refusal has v2's body",
    async (caller) => {
      const path = `/v2/card/${caller.seed('card_id')}/show`;
      expect(refusalOf(await http.call('GET', path, { headers: { 'sd-show-token': 'x' } }))).toBe(
        '401 ERROR_CODE_UNAUTHORIZED',
      );
    },
  ],
  '260': [
    'an empty list or text in `controls`, `config` and `metadata` clears what it names',
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
  '270': [
    '429 stands with every operation, though it comes only as rows 75 and 206 say, and 409 with every POST and PATCH',
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
  '188': [
    '`debit_card`, as in the list of methods',
    async (caller) => {
      for (const way of ['push', 'pull']) {
        const made = await ok(
          originate(caller, { counterparty_id: await payee(caller) }, `debitcard/${way}`),
        );
        expect(made.at('method')).toBe('debit_card');
      }
    },
  ],
});

describe('with strict fields and a strict header', () => {
  const strict = useHttp({ strictFields: true, strictPersonHeader: true });
  holdRows(strict, 'interface', {
    '5': [
      'With `SANDBANK_STRICT_PERSON_HEADER=on` a call without it is 400 `EC_PERSON_ID_HEADER_REQUIRED`, except on webhooks and on the creation of a person',
      async (caller) => {
        expect(refusalOf(await caller.v1('GET', '/v1/account'))).toBe('400 EC_PERSON_ID_HEADER_REQUIRED');
        expectAnswer(await caller.v1('GET', '/v1/webhook'), 200);
        expectAnswer(await makePerson(caller), 201);
      },
    ],
    '11': [
      'except in an update for a field of the record that the update answers',
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
    '206': [
      'then 50 or 100 reads and as many writes of a sandbox in any second',
      async (caller) => {
        for (let asked = 0; asked < 50; asked += 1)
          expectAnswer(await caller.v1('GET', account1(caller)), 200);
        expectAnswer(await caller.v2('GET', account(caller)), 429);
        expectAnswer(await caller.v2('PATCH', account(caller), {}), 200);
        limited.clock.advance(1001);
        expectAnswer(await caller.v2('GET', account(caller)), 200);
      },
    ],
  });
});
