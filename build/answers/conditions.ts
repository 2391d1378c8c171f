/**
 * The conditions under which an operation's example is refused with a code: a locked account, a closed card, a limit.
 * Each returns the request to send.
 */
import type { RefusalCode } from '../../src/bank/kernel/refusals.ts';
import type { Reply } from './bank.ts';
import type { CallJson } from './preparations.ts';
import type { Draft } from './requests.ts';

interface Before {
  readonly draft: Draft;
  readonly seeded: Readonly<Record<string, string>>;
  readonly call: CallJson;
  /** Sends a preparatory request. */
  readonly send: (draft: Draft) => Promise<Reply>;
}

type Condition = (before: Before) => Promise<Draft>;

const OF_ACCOUNTS = /^(sub_|acc-)/;
const OF_HOLDERS = /^(sah_|per-|biz-)/;
const OF_COUNTERPARTIES = /^(ctp_|con-)/;
const OF_CARDS = /^crd[_-]/;
/** The largest amount of a payment, and the number of such payments that exceeds the maximum balance. */
const LARGEST = '9999999999999.99';
const TOO_MANY = 10;

/** All ids of one sort in a request. */
function idsIn(draft: Draft, sort: RegExp): string[] {
  const values: string[] = [];
  JSON.stringify([draft.params, draft.body ?? {}], (_, value) => {
    if (typeof value === 'string' && sort.test(value)) values.push(value);
    return value;
  });
  return values;
}

/** Applies an action to each of the ids, and ignores refusals. */
const toEach =
  (
    idsOf: (before: Before) => readonly (string | undefined)[],
    change: (id: string) => readonly [method: string, path: string, body: object],
  ): Condition =>
  async (before) => {
    for (const id of idsOf(before))
      if (id !== undefined) await before.call(...change(id)).catch(() => undefined);
    return before.draft;
  };

const accounts = ({ draft }: Before) => idsIn(draft, OF_ACCOUNTS);
const accountStatus = (status: string): Condition =>
  toEach(accounts, (id) => ['PATCH', `/v2/accounts/sub_account/${id}`, { status }]);
const accountConfig = (config: object): Condition =>
  toEach(
    (before) => [...accounts(before), before.seeded.account_id],
    (id) => ['PATCH', `/v1/account/${id}`, { config }],
  );

const ON = { enabled: true };
const OFF = { enabled: false };
const limits = (limit: object): Condition =>
  accountConfig({
    send: { wire: ON, internationalWire: ON, card: ON },
    limits: { send: { ...limit, ach: limit }, receive: { ...limit, ach: limit } },
  });
const cardStatus = (status: string): Condition =>
  toEach(
    ({ draft }) => idsIn(draft, OF_CARDS),
    (id) => ['PATCH', `/v2/issuing/card/${id}`, { status }],
  );

export const CONDITIONS: Readonly<Partial<Record<RefusalCode, readonly Condition[]>>> = {
  account_not_active: [
    toEach(
      (before) => [...accounts(before), before.seeded.sub_account_id],
      (id) => ['POST', `/_sandbox/simulate/accounts/${id}/lock`, {}],
    ),
  ],
  account_debit_blocked: [accountStatus('debit_blocked')],
  account_credit_blocked: [accountStatus('credit_blocked')],
  holder_not_active: [
    toEach(
      ({ draft, seeded }) => [
        ...idsIn(draft, OF_HOLDERS),
        seeded.person_holder_id,
        seeded.business_holder_id,
      ],
      (id) => ['POST', `/_sandbox/simulate/holders/${id}/lock`, {}],
    ),
  ],
  counterparty_not_active: [
    toEach(
      ({ draft }) => idsIn(draft, OF_COUNTERPARTIES),
      (id) => ['PATCH', `/v2/payments/counterparty/${id}`, { status: 'deactivated' }],
    ),
  ],
  counterparty_rail_missing: [
    async ({ draft, call }) => {
      const [sub_account_id] = idsIn(draft, OF_ACCOUNTS);
      const person = { first_name: 'Ola', last_name: 'Reyes' };
      const { body } = await call('POST', '/v2/payments/counterparty', {
        sub_account_id,
        type: 'person',
        person,
      });
      const { id } = body as { id: string };
      const sent = draft.body ?? {};
      const name = 'contactId' in sent ? 'contactId' : 'counterparty_id';
      return { ...draft, body: { ...sent, [name]: id } };
    },
  ],
  card_closed: [cardStatus('closed')],
  card_closed_for_pin: [cardStatus('closed')],
  card_closed_for_wallet: [cardStatus('closed')],
  card_not_open: [cardStatus('blocked')],
  card_not_replaceable: [cardStatus('blocked'), cardStatus('closed')],
  card_type_off: [accountConfig({ card: { virtual: OFF, physical: OFF } })],
  cards_full: [
    accountConfig({
      card: { virtual: { enabled: true, count: '0' }, physical: { enabled: true, count: '0' } },
    }),
  ],
  switched_off: [
    accountConfig({
      send: {
        intrabank: OFF,
        ach: OFF,
        wire: OFF,
        internationalWire: OFF,
        check: OFF,
        card: OFF,
        debitCard: OFF,
      },
      receive: { intrabank: OFF, ach: OFF, check: OFF, debitCard: OFF },
    }),
  ],
  daily_limit_exceeded: [limits({ daily: '0.01', monthly: '900.00' })],
  monthly_limit_exceeded: [limits({ daily: '900.00', monthly: '0.01' })],
  amount_too_large: [
    async ({ draft, send }) => {
      const largest = { ...draft, body: { ...draft.body, amount: LARGEST } };
      for (let n = 0; n < TOO_MANY; n += 1) await send(largest);
      return largest;
    },
  ],
};
