/**
 * Numbers of other banks: which are good, and whose they are. A number is judged by its form alone, so that a client may
 * use one that no table here has.
 * Source: "retrieve bank info" of the platform's v2 reference; row 160 of docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import {
  type Bank,
  type BankNumberType,
  bankOfRoutingNumber,
  bankOfSwiftCode,
  isRoutingNumber,
  isSwiftCode,
} from '../model/banks.ts';

interface Kind {
  isGood(number: string): boolean;
  bankOf(number: string): Bank;
  readonly rule: string;
}

const KINDS: Readonly<Record<BankNumberType, Kind>> = {
  aba: {
    isGood: isRoutingNumber,
    bankOf: bankOfRoutingNumber,
    rule: 'a routing number has nine digits, of which the last checks the others',
  },
  swift: {
    isGood: isSwiftCode,
    bankOf: bankOfSwiftCode,
    rule: 'a SWIFT code has 8 or 11 letters and digits, of which the fifth and sixth are the country',
  },
};

/** The bank of a number, whose name may be unknown. Refuses: `field_invalid` for a number that is none. */
export function lookUpBank(type: BankNumberType, number: string, field: string): Bank {
  const { isGood, bankOf, rule } = KINDS[type];
  if (!isGood(number))
    throw refuse('field_invalid', { field, message: `${rule}; got "${number.slice(0, 40)}"` });
  return bankOf(number);
}
