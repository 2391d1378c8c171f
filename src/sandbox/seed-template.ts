/**
 * The image of a seeded bank, made when the bundle is made, so that a start need not migrate and seed. An image belongs to its
 * instant: ids begin with it, and dates and planned steps follow from it. But every such value has the same length and the
 * same place whatever the instant is, so a template is an image and the places of these values, each with the rule that
 * gives it. The builder finds the places by comparing images of several instants and fails where no rule explains a byte
 * (`build/seed-templates.ts`). What comes out is the image that seeding would make, byte for byte; a template of other
 * migrations, another seed document or another version is not used (docs/decisions/0036-start.md).
 */
import { hash } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { packageVersion, readMadeFile } from '../kernel/project.ts';
import { DAY_MS, type Instant, utcDate } from '../kernel/time.ts';
import { dueAt, effectiveDate, isSameDay, type RailsProfile, STEPS } from '../model/timetable.ts';
import { schemaVersion, stepsTo } from '../store/migrate.ts';
import { defaultSeedDocument } from './seed-document.ts';

/** Where the values of each rule are: each place as its distance from the one before. */
export type Places = Readonly<Record<string, readonly number[]>>;

/** The head of the file, before the images one after the other. */
export interface TemplatesHead {
  /** What the templates were made from. */
  readonly key: string;
  /** The seed of the random sequence. */
  readonly seed: string;
  readonly templates: readonly {
    readonly rails: RailsProfile;
    readonly bytes: number;
    readonly places: Places;
  }[];
}

export const TEMPLATES_FILE = 'seed-templates.zst';
/** The head's length comes first. */
export const LENGTH_BYTES = 4;

/** Before and after, a person of the seed document is not born yet, or too old; and instants have other lengths long after. */
export const FIRST = Date.UTC(2020, 0, 1);
export const LAST = Date.UTC(2090, 0, 1) - 1;

const MOST_DAYS = 31;
const MOST_YEARS = 10;
const ID_DIGITS = 12;
const INTEGER_BYTES = 6;

type Rule = (at: Instant) => Buffer | undefined;

/** How a value follows from the instant of the seeding, by the names of the rules. */
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
        dueAt(when, rails, at, { sameDay: isSameDay(at, isAsked), effectiveDate: dateOf(at) }),
      );
    }
  }
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

/** Tells templates of another version, other migrations or another seed document apart. */
export function templatesKey(
  version = packageVersion(),
  steps = stepsTo(schemaVersion()),
  document = defaultSeedDocument(),
): string {
  return hash('sha256', JSON.stringify([version, steps, document]));
}

/** The seeded image of an instant, from a template of another one. */
export function imageAt(template: Buffer, places: Places, rails: RailsProfile, at: Instant): Buffer {
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

/** The image that seeding the default document would make; `undefined` where there is no template of it. */
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

/** A file that is damaged is no reason to be without a bank. */
function unpack(packed: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(packed);
  } catch {
    return undefined;
  }
}
