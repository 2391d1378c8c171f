/**
 * An address of the bank as v1 writes it: with a type, which is decided by where the address stands.
 * Source: the address object of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { Address } from '../../../model/records.ts';
import type { Address as AddressShape } from '../shapes/address.ts';

type View = Static<typeof AddressShape>;

/** An address, or `null` when there is none. */
export function viewAddress(addressType: View['addressType'], address: Address | null): View | null {
  return address === null ? null : { addressType, ...lines(address) };
}

/** An address, or seven empty strings when there is none: a transfer always carries the object. */
export function viewAddressOrBlank(addressType: View['addressType'], address: Address | null): View {
  return viewAddress(addressType, address) ?? { addressType: '', ...lines(NOWHERE) };
}

const NOWHERE: Address = { line1: '', line2: '', city: '', state: '', country: '', postalCode: '' };

const lines = ({ line1, line2, city, state, country, postalCode }: Address): Address => ({
  line1,
  line2,
  city,
  state,
  country,
  postalCode,
});
