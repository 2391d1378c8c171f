/**
 * Decides which payments deviate from the ordinary steps. The first of these decides: a simulation, which takes
 * effect at once; the first matching rule; the published magic values; the bank itself. Rules and settings are stored
 * with the bank.
 * Source: "receive ACH testing" and "send ACH testing" of the platform's v1 reference; decision `v1-magic-amounts` in
 * docs/fidelity.md.
 */
import { Duration } from 'luxon';
import { dateIn, EASTERN } from '../../kernel/calendar.ts';
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Instant } from '../../kernel/time.ts';
import { isAuthorization, type RailEvent, type RailName, railOf } from '../../model/rails/index.ts';
import type { Decision, PlannedOutcome, Reason, Transaction } from '../../model/records.ts';
import { firstDayOf, reasonOfReturn, returnCode } from '../../model/return-codes.ts';
import {
  RECEIVE_DECLINED_FROM,
  RECEIVE_RETURNED_FROM,
  SEND_DECLINED_FROM,
  SEND_RETURNED_AMOUNT,
  UNKNOWN_ACCOUNT_NUMBER,
} from '../../model/test-values.ts';
import type { Direction, Shortfall, TransactionStatus } from '../../model/vocabulary.ts';
import type { Dependencies } from '../dependencies.ts';
import { openSetting } from '../settings.ts';
import { inTime } from './plans.ts';

/** The payments that a rule matches; an absent field matches every payment. */
export interface RuleMatch {
  rail?: RailName;
  direction?: Direction;
  amount?: { min?: Cents; max?: Cents; equals?: Cents };
  /** The account number of the other side. */
  accountNumber?: string;
  routingNumber?: string;
  /** The name of the counterparty, sender or merchant, without case and surrounding spaces. */
  name?: string;
  mcc?: string;
}

export const DISPUTE_OUTCOMES = ['open', 'won', 'lost'] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];
const DISPUTE_ENDS = { open: null, won: 'win_dispute', lost: 'lose_dispute' } as const satisfies Record<
  DisputeOutcome,
  RailEvent | null
>;

/** At most one of the first five. Without them the payment takes its ordinary steps, and magic values do not apply. */
export interface RuleOutcome {
  returnCode?: string;
  declineReason?: string;
  review?: boolean;
  /** The holder disputes the purchase once it is captured, and how the dispute ends. */
  dispute?: DisputeOutcome;
  /** The holder of the other card disputes a debit card pull. */
  chargeBack?: boolean;
  /** An ISO 8601 duration after the payment was made. */
  after?: string;
  /** For a return with `after`: it happens even after its window has closed. */
  late?: boolean;
}

export interface Rule {
  match: RuleMatch;
  outcome: RuleOutcome;
}

interface Settings {
  /** Whether the published magic values of v1 apply. */
  magicValues: boolean;
  /** Whether v1's card test also applies categories and the limits of an interval, which it excepts as published. */
  cardControlsInTest: boolean;
  /** Whether new accounts get a number. */
  accountNumbers: boolean;
  /** Whether a KYB of v1 requires a signed ownership disclosure. */
  disclosureRequired: boolean;
  /** What v2 does with a payment over the balance or a limit, or by a method that is switched off. */
  shortfall: Shortfall;
  /** Whether lists of v1 contain only the records of the person of `sd-person-id`. */
  listsByPerson: boolean;
}

/** The operation whose published magic values apply. */
export type Magic = 'v1_receive_ach' | 'v1_send_ach';

/** The payment data that rules and magic values match. */
export interface PaymentToMatch {
  rail: RailName;
  amount: Cents;
  accountNumber?: string | undefined;
  routingNumber?: string | undefined;
  name?: string | undefined;
  mcc?: string | undefined;
  magic?: Magic | undefined;
}

/** A chosen outcome and its source. */
export interface ChosenOutcome {
  source: 'rule' | 'magic';
  name: string;
  /** `null`: the ordinary steps. */
  event: 'return' | 'decline' | 'review' | 'dispute' | 'charge_back' | null;
  /** The event that follows it. */
  next?: RailEvent | null;
  reason: Reason | null;
  afterMs: number | null;
  /** A return that ignores its window. */
  late?: true;
  /** It is decided at the next full hour. */
  hourly?: true;
  /** The status in which it happens; default: the first that allows it. */
  status?: TransactionStatus;
  message: string;
  numbers: Decision['numbers'];
}

export interface Outcomes {
  rules(): readonly Rule[];
  /** Refuses: `field_invalid` for an invalid code, duration or combination. */
  setRules(rules: readonly Rule[]): void;
  settings(): Settings;
  changeSettings(change: Partial<Settings>): Settings;
  /** The outcome of a payment by a rule or a magic value; `undefined` if none matches. */
  choose(payment: PaymentToMatch): ChosenOutcome | undefined;
}

interface Compiled {
  rules: readonly Rule[];
  tests: readonly ((payment: PaymentToMatch) => boolean)[];
}

const DEFAULTS: Omit<Settings, 'shortfall'> = {
  magicValues: true,
  cardControlsInTest: false,
  accountNumbers: true,
  listsByPerson: true,
  disclosureRequired: false,
};
const NO_RULES: readonly Rule[] = [];

/** Creates the outcomes of a bank. */
export function createOutcomes({
  store,
  clock,
  shortfall,
}: Pick<Dependencies, 'store' | 'clock' | 'shortfall'>): Outcomes {
  const rules = openSetting<readonly Rule[], Compiled>(store, 'rules', NO_RULES, (stored) => ({
    rules: stored,
    tests: stored.map(({ match }) => testOf(match)),
  }));
  const settings = openSetting<Partial<Settings>, Settings>(store, 'settings', {}, (stored) => ({
    ...DEFAULTS,
    shortfall,
    ...stored,
  }));

  const today = (): string => dateIn(EASTERN, clock.now());

  const byRule = (payment: PaymentToMatch): ChosenOutcome | undefined => {
    const compiled = rules.get();
    for (let index = 0; index < compiled.tests.length; index += 1) {
      const rule = compiled.rules[index];
      if (rule === undefined || compiled.tests[index]?.(payment) !== true) continue;
      const chosen = chosenBy(rule, index, payment, today());
      // A rule does not match if the rail does not support its outcome.
      if (chosen !== undefined) return chosen;
    }
    return undefined;
  };

  return {
    rules: () => rules.get().rules,
    setRules(wanted) {
      for (const [index, rule] of wanted.entries()) requireValidRule(rule, index, today());
      rules.put(wanted);
    },
    settings: () => settings.get(),
    changeSettings(change) {
      settings.put({ ...store.meta.read<Partial<Settings>>('settings'), ...change });
      return settings.get();
    },
    choose(payment) {
      const chosen = byRule(payment);
      if (chosen !== undefined || payment.magic === undefined) return chosen;
      return settings.get().magicValues ? byMagicValue(payment.magic, payment) : undefined;
    },
  };
}

const plain = (text: string): string => text.trim().toLowerCase();

function testOf(match: RuleMatch): (payment: PaymentToMatch) => boolean {
  const { rail, direction, amount, accountNumber, routingNumber, name, mcc } = match;
  const wantedName = name === undefined ? undefined : plain(name);
  return (payment) =>
    (rail === undefined || payment.rail === rail) &&
    (direction === undefined || railOf(payment.rail).direction === direction) &&
    (amount?.min === undefined || payment.amount >= amount.min) &&
    (amount?.max === undefined || payment.amount <= amount.max) &&
    (amount?.equals === undefined || payment.amount === amount.equals) &&
    (accountNumber === undefined || payment.accountNumber === accountNumber) &&
    (routingNumber === undefined || payment.routingNumber === routingNumber) &&
    (wantedName === undefined || plain(payment.name ?? '') === wantedName) &&
    (mcc === undefined || payment.mcc === mcc);
}

function chosenBy(
  { match, outcome }: Rule,
  index: number,
  payment: PaymentToMatch,
  today: string,
): ChosenOutcome | undefined {
  const name = `rule ${index + 1}`;
  const chosen: ChosenOutcome = {
    source: 'rule',
    name,
    event: null,
    reason: null,
    afterMs: outcome.after === undefined ? null : msOf(outcome.after),
    message: `${name} matched`,
    numbers: { amount: formatMoney(payment.amount), ...numbersOf(match) },
  };
  const { rail } = payment;
  if (outcome.returnCode !== undefined) {
    if (firstStatusFor(rail, 'return') === undefined) return undefined;
    const reason = reasonOfReturn(outcome.returnCode, today);
    return { ...chosen, event: 'return', reason, ...(outcome.late === true && { late: true }) };
  }
  if (outcome.declineReason !== undefined) {
    // A rail without a decline step can decline only at the creation of the payment.
    if (chosen.afterMs !== null && firstStatusFor(rail, 'decline') === undefined) return undefined;
    const reason = { code: outcome.declineReason, message: `declined by ${name}` };
    return { ...chosen, event: 'decline', reason };
  }
  if (outcome.review === true) {
    return firstStatusFor(rail, 'review') === undefined ? undefined : { ...chosen, event: 'review' };
  }
  if (outcome.chargeBack === true) {
    return firstStatusFor(rail, 'charge_back') === undefined
      ? undefined
      : { ...chosen, event: 'charge_back' };
  }
  if (outcome.dispute !== undefined) {
    return isAuthorization(rail)
      ? { ...chosen, event: 'dispute', status: 'settled', next: DISPUTE_ENDS[outcome.dispute] }
      : undefined;
  }
  return chosen;
}

function numbersOf({ amount }: RuleMatch): Decision['numbers'] {
  return Object.fromEntries(
    Object.entries(amount ?? {}).map(([bound, cents]) => [`amount_${bound}`, formatMoney(cents)]),
  );
}

export const RECEIVE_LIMIT: Reason = {
  code: 'transferLimitExceeded',
  message: 'allowed transfer limit reached',
};
export const SEND_LIMIT: Reason = {
  code: 'sendLimitExceeded',
  message: 'amount greater than allowed send limit',
};

function byMagicValue(magic: Magic, { amount, accountNumber }: PaymentToMatch): ChosenOutcome | undefined {
  const chosen = (
    event: 'return' | 'decline',
    reason: Reason,
    message: string,
    numbers: Decision['numbers'],
  ): ChosenOutcome => ({
    source: 'magic',
    name: magic,
    event,
    reason,
    afterMs: null,
    // The limits are checked when the file is made, just before the payment is sent.
    ...(event === 'decline' && { status: 'pending' }),
    // Pulls have two daily runs, as published.
    ...(magic === 'v1_send_ach' && { hourly: true }),
    message,
    numbers: { amount: formatMoney(amount), ...numbers },
  });
  if (magic === 'v1_receive_ach') {
    if (amount >= RECEIVE_DECLINED_FROM) {
      const from = formatMoney(RECEIVE_DECLINED_FROM);
      return chosen('decline', RECEIVE_LIMIT, `${from} or more is rejected on the first day`, { from });
    }
    if (amount >= RECEIVE_RETURNED_FROM) {
      const [from, below] = [formatMoney(RECEIVE_RETURNED_FROM), formatMoney(RECEIVE_DECLINED_FROM)];
      const message = `from ${from} to below ${below} the balance of the other account is too low`;
      return chosen('return', reasonOfReturn('R01'), message, { from, below });
    }
    if (accountNumber === UNKNOWN_ACCOUNT_NUMBER) {
      const message = `the account ${UNKNOWN_ACCOUNT_NUMBER} does not exist`;
      return chosen('return', reasonOfReturn('R03'), message, { account_number: UNKNOWN_ACCOUNT_NUMBER });
    }
    return undefined;
  }
  if (amount === SEND_RETURNED_AMOUNT) {
    const equals = formatMoney(SEND_RETURNED_AMOUNT);
    return chosen('return', reasonOfReturn('R03'), `exactly ${equals} has an unknown account`, { equals });
  }
  if (amount >= SEND_DECLINED_FROM) {
    const from = formatMoney(SEND_DECLINED_FROM);
    return chosen('decline', SEND_LIMIT, `${from} or more exceeds the send limit`, { from });
  }
  return undefined;
}

/** The first state of the rail's ordinary steps that allows `event`; `undefined` if none does. */
export function firstStatusFor(name: RailName, event: RailEvent): TransactionStatus | undefined {
  const { opens, steps, timetable } = railOf(name);
  let status: TransactionStatus | undefined = opens.status;
  while (status !== undefined) {
    const row: (typeof steps)[TransactionStatus] = steps[status];
    if (row?.[event] !== undefined) return status;
    const scheduled: RailEvent | undefined = timetable[status]?.event;
    status = scheduled === undefined ? undefined : row?.[scheduled]?.to;
  }
  return undefined;
}

/** The planned outcome of a new payment on this rail; `null` for the ordinary steps. */
export function plannedOutcome(rail: RailName, chosen: ChosenOutcome, now: Instant): PlannedOutcome | null {
  const { event, reason, afterMs, late, hourly, next } = chosen;
  const status = event === null ? undefined : (chosen.status ?? firstStatusFor(rail, event));
  if (event === null || status === undefined) return null;
  return {
    status,
    event,
    reason,
    ...(afterMs !== null && { at: now + afterMs }),
    ...(late && { late }),
    ...(hourly && { hourly }),
    ...(next !== undefined && { next: next === null ? null : { status, event: next, reason: null } }),
  };
}

/** The effect of an outcome on a payment, as a short text. */
export function effectOf(transaction: Transaction, chosen: ChosenOutcome): string {
  const { rail, createdAt } = transaction;
  const { event, reason, afterMs, status } = chosen;
  if (event === null) return 'ordinary course';
  const label = reason === null ? event : `${event} ${reason.code}`;
  if (afterMs !== null) {
    // In days at most, because months have different lengths.
    const wait = Duration.fromMillis(afterMs).shiftTo('days', 'hours', 'minutes', 'seconds');
    const after = `${wait.toISO()} after it was made`;
    const planned = plannedOutcome(rail, chosen, createdAt);
    const at = createdAt + afterMs;
    const isCappedByWindow = planned !== null && inTime(transaction, planned, at) < at;
    return isCappedByWindow ? `${label} when its window closes, before ${after}` : `${label} ${after}`;
  }
  const where = status ?? firstStatusFor(rail, event);
  return where === undefined ? label : `${label} in ${where}`;
}

function msOf(duration: string): number {
  const ms = Duration.fromISO(duration).toMillis();
  return Math.round(ms);
}

function requireValidRule({ outcome }: Rule, index: number, today: string): void {
  const field = `rules.${index}.outcome`;
  const { returnCode: code, declineReason, review, dispute, chargeBack, after, late } = outcome;
  const named = [code, declineReason, review, dispute, chargeBack].filter(
    (part) => part !== undefined && part !== false,
  );
  if (named.length > 1) {
    throw refuse('field_invalid', {
      field,
      message: `${field} has more than one of return_code, decline_reason, review, dispute and charge_back: send only one of them`,
    });
  }
  if (code !== undefined) requireReturnCode(code, `${field}.return_code`, today);
  if (late === true && (code === undefined || after === undefined)) {
    throw refuse('field_invalid', {
      field: `${field}.late`,
      message: `${field}.late applies only to a return at a set time: add return_code and after`,
    });
  }
  if (after === undefined) return;
  const ms = msOf(after);
  if (!Number.isFinite(ms) || ms < 0) {
    throw refuse('field_invalid', {
      field: `${field}.after`,
      message: `${field}.after is an ISO 8601 duration like PT30M or P2D; got "${after}"`,
    });
  }
  if (named.length === 0) {
    throw refuse('field_invalid', {
      field: `${field}.after`,
      message: `${field}.after needs an outcome: add return_code, decline_reason, review, dispute or charge_back`,
    });
  }
}

/** Refuses: `field_invalid` for a code that is unknown or not in force on the day, which is in Eastern time. */
export function requireReturnCode(code: string, field: string, today: string): void {
  if (returnCode(code, today) !== undefined) return;
  const first = firstDayOf(code);
  const problem =
    first === undefined
      ? 'is not a return code'
      : `is in force from ${first}, and the clock of the sandbox shows ${today}`;
  throw refuse('field_invalid', {
    field,
    message: `${field} "${code}" ${problem}: GET /_sandbox/return_codes lists the codes`,
  });
}
