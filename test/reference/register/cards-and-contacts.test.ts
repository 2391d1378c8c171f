/** Rows of the register about cards, counterparties, and the form of payments in v1. */
import { describe, expect } from 'vitest';
import { type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  control,
  expectAnswer,
  figures,
  holdRows,
  kindsReceived,
  makeBusiness,
  ok,
  originate,
  payee,
  payment,
  refusalOf,
  rows,
  setClock,
  simulate,
} from './checks.ts';

const http = useHttp();
const NOBODY = '0'.repeat(32);
const account1 = (caller: Caller) => `/v1/account/${caller.seed('account_id')}`;
const contact = (caller: Caller) => `/v1/contact/${caller.seed('contact_id')}`;
const counterparty = (caller: Caller) => `/v2/payments/counterparty/${caller.seed('ach_counterparty_id')}`;
const card2 = (caller: Caller, name = 'virtual_card_id') => `/v2/issuing/card/${caller.seed(name)}`;
const asPerson = (caller: Caller) => ({ 'sd-person-id': caller.seed('person_id') });
const open = (caller: Caller, holder = caller.seed('person_holder_id')) =>
  caller.v2('POST', '/v2/accounts/sub_account', { sub_account_holder_id: holder, type: 'cash' });
const openV1 = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/account', { label: 'x', acceptedTerms: true, ...body }, asPerson(caller));
const makeCard = (caller: Caller, body: object = {}) =>
  caller.v2('POST', '/v2/issuing/card', {
    card_holder_id: caller.seed('card_holder_id'),
    type: 'virtual',
    ...body,
  });
const SHIP = {
  type: 'physical',
  card_fulfilment: {
    embossing: { card_holder_name: 'ADA LOVEGOOD' },
    shipping_address: {
      line1: '1 Quay Street',
      city: 'Astoria',
      state: 'OR',
      country: 'US',
      postal_code: '97103',
    },
  },
};
const addContact = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/contact', { accountId: caller.seed('account_id'), name: 'Pier', ...body });
const ACH = { accountNumber: '000777', routingNumber: '021000021', accountType: 'businessChecking' };

holdRows(http, 'behaviour', {
  'card-status-changes': [
    'A client can open, block and close a card; `closed` is final. An update of v2 that changes nothing, such as the current status, is refused. A closed card refuses another status and any controls (400 in v2, 409 in v1), and an update does not open a card that waits for activation: v2 refuses any status for it.',
    async (caller) => {
      const waits = await ok(makeCard(caller, SHIP));
      expect(waits.at('status')).toBe('locked');
      expectAnswer(await caller.v1('GET', `/v1/card/${waits.id()}`), 200, {
        cardStatus: 'pendingActivation',
      });
      expectAnswer(await caller.v2('PATCH', `/v2/issuing/card/${waits.id()}`, { status: 'open' }), 400);
      await ok(caller.v2('PATCH', card2(caller), { status: 'closed' }));
      expectAnswer(await caller.v2('PATCH', card2(caller), { status: 'closed' }), 400);
      expectAnswer(await caller.v2('PATCH', card2(caller), { status: 'open' }), 400);
      expectAnswer(await control(caller, { atm_enabled: 'false' }), 400);
    },
  ],
  'card-replacement': [
    'It creates a new card with a new number and closes the old one; a new physical card waits for its activation.',
    async (caller) => {
      const before = await ok(caller.v2('GET', card2(caller)));
      const other = await ok(caller.v2('POST', `${card2(caller)}/replace`, { reason: 'lost' }));
      expect(other.id()).not.toBe(before.id());
      expectAnswer(await caller.v2('GET', card2(caller)), 200, { status: 'closed' });
      expect(other.at('status')).toBe('open');
    },
  ],
  'one-control-list': [
    'Not for merchants and not for categories: 400. The state after the change counts. The same holds for countries, which no page mentions.',
    async (caller) => {
      await ok(control(caller, { allowed: { categories: ['5411'] } }));
      expectAnswer(await control(caller, { blocked: { categories: ['5412'] } }), 400);
      expectAnswer(
        await control(caller, { allowed: { categories: [] }, blocked: { categories: ['5412'] } }),
        200,
      );
      const both = { allowed: { countries: ['US'] }, blocked: { countries: ['CA'] } };
      expectAnswer(await control(caller, both), 400);
    },
  ],
  'controls-update': [
    'Only what it contains: a list as a whole, a limit field by field. Everything else stays.',
    async (caller) => {
      await ok(
        control(caller, {
          allowed: { merchants: ['A', 'B'] },
          limit: { period: 'daily', max_spend_amount: '9.00', max_spend_count: '3' },
        }),
      );
      await ok(control(caller, { limit: { max_spend_amount: '8.00' } }));
      const changed = await ok(control(caller, { allowed: { merchants: ['C'] } }));
      expect(changed.at('controls')).toMatchObject({
        allowed: { merchants: ['C'] },
        limit: { period: 'daily', max_spend_amount: '8.00', max_spend_count: '3' },
      });
    },
  ],
  'deleted-things': [
    'A deleted contact of v1 is `deleted`, readable, and refuses an update with 404',
    async (caller) => {
      await ok(caller.v1('DELETE', contact(caller)));
      expectAnswer(await caller.v1('GET', contact(caller)), 200, { status: 'deleted' });
      expectAnswer(await caller.v1('PATCH', contact(caller), { name: 'x' }), 404);
    },
  ],
  'account-card-numbers': [
    'Accounts: `95000000` and 8 digits. Cards: `40000200` and 8 digits',
    async (caller) => {
      expect((await ok(open(caller))).at('account_number')).toMatch(/^95000000\d{8}$/);
      const token = (await ok(caller.v2('POST', `${card2(caller)}/show_token`))).id('show_token');
      const shown = await ok(http.call('GET', `${card2(caller)}/show`, { headers: { 'show-token': token } }));
      expect(JSON.stringify(shown.body)).toMatch(/"40000200\d{8}"/);
    },
  ],
  'new-card-defaults': [
    'a validity of four years, no limits, and ATMs switched on',
    async (caller) => {
      expectAnswer(await makeCard(caller), 201, {
        expiry_year: '2030',
        expiry_month: '11',
        controls: { atm_enabled: 'true', limit: { period: '', max_spend_amount: '' } },
      });
    },
  ],
  'contact-update': [
    "`accountId` may be sent if it is the contact's own, otherwise 400.",
    async (caller) => {
      const change = (body: object) => caller.v1('PATCH', contact(caller), body);
      expectAnswer(await change({ accountId: caller.seed('account_id') }), 200);
      expectAnswer(await change({ accountId: caller.seed('other_sub_account_id') }), 400);
      const first = (await ok(caller.v1('GET', contact(caller)))).at('label');
      expectAnswer(await change({ label: 'Other', name: 'New' }), 200, { label: first, name: 'New' });
      expectAnswer(await change({ ach: null }), 200, { ach: null });
    },
  ],
  'counterparty-in-bank': [
    'A refused account and an unknown number are 400.',
    async (caller) => {
      const own = (accountId: string) => addContact(caller, { intrabank: { accountId } });
      const within = (accountNumber: string) => addContact(caller, { intrabank: { accountNumber } });
      expect(refusalOf(await own(caller.seed('account_id')))).toMatch(/^400 EC_CONTACT_INVALID_SELF/);
      expect(refusalOf(await within('9500000099999999'))).toBe('400 EC_CONTACT_INVALID_INTRABANK_ACCOUNT');
      const second = (await ok(openV1(caller))).id();
      expectAnswer(await addContact(caller, { type: 'others', intrabank: { accountId: second } }), 400);
    },
  ],
  'routing-number-banks': [
    'for any other valid number the name is empty.',
    async (caller) => {
      const named = async (routingNumber: string) =>
        (await ok(addContact(caller, { ach: { ...ACH, routingNumber } }))).at('ach.bankName');
      expect([await named('021000021'), await named('123456780')]).toEqual(['JPMorgan Chase', '']);
    },
  ],
  'bank-numbers': [
    'The look-up answers 200 for every valid number. `bank_name` is empty for an unknown bank',
    async (caller) => {
      const look = (query: string) => caller.v2('GET', `/v2/payments/counterparty/bank?${query}`);
      expectAnswer(await look('type=aba&routing_number=021214189'), 200, { bank_name: 'ConnectOne Bank' });
      expectAnswer(await look('type=aba&routing_number=123456780'), 200, { bank_name: '' });
      expectAnswer(await look('type=aba&routing_number=021214188'), 400);
      const sender = { amount: '1.00', txnType: 'credit', senderRoutingNumber: '123456789' };
      expectAnswer(await caller.v1('POST', `/v1/account/${caller.seed('account_id')}/test/ach`, sender), 200);
    },
  ],
  'counterparty-needs': [
    'A missing or unknown `type` is 400 `type must be properly set` without a field name',
    async (caller) => {
      const made = await caller.v2('POST', '/v2/payments/counterparty', {
        sub_account_id: caller.seed('sub_account_id'),
        type: 'ghost',
      });
      expectAnswer(made, 400, { error: { message: 'type must be properly set', field_name: '' } });
    },
  ],
  'counterparty-name': [
    'The name follows a change of the person or business unless v1 has set another. A contact of v1 has neither person nor business in v2 until v2 sets one; `type` is then `person`. The default label is the name.',
    async (caller) => {
      const { id } = (await ok(addContact(caller))).body as { id: string };
      const shown = await ok(caller.v2('GET', `/v2/payments/counterparty/${id}`));
      expect(shown.body).toMatchObject({ type: 'person', person: null, business: null, label: 'Pier' });
    },
  ],
  'counterparty-kept-fields': [
    "v1's name, email, phone, card address",
    async (caller) => {
      await ok(caller.v1('PATCH', contact(caller), { email: 'pay@harbor.example', phone: '+15035550188' }));
      await ok(caller.v2('PATCH', counterparty(caller), { label: 'New', purpose: 'Rent' }));
      expectAnswer(await caller.v1('PATCH', contact(caller), { name: 'Harbor' }), 200, {
        email: 'pay@harbor.example',
        phone: '+15035550188',
      });
      expectAnswer(await caller.v2('GET', counterparty(caller)), 200, { purpose: 'Rent' });
    },
  ],
  'own-account-counterparty': [
    'and v1 shows it as a contact of type `selfIntrabank`.',
    async (caller) => {
      const { id } = (await ok(open(caller))).body as { id: string };
      const add = (sub_account_id: string) =>
        caller.v2('POST', '/v2/payments/counterparty', {
          sub_account_id: caller.seed('sub_account_id'),
          type: 'person',
          person: { first_name: 'Ada', last_name: 'Lovegood' },
          intra_account: { sub_account_id },
        });
      const own = await ok(add(id));
      expectAnswer(await caller.v1('GET', `/v1/contact/${own.id()}`), 200, { type: 'selfIntrabank' });
      expectAnswer(await add(caller.seed('sub_account_id')), 400);
    },
  ],
  'debit-card-kept': [
    'The code is never stored and is shown empty. `pull_enabled` and `push_enabled` are always true',
    async (caller) => {
      const shown = await ok(caller.v2('GET', `/v2/payments/counterparty/${await payee(caller)}`));
      expect(shown.at('debit_card')).toMatchObject({
        last4: '5556',
        cvv: '',
        card_number: expect.stringMatching(/^tok_test_[0-9a-f]{32}$/),
        pull_enabled: 'true',
        push_enabled: 'true',
      });
    },
  ],
  'v1-debit-card-token': [
    'answers 201 with a token for that contact, valid once and for five minutes.',
    async (caller) => {
      const made = await caller.v1('POST', `${contact(caller)}/debitcard/token`);
      expectAnswer(made, 201);
      const headers = { 'sd-debitcard-token': made.id('debitCardToken') };
      const debitCard = { cardNumber: '4000056655665556', expiryMonth: '04', expiryYear: '2030', cvv: '123' };
      const address = { line1: '9 Pier', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' };
      const send = (body: object) => http.call('PATCH', `${contact(caller)}/debitcard`, { body, headers });
      expectAnswer(await send({ debitCard: { ...debitCard, expiryMonth: '13', address } }), 400);
      expectAnswer(await send({ debitCard: { ...debitCard, address } }), 200, {
        id: caller.seed('contact_id'),
      });
      expectAnswer(await send({ debitCard: { ...debitCard, address } }), 401);
    },
  ],
  'bank-account-verification': [
    'An account that v1 sets is not verified.',
    async (caller) => {
      const { id } = (await ok(addContact(caller, { ach: ACH }))).body as { id: string };
      const shown = await ok(caller.v2('GET', `/v2/payments/counterparty/${id}`));
      expect(shown.at('ach.verification_status')).toBe('review');
      const own = await ok(caller.v2('GET', `/v2/payments/counterparty/${await payee(caller)}`));
      expect([own.at('ach.verification_status'), own.at('rtp.verification_status')]).toEqual([
        'pass',
        'pass',
      ]);
    },
  ],
  'contact-deletion': [
    '`{id, status: "deleted"}`. The contact is in the lists of v1 under `status=deleted` only, and a second deletion is 404',
    async (caller) => {
      await caller.listen();
      const id = caller.seed('contact_id');
      expect((await caller.v1('DELETE', contact(caller))).body).toEqual({ id, status: 'deleted' });
      expectAnswer(await caller.v1('DELETE', contact(caller)), 404);
      expectAnswer(await caller.v1('GET', '/v1/contact?status=deleted'), 200, { data: [{ id }] });
      expectAnswer(await caller.v2('GET', counterparty(caller)), 200, { status: 'deactivated' });
      expectAnswer(await caller.v2('PATCH', counterparty(caller), { label: 'x' }), 404);
      const events = await kindsReceived(caller);
      expect(events).toEqual({ v1: ['contact.updated'], v2: ['counterparty.status.deactivated'] });
    },
  ],
  'card-holder-status': [
    'Unless it is activated, it gets no card (400)',
    async (caller) => {
      const path = `/v2/issuing/card_holder/${caller.seed('card_holder_id')}`;
      expectAnswer(await caller.v2('PATCH', path, { status: 'pending_activation' }), 400);
      await ok(caller.v2('PATCH', path, { status: 'suspended' }));
      expectAnswer(await makeCard(caller), 400);
      expectAnswer(await caller.v2('GET', card2(caller)), 200, { status: 'open' });
    },
  ],
  'v1-card-person': [
    "without the header for the account's person, or the person who made the business.",
    async (caller) => {
      const make = (accountId: string, headers = {}) =>
        caller.v1('POST', '/v1/card', { accountId, cardType: 'virtual' }, headers);
      const own = await make(caller.seed('account_id'));
      expectAnswer(own, 201, { createdPersonId: caller.seed('person_id') });
      const { id } = (await ok(makeBusiness(caller))).body as { id: string };
      await ok(caller.v2('POST', `/_sandbox/simulate/holders/${id}/pass`));
      const account = (await ok(open(caller, id))).id();
      expect(refusalOf(await make(account))).toBe('400 EC_PERSON_ID_HEADER_REQUIRED');
      expectAnswer(await make(account, asPerson(caller)), 201, { createdPersonId: caller.seed('person_id') });
    },
  ],
  'card-creation-needs': [
    'The name on a card has at most 23 characters and no forbidden ones',
    async (caller) => {
      const named = (name: string) =>
        makeCard(caller, {
          ...SHIP,
          card_fulfilment: { ...SHIP.card_fulfilment, embossing: { card_holder_name: name } },
        });
      expectAnswer(await makeCard(caller, { type: 'physical', card_fulfilment: undefined }), 201, {
        card_fulfilment: { shipping_address: null },
      });
      expectAnswer(await named('A'.repeat(24)), 400);
      const made = await named('A'.repeat(23));
      expectAnswer(made, 201);
      const activate = (body: object) => caller.v2('PATCH', `/v2/issuing/card/${made.id()}/activate`, body);
      const { expiry_month, expiry_year, last4 } = made.body as Record<string, string>;
      expectAnswer(
        await activate({ expiry_month, expiry_year, last4: last4 === '0000' ? '1111' : '0000' }),
        400,
      );
      expectAnswer(await activate({ expiry_month, expiry_year, last4 }), 200, { status: 'open' });
      expectAnswer(await activate({ expiry_month, expiry_year, last4 }), 400);
    },
  ],
  'replacement-carries-over': [
    'v1 sends `card.replaced` with the old card, canceled, so that a client finds it by its id. v2 sends `card.status.closed` of the old one and `card.created` of the new one',
    async (caller) => {
      await caller.listen();
      await ok(caller.v2('POST', `${card2(caller)}/replace`, { reason: 'lost' }));
      const { v1, v2 } = await caller.receivedEvents();
      expect(v1).toMatchObject([
        { kind: 'card.replaced', record: { id: caller.seed('card_id'), cardStatus: 'canceled' } },
      ]);
      expect(v2.map(({ kind }) => kind).sort()).toEqual([
        'card.created',
        'card.status.closed',
        'card.status.open',
      ]);
    },
  ],
  'v1-one-card-limit': [
    '`availableLimit` is what is left of an all-time limit, and `""` for any other',
    async (caller) => {
      const path = `/v1/card/${caller.seed('card_id')}`;
      const set = (limitAmount: string, limitInterval: string) =>
        caller.v1('PATCH', path, { limitAmount, limitInterval });
      expectAnswer(await set('50.00', 'allTime'), 200, { availableLimit: '50.00' });
      await ok(authorize(caller));
      expectAnswer(await caller.v1('GET', path), 200, { availableLimit: '40.00' });
      expectAnswer(await set('50.00', 'daily'), 200, { availableLimit: '' });
      expectAnswer(await set('', 'daily'), 400);
      expectAnswer(await set('', ''), 200, { limitAmount: '', limitInterval: '' });
    },
  ],
  'card-provision': [
    'v1 sends `card.wallet.created` each time; v2 has no kind for it',
    async (caller) => {
      await caller.listen();
      const body = { wallet: 'applePay', applePay: { deviceCert: 'x', nonce: 'x', nonceSignature: 'x' } };
      await ok(caller.v1('POST', `/v1/card/${caller.seed('card_id')}/provision`, body));
      expect(await kindsReceived(caller)).toEqual({ v1: ['card.wallet.created'], v2: [] });
    },
  ],
  'cash-machines': [
    'About two dozen invented ATMs, at real places in seven cities of the United States. It returns the ten nearest, nearest first. `offset` and `limit` page through those ten, as an app of the platform sends them; for an unknown `cardId` the list is empty.',
    async (caller) => {
      const cities = new Set<unknown>();
      const machines = new Set<string>();
      for (const [latitude, longitude] of [
        [45.5, -122.7],
        [37.8, -122.4],
        [34.1, -118.2],
        [39.7, -105],
        [30.3, -97.7],
        [41.9, -87.6],
        [40.7, -74],
      ]) {
        const near = await ok(caller.v1('GET', `/v1/card/atm?latitude=${latitude}&longitude=${longitude}`));
        const data = near.at('data') as { name: string; distance: number; address: { city: string } }[];
        expect(data).toHaveLength(10);
        expect(data.map(({ distance }) => distance)).toEqual(
          data.map(({ distance }) => distance).sort((a, b) => a - b),
        );
        for (const { name, address } of data) {
          cities.add(address.city);
          machines.add(`${name} ${address.city}`);
        }
      }
      expect([cities.size, machines.size]).toEqual([7, 24]);
      const here = '/v1/card/atm?latitude=45.5&longitude=-122.7';
      const names = async (more: string): Promise<unknown[]> => {
        const found = (await ok(caller.v1('GET', `${here}${more}`))).at('data') as { name: string }[];
        return found.map(({ name }) => name);
      };
      const all = await names('');
      expect(await names('&offset=2&limit=3')).toEqual(all.slice(2, 5));
      expect(await names(`&cardId=${caller.seed('card_id')}`)).toEqual(all);
      expect(await names(`&cardId=crd-${NOBODY}`)).toEqual([]);
    },
  ],
  'v1-transfer-status': [
    'Wires, ACH pulls, debit pushes and debit pulls are `pending`, a check deposit `waitingForFiles`',
    async (caller) => {
      const contactId = await payee(caller);
      const statuses: Record<string, unknown> = {};
      for (const path of ['send/intrabank', 'send/ach', 'send/check', 'send/wire', 'send/debitpush']) {
        const type = { 'send/wire': 'domestic', 'send/check': 'physical' }[path];
        statuses[path] = (await ok(pay(caller, path, { contactId, ...(type && { type }) }))).at('status');
      }
      for (const path of ['receive/ach', 'receive/check', 'receive/debitpull']) {
        statuses[path] = (await ok(pay(caller, path, { contactId }))).at('status');
      }
      expect(statuses).toEqual({
        'send/intrabank': 'completed',
        'send/ach': 'completed',
        'send/check': 'completed',
        'send/wire': 'pending',
        'send/debitpush': 'pending',
        'receive/ach': 'pending',
        'receive/check': 'waitingForFiles',
        'receive/debitpull': 'pending',
      });

      const pull = await ok(pay(caller, 'receive/ach', { contactId, amount: '1.00' }));
      const listed = `${account1(caller)}/transaction?transferId=${pull.id()}`;
      const row = async () =>
        (await ok(caller.v1('GET', listed))).at('data.0') as { id: string; status: string };
      const { id } = await row();
      for (const [event, status] of [
        ['settle', 'completed'],
        ['return', 'declined'],
      ]) {
        await ok(simulate(caller, id, event ?? ''));
        expectAnswer(await caller.v1('GET', `/v1/receive/ach/${pull.id()}`), 200, { status });
      }
      expect((await row()).status).toBe('settled');
    },
  ],
  'bad-check-address': [
    'the money is credited with `check.reversal.credit`, and the transfer stays `completed` with that `reviewCode`',
    async (caller) => {
      const rule = {
        match: { rail: 'check_send' },
        outcome: { decline_reason: 'invalidCheckAddress', after: 'P1D' },
      };
      await ok(caller.v2('PUT', '/_sandbox/rules', { rules: [rule] }));
      await caller.listen();
      const sent = await ok(pay(caller, 'send/check', { contactId: await payee(caller) }));
      await setClock(caller, '2026-11-21T18:00:00Z');
      expectAnswer(await caller.v1('GET', `/v1/send/check/${sent.id()}`), 200, {
        status: 'completed',
        reviewCode: 'invalidCheckAddress',
        reviewMessage: 'invalid check address',
      });
      expect((await kindsReceived(caller)).v1).toContain('check.reversal.credit');
    },
  ],
  'v1-ach-test': [
    'The sender is `Test Sender`, without a bank, unless it is named',
    async (caller) => {
      const test = (body: object) => caller.v1('POST', `${account1(caller)}/test/ach`, body);
      const made = await test({ amount: '10.00', txnType: 'credit' });
      expectAnswer(made, 200, { status: 'settled', amount: '10.00' });
      expect(JSON.stringify(made.body)).toContain('Test Sender');
      await caller.listen();
      expectAnswer(await test({ amount: '9000.00', txnType: 'debit' }), 200, { status: 'declined' });
      expect((await kindsReceived(caller)).v1).toEqual(['ach.received.declined']);
      expect((await figures(caller))[0]).toBe('5010.00');
    },
  ],
  'v1-send-card': [
    'sends `solidcard.originated.debit` and `solidcard.delivered` with the card',
    async (caller) => {
      const added = await ok(
        addContact(caller, { email: 'p@pier.example', card: { address: CARD_ADDRESS } }),
      );
      await caller.listen();
      const sent = await ok(pay(caller, 'send/card', { contactId: added.id() }));
      const card = sent.at('card') as Record<string, unknown>;
      expect(card).toMatchObject({ limitAmount: '5.00', limitInterval: 'allTime', cardType: 'virtual' });
      expect((await kindsReceived(caller)).v1).toEqual(
        expect.arrayContaining(['solidcard.originated.debit', 'solidcard.delivered']),
      );
      await ok(caller.v1('DELETE', `/v1/card/${card.id}`));
      expect((await kindsReceived(caller)).v1).toEqual(
        expect.arrayContaining(['solidcard.canceled', 'solidcard.reversal.credit']),
      );
      expect((await figures(caller))[0]).toBe('5000.00');
    },
  ],
  'card-bin': [
    'v2 has no such field and creates `debit` cards.',
    async (caller) => {
      const make = (bin?: string) =>
        caller.v1('POST', '/v1/card', { accountId: caller.seed('account_id'), cardType: 'virtual', bin });
      const credit = await make('credit');
      expectAnswer(credit, 201, { bin: 'credit' });
      expectAnswer(await make(), 201, { bin: 'debit' });
      expectAnswer(await make('gold'), 400);
      const other = await ok(caller.v1('POST', `/v1/card/${credit.id()}/replace`, { reason: 'lost' }));
      expect(other.at('bin')).toBe('credit');
      const { id } = (await ok(makeCard(caller))).body as { id: string };
      expectAnswer(await caller.v1('GET', `/v1/card/${id}`), 200, { bin: 'debit' });
    },
  ],
  'v1-debit-push': [
    'The money leaves the account at once, and the transfer is `completed` in the next step',
    async (caller) => {
      const sent = await ok(pay(caller, 'send/debitpush', { contactId: await payee(caller) }));
      expect(await figures(caller)).toEqual(['4995.00', '0.00', '5.00']);
      await ok(simulate(caller, sent.id(), 'settle'));
      expectAnswer(await caller.v1('GET', `/v1/send/debitpush/${sent.id()}`), 200, { status: 'completed' });
      expect((await rows(caller))[0]).toMatchObject({ transferType: 'debitCard', subType: 'push' });
      expectAnswer(await pay(caller, 'send/debitpush'), 400);
    },
  ],
});

const CARD_ADDRESS = {
  addressType: 'card',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};

/** Originates 5.00 in v1. */
function pay(caller: Caller, path: string, more: object = {}) {
  return caller.v1('POST', `/v1/${path}`, {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount: '5.00',
    description: 'x',
    ...more,
  });
}

describe('a payment', () => {
  holdRows(http, 'behaviour', {
    'v1-transactions': [
      'Every transaction of an account except declined card payments, which have a separate list',
      async (caller) => {
        await ok(caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' }));
        await ok(authorize(caller, '9999.00'));
        expect(await rows(caller)).toHaveLength(1);
        const declined = await ok(caller.v1('GET', `/v1/card/${caller.seed('card_id')}/declined`));
        expect(declined.at('total')).toBe(1);
        const { id } = (await ok(originate(caller, { amount: '9999.00' }))).body as { id: string };
        expect((await payment(caller, id)).at('status')).toBe('declined');
        expect((await rows(caller))[0]).toMatchObject({ status: 'declined', balance: '5000.00' });
      },
    ],
    'v1-batch': [
      '`GET /_sandbox/explain/{batchId}` lists it.',
      async (caller) => {
        const item = (sequence: string, amount: string) => ({
          sequence,
          api: 'send',
          accountId: caller.seed('account_id'),
          contactId: caller.seed('intra_counterparty_id'),
          amount,
          description: 'x',
        });
        const data = [item('1', '5.00'), item('2', '9000.00')];
        const batch = await ok(caller.v1('POST', '/v1/batch/intrabank', { data }));
        expect(batch.at('status')).toBe('submitted');
        expect((await figures(caller))[0]).toBe('4995.00');
        expectAnswer(await caller.v2('GET', `/_sandbox/explain/${batch.id('batchId')}`), 200, {
          kind: 'batch',
        });
      },
    ],
  });
});
