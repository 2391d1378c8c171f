/** Rows of the register about card payments: authorizations, their ends, and refunds. */
import { expect } from 'vitest';
import { setPin } from '../../server/http/pin.ts';
import { type Answer, type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  control,
  expectAnswer,
  figures,
  holdRows,
  ok,
  onHold,
  payment,
  rows,
  setClock,
  testCard,
} from './checks.ts';

const http = useHttp();
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const held = async (caller: Caller, amount = '10.00', more: object = {}): Promise<string> =>
  (await ok(authorize(caller, amount, more))).id('transaction.id');
const shown = (answer: Answer, of = 'transaction') =>
  ['type', 'status', 'direction', 'amount'].map((field) => answer.at(`${of}.${field}`));
const set = (caller: Caller, settings: object) => ok(caller.v2('PUT', '/_sandbox/settings', settings));
const simulateCard = (caller: Caller, type: string, status: string, parent = '', amount = '10.00') =>
  caller.v2('POST', '/v2/simulate/incoming/card_issuing', {
    card_id: caller.seed('virtual_card_id'),
    amount,
    type,
    status,
    parent_transaction_id: parent,
  });

holdRows(http, 'rails', {
  'authorization-checks': [
    "The card's state and expiry, the state of its card holder, the account's state, the switch for ATMs and the PIN that an ATM requires",
    async (caller) => {
      const reasonOf = async (more: object = {}, amount = '40.00') => {
        const { id } = (await ok(authorize(caller, amount, more))).at('transaction') as { id: string };
        return (await ok(caller.v2('GET', `/_sandbox/explain/${id}`))).at('reason.code');
      };
      const machine = { atm: true, merchant: { name: 'Mill', mcc: '6011', country: 'CA' } };
      await ok(
        control(caller, {
          allowed: { countries: ['US'], merchants: ['Pier'] },
          limit: { period: 'daily', max_spend_amount: '30.00', max_spend_per_transaction: '20.00' },
        }),
      );
      const seen: unknown[] = [];
      const look = async (more: object, amount?: string) => seen.push(await reasonOf(more, amount));
      await look(machine);
      await setPin(caller);
      await look(machine);
      await look({ merchant: { name: 'Mill', mcc: '5411', country: 'US' } });
      await look({ merchant: { name: 'Pier', mcc: '5411', country: 'US' } });
      await ok(control(caller, { limit: { max_spend_per_transaction: '' } }));
      await look({ merchant: { name: 'Pier', mcc: '5411', country: 'US' } });
      await ok(caller.v2('PATCH', account(caller), { status: 'blocked' }));
      await look(machine);
      await ok(
        caller.v2('PATCH', `/v2/issuing/card_holder/${caller.seed('card_holder_id')}`, {
          status: 'suspended',
        }),
      );
      await look(machine);
      const rule = { match: { rail: 'card_authorization' }, outcome: { decline_reason: 'tooBlue' } };
      await ok(caller.v2('PUT', '/_sandbox/rules', { rules: [rule] }));
      await look(machine);
      expect(seen).toEqual([
        'pinNotSet',
        'countryNotAllowed',
        'merchantNotAllowed',
        'perTransactionLimit',
        'spendLimit',
        'accountBlocked',
        'cardInactive',
        'tooBlue',
      ]);
    },
  ],
  'card-expiry': [
    'It can be used until the end of its month in UTC. After that, purchases are declined with `cardExpired`, in the card test of v1 too',
    async (caller) => {
      const { expiry_year, expiry_month } = (
        await ok(caller.v2('GET', `/v2/issuing/card/${caller.seed('virtual_card_id')}`))
      ).body as Record<string, string>;
      const end = Date.UTC(Number(expiry_year), Number(expiry_month), 1);
      await setClock(caller, new Date(end - 1).toISOString());
      const open = await held(caller);
      await setClock(caller, new Date(end).toISOString());
      expectAnswer(await testCard(caller, { amount: '10.00' }), 200, { declineReason: 'cardExpired' });
      const declined = await held(caller);
      const why = await ok(caller.v2('GET', `/_sandbox/explain/${declined}`));
      expect([why.at('status'), why.at('reason.code')]).toEqual(['declined', 'cardExpired']);
      await ok(onHold(caller, open, 'capture'));
      const body = { reason: 'lost' };
      const old = caller.seed('virtual_card_id');
      const { id } = (await ok(caller.v2('POST', `/v2/issuing/card/${old}/replace`, body))).body as {
        id: string;
      };
      const again = await caller.v2('POST', `/_sandbox/simulate/cards/${id}/authorize`, { amount: '10.00' });
      expect(again.at('transaction.status')).toBe('pending');
    },
  ],
  'v2-simulated-decline': [
    '201 with a transaction of type `decline` in `declined`, balances unchanged',
    async (caller) => {
      expectAnswer(await simulateCard(caller, 'auth', 'pending', '', '5000.01'), 201, {
        type: 'decline',
        status: 'declined',
      });
      const controlled = await authorize(caller, '5000.01');
      expectAnswer(controlled, 201, { transaction: { type: 'decline', status: 'declined' } });
      expect(await figures(caller)).toEqual(['5000.00', '0.00', '0.00']);
    },
  ],
  'v1-card-test-decline': [
    'As the page on card testing says, it does not apply interval limits and category restrictions; ATM withdrawals are a category (`card-test-cash`). The header `x-sandbox-hint` names the control',
    async (caller) => {
      expectAnswer(await testCard(caller, { amount: '5000.01' }), 200, {
        status: 'declined',
        declineReason: 'lowBalance',
      });
      await ok(control(caller, { blocked: { categories: ['5411'], countries: ['MX'] } }));
      const abroad = await testCard(caller, { amount: '1.00', merchant: { merchantCountry: 'MX' } });
      expectAnswer(abroad, 200, { status: 'declined', declineReason: 'countryNotAllowed' });
      const approved = await testCard(caller, { amount: '1.00' });
      expectAnswer(approved, 200, { status: 'approved' });
      expect(approved.headers['x-sandbox-hint']).toContain('categoryNotAllowed');
      await set(caller, { card_controls_in_test: true });
      expectAnswer(await testCard(caller, { amount: '1.00' }), 200, { declineReason: 'categoryNotAllowed' });
    },
  ],
  'card-limit-periods': [
    "In UTC on the sandbox's clock: at midnight, on the Monday of the ISO week",
    async (caller) => {
      await ok(control(caller, { limit: { period: 'weekly', max_spend_amount: '10.00' } }));
      const statusAt = async (now: string) => {
        await setClock(caller, now);
        return (await ok(authorize(caller))).at('transaction.status');
      };
      expect([
        await statusAt('2026-11-21T18:00:00Z'),
        await statusAt('2026-11-22T23:59:59Z'),
        await statusAt('2026-11-23T00:00:00Z'),
      ]).toEqual(['pending', 'declined', 'pending']);
    },
  ],
  'merchant-matching': [
    'When the two are equal; case and surrounding spaces are ignored. Countries and categories are compared in the same way.',
    async (caller) => {
      await ok(control(caller, { allowed: { merchants: [' Harbor Books '] } }));
      const statusOf = async (name: string) =>
        (await ok(authorize(caller, '1.00', { merchant: { name } }))).at('transaction.status');
      expect([await statusOf('harbor books'), await statusOf('Harbor Books 2')]).toEqual([
        'pending',
        'declined',
      ]);
    },
  ],
  'card-test-merchant': [
    'if one field of the place is sent (city, state, country, postal code), the others are empty; a category code alone gets its name and a category name alone its code, or `""` if unknown.',
    async (caller) => {
      const merchantOf = async (merchant: object) => {
        const { id } = (await ok(testCard(caller, { amount: '1.00', txnType: 'auth', merchant }))) && {
          id: (await rows(caller))[0]?.id,
        };
        const { body } = await ok(
          caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction/${id}`),
        );
        return (body as { card: { merchant: object; authMethod: string } }).card;
      };
      const example = await merchantOf({});
      expect(example).toMatchObject({
        merchant: { merchantName: 'Corner Market', merchantCity: 'Monterey', merchantCategoryCode: '5411' },
        authMethod: 'other',
      });
      expect(await merchantOf({ merchantCity: 'Austin', merchantCategoryCode: '5942' })).toMatchObject({
        merchant: {
          merchantCity: 'Austin',
          merchantState: '',
          postalCode: '',
          merchantCategory: 'Book Stores',
        },
      });
      expect(await merchantOf({ merchantCategory: 'Bakeries' })).toMatchObject({
        merchant: { merchantCity: 'Monterey', merchantCategoryCode: '5462' },
      });
      expect(await merchantOf({ merchantCategory: 'Kites' })).toMatchObject({
        merchant: { merchantCategoryCode: '' },
      });
    },
  ],
  'card-test-cash': [
    'If the merchant category is 6011; the request has no other field for it. With `card_controls_in_test` (`v1-card-test-decline`) it is declined unless a PIN was set. The sample on the page about card tests is such a purchase with a new virtual card, and is approved.',
    async (caller) => {
      await set(caller, { card_controls_in_test: true });
      const cash = () => testCard(caller, { amount: '20.00', merchant: { merchantCategoryCode: '6011' } });
      expectAnswer(await cash(), 200, { status: 'declined', declineReason: 'pinNotSet' });
      await setPin(caller);
      expectAnswer(await cash(), 200, { status: 'approved' });
      expect((await rows(caller))[0]?.subType).toBe('atm');
    },
  ],
  'authorization-increase': [
    'A refused increase is recorded as a separate decline and leaves the authorization as it was',
    async (caller) => {
      const id = await held(caller);
      const more = await onHold(caller, id, 'increment', { amount: '5000.00' });
      expect(shown(more)).toEqual(['decline', 'declined', 'debit', '5010.00']);
      expect(await figures(caller)).toEqual(['4990.00', '0.00', '10.00']);
    },
  ],
  'reversal-refund-amounts': [
    'or a part of it, which leaves the rest on hold (`partial-reversal-amount`); more is 400.',
    async (caller) => {
      const id = await held(caller);
      expectAnswer(await onHold(caller, id, 'reverse', { amount: '10.01' }), 400);
      await ok(onHold(caller, id, 'reverse', { amount: '4.00' }));
      expect(await figures(caller)).toEqual(['4994.00', '0.00', '6.00']);
      await ok(onHold(caller, id, 'capture'));
      expectAnswer(await onHold(caller, id, 'refund', { amount: '6.01' }), 400);
      await ok(onHold(caller, id, 'refund', { amount: '6.00' }));
      expect((await payment(caller, id)).at('status')).toBe('refunded');
    },
  ],
  'card-use-day': [
    'A reversal or refund reduces the use of that day, not of the day of the refund.',
    async (caller) => {
      await ok(control(caller, { limit: { period: 'daily', max_spend_amount: '10.00' } }));
      const id = await held(caller);
      await ok(onHold(caller, id, 'capture'));
      await setClock(caller, '2026-11-21T18:00:00Z');
      await ok(authorize(caller));
      await ok(onHold(caller, id, 'refund', { amount: '10.00' }));
      expect((await ok(authorize(caller, '1.00'))).at('transaction.status')).toBe('declined');
    },
  ],
  'authorization-end': [
    'by a second transaction of type `reverse`: a credit of the amount that was still on hold, with the authorization as its parent.',
    async (caller) => {
      const id = await held(caller);
      const ended = await ok(onHold(caller, id, 'expire'));
      expect(shown(ended, 'authorization')).toEqual(['auth', 'reversed', 'debit', '10.00']);
      const list = await ok(caller.v2('GET', '/v2/payments/transaction?limit=1'));
      expect(list.at('data.0')).toMatchObject({
        type: 'reverse',
        direction: 'credit',
        amount: '10.00',
        parent_transaction_id: id,
        card: { network_settlement_at: '' },
      });
    },
  ],
  'late-clearing': [
    'It is posted as a transaction of type `adjust`, and may overdraw the account',
    async (caller) => {
      const id = await held(caller);
      await ok(onHold(caller, id, 'expire'));
      const captured = await ok(onHold(caller, id, 'capture', { amount: '5100.00' }));
      expect(shown(captured)).toEqual(['adjust', 'settled', 'debit', '5100.00']);
      expect((await ok(caller.v2('GET', account(caller)))).at('available_balance')).toBe('-100.00');
    },
  ],
  'capture-not-refused': [
    'Not for lack of money or by a control. It posts and may overdraw',
    async (caller) => {
      const id = await held(caller, '4990.00');
      await ok(control(caller, { limit: { period: 'daily', max_spend_amount: '1.00' } }));
      const captured = await ok(onHold(caller, id, 'capture', { amount: '5100.00' }));
      expect(shown(captured)).toEqual(['adjust', 'settled', 'debit', '110.00']);
      expect((await figures(caller))[0]).toBe('-100.00');
      await ok(onHold(caller, id, 'refund', { amount: '5100.00' }));
    },
  ],
  'refund-of-held': [
    'While nothing was captured it answers 409',
    async (caller) => {
      expectAnswer(await onHold(caller, await held(caller), 'refund', { amount: '1.00' }), 409);
    },
  ],
  'simulated-card-pairs': [
    'Other combinations are 400, and so is a parent that is missing, finished, or of another card.',
    async (caller) => {
      const auth = await ok(simulateCard(caller, 'auth', 'pending'));
      expect(auth.at('card.auth_method')).toBe('online');
      expect(auth.at('description')).toBe(auth.at('card.merchant'));
      expectAnswer(await simulateCard(caller, 'adjust', 'pending', auth.id()), 400);
      expectAnswer(await simulateCard(caller, 'adjust', 'settled'), 400);
      const less = await ok(simulateCard(caller, 'adjust', 'settled', auth.id(), '8.00'));
      expect([less.at('direction'), less.at('amount')]).toEqual(['credit', '2.00']);
      const promised = await ok(simulateCard(caller, 'refund', 'pending', less.id(), '8.00'));
      expect((await figures(caller))[0]).toBe('5000.00');
      await ok(simulateCard(caller, 'refund', 'settled', promised.id(), '8.00'));
      expect((await payment(caller, auth.id())).at('status')).toBe('refunded');
    },
  ],
  'partial-reversal-amount': [
    'the control plane shows it as `held`',
    async (caller) => {
      const id = await held(caller);
      await ok(onHold(caller, id, 'reverse', { amount: '4.00' }));
      expect((await payment(caller, id)).at('amount')).toBe('10.00');
      const { body } = await ok(caller.v2('GET', `/_sandbox/explain/${id}`));
      expect(JSON.stringify(body)).toMatch(/"held":"6\.00"/);
    },
  ],
  'card-test-capture': [
    'and on `manual` only by a simulation. `POST /_sandbox/clock/settle` also captures it. A hold of v2 or the control plane waits for its capture.',
    async (caller) => {
      await ok(testCard(caller, { amount: '5.00' }));
      expect((await rows(caller))[0]?.status).toBe('settled');
    },
  ],
  'refund-money': [
    'it is in `available_balance` and never in `pending_credits`',
    async (caller) => {
      const auth = await ok(simulateCard(caller, 'auth', 'settled'));
      await ok(simulateCard(caller, 'refund', 'pending', auth.id(), '10.00'));
      expect(await figures(caller)).toEqual(['5000.00', '0.00', '0.00']);
    },
  ],
  'cash-withdrawal-needs': [
    'A replacement card has no PIN. Without a PIN the withdrawal is declined with the reason `pinNotSet`',
    async (caller) => {
      const card = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
      await setPin(caller);
      const cash = (id: string) =>
        caller.v2('POST', `/_sandbox/simulate/cards/${id}/authorize`, { amount: '5.00', atm: true });
      expect((await cash(caller.seed('virtual_card_id'))).at('transaction.status')).toBe('pending');
      const other = await ok(caller.v2('POST', `${card}/replace`, { reason: 'lost' }));
      const declined = await cash(other.id());
      expect(declined.at('transaction.status')).toBe('declined');
      const explained = await caller.v2('GET', `/_sandbox/explain/${declined.id('transaction.id')}`);
      expect(explained.text).toContain('pinNotSet');
      const test = { amount: '5.00', merchant: { merchantCategoryCode: '6011' } };
      const path = `/v1/card/${other.id()}/test`;
      expectAnswer(await caller.v1('POST', path, test), 200, { status: 'approved' });
      await ok(caller.v2('PUT', '/_sandbox/settings', { card_controls_in_test: true }));
      expectAnswer(await caller.v1('POST', path, test), 200, { declineReason: 'pinNotSet' });
    },
  ],
});
