/**
 * Examples of events: an event of a requested kind, made from the newest event of that kind in the sandbox, or else
 * from a history that contains every kind. An example has its own id, so that a receiver that stores ids does not
 * discard it. It is in no log, because it did not happen.
 */
import {
  type ApiVersion,
  type ExampleHistory,
  formatExample,
  formatExampleOf,
  kindsIn,
  kindsOf,
} from '../../bank/api/events.ts';
import { formatV2 } from '../../bank/api/ids.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Fact } from '../../bank/model/facts.ts';
import { inTransaction } from '../../bank/store/group-commit.ts';
import { findEvents, type LoggedEvent } from './event-log.ts';
import { writeExampleHistory } from './example-history.ts';
import type { Sandbox } from './sandbox.ts';
import type { SeedImages } from './seed-images.ts';
import { seededId } from './seeding.ts';

/** An example that can be sent. */
interface Example {
  readonly id: string;
  readonly body: string;
  /** The event of this sandbox that it is made from; `undefined` if the sandbox has no event of the kind. */
  readonly from: LoggedEvent | undefined;
}

export interface EventExamples {
  /** An example of a kind in the form of a delivery, with the records of the seed. */
  event(version: ApiVersion, kind: string): object;
  /** Whether this bank can publish events of the kind. */
  happens(version: ApiVersion, kind: string): boolean;
  /** Makes an example for a sandbox. Refuses: `event_unknown`. */
  make(sandbox: Sandbox, version: ApiVersion, kind: string): Promise<Example>;
}

/** The examples of one process. The first request for one runs the history. */
export function createEventExamples(seedImages: SeedImages): EventExamples {
  let written: ExampleHistory | undefined;
  const history = (): ExampleHistory => {
    written ??= seedImages.withTemporary(seedImages.defaultImage(), writeHistory);
    return written;
  };
  let program: Sandbox['program'] | undefined;
  const seededProgram = (): Sandbox['program'] => {
    program ??= seedImages.withTemporary(seedImages.defaultImage(), (sandbox) => sandbox.program);
    return program;
  };

  return {
    event(version, kind) {
      const fact = history().factOf(version, kind);
      const example = { id: EXAMPLE_ID, at: fact?.at ?? 0, kind, program: seededProgram() };
      return JSON.parse(formatExample(version, example, history())) as object;
    },

    happens: (version, kind) => history().factOf(version, kind) !== undefined,

    async make(sandbox, version, kind) {
      if (!kindsOf(version).includes(kind)) {
        throw refuse('event_unknown', {
          field: 'type',
          message: `${kind} is not an event type of ${version}`,
        });
      }
      const { events } = await findEvents(sandbox, { filter: { version, kind }, limit: 1 });
      const [from] = events;
      const id = await sandbox.commit(() => sandbox.nextId());
      const example = { id, at: sandbox.clock.now(), kind, program: sandbox.program };
      const body =
        from === undefined
          ? formatExample(version, example, history())
          : formatExampleOf(version, example, from.fact);
      return { id: formatV2('event', id), body, from };
    },
  };
}

/** The id of every example in a document. */
const EXAMPLE_ID = '0193a5c0b8007a3e9c4d5e6f70819206';

/** Runs the history in a separate bank and stores the first fact of every kind. */
function writeHistory(sandbox: Sandbox): ExampleHistory {
  const { bank, seeded, outbox, connection } = sandbox;
  inTransaction(connection.sqlite, () =>
    writeExampleHistory(bank, {
      personId: seededId(seeded, 'person'),
      accountId: seededId(seeded, 'account'),
      otherAccountId: seededId(seeded, 'other_account'),
      cardId: seededId(seeded, 'virtual_card'),
    }),
  );
  const facts = new Map<string, Fact>();
  const latest = outbox.latestSeq();
  for (let seq = 1; seq <= latest; seq += 1) {
    const fact = outbox.fact(seq);
    if (fact === undefined) continue;
    for (const version of ['v1', 'v2'] as const) {
      for (const kind of kindsIn(version, fact)) {
        if (!facts.has(`${version}/${kind}`)) facts.set(`${version}/${kind}`, fact);
      }
    }
  }
  return {
    factOf: (version, kind) => facts.get(`${version}/${kind}`),
    master: bank.accounts.master(),
  };
}
