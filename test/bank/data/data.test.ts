// The files of data/: each matches its schema, and the error for an invalid file names the place.

import { readdirSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { DATA_FILES, problemsOf, readData } from '../../../build/data.ts';

const FOLDER = new URL('../../../data/', import.meta.url);
const NAMES = Object.keys(DATA_FILES);

/** An error for each file: the message, and how it is caused. */
const WRONG: Readonly<
  Record<string, readonly (readonly [problem: string, spoil: (content: never) => void])[]>
> = {
  'atms.json': [
    [
      '/0/latitude must be <= 90',
      (atms: { latitude: number }[]) => Object.assign(atms[0] ?? {}, { latitude: 91 }),
    ],
    ['Tern Market in Portland is a duplicate', (atms: unknown[]) => atms.push(atms[0])],
  ],
  'banks.json': [
    [
      'the check digit of 021000022 is wrong',
      ({ unitedStates: [bank] }: { unitedStates: { numbers: string[] }[] }) =>
        bank?.numbers.push('021000022'),
    ],
    [
      '021000021 is a duplicate',
      ({ unitedStates: [bank] }: { unitedStates: { achOnly: string[] }[] }) =>
        bank?.achOnly.push('021000021'),
    ],
    [
      '/swift must NOT have additional properties ABN',
      ({ swift }: { swift: object }) => Object.assign(swift, { ABN: 'ABN' }),
    ],
  ],
  'decisions.json': [
    [
      '/0/evidence must be equal to one of the allowed values documented, sample, client, inferred, ours',
      ([row]: object[]) => Object.assign(row ?? {}, { evidence: 'guessed' }),
    ],
    ["/1 must have required property 'slug'", (rows: { slug?: string }[]) => delete rows[1]?.slug],
    ['/0/slug must match pattern', ([row]: object[]) => Object.assign(row ?? {}, { slug: 'row-1_' })],
    [
      '/0 must NOT have additional properties note',
      ([row]: object[]) => Object.assign(row ?? {}, { note: '' }),
    ],
    ['/0/question must match pattern', ([row]: object[]) => Object.assign(row ?? {}, { question: 'Why' })],
    ['served-paths is a duplicate', (rows: object[]) => rows.push({ ...rows[0] })],
    ['/0/pages/0 must match pattern', ([row]: object[]) => Object.assign(row ?? {}, { pages: ['a blog'] })],
    [
      'v2-success-status is documented and names no page',
      (rows: { slug?: string; pages?: string[] }[]) =>
        delete rows.find(({ slug }) => slug === 'v2-success-status')?.pages,
    ],
    [
      'v2-success-status is documented and names no page of the platform',
      (rows: { slug?: string }[]) =>
        Object.assign(rows.find(({ slug }) => slug === 'v2-success-status') ?? {}, {
          pages: ['client: an app'],
        }),
    ],
  ],
  'merchant-categories.json': [
    [
      '/0/code must match pattern "^\\d{4}$"',
      (rows: { code: string }[]) => Object.assign(rows[0] ?? {}, { code: '742' }),
    ],
    ['0742 is out of order or a duplicate', (rows: unknown[]) => rows.push({ code: '0742', name: 'Vets' })],
    ['book stores is a duplicate', (rows: unknown[]) => rows.push({ code: '9999', name: 'Book Stores' })],
  ],
  'naics.json': [
    ['11 is out of order', (sectors: unknown[]) => sectors.push(sectors[0])],
    [
      '221114 is not a national industry of 11199',
      ([sector]: { industries: { nationalIndustries: unknown[] }[] }[]) =>
        sector?.industries[0]?.nationalIndustries.push({ code: 221114, name: 'Power' }),
    ],
  ],
  'places.json': [
    [
      '/countries/249 must match pattern "^[A-Z]{2}$"',
      ({ countries }: { countries: string[] }) => countries.push('USA'),
    ],
    ['AD is out of order', ({ countries }: { countries: string[] }) => countries.push('AD')],
    ['AA is out of order', ({ states }: { states: { US: string[] } }) => states.US.push('AA')],
  ],
  'return-codes.json': [
    [
      'R01 has the time limit never, which is not in timeLimits',
      ({ codes: [code] }: { codes: object[] }) => Object.assign(code ?? {}, { timeLimit: 'never' }),
    ],
    [
      '/codes/0/class must be equal',
      ({ codes: [code] }: { codes: object[] }) => Object.assign(code ?? {}, { class: 'x' }),
    ],
    ['R01 is out of order', ({ codes }: { codes: unknown[] }) => codes.push(codes[0])],
  ],
  'verification-reasons.json': [
    [
      '/reasons/0/part must be equal',
      ({ reasons: [reason] }: { reasons: object[] }) => Object.assign(reason ?? {}, { part: 'shoe size' }),
    ],
    ['N001 is out of order', ({ reasons }: { reasons: unknown[] }) => reasons.push(reasons[0])],
    [
      'review is R999, which is not in reasons',
      ({ usual }: { usual: object }) => Object.assign(usual, { review: 'R999' }),
    ],
    [
      'N001 must be ours and without a page if it begins with SB, and otherwise published with a page',
      ({ reasons: [reason] }: { reasons: { page?: string }[] }) => delete reason?.page,
    ],
  ],
};

describe('a file of data/', () => {
  it('has a schema, and each schema has a file', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(NAMES.toSorted());
    expect(Object.keys(WRONG).sort()).toEqual(NAMES.toSorted());
    expect(problemsOf('colours.json', [])).toEqual(['data/colours.json has no schema in build/data.ts']);
  });

  test.each(NAMES)('%s matches its schema', (name) => {
    expect(problemsOf(name, readData(name))).toEqual([]);
  });

  test.each(
    Object.entries(WRONG).flatMap(([name, cases]) => cases.map((wrong) => [name, ...wrong] as const)),
  )('%s is refused: %s', (name, problem, spoil) => {
    const content = readData(name);
    spoil(content as never);
    expect(problemsOf(name, content)).toContainEqual(expect.stringContaining(`data/${name}: ${problem}`));
  });
});
