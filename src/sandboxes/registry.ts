/**
 * Finds the sandbox of an API key. A key `test_<name>` opens its sandbox at the first use, cloned from the image of one
 * founded bank, which takes about a millisecond; `test_default` is there from the start. With a data directory a
 * sandbox is one file in it, and what is found there is opened again.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Send } from '../delivery/sender.ts';
import { createSequence, type Id } from '../kernel/sequence.ts';
import type { Clock } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import type { Place } from '../store/open.ts';
import { defaultFixture } from './fixture.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

export const DEFAULT_SANDBOX = 'default';
const KEY = /^test_([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/;

export interface RegistryOptions {
  /** A directory, or `null` for banks in memory. */
  data: string | null;
  synchronous: 'off' | 'normal' | 'full';
  seed: string;
  rails: RailsProfile;
  webhookUrl: string | null;
  clock: Clock;
  wallClock: Clock;
  send: Send;
  onError(sandbox: string, error: unknown): void;
}

export interface Registry {
  /** The sandbox that an API key opens; `undefined` for a key that opens none. */
  byKey(key: string): Sandbox | undefined;
  /** A sandbox that is open, by its name. */
  byName(name: string): Sandbox | undefined;
  default(): Sandbox;
  /** An id for a request that belongs to no sandbox: it must not disturb the sequence of any. */
  strayId(): Id;
  open(): Iterable<Sandbox>;
  close(): Promise<void>;
}

/** The key that opens a sandbox. */
export function keyOf(name: string): string {
  return `test_${name}`;
}

/** The sandboxes of one process. */
export function createRegistry(options: RegistryOptions): Registry {
  const { data, synchronous, seed, rails, webhookUrl, clock, wallClock, send } = options;
  const sandboxes = new Map<string, Sandbox>();
  const strays = createSequence(`${seed}/strays`);
  const founding = { seed, fixture: defaultFixture(), webhookUrl };
  let image: Buffer | undefined;

  const openAt = (name: string, place: Place, deliver: Send | null): Sandbox =>
    openSandbox({
      name,
      place,
      rails,
      clock,
      wallClock,
      send: deliver,
      founding,
      onError: (error) => options.onError(name, error),
    });

  /** One bank is founded; every other begins as its copy. */
  const foundedImage = (): Buffer => {
    if (image === undefined) {
      const founded = openAt('image', { kind: 'memory' }, null);
      image = founded.image();
      void founded.close();
    }
    return image;
  };

  const placeOf = (name: string): Place => {
    if (data === null) return { kind: 'image', image: foundedImage() };
    const path = join(data, `${name}.sqlite`);
    if (!existsSync(path)) writeFileSync(path, foundedImage());
    return { kind: 'file', path, synchronous };
  };

  const openNamed = (name: string): Sandbox => {
    const known = sandboxes.get(name);
    if (known !== undefined) return known;
    const opened = openAt(name, placeOf(name), send);
    sandboxes.set(name, opened);
    return opened;
  };

  if (data !== null) {
    mkdirSync(data, { recursive: true });
    // Its webhooks and planned steps are owed whether or not somebody calls.
    for (const file of readdirSync(data)) {
      const name = file.endsWith('.sqlite') ? file.slice(0, -'.sqlite'.length) : '';
      if (KEY.test(keyOf(name))) openNamed(name);
    }
  }
  openNamed(DEFAULT_SANDBOX);

  return {
    byKey(key) {
      const name = KEY.exec(key)?.[1];
      return name === undefined ? undefined : openNamed(name);
    },
    byName: (name) => sandboxes.get(name),
    default: () => openNamed(DEFAULT_SANDBOX),
    strayId: () => strays.id(clock.now()),
    open: () => sandboxes.values(),
    async close() {
      await Promise.all([...sandboxes.values()].map((sandbox) => sandbox.close()));
      sandboxes.clear();
    },
  };
}
