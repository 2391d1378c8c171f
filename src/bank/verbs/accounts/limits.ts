/**
 * The objections of an account's configuration: a payment method that is switched off, an exceeded limit per UTC day
 * or month, too many cards, a pull by a bank that is not allowed. An account without a configuration needs no query.
 * Declined, returned, reversed and canceled payments do not count towards limits.
 * Source: the limits of accounts in the platform's v1 help; decisions `account-limit-counting`, `over-account-limit`
 * and `account-pulls-and-cards` in docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { RefusalCode } from '../../kernel/refusals.ts';
import type { Id } from '../../kernel/sequence.ts';
import type { Instant } from '../../kernel/time.ts';
import { configOf, type WaySwitch } from '../../model/account-config.ts';
import { on } from '../../model/conditions.ts';
import { type OrderedRail, RAILS } from '../../model/rails/index.ts';
import type {
  Account,
  AccountConfig,
  CounterpartySnapshot,
  MoneyLimit,
  Reason,
  ReceiveWay,
  SendWay,
} from '../../model/records.ts';
import { reasonOfReturn } from '../../model/return-codes.ts';
import type { CardType } from '../../model/vocabulary.ts';
import type { Originated } from '../../store/account-months.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Objection } from '../payments/notes.ts';
import { RECEIVE_LIMIT, SEND_LIMIT } from '../transactions/outcomes.ts';

/** An objection to an origination. */
export interface PaymentObjection extends Objection {
  /** The refusal and its field, if no transaction is recorded. */
  refusal: RefusalCode;
  field: string;
}

const SIDES = ['send', 'receive'] as const;
type Side = (typeof SIDES)[number];
type Way = { side: 'send'; way: SendWay | null } | { side: 'receive'; way: ReceiveWay };

/** The payment method of each rail; the instant rails have none in v1, so only the overall limit applies to them. */
const WAYS = {
  intra_push: { side: 'send', way: 'intrabank' },
  intra_pull: { side: 'receive', way: 'intrabank' },
  ach_push: { side: 'send', way: 'ach' },
  ach_pull: { side: 'receive', way: 'ach' },
  domestic_wire: { side: 'send', way: 'wire' },
  international_wire: { side: 'send', way: 'internationalWire' },
  rtp_push: { side: 'send', way: null },
  fednow_push: { side: 'send', way: null },
  debit_card_push: { side: 'send', way: 'debitCard' },
  debit_card_pull: { side: 'receive', way: 'debitCard' },
  check_send: { side: 'send', way: 'check' },
  check_deposit: { side: 'receive', way: 'check' },
  solid_card_send: { side: 'send', way: 'card' },
} as const satisfies Record<OrderedRail, Way>;

const LIMIT_REASONS = { send: SEND_LIMIT, receive: RECEIVE_LIMIT } as const;
const PERIODS = ['daily', 'monthly'] as const;
type Period = (typeof PERIODS)[number];

/** Why the account's configuration does not allow this origination; `undefined` if it does. */
export function objectionToPayment(
  { store, clock }: Pick<Dependencies, 'store' | 'clock'>,
  { id, config, role }: Account,
  rail: OrderedRail,
  amount: Cents,
  sameDay: boolean,
): PaymentObjection | undefined {
  if (role === 'fallback' && RAILS[rail].needs !== 'intraAccount') {
    return objectionOfConfig(
      'role',
      'accountId',
      'a fallback account sends and receives only intrabank payments',
    );
  }
  if (config === null) return undefined;
  const whole = configOf(config);
  const { side, way }: Way = WAYS[rail];
  const ways: Readonly<Record<string, WaySwitch>> = whole[side];
  const off = way === null ? undefined : objectionOfSwitch(`${side}.${way}`, ways[way], sameDay);
  if (off !== undefined) return off;

  const applicable = limitsOf(whole, side).filter((limit) => limit.way === null || limit.way === way);
  for (const { name, period, max, used } of withUse({ store, clock }, id, applicable)) {
    if (used + amount > max) return objectionOfLimit(side, name, period, { max, used, amount });
  }
  return undefined;
}

/** Every limit of an account, with the used amount. */
export function limitsInUse(
  dependencies: Pick<Dependencies, 'store' | 'clock'>,
  { id, config }: Account,
): LimitInUse[] {
  if (config === null) return [];
  const whole = configOf(config);
  return withUse(dependencies, id, [...limitsOf(whole, 'send'), ...limitsOf(whole, 'receive')]);
}

/** Refuses: `field_invalid` for an ACH limit above the overall limit. */
export function requireAchWithinOverall(config: AccountConfig): void {
  const { limits } = configOf(config);
  for (const side of SIDES) {
    for (const period of PERIODS) {
      const max = limits[side].overall[period];
      const ach = limits[side].ways.ach[period];
      if (ach === null || max === null || ach <= max) continue;
      const field = `config.limits.${side}.ach.${period}`;
      throw refuse('field_invalid', {
        field,
        message: `${field} would be ${formatMoney(ach)}, above the overall limit of ${formatMoney(max)}: lower it, or raise config.limits.${side}.${period}`,
      });
    }
  }
}

/** Refuses: `card_type_off` or `cards_full` if the account cannot have another card of this type. */
export function requireCardAllowed(
  { store }: Pick<Dependencies, 'store'>,
  account: Account,
  type: CardType,
): void {
  const { enabled, count } = configOf(account.config).cards[type];
  if (!enabled) {
    throw refuse('card_type_off', { field: 'cardType', message: `the account does not allow ${type} cards` });
  }
  const present = store.cards.list.total([
    on('accountId', { is: account.id }),
    on('type', { is: type }),
    on('status', { not: 'closed' }),
  ]);
  if (present < count) return;
  throw refuse('cards_full', {
    field: 'cardType',
    message: `the account may have ${count} ${type} cards and has ${present}: close one, or allow more`,
  });
}

/** Why a pull by this bank is returned as unauthorized; `undefined` if it is allowed. */
export function objectionToPull(
  { config, holderType }: Account,
  { name = '', routingNumber = '' }: Partial<CounterpartySnapshot>,
): Objection | undefined {
  if (config === null) return undefined;
  const { enabled, allowedOriginators, blockedOriginators } = config.achPull;
  const isAmong = (list: readonly string[]): boolean =>
    list.some((entry) => plain(entry) === plain(name) || plain(entry) === plain(routingNumber));
  const who = name || routingNumber || 'an unnamed originator';
  const no = (control: string, message: string): Objection => ({
    control: `incoming.achPull.${control}`,
    reason: notAuthorized(holderType),
    message,
    numbers: {},
  });
  if (!enabled) return no('enabled', 'the account does not allow pulls by other banks');
  if (isAmong(blockedOriginators)) return no('blockedOriginators', `${who} is a blocked originator`);
  if (allowedOriginators.length > 0 && !isAmong(allowedOriginators)) {
    return no('allowedOriginators', `${who} is not an allowed originator`);
  }
  return undefined;
}

/** The return reason of an unauthorized debit; businesses have a separate code. */
export function notAuthorized(holderType: Account['holderType']): Reason {
  return reasonOfReturn(holderType === 'business' ? 'R29' : 'R10');
}

/** A limit of money in a day or a month. */
interface Limit {
  /** Its path in the configuration: `limits.send.ach`. */
  readonly name: string;
  readonly period: Period;
  readonly max: Cents;
  readonly side: Side;
  /** `null` for the overall limit. */
  readonly way: string | null;
}

export interface LimitInUse extends Limit {
  readonly used: Cents;
}

/** The limits of one side, the overall ones first. */
function limitsOf({ limits }: ReturnType<typeof configOf>, side: Side): Limit[] {
  const { overall, ways }: { overall: MoneyLimit; ways: Readonly<Record<string, MoneyLimit>> } = limits[side];
  return [[null, overall] as const, ...Object.entries(ways)].flatMap(([way, limit]) =>
    PERIODS.flatMap((period) => {
      const max = limit[period];
      const name = `limits.${side}${way === null ? '' : `.${way}`}`;
      return max === null ? [] : [{ name, period, max, side, way }];
    }),
  );
}

/** Limits with the used amounts. */
function withUse(
  { store, clock }: Pick<Dependencies, 'store' | 'clock'>,
  accountId: Id,
  limits: readonly Limit[],
): LimitInUse[] {
  if (limits.length === 0) return [];
  const now = clock.now();
  const today = startOf('daily', now);
  const since = limits.some(({ period }) => period === 'monthly') ? startOf('monthly', now) : today;
  const rows = store.accountMonths.originated(accountId, since, today);
  return limits.map((limit) => {
    const used = rows
      .filter((row) => countsFor(row, limit))
      .reduce((sum, { all, late }) => sum + (limit.period === 'daily' ? late : all), 0);
    return { ...limit, used };
  });
}

function countsFor({ rail }: Originated, { side, way }: Limit): boolean {
  const own = (WAYS as Readonly<Record<string, Way>>)[rail];
  return own?.side === side && (way === null || own.way === way);
}

/** The beginning of the UTC day or month. */
function startOf(period: Period, now: Instant): Instant {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), period === 'monthly' ? 1 : date.getUTCDate());
}

function objectionOfSwitch(
  name: string,
  way: WaySwitch | undefined,
  sameDay: boolean,
): PaymentObjection | undefined {
  if (way?.enabled === false) {
    return objectionOfConfig(`${name}.enabled`, 'accountId', `${name} is switched off for the account`);
  }
  if (sameDay && way?.sameDay === false) {
    return objectionOfConfig(
      `${name}.sameDay`,
      'sameDay',
      `same-day ${name} is switched off for the account`,
    );
  }
  return undefined;
}

function objectionOfConfig(control: string, field: string, message: string): PaymentObjection {
  const reason = { code: 'transferTypeDisabled', message };
  return { control, reason, refusal: 'switched_off', field, message, numbers: {} };
}

function objectionOfLimit(
  side: 'send' | 'receive',
  name: string,
  period: Period,
  cents: Record<'max' | 'used' | 'amount', Cents>,
): PaymentObjection {
  const [limit, used, amount] = [cents.max, cents.used, cents.amount].map(formatMoney) as [
    string,
    string,
    string,
  ];
  return {
    control: `${name}.${period}`,
    reason: LIMIT_REASONS[side],
    refusal: `${period}_limit_exceeded`,
    field: 'amount',
    message: `${amount} is more than what is left of ${name}.${period}: ${used} of ${limit} is used`,
    numbers: { amount, limit, used },
  };
}

const plain = (text: string): string => text.trim().toLowerCase();
