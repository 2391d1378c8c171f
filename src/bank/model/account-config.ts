/**
 * The configuration of accounts: allowed payment methods, limits and cards. An account stores only differences from
 * the program; the program's configuration is in this file, and `configOf` combines the two. A fallback account
 * stores its own configuration. The program sets no money limits, and decides whether accounts get numbers.
 * Source: the account configuration of the platform's v1 reference; decisions `v1-account-config`,
 * `account-config-changes` and `account-without-number` in docs/fidelity.md.
 */
import {
  type Account,
  type AccountConfig,
  type Cover,
  type MoneyLimit,
  type Program,
  RECEIVE_WAYS,
  type ReceiveWay,
  SEND_WAYS,
  type SendWay,
} from './records.ts';
import { CARD_TYPES, type CardType, type CoveredWay } from './vocabulary.ts';

/** The switch of one payment method of an account; only ACH has `sameDay`. */
export interface WaySwitch {
  enabled: boolean;
  sameDay?: boolean;
}

/** The maximum number of cards of a type, not counting closed cards. */
interface CardAllowance {
  enabled: boolean;
  count: number;
}

/** The limits of one side: the overall limit, and one for each method. */
export interface Limits<Way extends string> {
  overall: MoneyLimit;
  ways: Readonly<Record<Way, MoneyLimit>>;
}

/** A complete configuration. */
export interface WholeConfig {
  send: Readonly<Record<SendWay, WaySwitch>>;
  receive: Readonly<Record<ReceiveWay, WaySwitch>>;
  cards: Readonly<Record<CardType, CardAllowance>>;
  limits: { send: Limits<SendWay>; receive: Limits<ReceiveWay> };
  achPull: AccountConfig['achPull'];
  /** `null` until a cover is set. */
  fallback: Covers | null;
}

/** The fallback account for each method, used if the balance is too low. */
export type Covers = Readonly<Record<CoveredWay, Cover>>;

const NO_COVER: Cover = { enabled: false, fallbackId: '' };
const OFF: WaySwitch = { enabled: false };
const ON: WaySwitch = { enabled: true };
const ACH: WaySwitch = { enabled: true, sameDay: true };
const NO_LIMIT: MoneyLimit = { daily: null, monthly: null };

/** The configuration of the program. */
const PROGRAM = {
  send: {
    intrabank: ON,
    ach: ACH,
    wire: ON,
    internationalWire: ON,
    check: ON,
    card: ON,
    debitCard: ON,
  },
  receive: { intrabank: ON, ach: ACH, check: ON, debitCard: ON },
  cards: { virtual: { enabled: true, count: 1000 }, physical: { enabled: true, count: 100 } },
} as const satisfies Pick<WholeConfig, 'send' | 'receive' | 'cards'>;

/** A configuration without differences from the program. */
const NOTHING: AccountConfig = {
  send: {},
  receive: {},
  cards: {},
  limits: { send: { ways: {} }, receive: { ways: {} } },
  achPull: { enabled: true, allowedOriginators: [], blockedOriginators: [] },
};

/** The changes of a configuration; `null` removes a limit. */
export interface AccountConfigChange {
  send?: Partial<Record<SendWay, Partial<WaySwitch>>>;
  receive?: Partial<Record<ReceiveWay, Partial<WaySwitch>>>;
  cards?: Partial<Record<CardType, Partial<CardAllowance>>>;
  limits?: { send?: LimitsChange<SendWay>; receive?: LimitsChange<ReceiveWay> };
  achPull?: Partial<AccountConfig['achPull']>;
  /** `null` removes all fallback accounts. */
  fallback?: Partial<Record<CoveredWay, Partial<Cover>>> | null;
}

/** The changes of the limits of one side. */
interface LimitsChange<Way extends string> {
  overall?: Partial<MoneyLimit>;
  ways?: Partial<Record<Way, Partial<MoneyLimit>>>;
}

/** The effective configuration of an account. */
export function configOf(config: AccountConfig | null): WholeConfig {
  const { send, receive, cards, limits, achPull, fallback } = config ?? NOTHING;
  return {
    send: { ...PROGRAM.send, ...send },
    receive: { ...PROGRAM.receive, ...receive },
    cards: { ...PROGRAM.cards, ...cards },
    limits: {
      send: wholeLimits(SEND_WAYS, limits.send),
      receive: wholeLimits(RECEIVE_WAYS, limits.receive),
    },
    achPull,
    fallback: fallback === undefined ? null : { ach: NO_COVER, card: NO_COVER, ...fallback },
  };
}

/** The configuration after a change; fields that the change does not contain stay. */
export function changeConfig(present: AccountConfig | null, change: AccountConfigChange): AccountConfig {
  const { send, receive, cards, limits, achPull, fallback } = present ?? NOTHING;
  const whole = configOf(present);
  const covers = change.fallback === undefined ? fallback : coversAfter(whole.fallback, change.fallback);
  return {
    send: { ...send, ...changed(whole.send, change.send) },
    receive: { ...receive, ...changed(whole.receive, change.receive) },
    cards: { ...cards, ...changed(whole.cards, change.cards) },
    limits: {
      send: changeLimits(limits.send, whole.limits.send, change.limits?.send),
      receive: changeLimits(limits.receive, whole.limits.receive, change.limits?.receive),
    },
    achPull: { ...achPull, ...change.achPull },
    ...(covers !== undefined && { fallback: covers }),
  };
}

function coversAfter(
  present: Covers | null,
  change: NonNullable<AccountConfigChange['fallback']> | null,
): Covers | undefined {
  if (change === null) return undefined;
  const whole = present ?? { ach: NO_COVER, card: NO_COVER };
  return { ...whole, ...changed(whole, change) };
}

/** The only payment method of a fallback account: payments within the bank. */
const WITHIN = 'intrabank';

/** The configuration of a new fallback account. */
export const FALLBACK_CONFIG: AccountConfig = {
  ...NOTHING,
  send: offExcept(SEND_WAYS, WITHIN),
  receive: offExcept(RECEIVE_WAYS, WITHIN),
  cards: { virtual: { ...PROGRAM.cards.virtual, ...OFF }, physical: { ...PROGRAM.cards.physical, ...OFF } },
  achPull: { ...NOTHING.achPull, ...OFF },
};

function offExcept<Way extends string>(ways: readonly Way[], kept: Way): Partial<Record<Way, WaySwitch>> {
  const off = ways.filter((way) => way !== kept).map((way) => [way, OFF]);
  return Object.fromEntries(off) as Partial<Record<Way, WaySwitch>>;
}

/** The part of a configuration that a fallback account must not have; `undefined` if there is none. */
export function beyondFallback(config: AccountConfig): string | undefined {
  const { send, receive, cards, achPull, fallback } = configOf(config);
  const parts: (readonly [name: string, part: { enabled: boolean }])[] = [
    ...SEND_WAYS.filter((way) => way !== WITHIN).map((way) => [`send.${way}`, send[way]] as const),
    ...RECEIVE_WAYS.filter((way) => way !== WITHIN).map((way) => [`receive.${way}`, receive[way]] as const),
    ...CARD_TYPES.map((type) => [`card.${type}`, cards[type]] as const),
    ['incoming.achPull', achPull],
    ...Object.entries(fallback ?? {}).map(([way, cover]) => [`fallback.received.${way}`, cover] as const),
  ];
  return parts.find(([, { enabled }]) => enabled)?.[0];
}

type StoredLimits<Way extends string> = { overall?: MoneyLimit; ways: Partial<Record<Way, MoneyLimit>> };

function wholeLimits<Way extends string>(ways: readonly Way[], stored: StoredLimits<Way>): Limits<Way> {
  const each = ways.map((way): [Way, MoneyLimit] => [way, stored.ways[way] ?? NO_LIMIT]);
  return {
    overall: stored.overall ?? NO_LIMIT,
    ways: Object.fromEntries(each) as Record<Way, MoneyLimit>,
  };
}

function changeLimits<Way extends string>(
  stored: StoredLimits<Way>,
  whole: Limits<Way>,
  change: LimitsChange<Way> | undefined,
): StoredLimits<Way> {
  if (change === undefined) return stored;
  return {
    ...stored,
    ...(change.overall !== undefined && { overall: { ...whole.overall, ...change.overall } }),
    ways: { ...stored.ways, ...changed(whole.ways, change.ways) },
  };
}

/** The parts in a change, each completed with the fields that the change does not contain. */
function changed<Name extends string, Part>(
  whole: Readonly<Record<Name, Part>>,
  change: Partial<Record<Name, Partial<Part>>> | undefined,
): Partial<Record<Name, Part>> {
  const named = Object.entries(change ?? {}) as [Name, Partial<Part>][];
  return Object.fromEntries(named.map(([name, part]) => [name, { ...whole[name], ...part }])) as Partial<
    Record<Name, Part>
  >;
}

/** The routing number of an account; `''` for an account without a number. */
export function routingNumberOf({ accountNumber }: Account, { routingNumber }: Program): string {
  return accountNumber === '' ? '' : routingNumber;
}
