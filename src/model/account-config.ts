/**
 * What an account may do and how much. An account keeps only what differs from the program; what the program allows is
 * here, and `configOf` puts the two together. A fallback account keeps a configuration of its own. No limit of money is
 * the program's own. Whether there are numbers is the
 * program's as well.
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

/** One way out of or into an account; `sameDay` belongs to ACH alone. */
export interface WaySwitch {
  enabled: boolean;
  sameDay?: boolean;
}

/** How many cards of a kind an account may have at once, closed ones not counted. */
export interface CardAllowance {
  enabled: boolean;
  count: number;
}

/** The limits of one side: of all ways together, and of each. */
export interface Limits<Way extends string> {
  overall: MoneyLimit;
  ways: Readonly<Record<Way, MoneyLimit>>;
}

/** A configuration with nothing left out. */
export interface WholeConfig {
  send: Readonly<Record<SendWay, WaySwitch>>;
  receive: Readonly<Record<ReceiveWay, WaySwitch>>;
  cards: Readonly<Record<CardType, CardAllowance>>;
  limits: { send: Limits<SendWay>; receive: Limits<ReceiveWay> };
  achPull: AccountConfig['achPull'];
  /** `null` until a cover is set. */
  fallback: Covers | null;
}

/** What covers each way when the account has too little. */
export type Covers = Readonly<Record<CoveredWay, Cover>>;

const NO_COVER: Cover = { enabled: false, fallbackId: '' };
const OFF: WaySwitch = { enabled: false };
const ON: WaySwitch = { enabled: true };
const ACH: WaySwitch = { enabled: true, sameDay: true };
const NO_LIMIT: MoneyLimit = { daily: null, monthly: null };

/** What the program allows. */
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

/** A configuration that says nothing of its own. */
const NOTHING: AccountConfig = {
  send: {},
  receive: {},
  cards: {},
  limits: { send: { ways: {} }, receive: { ways: {} } },
  achPull: { enabled: true, allowedOriginators: [], blockedOriginators: [] },
};

/** What of a configuration is to be another; a limit that is `null` is taken away. */
export interface AccountConfigChange {
  send?: Partial<Record<SendWay, Partial<WaySwitch>>>;
  receive?: Partial<Record<ReceiveWay, Partial<WaySwitch>>>;
  cards?: Partial<Record<CardType, Partial<CardAllowance>>>;
  limits?: { send?: LimitsChange<SendWay>; receive?: LimitsChange<ReceiveWay> };
  achPull?: Partial<AccountConfig['achPull']>;
  /** `null` takes every cover away. */
  fallback?: Partial<Record<CoveredWay, Partial<Cover>>> | null;
}

/** The change of one side's limits. */
export interface LimitsChange<Way extends string> {
  overall?: Partial<MoneyLimit>;
  ways?: Partial<Record<Way, Partial<MoneyLimit>>>;
}

/** What holds for an account with this configuration. */
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

/** The configuration after a change: what the change does not name is as it was. */
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

/** The ways that a fallback account has: payments within the bank, and nothing else. */
const WITHIN = 'intrabank';

/** The configuration with which a fallback account opens. */
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

/** A part of the configuration of a fallback account that allows what no such account does; `undefined` when there is none. */
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

/** The parts that a change names, each with the fields that it does not name as they were. */
function changed<Name extends string, Part>(
  whole: Readonly<Record<Name, Part>>,
  change: Partial<Record<Name, Partial<Part>>> | undefined,
): Partial<Record<Name, Part>> {
  const named = Object.entries(change ?? {}) as [Name, Partial<Part>][];
  return Object.fromEntries(named.map(([name, part]) => [name, { ...whole[name], ...part }])) as Partial<
    Record<Name, Part>
  >;
}

/** The routing number that goes with the number of an account; `''` for an account without one. */
export function routingNumberOf({ accountNumber }: Account, { routingNumber }: Program): string {
  return accountNumber === '' ? '' : routingNumber;
}
