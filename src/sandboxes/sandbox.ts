/**
 * A sandbox is one bank with everything that changes: its database, clock, random sequence, agenda and webhooks. Two
 * sandboxes share nothing but the process. It stays the same while its bank is exchanged for another one by a reset or a
 * restore; the exchange is one step, so a request is carried out wholly on the old bank or wholly on the new.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RailsProfile } from '../model/timetable.ts';
import { withLog } from '../store/images.ts';
import { openConnection, type Place } from '../store/open.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { createFaults, type Faults } from './faults.ts';
import { type Instance, type InstanceOptions, openInstance } from './instance.ts';
import { createJournal, type Journal } from './journal.ts';
import { createNews, type News } from './news.ts';

export interface SandboxOptions extends InstanceOptions {
  name: string;
  place: Place;
}

/** What its present bank is, and what outlives a bank. */
export interface Sandbox extends Omit<Instance, 'abandon'> {
  readonly name: string;
  readonly rails: RailsProfile;
  readonly news: News;
  /** What is to go wrong with requests. It belongs to the bank that it was set up for and goes with it. */
  readonly faults: Faults;
  /** The last requests, whichever bank answered them. */
  readonly journal: Journal;
  /** What was exercised, of whichever bank. */
  readonly coverage: Coverage;
  /** How many banks there were before this one. */
  readonly banksBefore: number;
  /** Goes on with the bank of an image; commands that were given before run on the old one first. */
  replaceWith(image: Buffer): void;
}

/** Opens a sandbox, founding its bank if its database is empty. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { name, rails, place } = options;
  const news = createNews();
  let instance = openInstance(place, news, options);
  let banksBefore = 0;
  const faults = createFaults(options.founding.seed, () => instance.clock.now());
  const journal = createJournal();
  const coverage = createCoverage(instance.outbox);

  return {
    name,
    rails,
    news,
    faults,
    journal,
    coverage,
    get banksBefore() {
      return banksBefore;
    },
    get bank() {
      return instance.bank;
    },
    get store() {
      return instance.store;
    },
    get outbox() {
      return instance.outbox;
    },
    get queue() {
      return instance.queue;
    },
    get clock() {
      return instance.clock;
    },
    get program() {
      return instance.program;
    },
    get seeded() {
      return instance.seeded;
    },
    get commit() {
      return instance.commit;
    },
    get agenda() {
      return instance.agenda;
    },
    get courier() {
      return instance.courier;
    },
    get connection() {
      return instance.connection;
    },
    nextId: () => instance.nextId(),
    audit: () => instance.audit(),
    image: () => instance.image(),
    setClock: (set) => instance.setClock(set),
    replaceWith(image) {
      // An image that does not open must leave the old bank as it is.
      openConnection({ kind: 'image', image }).close();
      coverage.leave(instance.outbox);
      if (place.kind === 'file') {
        const fresh = `${place.path}-new`;
        writeFileSync(fresh, withLog(image));
        instance.abandon();
        // The log of the old bank must not be taken for the new one's.
        for (const end of ['-wal', '-shm']) rmSync(place.path + end, { force: true });
        renameSync(fresh, place.path);
        instance = openInstance(place, news, options);
      } else {
        instance.abandon();
        instance = openInstance({ kind: 'image', image }, news, options);
      }
      banksBefore += 1;
      faults.restart();
      coverage.enter(instance.outbox);
      news.tell({ type: 'replaced' });
    },
    async close() {
      news.tell({ type: 'closed' });
      await instance.close();
    },
  };
}
