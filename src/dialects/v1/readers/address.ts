/**
 * Reads an address. What it is for is said by the place where it stands, so the type that v1 sends with it is not kept.
 * Source: the address object of the platform's v1 reference.
 */
import type { Static } from '@sinclair/typebox';
import type { Address } from '../../../model/records.ts';
import type { AddressInput } from '../shapes/address.ts';

/** An address; its country in capitals. */
export function readAddress(address: Static<typeof AddressInput>): Address {
  return {
    line1: address.line1,
    line2: address.line2 ?? '',
    city: address.city,
    state: address.state,
    country: address.country.toUpperCase(),
    postalCode: address.postalCode,
  };
}

/** An address, or `null` where there is none. */
export function readAddressOrNull(address: Static<typeof AddressInput> | null | undefined): Address | null {
  return address == null ? null : readAddress(address);
}
