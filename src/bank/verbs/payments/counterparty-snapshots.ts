/**
 * The counterparty snapshot of a payment: the counterparty's details for the rail, or an account of this bank.
 * Source: decisions `bank-account-verification` and `transaction-verification-status` in docs/fidelity.md.
 */
import { type OrderedRail, RAILS } from '../../model/rails/index.ts';
import type { Account, BankDetails, Counterparty, CounterpartySnapshot } from '../../model/records.ts';

/** An unknown counterparty. */
export const NO_COUNTERPARTY: CounterpartySnapshot = {
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

/** An account of this bank as the counterparty of a payment within it. */
export function accountSnapshot({ holderName, accountNumber }: Account): CounterpartySnapshot {
  return { ...NO_COUNTERPARTY, name: holderName, accountNumber };
}

/** The snapshot of a counterparty for a payment on this rail. */
export function counterpartySnapshot(rail: OrderedRail, counterparty: Counterparty): CounterpartySnapshot {
  const { id, name, rails } = counterparty;
  const side: CounterpartySnapshot = { ...NO_COUNTERPARTY, id, name, verificationStatus: 'pass' };
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
