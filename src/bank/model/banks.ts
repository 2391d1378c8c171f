/**
 * Banks by their ABA routing number or SWIFT code: enough real banks to name the other side of a payment. A number is
 * valid if its format is; a valid number that is not in the table has a bank without a name.
 * Source: the Federal Reserve's directories of the participants in FedACH and Fedwire; ISO 9362 for the format of a
 * SWIFT code; decisions `routing-number-banks` and `bank-numbers` in docs/fidelity.md.
 */
import banks from '../../../data/banks.json' with { type: 'json' };

/** The types of bank numbers: a routing number of the United States or a SWIFT code. */
export const BANK_NUMBER_TYPES = ['aba', 'swift'] as const;
export type BankNumberType = (typeof BANK_NUMBER_TYPES)[number];

/** The payment methods that the platform lists for a bank. */
export const BANK_PAYMENT_METHODS = ['ach', 'wire'] as const;
type BankPaymentMethod = (typeof BANK_PAYMENT_METHODS)[number];

/** The data of a bank; unknown fields are `''`. */
export interface PartnerBank {
  name: string;
  city: string;
  state: string;
  /** Two letters. */
  country: string;
  paymentMethods: readonly BankPaymentMethod[];
}

/** In a SWIFT code the first four letters identify the bank, and the next two the country. */
const SWIFT_BANKS: Readonly<Record<string, string>> = banks.swift;

const BY_ROUTING_NUMBER: ReadonlyMap<string, PartnerBank> = new Map(
  banks.unitedStates.flatMap(({ name, city, state, numbers, achOnly }) => {
    const entries = (
      list: readonly string[],
      paymentMethods: PartnerBank['paymentMethods'],
    ): [string, PartnerBank][] =>
      list.map((number) => [number, { name, city, state, country: 'US', paymentMethods }]);
    return [...entries(numbers, ['ach', 'wire']), ...entries(achOnly, ['ach'])];
  }),
);

/** Every routing number of the table. */
export const KNOWN_ROUTING_NUMBERS: readonly string[] = [...BY_ROUTING_NUMBER.keys()];

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1];
const SWIFT_CODE = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** True for nine digits with a valid ABA check digit. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return sum > 0 && sum % 10 === 0;
}

/** True for 8 or 11 upper-case letters and digits in the format of ISO 9362. */
export function isSwiftCode(text: string): boolean {
  return SWIFT_CODE.test(text);
}

/** The bank of a valid routing number. A bank that is not in the table has no name and supports both methods. */
export function bankOfRoutingNumber(routingNumber: string): PartnerBank {
  return (
    BY_ROUTING_NUMBER.get(routingNumber) ?? {
      name: '',
      city: '',
      state: '',
      country: 'US',
      paymentMethods: ['ach', 'wire'],
    }
  );
}

/** The bank of a valid SWIFT code. It can have no name, but always has a country. */
export function bankOfSwiftCode(code: string): PartnerBank {
  const letters = code.slice(0, 4);
  return {
    name: Object.hasOwn(SWIFT_BANKS, letters) ? (SWIFT_BANKS[letters] ?? '') : '',
    city: '',
    state: '',
    country: code.slice(4, 6),
    paymentMethods: ['wire'],
  };
}

/** The name of a routing number's bank, or `""` when it is not in the table. */
export function bankName(routingNumber: string): string {
  return bankOfRoutingNumber(routingNumber).name;
}
