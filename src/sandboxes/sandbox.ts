/**
 * A sandbox is one bank with everything that changes: its database, clock, random sequence, agenda and webhooks. Two
 * sandboxes share nothing but the process. Here its parts are put together, and nowhere else.
 */
import type { Bank } from '../bank/bank.ts';
import { createBankClock } from '../bank/parts.ts';
import { type Courier, createCourier } from '../delivery/courier.ts';
import type { Send } from '../delivery/sender.ts';
import { spellEventId, writeEventFor } from '../dialects/events.ts';
import { createSequence, type Id, type SequencePosition } from '../kernel/sequence.ts';
import { type Clock, HOUR_MS } from '../kernel/time.ts';
import { type AuditReport, auditLedger } from '../ledger/audit.ts';
import { createLedger } from '../ledger/ledger.ts';
import type { Program } from '../model/records.ts';
import type { RailsProfile } from '../model/timetable.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { createQueue } from '../outbox/queue.ts';
import { type Commit, createGroupCommit } from '../store/group-commit.ts';
import { openConnection, type Place } from '../store/open.ts';
import { createStore, IDEMPOTENCY_MS, type Store } from '../store/store.ts';
import { type AgendaRunner, createAgendaRunner } from './agenda-runner.ts';
import type { Fixture } from './fixture.ts';
import { type Founded, foundBank } from './founding.ts';

/** What a sandbox needs that it cannot make itself. */
export interface SandboxOptions {
  name: string;
  place: Place;
  rails: RailsProfile;
  clock: Clock;
  /** The real time, for the signatures of deliveries: receivers allow only minutes. */
  wallClock: Clock;
  /** How a delivery leaves this process; `null` for a bank that only makes an image. */
  send: Send | null;
  /** Founds a bank when the database is empty. */
  founding: { seed: string; fixture: Fixture; webhookUrl: string | null };
  onError(error: unknown): void;
}

export interface Sandbox {
  readonly name: string;
  readonly bank: Bank;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly rails: RailsProfile;
  readonly program: Program;
  /** The ids of the records that the bank was founded with, by name. */
  readonly seeded: Founded;
  /** Runs a command with the others of this turn of the event loop, in one commit. */
  readonly commit: Commit;
  readonly agenda: AgendaRunner;
  readonly courier: Courier | null;
  /** Draws an id, for requests. */
  nextId(): Id;
  audit(): AuditReport;
  /** The whole bank as a SQLite image. */
  image(): Buffer;
  /** Ends its timers and deliveries; what was not delivered stays in the database. */
  close(): Promise<void>;
}

const SEQUENCE_KEY = 'sequence';
const PURGE_EVERY_MS = HOUR_MS;

/** Opens a sandbox, founding its bank if its database is empty. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { name, place, rails, clock, wallClock, founding } = options;
  const connection = openConnection(place);
  const { db, sqlite } = connection;
  const store = createStore(connection);
  const outbox = createOutbox(db);
  const ledger = createLedger(db);

  const stored = store.meta.read<{ seed: string; position: SequencePosition }>(SEQUENCE_KEY);
  const seed = stored?.seed ?? founding.seed;
  const sequence = createSequence(seed);
  if (stored !== undefined) sequence.moveTo(stored.position);
  let savedDraws = sequence.position().drawn;
  const saveSequence = (): void => {
    const position = sequence.position();
    if (position.drawn === savedDraws) return;
    store.meta.write(SEQUENCE_KEY, { seed, position });
    savedDraws = position.drawn;
  };

  const parts = { store, outbox, ledger, sequence, rails, clock: createBankClock(clock) };
  const { bank, seeded } = foundBank(connection, parts, founding, saveSequence);
  const { program } = bank;

  let courier: Courier | null = null;
  let purgeAt = clock.now() + PURGE_EVERY_MS;
  const purgeAnswers = (): void => {
    const now = clock.now();
    if (now < purgeAt) return;
    store.answers.purge(now - IDEMPOTENCY_MS);
    purgeAt = now + PURGE_EVERY_MS;
  };
  const group = createGroupCommit(sqlite, {
    beforeCommit() {
      saveSequence();
      purgeAnswers();
    },
    afterCommit: () => {
      courier?.wake();
      agenda.look();
    },
    afterUndo: outbox.forgetWebhooks,
  });
  const agenda = createAgendaRunner({
    store,
    bank,
    commit: group.run,
    clock,
    onError: options.onError,
  });
  if (options.send !== null) {
    courier = createCourier({
      queue: createQueue(db),
      commit: group.run,
      send: options.send,
      render: (fact, kind, ordinal, webhook) => ({
        id: spellEventId(webhook.dialect, fact, ordinal),
        body: writeEventFor(webhook.dialect, { fact, kind, ordinal, program }),
      }),
      clock,
      wallClock,
      // Made from its arguments, so that the order of answers from outside does not disturb the sequence.
      draw: (delivery, attempt) => createSequence(`${seed}/retry/${delivery}/${attempt}`).fraction(),
      timers: { set: setTimer },
      onDeactivated: (webhookId) => void bank.webhooks.change(webhookId, { status: 'deactivated' }),
    });
    courier.wake();
    agenda.look();
  }

  return {
    name,
    bank,
    store,
    outbox,
    clock,
    rails,
    program,
    seeded,
    commit: group.run,
    agenda,
    get courier() {
      return courier;
    },
    nextId: () => sequence.id(clock.now()),
    audit: () => auditLedger(db),
    image() {
      group.flush();
      saveSequence();
      return connection.image();
    },
    async close() {
      agenda.stop();
      group.flush();
      await courier?.stop();
      group.flush();
      saveSequence();
      connection.close();
    },
  };
}

/** A timer that keeps no process alive; answers how to take it back. */
function setTimer(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  timer.unref();
  return () => clearTimeout(timer);
}
