/**
 * The templates of seeded images: their images equal those of seeding, byte for byte; templates of other inputs are
 * not used; and the bundle uses its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findPlaces, makeTemplates, PROFILES, seededImage } from '../../build/seed-templates.ts';
import { createSequence } from '../../src/bank/kernel/sequence.ts';
import { schemaVersion, stepsTo } from '../../src/bank/store/migrate.ts';
import { defaultSeedDocument } from '../../src/sandboxes/sandbox/seed-document.ts';
import {
  FIRST,
  imageFromTemplate,
  LAST,
  LENGTH_BYTES,
  TEMPLATES_FILE,
  templatesKey,
} from '../../src/sandboxes/sandbox/seed-template.ts';
import { environment, ROOT } from '../package/support.ts';
import { until } from '../server/process/support.ts';
import { IS_WHOLE, partOfToday, TEST_DAY } from '../support/runs.ts';

const SEED = 'sandbank';
const RANDOM_INSTANTS = IS_WHOLE ? 60 : 6;
const packed = makeTemplates(SEED);

/**
 * Days on which daylight saving time changes, a leap day and days around holidays; around midnight, windows and
 * cut-offs.
 */
const DAYS = ['2026-03-08', '2026-07-02', '2026-11-01', '2026-11-25', '2027-12-31', '2028-02-29'];
const TIMES = [
  '07:59:59.999',
  '13:14:59.999',
  '18:59:59.999',
  '19:14:59.999',
  '19:59:59.999',
  '20:15:00.000',
  '22:59:59.999',
  '23:59:59.999',
];
const SPECIAL = DAYS.flatMap((day) => TIMES.map((time) => `${day}T${time}Z`));

describe('a seed template', () => {
  it.each(PROFILES)('equals the result of seeding, byte for byte, with the rails %s', (rails) => {
    const random = createSequence(`instants ${TEST_DAY}`);
    const instants = [
      FIRST,
      LAST,
      ...partOfToday(SPECIAL, 6).map((text) => Date.parse(text)),
      ...Array.from(
        { length: RANDOM_INSTANTS },
        () => FIRST + Math.floor(random.fraction() * (LAST - FIRST)),
      ),
    ];
    for (const at of instants) {
      const image = imageFromTemplate(SEED, rails, at, packed);
      expect(image?.equals(seededImage(SEED, rails, at)), new Date(at).toISOString()).toBe(true);
    }
  });

  it('is not used for another seed or another time, or if its file is damaged', () => {
    const at = Date.parse('2026-11-25T12:00:00Z');
    const image = (seed = SEED, instant = at, file = packed) =>
      imageFromTemplate(seed, 'fast', instant, file);
    expect(image()).toBeDefined();
    expect([image('other'), image(SEED, FIRST - 1), image(SEED, LAST + 1)]).toEqual(Array(3).fill(undefined));
    const damaged = Buffer.from(packed);
    damaged.writeUInt8(damaged.readUInt8(9000) ^ 1, 9000);
    expect(image(SEED, at, damaged)).toBeUndefined();
  });

  it('is not used with other migrations or another seed document', () => {
    const [steps, document] = [stepsTo(schemaVersion()), defaultSeedDocument()] as const;
    const keys = [
      templatesKey(steps, document),
      templatesKey([...steps, 'SELECT 1'], document),
      templatesKey(steps, { ...document, accounts: [] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    const other = rewritten((text) => text.replace(templatesKey(), keys[1] ?? ''));
    expect(imageFromTemplate(SEED, 'fast', Date.now(), other)).toBeUndefined();
  });

  it('is not created if no rule explains a difference', () => {
    const instants = [Date.parse('2026-11-25T12:00:00Z'), Date.parse('2026-12-09T12:00:00Z')];
    const images = instants.map((at) => seededImage(SEED, 'manual', at));
    images[1]?.write('?', 100_000);
    expect(() => findPlaces('manual', images, instants)).toThrow('at byte 100000 (manual)');
  });
});

it('the seed templates are used by the bundle at its start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-templates-'));
  for (const name of ['bin', 'dist', 'fixtures', 'migrations', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  expect(zstdDecompressSync(readFileSync(join(folder, TEMPLATES_FILE)))).toEqual(zstdDecompressSync(packed));
  // The seed document has no such person.
  writeFileSync(join(folder, TEMPLATES_FILE), rewritten(undefined, 'Lovegood', 'Lovebetr'));
  const readyFile = join(folder, 'ready.json');
  const child = spawn(process.execPath, ['bin/sandbank.mjs', 'start'], {
    cwd: folder,
    env: environment(process.execPath, {
      SANDBANK_READY_FILE: readyFile,
      SANDBANK_PORT: '0',
      SANDBANK_DATA: '',
    }),
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const text = await until(
    'the start',
    () => existsSync(readyFile) && readFileSync(readyFile, 'utf8'),
    60_000,
  );
  const { url } = JSON.parse(text) as { url: string };
  const answer = await fetch(`${url}/v1/person`, { headers: { 'sd-api-key': 'test_default' } });
  expect(await answer.text()).toContain('Lovebetr');
});

/** The file with another head, or with other texts in the images. */
function rewritten(change?: (head: string) => string, from = '', to = ''): Buffer {
  const file = zstdDecompressSync(packed);
  const end = LENGTH_BYTES + file.readUInt32BE();
  const head = file.toString('utf8', LENGTH_BYTES, end);
  const changed = Buffer.from(change?.(head) ?? head);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(changed.length);
  const images = Buffer.from(file.subarray(end));
  for (let at = from === '' ? -1 : images.indexOf(from); at >= 0; at = images.indexOf(from, at + 1))
    images.write(to, at);
  return zstdCompressSync(Buffer.concat([length, changed, images]));
}
