/** Rows of the register about the records of the API and the meaning of their fields. */
import { expect } from 'vitest';
import { writeForm } from '../../server/http/forms.ts';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  control,
  expectAnswer,
  holdRows,
  makeBusiness,
  makeHolder,
  ok,
  originate,
  payee,
  receive,
  refusalOf,
  rows,
  setClock,
  simulate,
} from './checks.ts';

const http = useHttp({ small: true });
const NOBODY = '0'.repeat(32);
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const account1 = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const card1 = (caller: Caller, what = '') => `/v1/card/${caller.seed('card_id')}${what}`;
const list = async (caller: Caller, path: string) =>
  (await ok(path.startsWith('/v1') ? caller.v1('GET', path) : caller.v2('GET', path))).at('data') as Record<
    string,
    unknown
  >[];

holdRows(http, 'interface', {
  'largest-amount': [
    'At most 13 digits of dollars',
    async (caller) => {
      expectAnswer(await originate(caller, { amount: '12345678901234.00' }), 400);
      expectAnswer(await receive(caller, 'ach_push', { amount: '1234567890123.00' }), 201);
    },
  ],
  'new-updated-at': [
    'The time of its creation',
    async (caller) => {
      const made = await ok(makeHolder(caller));
      expect(made.at('timestamps.updated_at')).toBe(made.at('timestamps.created_at'));
    },
  ],
  'v1-words-for-states': [
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
  'v1-payment-status': [
    'As a transaction it is `pending`, then `settled`',
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
  'v1-review-codes': [
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
  'v1-payment-titles': [
    'The title that the client sent, unchanged. Without one, the transfer has `""` and the transaction a title like those of the published examples',
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
  'v1-card-limits': [
    'It shows a limit per transaction if the card has no other limit.',
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
  'v1-instant-rails': [
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
  'v1-account-config': [
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
  'v2-kyc-details': [
    'A detail with a reason has the status of the whole check and that reason; the other details have passed.',
    async (caller) => {
      const made = await ok(makeHolder(caller, { person: { first_name: 'Mara', id_number: '123450003' } }));
      expect(made.at('person.kyc.details.name')).toEqual({ status: '', reasons: null });
      const path = `/v2/accounts/sub_account_holder/${made.id()}`;
      await ok(caller.v2('POST', `${path}/kyc`));
      const { fraud, ...rest } = (await caller.v2('GET', path)).at('person.kyc.details') as Record<
        string,
        { status: string; reasons: { code: string }[] }
      >;
      expect([fraud?.status, fraud?.reasons.map(({ code }) => code)]).toEqual(['review', ['R112']]);
      expect(Object.values(rest)).toEqual(Object.keys(rest).map(() => ({ status: 'pass', reasons: null })));
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${made.id()}/pass`));
      expect((await caller.v2('GET', path)).at('person.kyc.details.fraud')).toEqual({
        status: 'pass',
        reasons: null,
      });
    },
  ],
  'v1-person-fields': [
    'A new person requires first and last name, phone and email.',
    async (caller) => {
      const least = { firstName: 'A', lastName: 'B', phone: '+15035550177', email: 'a@b.example' };
      expectAnswer(await caller.v1('POST', '/v1/person', { ...least, idType: 'ssn', idNumber: '4321' }), 201);
      for (const field of Object.keys(least)) {
        expectAnswer(await caller.v1('POST', '/v1/person', { ...least, [field]: undefined }), 400);
      }
      const ssn = { ...least, phone: '+15555555555', idType: 'ssn', idNumber: 'abcdefghi' };
      expectAnswer(await caller.v1('POST', '/v1/person', ssn), 400);
      expectAnswer(await caller.v1('POST', '/v1/person', { ...ssn, idType: 'passport' }), 201);
    },
  ],
  'business-projections': [
    'What the last `PATCH` sent, as a whole: `count` and `amount` (with or without cents, as the page prints `"1000"`; answered with cents)',
    async (caller) => {
      const { id } = (await ok(makeBusiness(caller))).body as { id: string };
      const path = `/v1/business/${id}/projection`;
      const way = (name: string) => ({
        transactions: { annual: { send: { [name]: { count: '1', amount: '1.00' } } } },
      });
      expectAnswer(await caller.v1('GET', path), 200, { transactions: null });
      await ok(caller.v1('PATCH', path, JSON.parse(JSON.stringify(way('ach')).replace('1.00', '1000'))));
      expect((await caller.v1('GET', path)).text).toContain('"1000.00"');
      const sent = await ok(caller.v1('PATCH', path, way('anyOther')));
      expect(sent.at('transactions.annual.send')).toEqual({ anyOther: { count: '1', amount: '1.00' } });
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${id}/pass`));
      expectAnswer(await caller.v1('PATCH', path, way('ach')), 400);
    },
  ],
  'ownership-disclosure': [
    'The link is valid for five minutes; during that time a request returns the same link unless `action` is `regenerate`, as published. A new link invalidates earlier ones (410).',
    async (caller) => {
      const { id } = (await ok(makeBusiness(caller))).body as { id: string };
      const look = () => caller.v1('GET', `/v1/business/${id}/ownershipDisclosure`);
      expectAnswer(await look(), 404, { code: 'EC_BUSINESS_AGREEMENT_NOT_FOUND' });
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
      expectAnswer(await look(), 200, { status: 'completed', signedAt: (await look()).at('modifiedAt') });
    },
  ],
  'naics-codes': [
    'The list has 45 industries that are common for small businesses, with 47 national industries',
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
  'v1-account-owner': [
    'otherwise the person of `sd-person-id`; without one it is 400',
    async (caller) => {
      const body = { label: 'Savings', acceptedTerms: true };
      expectAnswer(await caller.v1('POST', '/v1/account', body), 400);
      const person = { 'sd-person-id': caller.seed('person_id') };
      expectAnswer(await caller.v1('POST', '/v1/account', body, person), 201, {
        personId: caller.seed('person_id'),
      });
      expectAnswer(await caller.v1('POST', '/v1/account', { ...body, acceptedTerms: false }, person), 400);
      const withCard = { ...body, createPhysicalCard: true };
      const { id } = (await ok(caller.v1('POST', '/v1/account', withCard, person))).body as { id: string };
      const cards = await ok(caller.v1('GET', `/v1/card?accountId=${id}`));
      expect([cards.at('total'), cards.at('data.0.cardType')]).toEqual([1, 'physical']);
      for (const type of ['fallbackAccount', 'fundingAccount', 'clearingAccount']) {
        const opened = await ok(caller.v1('POST', '/v1/account', { ...body, type }, person));
        expect(opened.at('type')).toBe(type);
        const shown = await ok(caller.v2('GET', `/v2/accounts/sub_account/${opened.id()}`));
        expect(shown.at('type')).toBe('checking');
      }
      expectAnswer(
        await caller.v1('POST', '/v1/account', { ...body, type: 'businessChecking' }, person),
        400,
      );
      const mine = `/v1/account?personId=${caller.seed('person_id')}`;
      const before = (await ok(caller.v1('GET', mine))).at('total');
      const family = { 'sd-person-id': caller.seed('person_id') };
      const made = await ok(makeBusiness(caller, {}, family));
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${made.id()}/pass`, {}));
      await ok(caller.v1('POST', '/v1/account', { ...body, businessId: made.id() }, person));
      expect((await ok(caller.v1('GET', mine))).at('total')).toBe(Number(before) + 1);
    },
  ],
  'v1-card-filters': [
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
  'cash-machine-search': [
    '`latitude` and `longitude` in degrees are required, `radius` in miles is optional.',
    async (caller) => {
      expectAnswer(await caller.v1('GET', '/v1/card/atm?latitude=45.5'), 400);
      const near = await ok(caller.v1('GET', '/v1/card/atm?latitude=45.5051&longitude=-122.675&radius=0.1'));
      expect(near.at('data')).toMatchObject([
        {
          name: 'Riverside Kiosk',
          description: expect.stringMatching(/./),
          coordinates: { latitude: 45.5051, longitude: -122.675 },
          address: { city: 'Portland' },
          distance: 0,
          distanceUnit: 'miles',
        },
      ]);
      expectAnswer(await caller.v1('GET', '/v1/card/atm?latitude=91&longitude=0'), 400);
    },
  ],
  'payment-text-lengths': [
    '2000 characters',
    async (caller) => {
      expectAnswer(await originate(caller, { description: 'x'.repeat(2000) }), 201);
      expectAnswer(await originate(caller, { description: 'x'.repeat(2001) }), 400);
    },
  ],
  'debit-card-method': [
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
  'v1-transfer-texts': [
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
  'v1-transaction-export': [
    '`csv` with a line for each transaction and seventeen of its fields',
    async (caller) => {
      const { text } = await ok(caller.v1('GET', `${account1(caller)}/transaction?export=csv`));
      const [head = '', ...lines] = text.trim().split('\n');
      expect([head.split(',').length, lines.length]).toEqual([17, 1]);
    },
  ],
  'attachment-subjects': [
    '`reference_id` accepts both forms of an id. An id of another kind of record is 400, an unknown id is 404.',
    async (caller) => {
      const attach = (reference_id: string) => caller.v2('POST', '/v2/attachment', { reference_id });
      expectAnswer(await attach(caller.seed('account_id')), 201);
      expectAnswer(await attach(caller.seed('webhook_id')), 400);
      expectAnswer(await attach(`sub_${'0'.repeat(32)}`), 404);
    },
  ],
  'v1-check-image-upload': [
    'A part that is missing, empty, repeated, not a file or of another type is 400, another body 415.',
    async (caller) => {
      const deposit = await ok(
        caller.v1('POST', '/v1/receive/check', {
          accountId: caller.seed('account_id'),
          contactId: await payee(caller),
          amount: '5.00',
        }),
      );
      const side = (name: string, change: object = {}) => ({
        name,
        filename: `${name}.png`,
        contentType: 'image/png',
        content: 'x',
        ...change,
      });
      const upload = (...parts: ReturnType<typeof side>[]) => {
        const form = writeForm(parts);
        return caller.v1('PATCH', `/v1/receive/check/${deposit.id()}/files`, form.body, form.headers);
      };
      expectAnswer(await upload(side('front')), 400);
      expectAnswer(await upload(side('front'), side('back', { content: '' })), 400);
      expectAnswer(await upload(side('front'), side('back'), side('back')), 400);
      expectAnswer(await upload(side('front'), side('back', { contentType: 'text/html' })), 400);
      expectAnswer(await caller.v1('PATCH', `/v1/receive/check/${deposit.id()}/files`, { front: 'x' }), 415);
      expectAnswer(await upload(side('front'), side('back')), 200, { status: 'pending' });
      expectAnswer(await upload(side('front'), side('back')), 409);
    },
  ],
  'attachments-shown': [
    '`attachments` is `null` if there are none, otherwise a list, newest first, without deleted ones',
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
  'attachment-links': [
    'for 5 minutes: the creation returns a link to upload, a retrieval a new link to download, a list none.',
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
  'known-places': [
    'For other countries any state is accepted, and an empty one everywhere.',
    async (caller) => {
      const at = (address: object) =>
        makeHolder(caller, { person: { first_name: 'Mara', last_name: 'Quill', address } });
      const wrong = async (address: object) => refusalOf(await at(address));
      expect(await wrong({ country: 'XQ' })).toBe('400 ERROR_CODE_INVALID_FIELD person.address.country');
      expect(await wrong({ state: 'XQ' })).toBe('400 ERROR_CODE_INVALID_FIELD person.address.state');
      expect(await wrong({ state: 'OR', country: 'CA' })).toContain('person.address.state');
      for (const address of [{ country: 'de', state: 'BY' }, { country: 'US', state: '' }, { state: 'AP' }]) {
        expectAnswer(await at(address), 201);
      }
      const bad = await control(caller, { blocked: { countries: ['XQ'] } });
      expect(refusalOf(bad)).toBe('400 ERROR_CODE_INVALID_FIELD controls.blocked.countries');
    },
  ],
  'document-lists': [
    '`url` is a new link in a creation and a single retrieval, and empty in a list and an update',
    async (caller) => {
      const path = `/v1/person/${caller.seed('person_id')}/document`;
      const made = await ok(caller.v1('POST', path, { type: 'license', description: 'x' }));
      expect(made.at('url')).toMatch(/^http/);
      expectAnswer(await caller.v1('GET', path), 200, { data: [{ url: '' }] });
      expectAnswer(await caller.v1('PATCH', `${path}/${made.id()}`, { description: 'y' }), 200, { url: '' });
    },
  ],
  'program-record': [
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
  'check-pages': [
    '`&decision=pass`, `fail` or `review` decides without a click.',
    async (caller) => {
      const id = caller.seed('person_id');
      const idv = await ok(caller.v1('POST', `/v1/person/${id}/idv`));
      const open = (query: string) =>
        http.call('GET', idv.id('url').replace(/^https?:\/\/[^/]+/, '') + query);
      expectAnswer(await open('&redirect-uri=javascript:x&decision=pass'), 400);
      const shown = await open('');
      expect([shown.status, shown.text.match(/>(Pass|Fail|Needs review)</g)?.length]).toEqual([200, 3]);
      const back = await open('&redirect-uri=bankapp://done&decision=fail');
      expect([back.status, back.headers.location]).toEqual([
        302,
        `bankapp://done?inquiry-id=${idv.id()}&status=failed&reference-id=${id}`,
      ]);
      expect((await open('')).text).toContain('It failed.');
      await ok(caller.v1('POST', `/v1/person/${id}/idv`, { action: 'new' }));
      expectAnswer(await open(''), 410);
      expectAnswer(await open('0'), 404);
      const holder = `/v2/accounts/sub_account_holder/${caller.seed('person_holder_id')}`;
      expect((await ok(caller.v2('GET', holder))).at('person.kyc.url')).toContain('/_sandbox/checks/');
    },
  ],
  'plaid-links': [
    'and returns a contact of type `selfAch`',
    async (caller) => {
      const path = `/v1/account/${caller.seed('account_id')}`;
      const token = await ok(caller.v1('POST', `${path}/plaid-token`, {}));
      expect([token.at('linkToken'), token.at('expiresIn')]).toEqual([
        expect.stringMatching(/^link-sandbox-/),
        '14400',
      ]);
      for (const name of ['plaidToken', 'publicToken']) {
        const made = await ok(caller.v1('POST', `${path}/plaid-account`, { [name]: 'anything' }));
        expect(['type', 'name', 'ach.verified', 'ach.accountType'].map((field) => made.at(field))).toEqual([
          'selfAch',
          'Ada Lovegood',
          true,
          'personalChecking',
        ]);
      }
      expectAnswer(await caller.v1('POST', `${path}/plaid-account`, {}), 400);
      const link = (processorToken: string) =>
        caller.v1('POST', `${path}/processor-token`, { processorToken });
      expectAnswer(await link(caller.seed('processor_token')), 200, {
        type: 'selfAch',
        name: 'Ada Lovegood',
      });
      expect(refusalOf(await link('processor-sandbox-1'))).toBe('400 EC_ACCOUNT_INVALID_REQUEST');
    },
  ],
  'v2-kyc-url': [
    'The URL that the client sent with its own `verification`; otherwise a page of this server (`check-pages`)',
    async (caller) => {
      const verification = { status: 'pass', method: 'manual', url: 'https://checks.example/1' };
      const person = { first_name: 'Ida', last_name: 'Moss', id_number: '723450009' };
      const own = await ok(makeHolder(caller, { person: { ...person, kyc: undefined }, verification }));
      const none = await ok(makeHolder(caller));
      expect([own.at('person.kyc.url'), none.at('person.kyc.url')]).toEqual([verification.url, '']);
      const checked = await ok(caller.v2('POST', `/v2/accounts/sub_account_holder/${none.id()}/kyc`));
      expect(checked.at('person.kyc.url')).toContain('/_sandbox/checks/');
    },
  ],
  'mistaken-error-examples': [
    'A card without a type names the field `type`',
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
  'v1-shown-person': [
    'Beside the `businessId` or `familyId` there is always a `personId`',
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
  'v2-currency-case': [
    'Always `usd`',
    async (caller) => {
      await ok(receive(caller, 'international_wire'));
      await ok(authorize(caller));
      const words = (await list(caller, '/v2/payments/transaction')).map(({ currency }) => currency);
      expect(new Set(words)).toEqual(new Set(['usd']));
    },
  ],
  'v2-other-bank': [
    'for an incoming domestic wire it is empty',
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
  'closed-at-names': [
    'both fields exist with the same value.',
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
});
