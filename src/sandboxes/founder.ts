/**
 * Makes the images that banks begin with, and begin again with after a reset. An image is a pure function of its seed,
 * its instant and its document, all three of which are kept in the bank itself: a bank that was restarted, cloned or
 * imported is reset to the very ids that it was founded with.
 */
import { hash } from 'node:crypto';
import { Refusal, refuse } from '../kernel/refusal.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { RailsProfile } from '../model/timetable.ts';
import type { Place } from '../store/open.ts';
import { defaultFixture, type Fixture } from './fixture.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { checkDocument, watchEntries } from './seed-document.ts';

/** What a bank was founded from; without a document from the default one. */
interface Seed {
  seed: string;
  at: Instant;
  document: Fixture | null;
}

export interface FounderOptions {
  seed: string;
  rails: RailsProfile;
  webhookUrl: string | null;
  /** The clock that a bank follows until it is set otherwise. */
  clock: Clock;
}

export interface Founder {
  /** The image of a new sandbox, the same for all of this process. */
  image(): Buffer;
  /** The image that a bank was founded as; of a bank that does not know, `image`. */
  imageOf(sandbox: Sandbox): Buffer;
  /** Founds a bank from a document at an instant. Refuses: `field_invalid` with the path in the document. */
  imageFrom(document: Fixture, at: Instant): Buffer;
  /** Opens an image aside, with nobody to send to, for as long as `look` takes. */
  aside<T>(image: Buffer, look: (sandbox: Sandbox) => T): T;
}

const SEED_KEY = 'seed';
/** Images of documents that are kept: a suite has few, and each may be large. */
const KEPT_IMAGES = 16;

/** The founder of one process. */
export function createFounder({ seed, rails, webhookUrl, clock }: FounderOptions): Founder {
  const images = new Map<string, Buffer>();
  let own: Buffer | undefined;

  const openAside = (place: Place, from: Seed): Sandbox => {
    // Standing, so that the same instant makes the same ids.
    const standing = { now: () => from.at };
    return openSandbox({
      name: 'aside',
      place,
      rails,
      clock: standing,
      wallClock: standing,
      send: null,
      founding: { seed: from.seed, fixture: from.document ?? defaultFixture(), webhookUrl },
      onError: (error) => {
        throw error;
      },
    });
  };

  const found = (from: Seed): Buffer => {
    const key = hash('sha256', JSON.stringify(from));
    const known = images.get(key);
    if (known !== undefined) return known;
    const founded = openAside({ kind: 'memory' }, from);
    founded.store.meta.write(SEED_KEY, from);
    const image = founded.image();
    void founded.close();
    const [oldest] = images.keys();
    if (images.size >= KEPT_IMAGES && oldest !== undefined) images.delete(oldest);
    images.set(key, image);
    return image;
  };

  const image = (): Buffer => {
    own ??= found({ seed, at: clock.now(), document: null });
    return own;
  };

  return {
    image,
    imageOf(sandbox) {
      const from = sandbox.store.meta.read<Seed>(SEED_KEY);
      return from === undefined ? image() : found(from);
    },
    imageFrom(document, at) {
      checkDocument(document);
      const watched = watchEntries(document);
      try {
        return found({ seed, at, document: watched.document });
      } catch (error) {
        // What the bank itself says no to: two persons with one number, an account for somebody it did not verify.
        if (!(error instanceof Refusal)) throw error;
        const field = watched.at();
        throw refuse('field_invalid', { field, message: `${field}: ${error.message}` });
      }
    },
    aside(bytes, look) {
      const sandbox = openAside({ kind: 'image', image: bytes }, { seed, at: clock.now(), document: null });
      try {
        return look(sandbox);
      } finally {
        void sandbox.close();
      }
    },
  };
}
