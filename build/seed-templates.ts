/**
 * Makes fixtures/seed-templates.zst: images of the seeded bank, one for each profile of the rails, from which a start
 * makes the image for its instant (src/sandboxes/sandbox/seed-template.ts). The values that depend on the instant are found by
 * comparing the images of several instants. If no rule explains a byte, it fails: after a change of the seed
 * document, `rulesOf` may need a new rule.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { projectFile } from '../src/bank/kernel/project.ts';
import type { Instant } from '../src/bank/kernel/time.ts';
import type { RailsProfile } from '../src/bank/model/timetable.ts';
import { createSeedImages } from '../src/sandboxes/sandbox/seed-images.ts';
import {
  FIRST,
  LAST,
  LENGTH_BYTES,
  type Places,
  rulesOf,
  TEMPLATES_FILE,
  type TemplatesHead,
  templatesKey,
} from '../src/sandboxes/sandbox/seed-template.ts';
import { readConfig } from '../src/server/process/config.ts';

export const PROFILES: readonly RailsProfile[] = ['fast', 'calendar', 'manual'];

/**
 * They differ in all respects: days of the week, before and after each cut-off, summer and winter, ends of months and
 * years.
 */
const INSTANTS: readonly Instant[] = [
  FIRST,
  ...[
    '2026-03-11T15:16:17.123Z',
    '2026-07-03T19:20:00.001Z',
    '2027-11-05T22:59:59.999Z',
    '2028-02-29T08:00:00.500Z',
    '2029-12-31T23:30:00.042Z',
    '2031-08-16T03:04:05.678Z',
    '2033-05-27T12:00:00.000Z',
    '2036-10-12T18:45:30.250Z',
    // Less than a minute before an ACH window, the last wire and the file of checks.
    '2028-02-29T20:14:59.999Z',
    '2028-03-01T19:59:30.100Z',
    '2028-03-02T23:59:30.200Z',
  ].map((text) => Date.parse(text)),
  LAST,
];

/** Finds the places of the values of each rule in the images of these instants. */
export function findPlaces(
  rails: RailsProfile,
  images: readonly Buffer[],
  instants: readonly Instant[],
): Places {
  const [first = Buffer.alloc(0)] = images;
  if (images.some(({ length }) => length !== first.length)) {
    throw new Error(`the size of the seeded bank depends on its instant (${rails})`);
  }
  const isExplained = new Uint8Array(first.length);
  const found: Record<string, number[]> = {};
  for (const [name, rule] of rulesOf(rails)) {
    const values = instants.map(rule);
    const [value] = values;
    if (value === undefined || values.every((other) => other?.equals(value))) continue;
    const places: number[] = [];
    for (let at = first.indexOf(value); at >= 0; at = first.indexOf(value, at + 1)) {
      const end = at + value.length;
      if (isExplained[at] === 1 || isExplained[end - 1] === 1) continue;
      if (!images.every((image, number) => values[number]?.equals(image.subarray(at, end)))) continue;
      isExplained.fill(1, at, end);
      places.push(at);
    }
    if (places.length > 0) found[name] = places.map((place, number) => place - (places[number - 1] ?? 0));
  }
  for (let at = 0; at < first.length; at += 1) {
    if (isExplained[at] === 1 || images.every((image) => image[at] === first[at])) continue;
    const around = images.slice(0, 2).map((image) => image.toString('latin1', Math.max(0, at - 40), at + 16));
    throw new Error(
      `no rule of src/sandboxes/sandbox/seed-template.ts produces the content of the seeded bank at byte ${at} (${rails}): ${around.map((text) => JSON.stringify(text)).join(' or ')}`,
    );
  }
  return found;
}

/** The image of a seeded bank. */
export function seededImage(seed: string, rails: RailsProfile, at: Instant): Buffer {
  return createSeedImages({ seed, rails, webhookUrl: null, clock: { now: () => at }, path: null }).image();
}

/** The content of the file. */
export function makeTemplates(seed: string): Buffer {
  const made = PROFILES.map((rails) => {
    const images = INSTANTS.map((at) => seededImage(seed, rails, at));
    return { rails, image: images[0] as Buffer, places: findPlaces(rails, images, INSTANTS) };
  });
  const templates = made.map(({ rails, image, places }) => ({ rails, bytes: image.length, places }));
  const head: TemplatesHead = { key: templatesKey(), seed, templates };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(text.length);
  return zstdCompressSync(Buffer.concat([length, text, ...made.map(({ image }) => image)]), {
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      // The images have much in common, but are further apart than the default window.
      [constants.ZSTD_c_windowLog]: 21,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}

if (import.meta.main) {
  const usual = readConfig({});
  if ('problems' in usual) throw new Error(usual.problems.join('\n'));
  const made = makeTemplates(usual.config.randomSeed);
  const file = projectFile(TEMPLATES_FILE);
  // Another version of zstd compresses the same content to other bytes.
  const isSame = existsSync(file) && zstdDecompressSync(readFileSync(file)).equals(zstdDecompressSync(made));
  if (!isSame) writeFileSync(file, made);
}
