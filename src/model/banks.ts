/**
 * Banks by their ABA routing number or SWIFT code: enough real ones for a sandbox to name the other side of a payment.
 * Both kinds of number are judged by their form, so one that is not in a table is still good; its bank has no name here.
 * Source: the directories that the Federal Reserve publishes of who takes part in FedACH and Fedwire; ISO 9362 for the
 * form of a SWIFT code; decisions `routing-number-banks` and `bank-numbers` in docs/fidelity.md.
 */
import banks from '../../data/banks.json' with { type: 'json' };

/** How a bank is named: by a routing number of the United States or by a SWIFT code. */
export const BANK_NUMBER_TYPES = ['aba', 'swift'] as const;
export type BankNumberType = (typeof BANK_NUMBER_TYPES)[number];

/** The ways of paying that the platform names where it names a bank. */
export const BANK_PAYMENT_METHODS = ['ach', 'wire'] as const;
export type BankPaymentMethod = (typeof BANK_PAYMENT_METHODS)[number];

/** What is known of a bank; what is not is `''`. */
export interface PartnerBank {
  name: string;
  city: string;
  state: string;
  /** Two letters. */
  country: string;
  paymentMethods: readonly BankPaymentMethod[];
}

/** The first four letters of a SWIFT code say whose it is; the next two, in which country. */
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

/** True for nine digits whose ABA check digit fits. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return sum > 0 && sum % 10 === 0;
}

/** True for 8 or 11 letters and digits of the form of ISO 9362, in capitals. */
export function isSwiftCode(text: string): boolean {
  return SWIFT_CODE.test(text);
}

/** The bank of a good routing number; one that is not in the table has no name and takes both ways. */
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

/** The bank of a good SWIFT code; it may have no name, and always has a country. */
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
