/**
 * Rows that were changed or added when the guides, the help articles and the calls of the platform's mobile app were
 * tried: each says where it comes from, a page or a client of the platform, or that it is ours, or that it deliberately
 * does not follow a page.
 */
import { describe, expect, it } from 'vitest';
import { REGISTER } from '../../src/model/fidelity.ts';

const CHANGED = new Set([
  ...[
    '4',
    '5',
    '8',
    '10',
    '16',
    '19',
    '35',
    '36',
    '44',
    '45d',
    '71',
    '74',
    '86',
    '92',
    '97',
    '132',
    '141',
    '142',
  ],
  ...[
    '144',
    '145',
    '146',
    '149',
    '150',
    '152',
    '158',
    '178',
    '179',
    '194',
    '197',
    '198',
    '204',
    '210',
    '222',
    '239',
  ],
  ...['241', '274', '277'],
]);
/** All rows from this number on. */
const FIRST_NEW = 291;

const A_PAGE = /\b(page|pages|guides?|help|articles?|samples?|examples?|reference|matrix|field tables)\b/i;
const A_CLIENT = /\b((clients?|apps?) of the platform|public clients?|platform's own|its clients)\b/i;
const OURS = /\b(ours|deliberately not|deliberately)\b/i;

const saysWhy = (answer: string): boolean => [A_PAGE, A_CLIENT, OURS].some((words) => words.test(answer));

describe('a row that the second reading changed', () => {
  it('names its page, or says that it is ours or deliberately not as a page has it', () => {
    const rows = REGISTER.filter(
      ({ number }) => CHANGED.has(number) || Number.parseInt(number, 10) >= FIRST_NEW,
    );
    expect(rows.length).toBeGreaterThan(CHANGED.size);
    expect([...CHANGED].filter((number) => !REGISTER.some((row) => row.number === number))).toEqual([]);
    expect(
      rows.filter(({ answer }) => !saysWhy(answer)).map(({ number, slug }) => `${number} ${slug}`),
    ).toEqual([]);
    expect(saysWhy('It is 400, in both versions.')).toBe(false);
  });

  it('has a page where its grade says that one has it', () => {
    const graded = REGISTER.filter(
      ({ number, grade }) =>
        (CHANGED.has(number) || Number.parseInt(number, 10) >= FIRST_NEW) &&
        (grade === 'documented' || grade === 'sample'),
    );
    const PUBLISHED = /\b(published|documented|schema)\b/i;
    const without = graded.filter(({ answer }) => !A_PAGE.test(answer) && !PUBLISHED.test(answer));
    expect(without.map(({ number, slug }) => `${number} ${slug}`)).toEqual([]);
  });
});
