/**
 * The other side of a payment as it is when the payment is made: what of a counterparty belongs to the rail, or an
 * account of this bank.
 * Source: decisions `bank-account-verification` and `transaction-verification-status` in docs/fidelity.md.
 */
import { type OrderedRail, RAILS } from '../../model/rails/index.ts';
import type { Account, BankDetails, Counterparty, OtherSide } from '../../model/records.ts';

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

/** An account of this bank as the other side of a payment within it. */
export function accountAsOtherSide({ holderName, accountNumber }: Account): OtherSide {
  return { ...NOBODY, name: holderName, accountNumber };
}

/** A counterparty as the other side of a payment on this rail. */
export function otherSideOf(rail: OrderedRail, counterparty: Counterparty): OtherSide {
  const { id, name, rails } = counterparty;
  const side: OtherSide = { ...NOBODY, id, name, verificationStatus: 'pass' };
  switch (RAILS[rail].needs) {
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
