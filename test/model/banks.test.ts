// Routing numbers: nine digits of which the last checks the others, and the names of the banks that the table knows.

import { describe, expect, test } from 'vitest';
import { bankName, isRoutingNumber } from '../../src/model/banks.ts';

describe('a routing number', () => {
  test.each(['121042882', '026009593', '322271627', '011000015'])('%s is good', (number) => {
    expect(isRoutingNumber(number)).toBe(true);
  });

  test.each(['', '12104288', '1210428820', '121042883', '000000000', '12104288a', ' 21042882'])(
    '%j is not',
    (number) => {
      expect(isRoutingNumber(number)).toBe(false);
    },
  );

  test('with one digit wrong is never good', () => {
    for (let place = 0; place < 9; place += 1) {
      for (let digit = 0; digit <= 9; digit += 1) {
        const number = `${'121042882'.slice(0, place)}${digit}${'121042882'.slice(place + 1)}`;
        expect([number, isRoutingNumber(number)]).toEqual([number, number === '121042882']);
      }
    }
  });
});

describe('the bank of a routing number', () => {
  test('has its name when the table knows it', () => {
    expect(bankName('121042882')).toBe('Wells Fargo');
    expect(bankName('021000021')).toBe('JPMorgan Chase');
  });

  test('has none otherwise', () => {
    expect(bankName('999999999')).toBe('');
    expect(bankName('')).toBe('');
  });

  test.each([
    '011000015',
    '011000138',
    '011401533',
    '021000021',
    '021000089',
    '021200339',
    '026009593',
    '031000053',
    '031101279',
    '053000196',
    '061000104',
    '063107513',
    '071000013',
    '084106768',
    '091000019',
    '103100195',
    '107005047',
    '111000025',
    '121000248',
    '121000358',
    '121042882',
    '122000247',
    '122100024',
    '122235821',
    '123103729',
    '124303120',
    '125000024',
    '267084131',
    '322271627',
    '325081403',
  ])('of the table, %s, has a good check digit', (number) => {
    expect(bankName(number)).not.toBe('');
    expect(isRoutingNumber(number)).toBe(true);
  });
});
