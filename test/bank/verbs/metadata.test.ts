// Metadata of the client: merged key by key, removed by an empty value, and limited to 20 keys and 4 KB.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeMetadata } from '../../../src/bank/verbs/metadata.ts';

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));
/** Pairs whose JSON has exactly this many bytes. */
const bytes = (count: number) => ({ a: 'x'.repeat(count - '{"a":""}'.length) });
const tooLarge = expect.objectContaining({ code: 'metadata_too_large', field: 'metadata' });

describe('metadata', () => {
  test('is null before the first pair is set and after the last is removed', () => {
    expect(mergeMetadata(null, undefined)).toBeNull();
    expect(mergeMetadata(null, {})).toBeNull();
    expect(mergeMetadata(null, { a: '' })).toBeNull();
    expect(mergeMetadata({ a: '1' }, { a: '' })).toEqual({});
    expect(mergeMetadata({}, {})).toEqual({});
  });

  test('keeps pairs that are not sent, replaces sent ones, and removes those that are empty', () => {
    expect(mergeMetadata({ a: '1', b: '2', c: '3' }, { b: '', c: '4', d: '5' })).toEqual({
      a: '1',
      c: '4',
      d: '5',
    });
  });

  test('does not modify the object that it is merged into', () => {
    const present = { a: '1' };
    mergeMetadata(present, { a: '2' });
    expect(present).toEqual({ a: '1' });
  });

  test('accepts 20 keys, not 21, counted after the merge', () => {
    expect(mergeMetadata(null, keys(20))).toEqual(keys(20));
    expect(() => mergeMetadata(null, keys(21))).toThrow(tooLarge);
    expect(() => mergeMetadata(keys(20), { more: '1' })).toThrow(tooLarge);
    expect(mergeMetadata(keys(20), { k0: '', more: '1' })).toHaveProperty('more');
  });

  test('accepts 4096 bytes, not 4097, counted as UTF-8 after the merge', () => {
    expect(mergeMetadata(null, bytes(4_096))).toEqual(bytes(4_096));
    expect(() => mergeMetadata(null, bytes(4_097))).toThrow(tooLarge);
    expect(() => mergeMetadata(null, { a: '€'.repeat(1_400) })).toThrow(tooLarge);
    expect(mergeMetadata(bytes(4_096), { a: 'short' })).toEqual({ a: 'short' });
  });

  test('is the same after one change or two', () => {
    const pairs = fc.dictionary(fc.string(), fc.constantFrom('', '1', '2'), { maxKeys: 5 });
    fc.assert(
      fc.property(pairs, pairs, (first, second) => {
        const twice = mergeMetadata(mergeMetadata(null, first), second) ?? {};
        expect(twice).toEqual(mergeMetadata(null, { ...first, ...second }) ?? {});
      }),
    );
  });
});
