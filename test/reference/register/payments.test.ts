/** Rows of the register about payments: holds and postings, times, and returns. */
import { describe, expect } from 'vitest';
import { CHECK_IMAGE } from '../../../src/bank/api/v2/examples.ts';
import { type Answer, type Caller, useHttp } from '../../server/http/support.ts';
import {
  authorize,
  expectAnswer,
  figures,
  holdRows,
  kindsReceived,
  ok,
  onHold,
  originate,
  payee,
  payment,
  receive,
  refusalOf,
  rows,
  setClock,
  simulate,
  testCard,
} from './checks.ts';

const http = useHttp();
const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;
const held = async (caller: Caller, amount = '10.00', more: object = {}): Promise<string> =>
  (await ok(authorize(caller, amount, more))).id('transaction.id');
const incoming = async (caller: Caller, rail: string, more: object = {}): Promise<string> =>
  (await ok(receive(caller, rail, more))).id('transaction.id');
const set = (caller: Caller, settings: object) => ok(caller.v2('PUT', '/_sandbox/settings', settings));
const order = (caller: Caller, path: string, amount: string, more: object = {}) =>
  caller.v1('POST', path, {
    accountId: caller.seed('account_id'),
    contactId: caller.seed('contact_id'),
    amount,
    description: 'x',
    ...more,
  });

holdRows(http, 'rails', {
  'too-little-money': [
    '400, and nothing is created and no event is sent: `ERROR_CODE_INSUFFICIENT_BALANCE` in v2',
    async (caller) => {
      await caller.listen();
      expect(refusalOf(await originate(caller, { amount: '5000.01' }))).toBe(
        '400 ERROR_CODE_INSUFFICIENT_BALANCE amount',
      );
      expect((await kindsReceived(caller)).v2).toEqual([]);
      await ok(caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' }));
      expectAnswer(await originate(caller, { amount: '5000.01' }), 201, { status: 'declined' });
      expect((await kindsReceived(caller)).v2).toContain('transaction.status.declined');
      expectAnswer(await order(caller, '/v1/send/ach', '500.01'), 201);
      expectAnswer(await order(caller, '/v1/send/wire', '4999.00', { type: 'domestic' }), 400);
      expect(await figures(caller)).toEqual(['4499.99', '0.00', '500.01']);
    },
  ],
  'unfit-payment-side': [
    'is 400: v2 names the field. A counterparty that was deleted is 404',
    async (caller) => {
      expect(refusalOf(await originate(caller, {}, 'domestic_wire/push'))).toBe(
        '400 ERROR_CODE_INVALID_FIELD counterparty_id',
      );
      await ok(caller.v2('PATCH', account(caller), { status: 'debit_blocked' }));
      expect(refusalOf(await originate(caller))).toBe(
        '400 ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN sub_account_id',
      );
      await ok(caller.v2('PATCH', account(caller), { status: 'open' }));
      await ok(caller.v1('DELETE', `/v1/contact/${caller.seed('contact_id')}`));
      expectAnswer(await originate(caller), 404);
    },
  ],
  'incoming-money-pending': [
    'It is in `pending_credits` until the payment settles',
    async (caller) => {
      const id = await incoming(caller, 'ach_push');
      expect(await figures(caller)).toEqual(['5000.00', '25.00', '0.00']);
      await ok(simulate(caller, id, 'settle'));
      expect(await figures(caller)).toEqual(['5025.00', '0.00', '0.00']);
    },
  ],
  'outgoing-money-pending': [
    'it moves from `available_balance` to `pending_debits`, and leaves those at settlement, return or cancellation',
    async (caller) => {
      const [first, second] = [(await ok(originate(caller))).id(), (await ok(originate(caller))).id()];
      expect(await figures(caller)).toEqual(['4950.00', '0.00', '50.00']);
      await ok(simulate(caller, first, 'settle'));
      await ok(simulate(caller, second, 'cancel'));
      expect(await figures(caller)).toEqual(['4975.00', '0.00', '0.00']);
    },
  ],
  'return-may-overdraw': [
    'and the balance is negative until money comes in.',
    async (caller) => {
      const id = await incoming(caller, 'ach_push');
      await ok(simulate(caller, id, 'settle'));
      const spent = await ok(originate(caller, { amount: '5020.00' }));
      await ok(simulate(caller, id, 'return'));
      expect((await figures(caller))[0]).toBe('-20.00');
      await ok(simulate(caller, spent.id(), 'cancel'));

      const within = await ok(originate(caller, { amount: '10.00' }, 'intra_account/pull'));
      await ok(originate(caller, { amount: '5010.00' }));
      await ok(simulate(caller, within.id(), 'reverse'));
      expect((await figures(caller))[0]).toBe('-10.00');
    },
  ],
  'banking-days': [
    'one on a Saturday leaves the Friday open, so 3 July 2026 is a banking day',
    async (caller) => {
      const works = async (date: string) =>
        (await ok(caller.v2('GET', `/_sandbox/calendar?from=${date}&to=${date}`))).at('days.0.banking_day');
      // The 4th of July 2027 is a Sunday.
      expect([await works('2026-07-03'), await works('2026-07-04'), await works('2027-07-05')]).toEqual([
        true,
        false,
        false,
      ]);
    },
  ],
  'v1-magic-amounts': [
    'A pull of 50.00 to 99.99 is returned with R01, one of 100.00 or more is declined before it is sent',
    async (caller) => {
      const end = async (path: string, amount: string) => {
        const { id } = (await ok(order(caller, path, amount, { type: 'nextDay' }))).body as { id: string };
        const { body } = await ok(caller.v2('GET', `/_sandbox/explain/${id}`));
        return /(?:return|decline) \w+|ordinary steps/.exec(JSON.stringify(body))?.[0];
      };
      expect([
        await end('/v1/receive/ach', '50.00'),
        await end('/v1/receive/ach', '99.99'),
        await end('/v1/receive/ach', '100.00'),
        await end('/v1/send/ach', '99.99'),
        await end('/v1/send/ach', '1100.00'),
      ]).toEqual([
        'return R01',
        'return R01',
        'decline transferLimitExceeded',
        'return R03',
        'decline sendLimitExceeded',
      ]);
      await set(caller, { magic_values: false });
      expect(await end('/v1/receive/ach', '100.00')).not.toMatch(/decline/);
    },
  ],
  'other-rails-timing': [
    'on ACH and wires by v2 and by the control plane, on RTP and FedNow by the control plane alone',
    async (caller) => {
      for (const rail of ['rtp', 'fednow', 'domestic_wire', 'international_wire', 'ach_push']) {
        expectAnswer(await receive(caller, rail), 201, { transaction: { status: 'received' } });
      }
      for (const rail of ['ach/push', 'domestic_wire', 'international_wire', 'rtp', 'fednow']) {
        const body = {
          sub_account_id: caller.seed('sub_account_id'),
          amount: '1.00',
          counterparty: { name: 'x' },
        };
        const { status } = await caller.v2('POST', `/v2/simulate/incoming/${rail}`, body);
        expect([rail, status]).toEqual([rail, /rtp|fednow/.test(rail) ? 404 : 201]);
      }
      for (const path of ['rtp/push', 'fednow/push', 'debitcard/push', 'debitcard/pull']) {
        const made = await originate(caller, { counterparty_id: await payee(caller) }, path);
        expectAnswer(made, 201, { status: 'originated' });
      }
      const wire = await ok(
        originate(caller, { counterparty_id: await payee(caller) }, 'domestic_wire/push'),
      );
      await ok(simulate(caller, wire.id(), 'clear'));
      expect((await payment(caller, wire.id())).at('domestic_wire.imad')).toMatch(/^[A-Z0-9]{9}$/);
    },
  ],
  'taken-back-payments': [
    'its direction is the opposite, its parent is the original, its title is the same, and its description begins with `Reversal for - `',
    async (caller) => {
      const made = await ok(originate(caller));
      await ok(simulate(caller, made.id(), 'settle'));
      await ok(simulate(caller, made.id(), 'return'));
      expect((await payment(caller, made.id())).at('status')).toBe('returned');
      const list = await ok(caller.v2('GET', '/v2/payments/transaction?limit=1'));
      expect(list.at('data.0')).toMatchObject({
        type: 'return',
        status: 'settled',
        direction: 'credit',
        parent_transaction_id: made.id(),
        description: expect.stringMatching(/^Reversal for - /),
      });
    },
  ],
  'master-account-entry': [
    'Incoming money when it arrives, outgoing money when it settles',
    async (caller) => {
      const out = (await ok(originate(caller))).id();
      const status = async (id: string) => (await payment(caller, id)).at('reconciliation.status');
      expect(await status(await incoming(caller, 'ach_push'))).toBe('reconciled');
      expect(await status(out)).toBe('not_reconciled');
      await ok(simulate(caller, out, 'settle'));
      expect(await status(out)).toBe('reconciled');
      expect(await status((await ok(originate(caller, {}, 'intra_account/push'))).id())).toBe('reconciled');
    },
  ],
  'intra-account-recording': [
    "the caller's, `outgoing`, and the other account's, `incoming`, with the caller as its counterparty",
    async (caller) => {
      const made = await ok(originate(caller, {}, 'intra_account/push'));
      expect([made.at('status'), made.at('message')]).toEqual(['settled', 'outgoing']);
      const other = `sub_account_id=${caller.seed('other_sub_account_id')}&limit=1`;
      const list = await ok(caller.v2('GET', `/v2/payments/transaction?${other}`));
      expect(list.at('data.0')).toMatchObject({
        message: 'incoming',
        counterparty: { name: 'Ada Lovegood' },
      });
    },
  ],
  'doomed-incoming-payment': [
    'nothing is held, and the return changes only the status, without a second transaction.',
    async (caller) => {
      const id = await incoming(caller, 'ach_pull', { amount: '5000.01' });
      expect(await figures(caller)).toEqual(['5000.00', '0.00', '0.00']);
      expect((await rows(caller))[0]?.status).toBe('declined');
      const total = (await rows(caller)).length;
      await ok(simulate(caller, id, 'return'));
      expect(await rows(caller)).toHaveLength(total);
    },
  ],
  'payment-under-way': [
    'No. Both are checked only when the payment is made.',
    async (caller) => {
      const made = await ok(originate(caller));
      await ok(caller.v2('PATCH', account(caller), { status: 'blocked' }));
      expectAnswer(await simulate(caller, made.id(), 'settle'), 200, { transaction: { status: 'settled' } });

      await ok(caller.v2('PATCH', account(caller), { status: 'open' }));
      const rest = await ok(originate(caller, { amount: (await figures(caller))[0] }));
      await ok(simulate(caller, rest.id(), 'settle'));
      expectAnswer(await caller.v2('PATCH', account(caller), { status: 'closed' }), 200);
      await ok(simulate(caller, made.id(), 'return'));
      expect(await figures(caller)).toEqual([made.at('amount'), '0.00', '0.00']);
      expectAnswer(await caller.v2('GET', account(caller)), 200, { status: 'closed' });
    },
  ],
  'payment-references': [
    "A trace number is the other bank's routing number and 5 digits; an ACH gets it when it clears or arrives, as in the examples.",
    async (caller) => {
      const made = await ok(originate(caller));
      expect(made.at('ach.trace_number')).toBe('');
      await ok(simulate(caller, made.id(), 'clear'));
      expect((await payment(caller, made.id())).at('ach.trace_number')).toMatch(/^121042882\d{5}$/);
    },
  ],
  'ach-same-day': [
    'The requested value, also if the payment came too late or is too large and is processed as an ordinary one.',
    async (caller) => {
      await setClock(caller, '2026-11-20T21:00:00Z');
      const late = await ok(originate(caller, { same_day: 'true' }));
      expect(late.at('ach')).toMatchObject({ same_day: 'true', effective_date: '2026-11-23' });
      expect(late.headers['x-sandbox-hint']).toContain(
        'after 12:15 Pacific, or on a day without banks: it posts on 2026-11-23',
      );
      await setClock(caller, '2026-11-23T18:00:00Z');
      const large = await ok(
        caller.v2('POST', '/v2/simulate/incoming/ach/push', {
          sub_account_id: caller.seed('sub_account_id'),
          amount: '1000000.01',
          counterparty_name: 'Dale Ames',
          counterparty_routing_number: '123206972',
        }),
      );
      expect(large.at('ach.same_day')).toBe('false');
      const pulled = await ok(originate(caller, { same_day: 'true', amount: '1000000.01' }, 'ach/pull'));
      expect(pulled.headers['x-sandbox-hint']).toContain('at most 1000000.00: it posts on 2026-11-24');
      const prompt = await ok(originate(caller, { same_day: 'true' }));
      expect(prompt.headers['x-sandbox-hint']).toBeUndefined();
    },
  ],
  'incoming-ach-fields': [
    'It is a same-day ACH with the entry description `Payment`.',
    async (caller) => {
      expect((await ok(receive(caller, 'ach_push'))).at('transaction.ach')).toMatchObject({
        same_day: 'true',
        effective_date: '2026-11-20',
        company_entry_description: 'Payment',
      });
      // A Saturday.
      await setClock(caller, '2026-11-21T18:00:00Z');
      const later = await ok(receive(caller, 'ach_push'));
      expect(later.at('transaction.ach.effective_date')).toBe('2026-11-23');
      const flat = await caller.v2('POST', '/v2/simulate/incoming/ach/pull', {
        sub_account_id: caller.seed('sub_account_id'),
        amount: '1.00',
        counterparty_name: 'Dale Ames',
        counterparty_routing_number: '123206972',
      });
      expectAnswer(flat, 201, { counterparty: { name: 'Dale Ames' } });
      expect(JSON.stringify(flat.at('counterparty'))).toContain('Lewis and Clark Bank');
    },
  ],
  'ach-effective-date': [
    'an earlier date is ignored, and a date that is not a banking day becomes the next banking day.',
    async (caller) => {
      const dateFor = async (effective_date: string) =>
        (await ok(originate(caller, { effective_date }))).at('ach.effective_date');
      expect([await dateFor('2026-11-01'), await dateFor('2026-11-26')]).toEqual([
        '2026-11-23',
        '2026-11-27',
      ]);
      expect(await dateFor('2027-11-20')).toBe('2027-11-22');
      const hintFor = async (effective_date: string) =>
        (await ok(originate(caller, { effective_date }))).headers['x-sandbox-hint'];
      expect(await hintFor('2026-11-01')).toContain('in the past: it was moved to 2026-11-23');
      expect(await hintFor('2026-11-26')).toContain('no banking day: it was moved to 2026-11-27');
      expect(await hintFor('2026-11-27')).toBeUndefined();
      const late = await originate(caller, { effective_date: '2027-11-21' });
      expect(refusalOf(late)).toBe('400 ERROR_CODE_INVALID_FIELD effective_date');
    },
  ],
  'distant-holidays': [
    "The eleven holidays of today, by today's rules.",
    async (caller) => {
      for (const year of ['1971', '2199']) {
        const { body } = await ok(caller.v2('GET', `/_sandbox/calendar?from=${year}-01-01&to=${year}-12-31`));
        const { days } = body as { days: { holiday: string }[] };
        expect(new Set(days.map(({ holiday }) => holiday).filter((name) => name !== '')).size).toBe(11);
      }
    },
  ],
  'clock-change-times': [
    'Windows are in Pacific time, settlement in Eastern time.',
    async (caller) => {
      // Daylight saving time ends on 1 November 2026.
      for (const [date, window, settlement] of [
        ['2026-10-30', '2026-10-30T12:15:00.000Z', '2026-10-30T12:30:00.000Z'],
        ['2026-11-02', '2026-11-02T13:15:00.000Z', '2026-11-02T13:30:00.000Z'],
      ]) {
        const { body } = await ok(caller.v2('GET', `/_sandbox/calendar?from=${date}&to=${date}`));
        expect(body).toMatchObject({ days: [{ ach_settlement: settlement }] });
        expect((body as { days: { ach_windows: string[] }[] }).days[0]?.ach_windows[0]).toBe(window);
      }
    },
  ],
  'payment-outcome-order': [
    'a simulate call, which takes effect at once (an ACH return within its window, `ach-return-window`) and replaces scheduled steps; the first rule that matches, if the rail supports its outcome; the magic values; the bank itself. A rule without an outcome means the ordinary steps, without magic values.',
    async (caller) => {
      const rule = { match: { rail: 'card_authorization' }, outcome: { decline_reason: 'tooBlue' } };
      const last = { match: {}, outcome: { decline_reason: 'tooRed' } };
      await ok(caller.v2('PUT', '/_sandbox/rules', { rules: [rule, last] }));
      expectAnswer(await testCard(caller, { amount: '1.00' }), 200, { declineReason: 'tooBlue' });
      const pushed = await ok(originate(caller, {}, 'intra_account/push'));
      expect(pushed.at('status')).toBe('declined');
    },
  ],
  'account-creation-credit': [
    'v1 shows it as `intrabank` with the sub-type `accountCreationCredit`',
    async (caller) => {
      const person = { 'sd-person-id': caller.seed('person_id') };
      const opened = await ok(caller.v1('POST', '/v1/account', { label: 'x', acceptedTerms: true }, person));
      expect(opened.at('availableBalance')).toBe('1000.00');
      const list = await ok(caller.v1('GET', `/v1/account/${opened.id()}/transaction`));
      expect(list.at('data')).toMatchObject([
        {
          transferType: 'intrabank',
          subType: 'accountCreationCredit',
          title: 'Account Opened',
          description: 'Account Opened',
          amount: '1000.00',
        },
      ]);
      expectAnswer(await simulate(caller, list.id('data.0.id'), 'reverse'), 409);
    },
  ],
  'account-limit-counting': [
    'card purchases and payments that others send or pull count towards neither.',
    async (caller) => {
      const config = { limits: { send: { daily: '30.00' } } };
      await ok(caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config }));
      await held(caller, '500.00');
      await ok(simulate(caller, await incoming(caller, 'ach_pull'), 'settle'));
      const first = await ok(originate(caller));
      expect(first.at('status')).toBe('originated');
      expectAnswer(await originate(caller), 400);
      await ok(simulate(caller, first.id(), 'cancel'));
      expect((await ok(originate(caller))).at('status')).toBe('originated');
    },
  ],
  'over-account-limit': [
    'v1: 400 `EC_TRANSFER_LIMIT_EXCEEDED` or `EC_TRANSFER_NOT_ENABLED`, and nothing is created. v2: 400 `ERROR_CODE_TRANSFER_DAILY_LIMIT_EXCEEDED`',
    async (caller) => {
      const config = { send: { ach: { enabled: false } }, limits: { send: { daily: '10.00' } } };
      await ok(caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config }));
      expect(refusalOf(await order(caller, '/v1/send/ach', '1.00'))).toBe('400 EC_TRANSFER_NOT_ENABLED');
      await ok(
        caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, {
          config: { send: { ach: { enabled: true } } },
        }),
      );
      expect(refusalOf(await order(caller, '/v1/send/ach', '10.01'))).toBe('400 EC_TRANSFER_LIMIT_EXCEEDED');
      expect(refusalOf(await originate(caller, { amount: '10.01' }))).toBe(
        '400 ERROR_CODE_TRANSFER_DAILY_LIMIT_EXCEEDED amount',
      );
      await ok(caller.v2('PUT', '/_sandbox/settings', { shortfall: 'declined' }));
      expectAnswer(await originate(caller, { amount: '10.01' }), 201, { status: 'declined' });
      expect((await rows(caller))[0]?.reviewCode).toBe('sendLimitExceeded');
    },
  ],
  'account-pulls-and-cards': [
    'R29 for an account of a business, R10 for a person.',
    async (caller) => {
      const config = { incoming: { achPull: { enabled: false } } };
      await ok(caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config }));
      const id = await incoming(caller, 'ach_pull');
      const { body } = await ok(caller.v2('GET', `/_sandbox/explain/${id}`));
      expect(JSON.stringify(body)).toContain('R10');
    },
  ],
  'two-ledgers-shown': [
    'Its entry in the master account has another id, and `GET` and `PATCH` accept either',
    async (caller) => {
      const own = await payment(caller, caller.seed('transaction_id'));
      const entry = own.id('reconciliation.master_account.0.transaction_id');
      expectAnswer(await payment(caller, entry), 200, {
        id: entry,
        sub_account_id: '',
        sub_account_holder_id: '',
      });
      await ok(caller.v2('PATCH', `/v2/payments/transaction/${entry}`, { description: 'Both' }));
      expect((await payment(caller, own.id())).at('description')).toBe('Both');
      const list = await ok(caller.v2('GET', '/v2/payments/transaction?ledger_type=master_account'));
      expect((list.at('data') as { id: string }[]).map(({ id }) => id)).toContain(entry);
    },
  ],
  'master-account-incoming': [
    'A debit that names only the master account is received without a hold and returned with R20',
    async (caller) => {
      const body = {
        master_account_id: caller.seed('master_account_id'),
        amount: '10.00',
        counterparty: { name: 'Pat' },
      };
      const credit = await ok(caller.v2('POST', '/v2/simulate/incoming/ach/push', body));
      await ok(simulate(caller, credit.id(), 'settle'));
      expect((await payment(caller, credit.id())).at('reconciliation.status')).toBe('not_reconciled');
      const debit = await ok(caller.v2('POST', '/v2/simulate/incoming/ach/pull', body));
      const { body: why } = await ok(caller.v2('GET', `/_sandbox/explain/${debit.id()}`));
      expect(JSON.stringify(why)).toContain('R20');
    },
  ],
  'sub-ledgering': [
    'up to the remaining amount (400, with that amount)',
    async (caller) => {
      const entry = await ok(
        caller.v2('POST', '/v2/simulate/incoming/ach/push', {
          master_account_id: caller.seed('master_account_id'),
          amount: '10.00',
          counterparty: { name: 'Pat' },
        }),
      );
      const part = (amount: string) =>
        caller.v2('POST', '/v2/payments/transaction', {
          master_account_transaction_id: entry.id(),
          sub_account_id: caller.seed('sub_account_id'),
          amount,
        });
      expectAnswer(await part('6.00'), 400);
      await ok(simulate(caller, entry.id(), 'settle'));
      await ok(part('6.00'));
      const over = await part('4.01');
      expect(over.status).toBe(400);
      expect(over.at('error.message')).toContain('4.00');
      await ok(part('4.00'));
      expect((await payment(caller, entry.id())).at('reconciliation.status')).toBe('reconciled');
    },
  ],
  'reconciled-transactions': [
    'here both entries are written at once',
    async (caller) => {
      const wire = await payment(caller, await incoming(caller, 'domestic_wire'));
      expect(wire.at('reconciliation')).toMatchObject({
        status: 'reconciled',
        master_account: [{ amount: '25.00' }],
        sub_account: [{ amount: '25.00' }],
      });
    },
  ],
  'check-images': [
    'A deposit of v1 waits until both images were sent',
    async (caller) => {
      const counterparty_id = await payee(caller);
      const deposit = (image?: object) =>
        originate(caller, { counterparty_id, ...(image && { image }) }, 'check/deposit');
      expectAnswer(await deposit(), 400);
      expectAnswer(await deposit({ front: CHECK_IMAGE }), 400);
      expectAnswer(await deposit({ front: CHECK_IMAGE, back: 'not base64' }), 400);
      const made = await ok(deposit({ front: CHECK_IMAGE, back: CHECK_IMAGE }));
      expect(made.at('status')).not.toBe('declined');
      const contactId = counterparty_id;
      const waits = await ok(order(caller, '/v1/receive/check', '5.00', { contactId }));
      expect(waits.at('status')).toBe('waitingForFiles');
    },
  ],
  'sent-check-status': [
    '`pending` until it is mailed, then `shipped` with an `eta` five days later, and `delivered` when it is cashed',
    async (caller) => {
      const made = await ok(originate(caller, { counterparty_id: await payee(caller) }, 'check/send'));
      const tracked = async () => (await payment(caller, made.id())).at('check.tracking');
      expect(await tracked()).toEqual({ status: 'pending', eta: '' });
      for (const event of ['submit', 'send']) await ok(simulate(caller, made.id(), event));
      expect(await tracked()).toEqual({ status: 'shipped', eta: '2026-11-25' });
      await ok(simulate(caller, made.id(), 'settle'));
      expect(await tracked()).toMatchObject({ status: 'delivered' });
    },
  ],
  'transaction-verification-status': [
    'If the other side is not a counterparty, it is `pass` for an incoming ACH and otherwise empty',
    async (caller) => {
      const of = (answer: Answer, path: string) => answer.at(`${path}counterparty.verification_status`);
      const added = await ok(
        caller.v1('POST', '/v1/contact', {
          accountId: caller.seed('account_id'),
          name: 'Pier',
          ach: { accountNumber: '000777', routingNumber: '021000021', accountType: 'businessChecking' },
        }),
      );
      expect([
        of(await ok(originate(caller)), ''),
        of(await ok(originate(caller, { counterparty_id: added.id() })), ''),
        of(await ok(originate(caller, { counterparty_id: await payee(caller) }, 'domestic_wire/push')), ''),
        of(await ok(receive(caller, 'ach_push')), 'transaction.'),
        of(await ok(receive(caller, 'domestic_wire')), 'transaction.'),
      ]).toEqual(['pass', 'review', 'pass', 'pass', '']);
    },
  ],
  'v1-booked-rows': [
    'Until a transaction is booked, it shows the balance and the time of its creation.',
    async (caller) => {
      const pull = await ok(originate(caller, {}, 'ach/pull'));
      await ok(originate(caller, { amount: '100.00' }));
      const [push, waits] = await rows(caller);
      expect([push?.balance, waits?.balance]).toEqual(['4900.00', '5000.00']);
      await setClock(caller, '2026-11-21T18:00:00Z');
      await ok(simulate(caller, pull.id(), 'settle'));
      const after = await rows(caller);
      expect(after.find(({ id }) => id === waits?.id)?.balance).toBe('4925.00');
      expect(after.find(({ id }) => id === push?.id)).toMatchObject({
        balance: '4900.00',
        txnDate: push?.txnDate,
      });
    },
  ],
  'rows-add-up': [
    'at every moment their sum is `availableBalance` plus `pendingCredit`.',
    async (caller) => {
      await ok(originate(caller, {}, 'ach/pull'));
      await ok(onHold(caller, await held(caller), 'reverse', { amount: '3.00' }));
      await incoming(caller, 'ach_pull', { amount: '9999.00' });
      const sum = (await rows(caller))
        .filter(({ status }) => status !== 'declined')
        .reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0);
      const { body } = await ok(caller.v1('GET', `/v1/account/${caller.seed('account_id')}`));
      const { availableBalance, pendingCredit } = body as Record<string, string>;
      expect(sum).toBe(Math.round((Number(availableBalance) + Number(pendingCredit)) * 100));
    },
  ],
  'fallback-draws': [
    'a transaction on each account with the sub-type `overdraft`, the published word, and with that payment as its parent.',
    async (caller) => {
      const body = { type: 'fallbackAccount', acceptedTerms: true };
      const person = { 'sd-person-id': caller.seed('person_id') };
      const fallback = await ok(caller.v1('POST', '/v1/account', body, person));
      const accountId = caller.seed('account_id');
      const contact = await ok(
        caller.v1('POST', '/v1/contact', {
          accountId,
          name: 'Own',
          intrabank: { accountNumber: fallback.at('accountNumber') },
        }),
      );
      const fund = { accountId, contactId: contact.id(), amount: '4990.00' };
      await ok(caller.v1('POST', '/v1/send/intrabank', fund));
      const card = { enabled: true, fallbackId: fallback.id() };
      await ok(caller.v1('PATCH', `/v1/account/${accountId}`, { fallback: { received: { card } } }));
      const id = await held(caller, '30.00');
      const ofSubType = async (account: string) =>
        (await ok(caller.v1('GET', `/v1/account/${account}/transaction?subType=overdraft`))).at('data.0');
      const parentTxnId = (await rows(caller)).find(({ subType }) => subType === 'auth')?.id;
      expect(await ofSubType(accountId)).toMatchObject({ amount: '20.00', parentTxnId });
      expect(await ofSubType(fallback.id())).toMatchObject({ amount: '-20.00', parentTxnId });
      await ok(onHold(caller, id, 'reverse'));
      expect(await figures(caller)).toEqual(['30.00', '0.00', '0.00']);
    },
  ],
  'ach-reversal-window': [
    'later than that is 409 (`reversal_too_late`), unless `late` is true',
    async (caller) => {
      const { body } = await ok(originate(caller));
      const { id } = body as { id: string };
      await ok(simulate(caller, id, 'settle'));
      await setClock(caller, '2026-11-21T18:00:01Z');
      expectAnswer(await simulate(caller, id, 'reverse'), 409, { error: { code: 'reversal_too_late' } });
      expectAnswer(await simulate(caller, id, 'reverse', { late: true }), 200);
    },
  ],
  'network-limits': [
    'a larger payment is 400 on `amount`, whether a client sends it or a simulation receives it.',
    async (caller) => {
      const large = { amount: '10000000.01' };
      for (const rail of ['rtp', 'fednow']) {
        const sent = await originate(
          caller,
          { ...large, counterparty_id: await payee(caller) },
          `${rail}/push`,
        );
        expectAnswer(sent, 400, { error: { field_name: 'amount' } });
        const received = await caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, {
          ...large,
          sub_account_id: caller.seed('sub_account_id'),
        });
        expectAnswer(received, 400, { error: { hint: 'amount' } });
        expect(received.text).toContain('at most 10000000.00');
      }
    },
  ],
  'return-code-dates': [
    'From 2028-03-17 R90 means a return for sanctions, and R16 only a frozen account. Before that date R90 is refused, in a simulation and in a rule.',
    async (caller) => {
      const titlesOf = async () => {
        const { body } = await ok(caller.v2('GET', '/_sandbox/return_codes'));
        const { return_codes: rows } = body as { return_codes: { code: string; title: string }[] };
        return rows.filter(({ code }) => code === 'R16' || code === 'R90').map(({ title }) => title);
      };
      const rules = { rules: [{ match: {}, outcome: { return_code: 'R90' } }] };
      expect(await titlesOf()).toEqual(['Account frozen or entry returned on OFAC instruction']);
      const early = await caller.v2('PUT', '/_sandbox/rules', rules);
      expectAnswer(early, 400);
      expect(early.text).toContain('in force from 2028-03-17');
      // Midnight in New York.
      await setClock(caller, '2028-03-17T03:59:59Z');
      expectAnswer(await caller.v2('PUT', '/_sandbox/rules', rules), 400);
      await setClock(caller, '2028-03-17T04:00:00Z');
      expect(await titlesOf()).toEqual(['Account frozen', 'Returned to comply with sanctions']);
      expectAnswer(await caller.v2('PUT', '/_sandbox/rules', rules), 200);
      const made = await ok(originate(caller));
      await ok(simulate(caller, made.id(), 'clear'));
      const returned = await simulate(caller, made.id(), 'return', { return_code: 'R90' });
      expectAnswer(returned, 200, { transaction: { ach: { return_code: 'R90' } } });
    },
  ],
  'ach-return-window': [
    'A simulated return after its window is 409; with `late` it is accepted, as from a bank that breaks the rule',
    async (caller) => {
      const made = await ok(originate(caller));
      await ok(simulate(caller, made.id(), 'settle'));
      expect((await payment(caller, made.id())).at('ach.effective_date')).toBe('2026-11-23');
      // Two banking days: the banks open on the 25th in New York.
      await setClock(caller, '2026-11-25T13:30:01Z');
      const late = await simulate(caller, made.id(), 'return', { return_code: 'R01' });
      expectAnswer(late, 409, { error: { code: 'return_too_late' } });
      const body = { return_code: 'R01', late: true };
      expectAnswer(await simulate(caller, made.id(), 'return', body), 200);
      // The 24 hours of the help page apply to the program, not to the other bank.
      const unauthorized = await ok(receive(caller, 'ach_pull'));
      const id = unauthorized.id('transaction.id');
      await ok(simulate(caller, id, 'settle'));
      await setClock(caller, '2026-12-20T18:00:00Z');
      expectAnswer(await simulate(caller, id, 'return', { return_code: 'R01' }), 409);
      expectAnswer(await simulate(caller, id, 'return', { return_code: 'R10' }), 200);
    },
  ],
});

describe('on the banking calendar', () => {
  const timed = useHttp({ rails: 'calendar' });
  holdRows(timed, 'rails', {
    'incoming-not-taken': [
      'R01 for a debit beyond the balance, which the guide describes; R02 where the account is closed',
      async (caller) => {
        const poor = await incoming(caller, 'ach_pull', { amount: '5000.01' });
        await ok(caller.v2('PATCH', account(caller), { status: 'blocked' }));
        const shut = await incoming(caller, 'ach_push');
        await setClock(caller, '2026-11-21T18:00:00Z');
        expect((await payment(caller, poor)).at('ach.return_code')).toBe('R01');
        expect((await payment(caller, shut)).at('ach.return_code')).toBe('R02');
      },
    ],
    'uncaptured-authorization': [
      'Its hold expires after 7 days. The money is then available again, through a separate transaction as for a reversal (`authorization-end`).',
      async (caller) => {
        const id = await held(caller);
        await setClock(caller, '2026-11-27T00:00:00Z');
        expect((await payment(caller, id)).at('status')).toBe('pending');
        await setClock(caller, '2026-11-30T18:00:01Z');
        expect((await payment(caller, id)).at('status')).toBe('reversed');
        expect(await figures(caller)).toEqual(['5000.00', '0.00', '0.00']);
      },
    ],
    'ach-timing': [
      'The money of a pull is released at 08:30 Eastern two banking days after its effective date',
      async (caller) => {
        const pull = await ok(originate(caller, {}, 'ach/pull'));
        expect(pull.at('ach.effective_date')).toBe('2026-11-23');
        const at = async (now: string) => {
          await setClock(caller, now);
          return (await payment(caller, pull.id())).at('status');
        };
        expect(await at('2026-11-23T13:30:00Z')).toBe('cleared');
        expect(await at('2026-11-25T13:29:59Z')).toBe('cleared');
        expect(await at('2026-11-25T13:30:00Z')).toBe('settled');
      },
    ],
    'cut-off-instant': [
      'A wire at exactly 12:00 is still sent the same day',
      async (caller) => {
        await setClock(caller, '2026-11-20T20:00:00Z');
        const wire = await ok(
          originate(caller, { counterparty_id: await payee(caller) }, 'domestic_wire/push'),
        );
        await setClock(caller, '2026-11-20T20:30:00Z');
        expect((await payment(caller, wire.id())).at('status')).toBe('cleared');
        await setClock(caller, '2026-11-23T20:00:01Z');
        const late = await ok(
          originate(caller, { counterparty_id: await payee(caller) }, 'domestic_wire/push'),
        );
        await setClock(caller, '2026-11-24T13:59:59Z');
        expect((await payment(caller, late.id())).at('status')).toBe('pending');
        await setClock(caller, '2026-11-24T14:00:00Z');
        expect((await payment(caller, late.id())).at('status')).toBe('clearing');
      },
    ],
    'wire-timing': [
      'It clears 30 minutes later and settles 30 minutes after that, while the network is open, which is until 16:00. An incoming wire settles at once during that time.',
      async (caller) => {
        const wire = await ok(
          originate(caller, { counterparty_id: await payee(caller) }, 'domestic_wire/push'),
        );
        const at = async (now: string) => {
          await setClock(caller, now);
          return (await payment(caller, wire.id())).at('status');
        };
        expect([
          await at('2026-11-20T18:01:00Z'),
          await at('2026-11-20T18:31:00Z'),
          await at('2026-11-20T19:01:00Z'),
        ]).toEqual(['clearing', 'cleared', 'settled']);
        const early = await incoming(caller, 'domestic_wire');
        await setClock(caller, '2026-11-21T00:00:00Z');
        expect((await payment(caller, early)).at('status')).toBe('settled');
        const late = await incoming(caller, 'domestic_wire');
        await setClock(caller, '2026-11-23T13:59:59Z');
        expect((await payment(caller, late)).at('status')).toBe('received');
      },
    ],
    'late-payment-steps': [
      'It is executed at once; steps never change their order. A payment in review waits until it is approved, and then continues. `ach-held-up` describes the effective date of a delayed ACH.',
      async (caller) => {
        const made = await ok(originate(caller));
        await ok(simulate(caller, made.id(), 'review'));
        await setClock(caller, '2026-12-01T18:00:00Z');
        expect((await payment(caller, made.id())).at('status')).toBe('in_review');
        await ok(simulate(caller, made.id(), 'approve'));
        await setClock(caller, '2026-12-03T18:00:00Z');
        expect((await payment(caller, made.id())).at('status')).toBe('settled');
      },
    ],
    'ach-held-up': [
      'On the banking day after the day on which it is sent: its `effective_date` changes to that day',
      async (caller) => {
        const made = await ok(originate(caller));
        await ok(simulate(caller, made.id(), 'review'));
        await setClock(caller, '2026-12-01T18:00:00Z');
        await ok(simulate(caller, made.id(), 'approve'));
        await setClock(caller, '2026-12-01T21:00:00Z');
        expect((await payment(caller, made.id())).at('ach.effective_date')).toBe('2026-12-02');
        const terms = { same_day: 'true', effective_date: '2026-12-03' };
        const dated = await ok(originate(caller, terms));
        await ok(simulate(caller, dated.id(), 'review'));
        await setClock(caller, '2026-12-03T12:00:00Z');
        await ok(simulate(caller, dated.id(), 'approve'));
        await setClock(caller, '2026-12-03T14:00:00Z');
        expect((await payment(caller, dated.id())).at('ach.effective_date')).toBe('2026-12-04');
      },
    ],
    'card-test-capture': [
      'On rails `calendar` that happens with the settlement of the next banking day (08:30 Eastern)',
      async (caller) => {
        await ok(testCard(caller, { amount: '5.00' }));
        await setClock(caller, '2026-11-23T13:29:59Z');
        expect(await figures(caller)).toEqual(['4995.00', '0.00', '5.00']);
        await setClock(caller, '2026-11-23T13:30:00Z');
        expect(await figures(caller)).toEqual(['4995.00', '0.00', '0.00']);
      },
    ],
    'check-timing': [
      'A sent check is mailed two banking days after the request and cashed five banking days later.',
      async (caller) => {
        const made = await ok(originate(caller, { counterparty_id: await payee(caller) }, 'check/send'));
        const at = async (now: string) => {
          await setClock(caller, now);
          return (await payment(caller, made.id())).at('check.tracking.status');
        };
        expect(await at('2026-11-24T13:29:59Z')).toBe('pending');
        expect(await at('2026-11-24T13:30:00Z')).toBe('shipped');
        // The 26th is a holiday.
        expect(await at('2026-12-02T13:29:59Z')).toBe('shipped');
        expect(await at('2026-12-02T13:30:00Z')).toBe('delivered');
      },
    ],
  });
});
