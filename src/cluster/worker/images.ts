/**
 * The images of an object are the rows of its database. An object has one database, so an image that is only read is
 * loaded into it within a transaction that is rolled back. The image of another sandbox comes from the object of that
 * sandbox.
 */
import { refuse } from '../../bank/kernel/refusal.ts';
import type { Driver } from '../../bank/store/driver.ts';
import { ImageError } from '../../bank/store/image-error.ts';
import { examineLoaded, isDatabase, joined, NO_DATABASE, understood } from '../../bank/store/images.ts';
import type { Place } from '../../bank/store/open.ts';
import { dumpRows, isRowImage, loadRows, makeEmpty, ROW_IMAGE_TYPE } from '../../bank/store/row-image.ts';
import { refusing } from '../../sandboxes/registry/image-import.ts';
import {
  foundSnapshot,
  type Images,
  namesNothing,
  noSnapshot,
  parseFrom,
} from '../../sandboxes/registry/images.ts';
import { keyOf, nameInKey } from '../../sandboxes/registry/keys.ts';
import { DEFAULT_SANDBOX, notThere, parseName } from '../../sandboxes/registry/names.ts';
import { bytesOf } from '../../sandboxes/sandbox/bank-replacement.ts';
import { compareInTurn } from '../../sandboxes/sandbox/comparison.ts';
import { lookInside } from '../../sandboxes/sandbox/image-checks.ts';
import { type Aside, createSeedImages, type SeedImages } from '../../sandboxes/sandbox/seed-images.ts';
import { here } from './here.ts';
import { createObjectDriver, type ObjectStorage } from './object-driver.ts';
import { SEED_DOCUMENT, SETTINGS } from './settings.ts';
import { createObjectSnapshots } from './snapshots.ts';

/** An object cannot open a file, so it cannot read the tables of a database in one. */
const NOT_ROWS =
  'it is a SQLite database, and a bank of a cluster reads the rows of one: "sandbank import" sends them';

/** Thrown to roll a transaction back. */
const LOOKED = new Error('the transaction is rolled back');

/** Loads an image into the database of an object while an action runs, and restores the rows afterwards. */
export const asideIn =
  (storage: ObjectStorage): Aside =>
  (image, action) => {
    const driver = createObjectDriver(storage);
    let seen: { value: ReturnType<typeof action> } | undefined;
    try {
      driver.atomically(() => {
        if (image === null) makeEmpty(driver);
        else loadRows(driver, bytesOf(image));
        seen = { value: action({ kind: 'object', open: () => createObjectDriver(storage) }) };
        throw LOOKED;
      });
    } catch (error) {
      if (error !== LOOKED) throw error;
    }
    if (seen === undefined) throw new Error('the action did not run');
    return seen.value;
  };

/** The seeded images of this instance; the first object that needs one creates it. */
export const SEED_IMAGES: SeedImages = createSeedImages({
  seed: SETTINGS.randomSeed,
  document: SEED_DOCUMENT,
  history: SETTINGS.seedHistory,
  rails: SETTINGS.rails,
  webhookUrl: SETTINGS.webhookUrl,
  clock: { now: () => Date.now() },
  path: null,
  aside: (image, action) => here().aside(image, action),
});

/** The snapshots of the current object. */
export const SNAPSHOTS = createObjectSnapshots(here);

/** The images of the current object. */
export function createObjectImages(): Images {
  const ofSnapshotElsewhere = async (name: string, snapshot: string): Promise<Buffer> => {
    const { isThere, image, snapshots: known } = await here().copyOf(name, parseName(snapshot));
    if (!isThere) throw notThere(name);
    if (image === null) throw noSnapshot(name, snapshot, known);
    return Buffer.from(image);
  };
  return {
    type: ROW_IMAGE_TYPE,
    of: async (sandbox) => sandbox.image(),
    ofSnapshot: async (sandbox, name) => foundSnapshot(SNAPSHOTS, sandbox, name).image,
    async named(from, { headers }) {
      const addressed = nameAddressed(headers['api-key']);
      const { name, snapshot } = parseFrom(from);
      if (snapshot !== undefined) return ofSnapshotElsewhere(name, snapshot);
      const { image } = await here().copyOf(name);
      if (image !== null) return Buffer.from(image);
      const own = await here().copyOf(addressed, name);
      if (own.image === null) throw namesNothing(from, addressed);
      return Buffer.from(own.image);
    },
    async take({ pieces }) {
      const image = joined(pieces);
      return refusing(() => {
        const { aside } = here();
        return understood(() => {
          if (!isRowImage(image)) throw new ImageError(isDatabase(image) ? NOT_ROWS : NO_DATABASE);
          return aside(image, (place) => {
            const driver = driverOf(place);
            examineLoaded(driver, lookInside(SEED_IMAGES.now(), aside));
            // The dumped rows have this program's schema.
            return dumpRows(driver);
          });
        });
      });
    },
    body: bytesOf,
    compare: async (before, after, limit) =>
      compareInTurn(SEED_IMAGES, bytesOf(before), bytesOf(after), limit),
    discard() {},
  };
}

function driverOf(place: Place): Driver {
  if (place.kind !== 'object') throw new Error('an object has no other database');
  return place.open();
}

/** The sandbox of a key; without one the default sandbox. Refuses: `sandbox_not_found`. */
function nameAddressed(key: string | string[] | undefined): string {
  if (key === undefined || key === '') return DEFAULT_SANDBOX;
  const name = typeof key === 'string' ? nameInKey(key) : undefined;
  // A caller of the control plane of closed sandboxes may copy any of them.
  const isKey = name !== undefined && (SETTINGS.sandboxes === 'closed' || key === keyOf(name));
  if (!isKey) throw refuse('sandbox_not_found');
  return name;
}
