/**
 * The format of the tables and the check of responses, with a table of our own: errors are found, and so are outdated
 * exceptions in the table itself.
 */
import { describe, expect, it } from 'vitest';
import { contradictions, rows, table, under } from './rows.ts';
import { createWalk } from './walk.ts';

const BOX = table(
  'box',
  `
  id                    box_
  label                 text?
  size                  (small|large|+huge)    : one word is ours
  lid                   object?
  + weight              money                  : ours
  - color               text                   : left out
  unused                empty                  : never set
  `,
  under('lid', rows('made_at time')),
  under('contents[]', rows('name text')),
);
const box = {
  id: 'box_0190000000007000800000000000abcd',
  label: '',
  size: 'small',
  lid: { made_at: '2026-11-20T18:00:00Z' },
  weight: '12.50',
  unused: '',
  contents: [{ name: 'rope' }],
};

describe('a record', () => {
  it('that matches its table has no problems', () => {
    expect(contradictions(box, BOX)).toEqual([]);
    expect(contradictions({ ...box, lid: null, label: 'A', size: 'huge', contents: [] }, BOX)).toEqual([]);
  });

  it.each([
    ['a field is missing', { ...box, label: undefined }, /^label: is missing$/],
    ['a field is not in the table', { ...box, smell: '' }, /^smell: is not in the table$/],
    ['an omitted field exists', { ...box, color: 'red' }, /^color: is there/],
    [
      'an id has no valid time',
      { ...box, id: 'box_01900000000040008000000000000abc' },
      /^id: is ".*", not box_$/,
    ],
    ['a value is not in the enum', { ...box, size: 'tiny' }, /^size: is "tiny"/],
    ['an amount is a number', { ...box, weight: 12.5 }, /^weight: is 12.5, not money$/],
    ['a list is an object', { ...box, contents: {} }, /^contents: is no list$/],
    ['an item lacks a field', { ...box, contents: [{}] }, /^contents\[0\]\.name: is missing$/],
    ['an object has an invalid date', { ...box, lid: { made_at: '2026-13-20T18:00:00Z' } }, /^lid\.made_at/],
    ['a required field is not set', { ...box, lid: { made_at: '' } }, /^lid\.made_at: is ""/],
    ['a field that is never set is set', { ...box, unused: 'x' }, /^unused: is "x", not empty/],
    ['the record is null', null, /no object/],
  ])('%s: is found', (_, value, found) => {
    expect(contradictions(value, BOX)).toEqual([expect.stringMatching(found)]);
  });
});

describe('a walk', () => {
  it('reports fields that never occurred or were never filled, and enum values that never occurred', () => {
    const walk = createWalk();
    walk.meet(BOX, { ...box, lid: null }, 'the first');
    expect(walk.problems).toEqual([]);
    expect(walk.gaps(BOX)).toEqual([
      'label: was never filled',
      'size: large never came',
      'size: huge never came',
      'lid: was never filled',
      'lid.made_at: was never met',
    ]);
    walk.meet(BOX, { ...box, label: 'A', size: 'large' }, 'the second');
    walk.meet(BOX, { ...box, size: 'huge' }, 'the third');
    expect(walk.gaps(BOX)).toEqual([]);
    expect(walk.rowCount()).toBe(9);
  });

  it('reports an enum value that occurs although its table excludes it', () => {
    const walk = createWalk();
    const never = table('lamp', 'state (on|off*) : nobody turns it off');
    walk.meet(never, { state: 'on' }, 'a lamp');
    expect(walk.gaps(never)).toEqual([]);
    walk.meet(never, { state: 'off' }, 'a lamp');
    expect(walk.gaps(never)).toEqual(['state: off came, and the table says that it never does']);
  });
});

describe('a table', () => {
  it.each([
    ['an unknown form', 'size enormous'],
    ['no form', 'size'],
    ['an extra field without a reason', '+ size text'],
    ['an excluded value without a reason', 'size (a|b*)'],
    ['a reason for an ordinary row', 'size text : because'],
  ])('is refused: %s', (_, text) => {
    expect(() => rows(text)).toThrow();
  });

  it('with a duplicate field is refused', () => {
    expect(() => table('box', 'size text', 'size money')).toThrow('box has size twice');
  });
});
