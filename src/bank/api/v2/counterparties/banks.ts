/**
 * The look-up of a bank by its routing number or SWIFT code.
 * Source: the counterparty operations of the platform's v2 reference; decision `bank-numbers` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { BANK_NUMBER_TYPES, BANK_PAYMENT_METHODS, type PartnerBank } from '../../../model/banks.ts';
import { Address, enumOf, formatAddress, nullable, RoutingNumber, record } from '../fields.ts';

export const BankQuery = Type.Object({
  type: enumOf(BANK_NUMBER_TYPES),
  routing_number: Type.String({ maxLength: 40, description: 'A routing number, or a SWIFT code.' }),
});

export const BankInfo = record('BankInfo', 'The bank of a routing number or SWIFT code, if known.', {
  routing_number: RoutingNumber,
  bank_name: Type.String({ description: '"" for a bank that is not in the table.' }),
  type: enumOf(BANK_NUMBER_TYPES),
  payment_methods: Type.Array(enumOf(BANK_PAYMENT_METHODS), {
    description: 'The rails that the bank supports.',
  }),
  address: nullable(Address),
});

/** Formats the bank of a number, with the known parts of its address. */
export function formatBankInfo(
  { type, routing_number }: Static<typeof BankQuery>,
  { name, city, state, country, paymentMethods }: PartnerBank,
): Static<typeof BankInfo> {
  return {
    routing_number,
    bank_name: name,
    type,
    payment_methods: [...paymentMethods],
    address: formatAddress({ line1: '', line2: '', city, state, country, postalCode: '' }),
  };
}
