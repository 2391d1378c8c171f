/**
 * The checks of a bank in an image beyond complete rows: its seed, a clock and a sequence that can continue, settings
 * that the bank would accept, events that can be formatted, and a balanced ledger. They only read.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import { formatEventFor } from '../../bank/api/events.ts';
import type { SequencePosition } from '../../bank/kernel/sequence.ts';
import type { Instant } from '../../bank/kernel/time.ts';
import { Program } from '../../bank/model/parts.ts';
import { checkOf, type ShapeCheck } from '../../bank/model/shape-check.ts';
import { ImageError } from '../../bank/store/image-error.ts';
import type { Look } from '../../bank/store/images.ts';
import { checkedFacts, hasRow, idsIn, metaOf } from '../../bank/store/row-checks.ts';
import type { MetaKey } from '../../bank/store/store.ts';
import { auditBank } from '../../bank/verbs/audit.ts';
import type { RtaSettings } from '../../bank/verbs/real-time.ts';
import { createOutcomes, type Rule } from '../../bank/verbs/transactions/outcomes.ts';
import type { ClockSetting } from './sandbox-clock.ts';
import type { SeedDocument } from './seed-document.ts';
import { type Aside, createSeedImages } from './seed-images.ts';
import type { SeededBank } from './seeding.ts';

/** The years that ISO 8601 writes with four digits. */
const FIRST: Instant = Date.parse('0001-01-01T00:00:00Z');
const LAST: Instant = Date.parse('9999-12-31T23:59:59.999Z');
const SLOWEST = 0.001;
/** A day in a second. */
const FASTEST = 86_400;
/** After this number of draws, a sequence could not distinguish two draws. */
const MAX_DRAWS = 2 ** 48;

const Text = Type.String();
const Id = Program.properties.programId;
const AnInstant = Type.Integer({ minimum: FIRST, maximum: LAST });
const Cents = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The shapes of the values in `meta`, by their keys. */
const META_SHAPES: Readonly<Record<MetaKey, TSchema>> = {
  program: Program,
  seeded: Type.Object({
    ids: Type.Record(Text, Id),
    tokens: Type.Optional(Type.Record(Text, Text)),
    webhookId: Id,
    webhookSecret: Text,
    linkSecret: Text,
    lastFact: Type.Optional(Cents),
  }),
  seed: Type.Object({
    seed: Text,
    at: AnInstant,
    document: Type.Union([Type.Null(), Type.Object({})]),
    history: Type.Optional(Type.Literal(true)),
  }),
  sequence: Type.Object({
    seed: Text,
    position: Type.Object({
      drawn: Type.Integer({ minimum: 0, maximum: MAX_DRAWS }),
      lastMs: Type.Integer({ minimum: 0, maximum: LAST }),
      lastCounter: Type.Integer({ minimum: 0, maximum: 0xfff }),
    }),
  }),
  clock: Type.Union([
    clockShape('live', Type.Literal(1)),
    clockShape('frozen', Type.Literal(0)),
    clockShape('scaled', Type.Number({ minimum: SLOWEST, maximum: FASTEST })),
  ]),
  failing_webhooks: Type.Record(Text, AnInstant),
  last_drops: Type.Record(Text, AnInstant),
  rta: Type.Union([
    Type.Null(),
    Type.Object({
      url: Type.String({ pattern: '^https?://' }),
      secret: Text,
      standIn: Type.Union([Type.Literal('approve'), Type.Literal('decline')]),
      timeoutMs: Type.Integer({ minimum: 1, maximum: 600_000 }),
      card: Type.Boolean(),
      ach: Type.Boolean(),
    }),
  ]),
  settings: Type.Partial(
    Type.Object({
      magicValues: Type.Boolean(),
      cardControlsInTest: Type.Boolean(),
      accountNumbers: Type.Boolean(),
      listsByPerson: Type.Boolean(),
      disclosureRequired: Type.Boolean(),
      shortfall: Type.Union([Type.Literal('refused'), Type.Literal('declined')]),
    }),
  ),
  rules: Type.Array(
    Type.Object({
      match: Type.Partial(
        Type.Object({
          rail: Text,
          direction: Text,
          amount: Type.Partial(Type.Object({ min: Cents, max: Cents, equals: Cents })),
          accountNumber: Text,
          routingNumber: Text,
          name: Text,
          mcc: Text,
        }),
      ),
      outcome: Type.Partial(
        Type.Object({
          returnCode: Text,
          declineReason: Text,
          review: Type.Boolean(),
          after: Text,
          late: Type.Boolean(),
        }),
      ),
    }),
  ),
};
/** A database without these has no bank, and opening it would seed a new one. */
const REQUIRED = ['program', 'seeded', 'sequence'];

function clockShape(mode: ClockSetting['mode'], rate: TSchema): TSchema {
  return Type.Object({ mode: Type.Literal(mode), shows: AnInstant, setAt: AnInstant, rate });
}

interface Seed {
  seed: string;
  at: Instant;
  document: SeedDocument | null;
}

/**
 * Checks images whose banks follow a clock with the time `now`; `aside` has a database in which the seed documents
 * are tried. Throws `ImageError`.
 */
export function lookInside(now: Instant, aside?: Aside): Look {
  return ({ db, sqlite }) => {
    const stored = metaOf(sqlite);
    const missing = REQUIRED.find((key) => !stored.has(key));
    if (missing !== undefined) throw new ImageError(`it does not contain a bank: it has no ${missing}`);
    for (const [key, value] of stored) requireMeta(key, value);
    const program = stored.get('program') as Program;
    requireSeeded(program, stored.get('seeded') as SeededBank, sqlite);
    requireSequence(stored.get('sequence') as { position: SequencePosition }, sqlite);
    requireClock(stored.get('clock') as ClockSetting | undefined, now);
    requireSettings(stored);
    requireSeed(stored.get('seed') as Seed | undefined, aside);
    for (const fact of checkedFacts(sqlite)) requireFormattable(fact, program);
    const [problem, ...more] = auditBank(db).problems;
    if (problem === undefined) return;
    throw new ImageError(
      `its books are wrong: ${problem}${more.length === 0 ? '' : `, and ${more.length} more`}`,
    );
  };
}

/** The checks of the shapes in `meta`, by its keys; each is compiled at its first use. */
const compiled = new Map<string, ShapeCheck>();

function requireMeta(key: string, value: unknown): void {
  const shape = Object.hasOwn(META_SHAPES, key) ? META_SHAPES[key as MetaKey] : undefined;
  if (shape === undefined) throw new ImageError(`its table meta has the unknown key "${key}"`);
  const check = compiled.get(key) ?? checkOf(shape);
  compiled.set(key, check);
  if (check.Check(value)) return;
  const problem = [...check.Errors(value)].at(-1);
  const found = JSON.stringify(problem?.value) ?? 'nothing';
  throw new ImageError(`its ${key} is invalid: ${found} at ${problem?.path || '/'}`);
}

type Sqlite = Parameters<Look>[0]['sqlite'];

function requireSeeded(program: Program, seeded: SeededBank, sqlite: Sqlite): void {
  if (hasRow(sqlite, 'master_accounts', program.masterAccountId)) {
    if (hasRow(sqlite, 'webhooks', seeded.webhookId)) return;
  }
  throw new ImageError('the bank in it cannot be opened: its seeded records are missing');
}

/** New ids must come after the existing ids. */
function requireSequence({ position }: { position: SequencePosition }, sqlite: Sqlite): void {
  const { count, last } = idsIn(sqlite);
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const prefix = `${hex(position.lastMs, 12)}7${hex(position.lastCounter, 3)}`;
  if (last.slice(0, prefix.length) <= prefix && position.drawn >= count) return;
  throw new ImageError(
    'its random sequence is behind the ids that it has created, so it would create them again',
  );
}

function requireClock(clock: ClockSetting | undefined, now: Instant): void {
  if (clock === undefined) return;
  const shows = clock.shows + (now - clock.setAt) * clock.rate;
  if (shows >= FIRST && shows <= LAST) return;
  throw new ImageError(`its clock must show a time in the years 1 to 9999; got ${shows} ms`);
}

/** A reset seeds the bank again from it. */
function requireSeed(from: Seed | undefined, aside: Aside | undefined): void {
  if (from === undefined || from.document === null) return;
  const { seed, at, document } = from;
  const fixedClock = { now: () => at };
  const seedImages = createSeedImages({
    seed,
    rails: 'calendar',
    webhookUrl: null,
    clock: fixedClock,
    path: null,
    ...(aside !== undefined && { aside }),
  });
  try {
    seedImages.imageFrom(document, at);
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    throw new ImageError(`its seed document is invalid: ${problem}`);
  }
}

/** Rejects settings that the bank would not have accepted: an unknown code, a receiver without an address. */
function requireSettings(stored: ReadonlyMap<string, unknown>): void {
  const rta = stored.get('rta') as RtaSettings | null | undefined;
  if (rta != null && URL.parse(rta.url) === null) {
    throw new ImageError(`its authorization URL is ${JSON.stringify(rta.url)}, which is not a URL`);
  }
  const rules = stored.get('rules') as Rule[] | undefined;
  if (rules === undefined) return;
  const nowhere = { meta: { read: () => undefined, write: () => {} }, onUndo() {} };
  try {
    // A clock that was set back shows a time before the first day of a rule's code.
    createOutcomes({
      store: nowhere as never,
      clock: { now: () => Date.UTC(9999, 0) } as never,
      shortfall: 'refused',
    }).setRules(rules);
  } catch (error) {
    throw new ImageError(`its rules are invalid: ${error instanceof Error ? error.message : error}`);
  }
}

/** Every event must be formattable in each version, now and later. */
function requireFormattable(fact: Parameters<typeof formatEventFor>[1]['fact'], program: Program): void {
  for (const version of ['v1', 'v2'] as const) {
    const kinds = version === 'v1' ? fact.kindsV1 : fact.kindsV2;
    for (const [ordinal, kind] of kinds.entries()) {
      try {
        formatEventFor(version, { fact, kind, ordinal, program });
      } catch (error) {
        const problem = error instanceof Error ? error.message : error;
        throw new ImageError(`its fact ${fact.seq} cannot be formatted as ${kind}: ${problem}`);
      }
    }
  }
}
