// Bank numbers: their valid formats, and the data of banks in the tables.

import { describe, expect, test } from 'vitest';
import {
  bankName,
  bankOfRoutingNumber,
  bankOfSwiftCode,
  isRoutingNumber,
  isSwiftCode,
  KNOWN_ROUTING_NUMBERS,
} from '../../../src/bank/model/banks.ts';

describe('a routing number', () => {
  test.each(['121042882', '026009593', '322271627', '011000015'])('%s is valid', (number) => {
    expect(isRoutingNumber(number)).toBe(true);
  });

  test.each(['', '12104288', '1210428820', '121042883', '000000000', '12104288a', ' 21042882'])(
    '%j is invalid',
    (number) => {
      expect(isRoutingNumber(number)).toBe(false);
    },
  );

  test('with one wrong digit is never valid', () => {
    for (let place = 0; place < 9; place += 1) {
      for (let digit = 0; digit <= 9; digit += 1) {
        const number = `${'121042882'.slice(0, place)}${digit}${'121042882'.slice(place + 1)}`;
        expect([number, isRoutingNumber(number)]).toEqual([number, number === '121042882']);
      }
    }
  });
});

describe('a SWIFT code', () => {
  test.each(['COBADEFF', 'COBADEFFXXX', 'SCBLUS33XXX', 'ICICINBBNRI', 'BBDABMHM'])('%s is valid', (code) => {
    expect(isSwiftCode(code)).toBe(true);
  });

  test.each(['', 'COBADEF', 'COBADEFFX', 'COBADEFFXX', 'COBADEFFXXXX', 'COBA1EFF', 'cobadeff', 'COBADEFF '])(
    '%j is invalid',
    (code) => {
      expect(isSwiftCode(code)).toBe(false);
    },
  );
});

describe('the bank of a routing number', () => {
  test('has its name, its address and its payment methods if it is in the table', () => {
    expect(bankOfRoutingNumber('021000021')).toEqual({
      name: 'JPMorgan Chase',
      city: 'New York',
      state: 'NY',
      country: 'US',
      paymentMethods: ['ach', 'wire'],
    });
    expect(bankOfRoutingNumber('121042882')).toMatchObject({ name: 'Wells Fargo', paymentMethods: ['ach'] });
    expect(bankName('103100195')).toBe('Central National Bank & Trust');
    expect(bankOfRoutingNumber('021214189')).toEqual({
      name: 'ConnectOne Bank',
      city: 'Fort Lee',
      state: 'NJ',
      country: 'US',
      paymentMethods: ['ach', 'wire'],
    });
  });

  test('has no name otherwise, and accepts both methods', () => {
    expect(bankOfRoutingNumber('123456780')).toEqual({
      name: '',
      city: '',
      state: '',
      country: 'US',
      paymentMethods: ['ach', 'wire'],
    });
    expect(bankName('')).toBe('');
  });

  test('has a valid check digit and a unique number in the table', () => {
    expect(KNOWN_ROUTING_NUMBERS.length).toBeGreaterThan(100);
    expect(new Set(KNOWN_ROUTING_NUMBERS).size).toBe(KNOWN_ROUTING_NUMBERS.length);
    for (const number of KNOWN_ROUTING_NUMBERS) {
      expect([number, isRoutingNumber(number)]).toEqual([number, true]);
      expect(bankName(number)).not.toBe('');
    }
  });
});

describe('the bank of a SWIFT code', () => {
  test('is known by four letters for all branches, and its country by the next two', () => {
    const bank = { city: '', state: '', paymentMethods: ['wire'] };
    expect(bankOfSwiftCode('COBADEFF')).toEqual({ ...bank, name: 'Commerzbank', country: 'DE' });
    expect(bankOfSwiftCode('ICICINBBNRI')).toEqual({ ...bank, name: 'ICICI Bank', country: 'IN' });
    expect(bankOfSwiftCode('ZZZZFRPP')).toEqual({ ...bank, name: '', country: 'FR' });
  });
});
