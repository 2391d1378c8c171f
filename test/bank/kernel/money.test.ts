// The format of amounts: two decimals, no sign, no leading zeros. A parsed amount is formatted as the same text.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, MAX_CENTS, parseMoney } from '../../../src/bank/kernel/money.ts';

describe('parsing an amount', () => {
  test.each([
    ['0.00', 0],
    ['0.05', 5],
    ['12.50', 1_250],
    ['1000.00', 100_000],
    ['9999999999999.99', 999_999_999_999_999],
  ])('%s is %i cents', (text, cents) => {
    expect(parseMoney(text)).toBe(cents);
  });

  test.each([
    '',
    '12',
    '12.5',
    '12.500',
    '.50',
    '012.50',
    '00.50',
    '-1.00',
    '+1.00',
    '1,000.00',
    ' 1.00',
    '1.00 ',
    '1.00\n',
    '1e3',
    '0x1.00',
    'NaN',
    '١.٠٠',
    '10000000000000.00',
  ])('%j is not an amount', (text) => {
    expect(parseMoney(text)).toBeUndefined();
  });

  test('stays within exact numbers', () => {
    expect(parseMoney('9999999999999.99')).toBeLessThanOrEqual(MAX_CENTS);
  });
});

describe('formatting an amount', () => {
  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [100, '1.00'],
    [-123_456, '-1234.56'],
    [MAX_CENTS, '90071992547409.91'],
  ])('%i cents are %s', (cents, text) => {
    expect(formatMoney(cents)).toBe(text);
  });

  test('is the inverse of parsing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
        expect(parseMoney(formatMoney(cents))).toBe(cents);
      }),
    );
  });
});
