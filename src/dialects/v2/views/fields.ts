/**
 * How single values are written on v2's wire, and the four ids that every record begins with. Shared by the views;
 * nothing here knows a record.
 */
import type { Static } from '@sinclair/typebox';
import type { Instant } from '../../../kernel/time.ts';
import { formatInstant } from '../../../kernel/time.ts';
import type { Address, ForeignBank, Program } from '../../../model/records.ts';
import type { OfacStatus } from '../../../model/vocabulary.ts';
import { writeId } from '../ids.ts';
import type { ForeignBank as ForeignBankShape } from '../shapes/counterparty.ts';
import type { Address as AddressShape, Ofac } from '../shapes/fields.ts';

/** Writes a boolean as the word that v2 uses for it. */
export function writeFlag(value: boolean): 'true' | 'false' {
  return value ? 'true' : 'false';
}

/** Writes an address; one that is not set is `null`. */
export function viewAddress(address: Address | null): Static<typeof AddressShape> | null {
  if (address === null) return null;
  return {
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    country: address.country,
    postal_code: address.postalCode,
  };
}

/** Writes a bank abroad. */
export function viewForeignBank(bank: ForeignBank | null): Static<typeof ForeignBankShape> | null {
  if (bank === null) return null;
  return {
    identifier_code: bank.identifierCode,
    name: bank.name,
    address: viewAddress(bank.address),
  };
}

/** Writes an OFAC screening. */
export function viewOfac(status: OfacStatus, at: Instant): Static<typeof Ofac> {
  return { status, last_updated_at: formatInstant(at) };
}

/** Writes whose record it is: the client, and the master account under which all of its sub accounts are. */
export function viewOwner(program: Program): {
  client_id: string;
  master_account_holder_id: string;
  master_account_id: string;
} {
  return {
    client_id: writeId('client', program.clientId),
    master_account_holder_id: writeId('master_account_holder', program.masterAccountHolderId),
    master_account_id: writeId('master_account', program.masterAccountId),
  };
}
