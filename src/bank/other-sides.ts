/**
 * The other side of a payment as it is when the payment is made: what of a counterparty belongs to the rail, and what the
 * payment is called after it.
 */
import { type RailName, railOf } from '../model/rails.ts';
import type { BankDetails, Counterparty, OtherSide } from '../model/records.ts';
import type { OrderedRail } from './inputs.ts';

/** The rails of an origination, each with the part of a counterparty that it needs. */
export const RAIL_OBJECTS = {
  intra_push: 'intraAccount',
  intra_pull: 'intraAccount',
  ach_push: 'ach',
  ach_pull: 'ach',
  domestic_wire: 'domesticWire',
  international_wire: 'internationalWire',
  rtp_push: 'rtp',
  fednow_push: 'fednow',
  debit_card_push: 'debitCard',
  debit_card_pull: 'debitCard',
  check_send: 'check',
  check_deposit: 'check',
  solid_card_send: 'card',
} as const satisfies Record<OrderedRail, keyof Counterparty['rails']>;

/** Another side of which nothing is known. */
export const NOBODY: OtherSide = {
  id: '',
  name: '',
  verificationStatus: '',
  accountNumber: '',
  routingNumber: '',
  accountType: '',
  bankName: '',
  beneficiaryBank: null,
  correspondentBank: null,
  address: null,
};

/** A counterparty as the other side of a payment on this rail. */
export function otherSideOf(rail: OrderedRail, counterparty: Counterparty): OtherSide {
  const { id, name, rails } = counterparty;
  const side: OtherSide = { ...NOBODY, id, name, verificationStatus: 'pass' };
  switch (RAIL_OBJECTS[rail]) {
    case 'intraAccount':
      return { ...side, accountNumber: rails.intraAccount?.accountNumber ?? '' };
    case 'ach':
      return {
        ...side,
        ...bankOf(rails.ach),
        verificationStatus: rails.ach?.verified === false ? 'review' : 'pass',
      };
    case 'domesticWire':
      return { ...side, ...bankOf(rails.domesticWire), address: rails.domesticWire?.address ?? null };
    case 'rtp':
      return { ...side, ...bankOf(rails.rtp) };
    case 'fednow':
      return { ...side, ...bankOf(rails.fednow) };
    case 'internationalWire':
      return {
        ...side,
        accountNumber: rails.internationalWire?.accountNumber ?? '',
        beneficiaryBank: rails.internationalWire?.beneficiaryBank ?? null,
        correspondentBank: rails.internationalWire?.correspondentBank ?? null,
        address: rails.internationalWire?.beneficiaryAddress ?? null,
      };
    case 'check':
      return { ...side, address: rails.check?.address ?? null };
    case 'card':
      return { ...side, address: rails.card?.address ?? null };
    case 'debitCard':
      return { ...side, accountNumber: rails.debitCard?.last4 ?? '' };
  }
}

function bankOf(bank: BankDetails | null) {
  return bank === null
    ? {}
    : {
        accountNumber: bank.accountNumber,
        routingNumber: bank.routingNumber,
        accountType: bank.accountType,
        bankName: bank.bankName,
      };
}

/** What a payment is called that the client did not call anything. */
export function titleOf(rail: RailName, name: string): string {
  if (rail === 'check_send') return `Check created for ${name}`;
  if (rail === 'check_deposit') return `Received check from ${name}`;
  if (rail === 'solid_card_send') return `Card sent to ${name}`;
  return railOf(rail).direction === 'debit' ? `Paid to ${name}` : `Received from ${name}`;
}
