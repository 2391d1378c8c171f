/**
 * A month of history of the default records before the instant of seeding: payroll, rent, card purchases, savings and
 * a returned payment. The bank's commands run at instants of the month, and their planned steps run when they are
 * due. Events, entries and statements are therefore those of a bank that ran for a month.
 * Source: decision `seed-history` in docs/fidelity.md.
 */

import type { Cents } from '../../bank/kernel/money.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../../bank/kernel/time.ts';
import { reasonOfReturn } from '../../bank/model/return-codes.ts';
import type { Store } from '../../bank/store/store.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import type { BankClock } from '../../bank/verbs/dependencies.ts';

/** The length of the history. */
export const MONTH_MS = 31 * DAY_MS;

type IdOf = (name: string) => Id;
/** An action, and its time: `day` days before the instant of seeding, plus `minute` minutes. */
type Moment = readonly [day: number, minute: number, happens: (bank: Bank, idOf: IdOf) => void];

/** A payment from another bank. `evening` settles it if no planned step did. */
const salary =
  (amount: Cents): Moment[2] =>
  (bank, idOf) => {
    bank.payments.receive('ach_received_push', {
      accountId: idOf('account'),
      amount,
      description: 'Payroll',
      sender: { name: 'Maple Grove Dental LLC', routingNumber: '121042882', accountNumber: '5500118822' },
    });
  };

const bill =
  (counterparty: string, amount: Cents, description: string): Moment[2] =>
  (bank, idOf) => {
    bank.payments.originate('ach_push', {
      accountId: idOf('account'),
      counterpartyId: idOf(counterparty),
      amount,
      description,
      shortage: 'refuse',
    });
  };

const saving =
  (amount: Cents): Moment[2] =>
  (bank, idOf) => {
    bank.payments.originate('intra_push', {
      accountId: idOf('account'),
      counterpartyId: idOf('intra_counterparty'),
      amount,
      description: 'Savings',
      shortage: 'refuse',
    });
  };

/** Settles all ACH transfers in progress. */
const evening: Moment[2] = (bank, idOf) => {
  const { items } = bank.payments.ofAccount(idOf('account'), { kind: 'offset', limit: 10, offset: 0 });
  for (const { id, status, method } of items) {
    if (method === 'ach' && !DONE.has(status)) bank.simulation.transaction(id, 'settle');
  }
};
const DONE: ReadonlySet<string> = new Set([
  'settled',
  'returned',
  'reversed',
  'declined',
  'canceled',
  'refunded',
]);

/** Returns the last bill, because its account does not exist. */
const comesBack: Moment[2] = (bank, idOf) => {
  const { items } = bank.payments.ofAccount(idOf('account'), { kind: 'offset', limit: 10, offset: 0 });
  const sent = items.find(({ rail, status }) => rail === 'ach_push' && status === 'settled');
  if (sent !== undefined) bank.simulation.transaction(sent.id, 'return', reasonOfReturn('R03'));
};

/** Card purchases; each is captured some hours later. */
const PURCHASES: readonly (readonly [
  day: number,
  minute: number,
  amount: Cents,
  name: string,
  mcc: string,
  city: string,
])[] = [
  [30, 35, 6412, 'Corner Market', '5411', 'Astoria'],
  [29, 410, 485, 'Harbor Coffee', '5814', 'Astoria'],
  [27, 190, 3890, 'Tideline Fuel', '5541', 'Seaside'],
  [26, 95, 1599, 'Lantern Streaming', '4899', 'Portland'],
  [24, 520, 8274, 'Corner Market', '5411', 'Astoria'],
  [22, 610, 4125, 'Gull & Anchor', '5812', 'Astoria'],
  [20, 45, 515, 'Harbor Coffee', '5814', 'Astoria'],
  [18, 300, 12650, 'Cascade Outfitters', '5941', 'Portland'],
  [16, 480, 7138, 'Corner Market', '5411', 'Astoria'],
  [13, 75, 2245, 'Pier Pharmacy', '5912', 'Astoria'],
  [11, 555, 4410, 'Tideline Fuel', '5541', 'Seaside'],
  [9, 20, 485, 'Harbor Coffee', '5814', 'Astoria'],
  [8, 430, 9317, 'Corner Market', '5411', 'Astoria'],
  [6, 640, 5660, 'Gull & Anchor', '5812', 'Astoria'],
  [4, 150, 3299, 'Riverside Books', '5942', 'Portland'],
  [2, 500, 6845, 'Corner Market', '5411', 'Astoria'],
];
const CAPTURED_AFTER_MINUTES = 660;

function purchases(): Moment[] {
  return PURCHASES.flatMap(([day, minute, amount, name, mcc, city]): Moment[] => {
    let authorizationId: Id | undefined;
    return [
      [
        day,
        minute,
        (bank, idOf) => {
          const merchant = { name, mcc, city, state: 'OR', country: 'US', postalCode: '' };
          const cardId = idOf('virtual_card');
          const { id, status } = bank.cardPayments.authorize({
            cardId,
            amount,
            merchant,
            authMethod: 'online',
          });
          authorizationId = status === 'pending' ? id : undefined;
        },
      ],
      [
        day,
        minute + CAPTURED_AFTER_MINUTES,
        (bank) => void (authorizationId !== undefined && bank.cardPayments.capture({ authorizationId })),
      ],
    ];
  });
}

const OUTFITTERS = { name: 'Cascade Outfitters', mcc: '5941', city: 'Portland', state: 'OR', country: 'US' };

/** A refund by a merchant. `DECLINE` is a purchase that exceeds the balance. */
const REFUND: Moment = [
  3,
  260,
  (bank, idOf) => {
    bank.cardPayments.refund({ cardId: idOf('virtual_card'), amount: 4200, merchant: OUTFITTERS });
  },
];
const DECLINE: Moment = [
  5,
  330,
  (bank, idOf) => {
    bank.cardPayments.authorize({ cardId: idOf('virtual_card'), amount: 2_500_000, merchant: OUTFITTERS });
  },
];

function month(): Moment[] {
  return [
    [29, 0, salary(218_450)],
    [28, 0, evening],
    [27, 60, bill('vendor', 145_000, 'Rent')],
    [26, 60, evening],
    [25, 120, saving(20_000)],
    [19, 30, bill('ach_counterparty', 8_990, 'Invoice 2207')],
    [18, 30, evening],
    [17, 45, comesBack],
    [15, 0, salary(218_450)],
    [14, 0, evening],
    [12, 120, saving(20_000)],
    [10, 90, bill('ach_counterparty', 8_990, 'Invoice 2207, again')],
    [9, 90, evening],
    [1, 0, salary(218_450)],
    [0, -60, evening],
    REFUND,
    DECLINE,
    ...purchases(),
  ];
}

/** Runs the month in a bank that contains the parties of the seed document. */
export function writeMonth(
  { bank, store, clock }: { bank: Bank; store: Store; clock: BankClock },
  idOf: IdOf,
): void {
  const end = clock.now();
  const at = ([day, minute]: Moment): Instant => end - day * DAY_MS + minute * MINUTE_MS;
  const takeDue = (until: Instant): void => {
    for (;;) {
      const [next] = store.agenda.due(until, 1);
      if (next === undefined) return;
      bank.takePlannedStep(next);
    }
  };
  for (const moment of month().sort((one, other) => at(one) - at(other))) {
    takeDue(at(moment));
    clock.at(at(moment), () => moment[2](bank, idOf));
  }
  takeDue(end);
}
