/**
 * Every row of the register names what it is based on, or deliberately departs from: a page of the platform, an
 * article, or a client of it. A row without any is ours, which its evidence shows. `build/data.ts` refuses anything
 * else; these tests check the printed page, and that the named pages exist.
 */
import { describe, expect, it } from 'vitest';
import { FIDELITY_PAGE } from '../../../build/print-fidelity.ts';
import { REGISTER } from '../../../src/bank/model/fidelity.ts';

/** Words that refer to something published. */
const PUBLISHED =
  /\b(as published|(?:its|the|that|this|sister) (?:page|pages|guide|article|sample) (?:on|about|of|has|says|names|prints|lists)|help (?:article|page|on))\b/i;

const printed = FIDELITY_PAGE.text('').split('\n');

describe('a row of the register', () => {
  it('names its page, or is ours', () => {
    const without = REGISTER.filter(({ pages, evidence }) => pages === undefined && evidence !== 'ours');
    expect(without.map(({ slug }) => slug)).toEqual([]);
    expect(REGISTER.filter(({ pages }) => pages !== undefined).length).toBeGreaterThan(150);
  });

  it('names a page if its answer mentions one', () => {
    const silent = REGISTER.filter(({ pages, answer }) => pages === undefined && PUBLISHED.test(answer));
    expect(silent.map(({ slug }) => slug)).toEqual([]);
    expect('The page on families says so.').toMatch(PUBLISHED);
  });

  it('names the page that it does not follow, if it says "deliberately not"', () => {
    const against = REGISTER.filter(({ answer }) => /deliberately not/i.test(answer));
    expect(against.length).toBeGreaterThan(2);
    expect(against.filter(({ pages = [] }) => !pages.some(isOfPlatform)).map(({ slug }) => slug)).toEqual([]);
  });

  it('is printed with its page', () => {
    const wrong = REGISTER.filter(({ slug, pages }) => {
      const row = printed.find((line) => line.startsWith(`| <a id="${slug}"`)) ?? '';
      return pages === undefined
        ? row === '' || row.includes('Source: ')
        : !row.includes(`Source: ${pages.join('; ')}.</details>`);
    });
    expect(wrong.map(({ slug }) => slug)).toEqual([]);
  });
});

const isOfPlatform = (page: string): boolean => !page.startsWith('client: ');
