/** The templates of seeded images in the repository equal a seeding by the present sources; `npm run docs` makes them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PROFILES, seededImage } from '../../../build/seed-templates.ts';
import { projectFile } from '../../../src/bank/kernel/project.ts';
import { imageFromTemplate, TEMPLATES_FILE } from '../../../src/sandboxes/sandbox/seed-template.ts';

const SEED = 'sandbank';
const INSTANTS = ['2026-11-25T12:00:00Z', '2028-02-29T20:14:59.999Z'].map((text) => Date.parse(text));

it.each(PROFILES)('the template of the rails %s equals a seeding (else: npm run docs)', (rails) => {
  const packed = readFileSync(projectFile(TEMPLATES_FILE));
  for (const at of INSTANTS) {
    const image = imageFromTemplate(SEED, rails, at, packed);
    expect(image?.equals(seededImage(SEED, rails, at)), new Date(at).toISOString()).toBe(true);
  }
});
