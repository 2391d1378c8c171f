/**
 * A bank for one test: seeded with the default fixture, in memory, with a clock that only the test moves and a
 * receiver that responds with 200 to every delivery. When the test ends, its books are audited and it is closed.
 * Seeding is slow, so it happens once for each seed and instant; every bank starts from a copy of that image, in
 * about a millisecond.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import type { Outgoing } from '../../src/bank/delivery/sender.ts';
import type { Id } from '../../src/bank/kernel/sequence.ts';
import type { Clock, Instant } from '../../src/bank/kernel/time.ts';
import type { Fact } from '../../src/bank/model/facts.ts';
import type { RailsProfile } from '../../src/bank/model/timetable.ts';
import type { Place } from '../../src/bank/store/open.ts';
import type { Bank } from '../../src/bank/verbs/bank.ts';
import { openSandbox, type Sandbox } from '../../src/sandboxes/sandbox/sandbox.ts';
import { SEEDED_SECRETS } from '../../src/sandboxes/sandbox/secrets.ts';
import { defaultSeedDocument, type SeedDocument } from '../../src/sandboxes/sandbox/seed-document.ts';
import { seededId } from '../../src/sandboxes/sandbox/seeding.ts';

/** A Wednesday in March, 10:00 Pacific, which is a banking day. */
export const START = Date.parse('2026-03-04T18:00:00.000Z');

/** A frozen clock that can be moved. */
export interface HandClock extends Clock {
  set(instant: Instant): void;
  advance(ms: number): void;
}

export interface TestSandboxOptions {
  /** Default: `manual`, so that nothing happens without the test. */
  rails?: RailsProfile;
  at?: Instant;
  /** By default one that stands at `at`. */
  clock?: HandClock;
  seed?: string;
  /** Default: in memory. A file that does not exist is created with a seeded bank. */
  place?: Place;
}

export interface TestSandbox {
  readonly sandbox: Sandbox;
  /** The current bank, which changes when the sandbox rests. */
  readonly bank: Bank;
  readonly clock: HandClock;
  /** The deliveries to webhooks in order; call `await sandbox.courier?.idle()` first. */
  readonly sent: Outgoing[];
  /** Errors without a caller; a test that expects errors removes them. */
  readonly errors: unknown[];
  /** The id of a record in the fixture: `account`, `ach_counterparty`, `virtual_card`, ... */
  id(name: string): Id;
  /** Runs a command like a request: in one commit with the others of this turn. */
  run<T>(command: (bank: Bank) => T): Promise<T>;
  /** Moves the clock (default: by 0 ms) and executes all due steps; returns their number. */
  pass(ms?: number): Promise<number>;
  /** The facts since the last call. */
  newFacts(): Fact[];
  /**
   * Audits and closes the bank. This happens automatically at the end of the test; call it in tests that open many
   * banks or the same one twice.
   */
  end(): Promise<void>;
}

/** A clock that is frozen at `at`. */
export function createHandClock(at: Instant = START): HandClock {
  let now = at;
  return {
    now: () => now,
    set(instant) {
      now = instant;
    },
    advance(ms) {
      now += ms;
    },
  };
}

/** Opens a bank for the running test. */
export function openTestSandbox(options: TestSandboxOptions = {}): TestSandbox {
  const { rails = 'manual', at = START, seed = 'test', place = { kind: 'memory' } } = options;
  const { clock = createHandClock(at) } = options;
  const sent: Outgoing[] = [];
  const errors: unknown[] = [];
  const image = seededImage(seed, at);
  if (place.kind === 'file' && !existsSync(place.path)) writeFileSync(place.path, image);
  const sandbox = openSandbox({
    name: 'test',
    place: place.kind === 'memory' ? { kind: 'image', image } : place,
    rails,
    clock,
    wallClock: clock,
    send: async (outgoing) => {
      sent.push(outgoing);
      return { status: 200, durationMs: 1, error: '', retryAfter: null };
    },
    secrets: SEEDED_SECRETS,
    seedSource: { seed, document: smallFixture(), webhookUrl: null },
    restingBase: () => image,
    onError: (error) => errors.push(error),
  });
  const { seeded } = sandbox;
  let readUpTo = sandbox.outbox.latestSeq();
  let ended = false;

  const end = async (): Promise<void> => {
    if (ended) return;
    ended = true;
    unregister();
    const { problems } = sandbox.audit();
    await sandbox.close();
    expect(problems).toEqual([]);
    expect(errors).toEqual([]);
  };
  const unregister = endWithTest(end);

  return {
    sandbox,
    get bank() {
      return sandbox.bank;
    },
    clock,
    sent,
    errors,
    id: (name) => seededId(seeded, name),
    run(command) {
      const { bank, commit } = sandbox;
      return commit(() => command(bank));
    },
    pass(ms = 0) {
      clock.advance(ms);
      return sandbox.agenda.runDue();
    },
    newFacts() {
      const first = readUpTo + 1;
      const { outbox } = sandbox;
      readUpTo = outbox.latestSeq();
      return Array.from({ length: readUpTo - first + 1 }, (_, place) => outbox.fact(first + place) as Fact);
    },
    end,
  };
}

/**
 * The seeded persons, business, accounts and cards, without the payments and other records for examples; for tests
 * that count records.
 */
export function smallFixture(): SeedDocument {
  const { program, persons, businesses, accounts, counterparties, card_holders, cards } =
    defaultSeedDocument();
  const isIn = (names: readonly string[]) => (entry: { as: string }) => names.includes(entry.as);
  return {
    program,
    persons: persons.filter(isIn(['person', 'other_person'])),
    businesses: businesses
      .filter(isIn(['business']))
      .map(({ ownership_disclosure: _, ...business }) => business),
    accounts: accounts.filter(isIn(['account', 'other_account'])),
    counterparties: counterparties.filter(isIn(['ach_counterparty', 'intra_counterparty'])),
    card_holders,
    cards,
  };
}

const ends = new Map<number, () => Promise<void>>();
let opened = 0;

/**
 * Closes a bank with the running test, unless it was closed before, so that a test of thousands of banks keeps none
 * of them in memory.
 */
function endWithTest(end: () => Promise<void>): () => void {
  opened += 1;
  const number = opened;
  ends.set(number, end);
  onTestFinished(() => ends.get(number)?.());
  return () => void ends.delete(number);
}

const images = new Map<string, Buffer>();

/** The image of a bank that was seeded from `seed` at an instant; cached for all tests of a file. */
export function seededImage(seed: string, at: Instant): Buffer {
  const key = `${seed} ${at}`;
  const known = images.get(key);
  if (known !== undefined) return known;
  const clock = createHandClock(at);
  const seededBank = openSandbox({
    name: 'image',
    place: { kind: 'memory' },
    rails: 'manual',
    clock,
    wallClock: clock,
    send: null,
    secrets: SEEDED_SECRETS,
    seedSource: { seed, document: smallFixture(), webhookUrl: null },
    onError: (error) => {
      throw error;
    },
  });
  const image = seededBank.image();
  void seededBank.close();
  images.set(key, image);
  return image;
}
