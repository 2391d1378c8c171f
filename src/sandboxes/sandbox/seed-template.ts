/**
 * Templates of seeded images, with which a start need not migrate and seed. `npm run docs` makes them. An image depends on
 * its instant: ids begin with it, and dates and planned steps are computed from it. Every such value has the same
 * length and the same place for all instants, so a template consists of an image and the places of these values, each
 * with the rule that computes it. `build/seed-templates.ts` finds the places by comparing images of several instants, and
 * fails if no rule explains a byte. The result is byte for byte the image of a seeding. Templates of
 * other migrations or another seed document are not used (docs/decisions/0036-start.md).
 */
import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { readMadeFile } from '../../bank/kernel/project.ts';
import { DAY_MS, type Instant, utcDate } from '../../bank/kernel/time.ts';
import {
  dueAt,
  effectiveDate,
  effectiveDateOfReceived,
  isSameDay,
  type RailsProfile,
  STEPS,
} from '../../bank/model/timetable.ts';
import { schemaVersion, stepsTo } from '../../bank/store/migrate.ts';
import { defaultSeedDocument } from './seed-document.ts';

/** The places of the values of each rule: each as its distance from the previous place. */
export type Places = Readonly<Record<string, readonly number[]>>;

/** The head of the file; the images follow it. */
export interface TemplatesHead {
  /** Identifies the migrations and the seed document of the templates. */
  readonly key: string;
  /** The seed of the random sequence. */
  readonly seed: string;
  readonly templates: readonly {
    readonly rails: RailsProfile;
    readonly bytes: number;
    readonly places: Places;
  }[];
}

export const TEMPLATES_FILE = 'fixtures/seed-templates.zst';
/** The length of the head, at the start of the file. */
export const LENGTH_BYTES = 4;

/**
 * Outside these instants a person of the seed document is not yet born or too old. Instants long after them have more
 * characters.
 */
export const FIRST = Date.UTC(2020, 0, 1);
export const LAST = Date.UTC(2090, 0, 1) - 1;

const MOST_DAYS = 31;
const MOST_YEARS = 10;
const ID_DIGITS = 12;
const INTEGER_BYTES = 6;

type Rule = (at: Instant) => Buffer | undefined;

/** The rules that compute a value from the instant of seeding, by their names. */
export function rulesOf(rails: RailsProfile): ReadonlyMap<string, Rule> {
  const rules = new Map<string, Rule>();
  const addInstant = (name: string, instantOf: (at: Instant) => Instant | null): void => {
    const written = (write: (instant: Instant) => Buffer) => (at: Instant) => {
      const instant = instantOf(at);
      return instant === null ? undefined : write(instant);
    };
    rules.set(`${name} in a column`, written(inColumn));
    rules.set(
      `${name} in JSON`,
      written((instant) => Buffer.from(String(instant))),
    );
  };
  addInstant('now', (at) => at);
  rules.set('id', (at) => Buffer.from(at.toString(16).padStart(ID_DIGITS, '0')));
  for (const [speed, isAsked] of [
    ['same day', true],
    ['next day', false],
  ] as const) {
    const dateOf = (at: Instant): string => effectiveDate(at, isAsked, '');
    rules.set(`effective date, ${speed}`, (at) => Buffer.from(dateOf(at)));
    for (const when of STEPS) {
      addInstant(`${when}, ${speed}`, (at) =>
        dueAt(when, rails, at, { sameDay: isSameDay(at, isAsked, 0), effectiveDate: dateOf(at) }),
      );
    }
  }
  rules.set('effective date, received', (at) =>
    Buffer.from(effectiveDateOfReceived(at, isSameDay(at, true, 0))),
  );
  for (let days = 0; days <= MOST_DAYS; days += 1) {
    rules.set(`date in ${days} days`, (at) => Buffer.from(utcDate(at + days * DAY_MS)));
  }
  rules.set('month', (at) => Buffer.from(utcDate(at).slice(5, 7)));
  for (let years = 0; years <= MOST_YEARS; years += 1) {
    rules.set(`year in ${years} years`, (at) => Buffer.from(String(new Date(at).getUTCFullYear() + years)));
  }
  return rules;
}

function inColumn(instant: Instant): Buffer {
  const bytes = Buffer.alloc(INTEGER_BYTES);
  bytes.writeUIntBE(instant, 0, INTEGER_BYTES);
  return bytes;
}

/** The key of the templates: it differs for other migrations and another seed document. */
export function templatesKey(steps = stepsTo(schemaVersion()), document = defaultSeedDocument()): string {
  return hash('sha256', JSON.stringify([steps, document]));
}

/** Makes the seeded image of an instant from the template of another instant. */
function imageAt(template: Buffer, places: Places, rails: RailsProfile, at: Instant): Buffer {
  const image = Buffer.allocUnsafeSlow(template.length);
  template.copy(image);
  const rules = rulesOf(rails);
  for (const [name, distances] of Object.entries(places)) {
    const value = rules.get(name)?.(at);
    if (value === undefined) throw new Error(`no rule of the seed's template is called ${name}`);
    let place = 0;
    for (const distance of distances) {
      place += distance;
      value.copy(image, place);
    }
  }
  return image;
}

/** Makes the image of the seeded default document; `undefined` if there is no template for it. */
export function imageFromTemplate(
  seed: string,
  rails: RailsProfile,
  at: Instant,
  packed = readMadeFile(TEMPLATES_FILE),
): Buffer | undefined {
  if (packed === undefined || at < FIRST || at > LAST) return undefined;
  const file = unpack(packed);
  if (file === undefined) return undefined;
  const start = LENGTH_BYTES + file.readUInt32BE();
  const head = JSON.parse(file.toString('utf8', LENGTH_BYTES, start)) as TemplatesHead;
  if (head.seed !== seed || head.key !== templatesKey()) return undefined;
  let place = start;
  for (const { rails: own, bytes, places } of head.templates) {
    if (own === rails) return imageAt(file.subarray(place, place + bytes), places, rails, at);
    place += bytes;
  }
  return undefined;
}

/** Decompresses the file; `undefined` if it is damaged, so that the bank is seeded without it. */
function unpack(packed: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(packed);
  } catch {
    return undefined;
  }
}
