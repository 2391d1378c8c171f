/**
 * A sandbox as a Durable Object: its database, its timers and its webhooks. A request or a due alarm opens the
 * object, and the runtime evicts it after a while without requests. The alarm replaces the timers, which end with the
 * object.
 */

import { DurableObject } from 'cloudflare:workers';
import { hash, randomInt } from 'node:crypto';
import { ALPHANUMERIC } from '../../bank/kernel/sequence.ts';
import { type Clock, SECOND_MS } from '../../bank/kernel/time.ts';
import { loadRows } from '../../bank/store/row-image.ts';
import { DEFAULT_SANDBOX } from '../../sandboxes/registry/names.ts';
import { totalsOf } from '../../sandboxes/registry/totals.ts';
import { bytesOf, type Image } from '../../sandboxes/sandbox/bank-replacement.ts';
import { createDisk } from '../../sandboxes/sandbox/disk.ts';
import { openSandbox, type Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { createSecrets, type SandboxSecrets } from '../../sandboxes/sandbox/secrets.ts';
import { defaultSeedDocument } from '../../sandboxes/sandbox/seed-document.ts';
import type { Directory } from './directory.ts';
import { createFetchSender } from './fetch-sender.ts';
import { answerOf } from './front.ts';
import { within } from './here.ts';
import { asideIn, SEED_IMAGES, SNAPSHOTS } from './images.ts';
import { METRICS } from './metrics.ts';
import { createObjectDriver } from './object-driver.ts';
import type { Copied, Here } from './registry.ts';
import { SEED_DOCUMENT, SETTINGS } from './settings.ts';
import { pathOf } from './target.ts';

/** The objects of a class, by their names. */
interface Objects<T> {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(request: Request): Promise<Response> } & {
    [Method in keyof T]: T[Method] extends (...values: infer Values) => infer Answer
      ? (...values: Values) => Promise<Awaited<Answer>>
      : never;
  };
}

/** The bindings in the configuration of the worker. */
export interface Bindings {
  readonly BANK: Objects<Bank>;
  readonly DIRECTORY: Objects<Directory>;
}

/** The only object of its class. */
export const directoryOf = ({ DIRECTORY }: Bindings) => DIRECTORY.get(DIRECTORY.idFromName('directory'));

const NAME_KEY = 'name';
const ROOT_KEY = 'secret root';
/** The digest of the random key that opens a created sandbox. */
const KEY_KEY = 'key';
const ROOT_LENGTH = 44;
const LIST = /^\/_sandbox\/sandboxes$/;
const isCreation = (method: string, pathname: string): boolean => method === 'POST' && LIST.test(pathname);
const REPORT_EVERY_MS = 5 * SECOND_MS;
/** The delay of the alarm during work in progress, in case the object is lost. */
const SOON_MS = 5 * SECOND_MS;

const clock: Clock = { now: () => Date.now() };
const onError = (error: unknown): void => console.error(error);

/** A random text. */
const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

export class Bank extends DurableObject<Bindings> {
  #sandbox: Sandbox | undefined;
  /** The time of the alarm. */
  #armedFor = Number.POSITIVE_INFINITY;
  #usedAt: number | null = null;
  /** The setting of the alarm that is about to begin. */
  #arming: Promise<void> | undefined;
  #knownName: string | undefined;
  #context: Here | undefined;
  /** The time of the last report to the directory. */
  #reportedAt = Number.NEGATIVE_INFINITY;
  #reportTimer: ReturnType<typeof setTimeout> | undefined;

  async fetch(request: Request): Promise<Response> {
    const name = this.#name();
    const wasThere = this.#isThere(name);
    const { method } = request;
    const pathname = pathOf(request.url);
    // A sandbox that this request may create reserves its place first.
    const mayBeMade =
      !wasThere &&
      (SETTINGS.sandboxes === 'open' || isCreation(method, pathname) || name === DEFAULT_SANDBOX);
    const isFull = mayBeMade && !(await this.#directory().reserve(name, SETTINGS.maxSandboxes));
    const listed = method === 'GET' && LIST.test(pathname) ? await this.#directory().list() : [];
    const at = isFull || listed.length > 0 ? this.#here(name, { listed, isFull }) : this.#usual(name);
    const response = await within(at, () => answerOf(request));
    if (this.#isThere(name)) {
      this.#usedAt = Date.now();
      if (wasThere) this.#reportSoon(name);
      else await this.#report(name);
    } else if (!wasThere && method === 'DELETE') {
      // It may still be listed, if its removal could not be finished.
      await this.#directory().remove(name);
    } else if (mayBeMade) {
      await this.#directory().release(name);
    }
    await this.#armSoon();
    return response;
  }

  /** Executes due work if the timers have ended. */
  async alarm(): Promise<void> {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const name = this.#name();
    if (!this.#isThere(name)) return;
    await within(this.#usual(name), async () => {
      const sandbox = this.#open(name);
      try {
        await sandbox.agenda.runDue();
      } catch (error) {
        onError(error);
      }
      sandbox.courier?.wake();
      await sandbox.courier?.idle();
    });
    this.#reportSoon(name);
    await this.#armSoon();
  }

  /**
   * Returns an image for the object of a sandbox that is created as a copy of this one or of its snapshot. The
   * default sandbox is created if it does not exist.
   */
  async copy(name: string, snapshot?: string): Promise<Copied> {
    const at = this.#usual(name);
    const copied = within(at, () => this.#copyHere(at, snapshot));
    this.#reportSoon(name);
    await this.#armSoon();
    return copied;
  }

  #copyHere(at: Here, snapshot: string | undefined): Copied {
    if (!at.isThere && at.name !== DEFAULT_SANDBOX) return { isThere: false, image: null, snapshots: [] };
    const image =
      snapshot === undefined ? at.sandbox().image() : (SNAPSHOTS.find(at.name, snapshot)?.image ?? null);
    const snapshots = SNAPSHOTS.list(at.name).map((row) => row.name);
    return { isThere: true, image: image === null ? null : bytesOf(image), snapshots };
  }

  /** The runtime may not know the name of an object that its alarm opened, but such an object has stored it. */
  #name(): string {
    this.#knownName ??= this.ctx.id.name ?? String(this.ctx.storage.kv.get(NAME_KEY) ?? '');
    return this.#knownName;
  }

  #directory() {
    return directoryOf(this.env);
  }

  #isThere(name: string): boolean {
    return this.#sandbox !== undefined || this.ctx.storage.kv.get(NAME_KEY) === name;
  }

  /** The context of a request that needs no other sandbox. */
  #usual(name: string): Here {
    this.#context ??= this.#here(name, { listed: [], isFull: false });
    return this.#context;
  }

  #here(name: string, { listed, isFull }: Pick<Here, 'listed' | 'isFull'>): Here {
    const { BANK } = this.env;
    const { storage } = this.ctx;
    const { kv } = storage;
    const isThere = () => this.#isThere(name);
    const at: Here = {
      name,
      listed,
      isFull,
      problem: null,
      storage,
      get isThere() {
        return isThere();
      },
      sandbox: () => this.#open(name),
      make: (image) => this.#open(name, image),
      aside: asideIn(storage),
      // An object that calls itself would wait for its own end.
      copyOf: async (other, snapshot) =>
        other === name
          ? this.#copyHere(at, snapshot)
          : BANK.get(BANK.idFromName(other)).copy(other, snapshot),
      remove: () => this.#remove(name),
      hasKey: (key) => kv.get(KEY_KEY) === hash('sha256', key),
      setKey: (key) => kv.put(KEY_KEY, hash('sha256', key)),
    };
    return at;
  }

  /** Reports the state of this object to the directory, at most every few seconds and also after its last use. */
  #reportSoon(name: string): void {
    const wait = this.#reportedAt + REPORT_EVERY_MS - Date.now();
    this.#reportTimer ??= setTimeout(() => void this.#report(name), Math.max(wait, 0));
  }

  /** If the directory does not respond, the report is repeated later. */
  async #report(name: string): Promise<void> {
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    const sandbox = this.#sandbox;
    const opened = sandbox?.opened();
    if (sandbox === undefined || opened === undefined) return;
    await METRICS.catchUp(sandbox);
    const at = Date.now();
    this.#reportedAt = at;
    try {
      await this.#directory().report(name, this.#usedAt, {
        bytes: opened.connection.bytes(),
        clock: opened.clock.setting(),
        ...totalsOf([sandbox]),
        at,
      });
    } catch (error) {
      onError(error);
      if (this.#sandbox !== undefined) this.#reportSoon(name);
    }
  }

  /** Opens the sandbox. A new one starts as a copy of `image`, or of a seeded image. */
  #open(name: string, image?: Image): Sandbox {
    if (this.#sandbox !== undefined) return this.#sandbox;
    const { storage } = this.ctx;
    const { rails, shortfall, randomSeed: seed, webhookUrl, webhookConcurrency } = SETTINGS;
    const driver = createObjectDriver(storage);
    // The schema and the initial records are created together.
    this.#sandbox = driver.atomically(() => {
      if (driver.version === 0) {
        loadRows(driver, bytesOf(image ?? SEED_IMAGES.image()));
        storage.kv.put(NAME_KEY, name);
        // If it is lost before it is in the directory, its alarm reports it.
        void storage.setAlarm(Date.now() + SOON_MS);
      }
      return openSandbox({
        name,
        place: { kind: 'object', open: () => createObjectDriver(storage) },
        rails,
        shortfall,
        clock,
        wallClock: clock,
        send: METRICS.countingSend(createFetchSender()),
        counters: METRICS,
        secrets: this.#secrets(name),
        webhookConcurrency,
        baseUrl: () => 'http://localhost',
        seedSource: { seed, document: SEED_DOCUMENT ?? defaultSeedDocument(), webhookUrl },
        onError,
      });
    });
    return this.#sandbox;
  }

  /** The secrets are derived from the root of the instance, or from a root that is stored with the object. */
  #secrets(name: string): SandboxSecrets {
    const { kv } = this.ctx.storage;
    let root = SETTINGS.secretRoot ?? kv.get(ROOT_KEY);
    if (SETTINGS.secrets === 'random' && typeof root !== 'string') {
      root = randomText(ROOT_LENGTH, ALPHANUMERIC);
      kv.put(ROOT_KEY, root);
    }
    const random = SETTINGS.secrets === 'random' ? randomText : undefined;
    return createSecrets(random, null, createDisk(false), String(root)).of(name);
  }

  async #remove(name: string): Promise<void> {
    const sandbox = this.#sandbox;
    this.#sandbox = undefined;
    clearTimeout(this.#reportTimer);
    this.#reportTimer = undefined;
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    this.#armedFor = Number.POSITIVE_INFINITY;
    await sandbox?.close();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.#directory().remove(name);
  }

  /** Sets the alarm once for all requests that end in this turn, because their commands share a commit. */
  #armSoon(): Promise<void> {
    this.#arming ??= Promise.resolve().then(() => {
      this.#arming = undefined;
      return this.#arm();
    });
    return this.#arming;
  }

  /** Sets the alarm to the time of the bank's next background work, unless it is set to an earlier time. */
  async #arm(): Promise<void> {
    const wait = this.#sandbox?.opened()?.nextDueIn() ?? null;
    if (wait === null) return;
    const at = Date.now() + Math.max(wait, SOON_MS);
    if (at >= this.#armedFor) return;
    this.#armedFor = at;
    await this.ctx.storage.setAlarm(at);
  }
}
