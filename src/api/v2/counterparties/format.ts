/**
 * Formats a counterparty with the details of its rails. The bank checks ACH accounts only; an account on an instant
 * rail counts as valid, as in the platform's sandbox. The code of a debit card is stored nowhere and shown empty.
 * Source: the counterparty record of the platform's v2 reference.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Bank } from '../../../model/banks.ts';
import type { BankDetails, Counterparty, CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import { formatAttachments, type Viewer } from '../attachments.ts';
import { formatAddress, formatFlag, formatId, formatOfac, formatOwner } from '../fields.ts';
import { formatBusiness, formatPerson } from '../people.ts';
import type {
  BankInfo,
  BankQuery,
  Counterparty as CounterpartyShape,
  ForeignBank as ForeignBankShape,
} from './shapes.ts';

type CounterpartyAnswer = Static<typeof CounterpartyShape>;

/** Formats the bank of a number; an address as far as it is known. */
export function formatBankInfo(
  { type, routing_number }: Static<typeof BankQuery>,
  { name, city, state, country, paymentMethods }: Bank,
): Static<typeof BankInfo> {
  return {
    routing_number,
    bank_name: name,
    type,
    payment_methods: [...paymentMethods],
    address: formatAddress({ line1: '', line2: '', city, state, country, postalCode: '' }),
  };
}

/** Formats a counterparty. */
export function formatCounterparty(counterparty: Counterparty, program: Viewer): CounterpartyAnswer {
  const { rails } = counterparty;
  return {
    id: formatId('counterparty', counterparty.id),
    ...formatOwner(program),
    sub_account_holder_id: formatId('holder', counterparty.holderId),
    sub_account_id: formatId('account', counterparty.accountId),
    label: counterparty.label,
    type: counterparty.type,
    person: counterparty.person === null ? null : formatPerson(counterparty.person, null, null),
    business: counterparty.business === null ? null : formatBusiness(counterparty.business, null, []),
    intra_account: formatIntraAccount(rails.intraAccount),
    ach:
      rails.ach === null
        ? null
        : { ...formatBank(rails.ach), verification_status: rails.ach.verified ? 'pass' : 'review' },
    domestic_wire: rails.domesticWire === null ? null : formatBank(rails.domesticWire),
    international_wire: formatInternationalWire(rails.internationalWire),
    rtp: rails.rtp === null ? null : { ...formatBank(rails.rtp), verification_status: 'pass' },
    fednow: rails.fednow === null ? null : { ...formatBank(rails.fednow), verification_status: 'pass' },
    check: rails.check === null ? null : { address: formatAddress(rails.check.address) },
    debit_card: formatDebitCard(rails.debitCard),
    purpose: counterparty.purpose,
    external_reference_id: counterparty.externalReferenceId,
    ofac: formatOfac(counterparty.ofacStatus, counterparty.ofacAt),
    attachments: formatAttachments(program, counterparty.id),
    metadata: counterparty.metadata,
    status: counterparty.status,
    timestamps: {
      created_at: formatInstant(counterparty.createdAt),
      updated_at: formatInstant(counterparty.updatedAt),
      deactivated_at: formatInstantOrEmpty(counterparty.deactivatedAt),
    },
  };
}

function formatIntraAccount(intra: CounterpartyRails['intraAccount']): CounterpartyAnswer['intra_account'] {
  if (intra === null) return null;
  return {
    sub_account_number: intra.accountNumber,
    sub_account_id: formatId('account', intra.accountId),
  };
}

function formatBank(details: BankDetails): NonNullable<CounterpartyAnswer['domestic_wire']> {
  return {
    account_number: details.accountNumber,
    routing_number: details.routingNumber,
    account_type: details.accountType,
    bank_name: details.bankName,
  };
}

function formatInternationalWire(
  details: CounterpartyRails['internationalWire'],
): CounterpartyAnswer['international_wire'] {
  if (details === null) return null;
  return {
    account_number: details.accountNumber,
    beneficiary_bank: formatForeignBank(details.beneficiaryBank),
    correspondent_bank: formatForeignBank(details.correspondentBank),
  };
}

function formatDebitCard(details: CounterpartyRails['debitCard']): CounterpartyAnswer['debit_card'] {
  if (details === null) return null;
  return {
    card_number: details.cardNumber,
    last4: details.last4,
    expiry_month: details.expiryMonth,
    expiry_year: details.expiryYear,
    cvv: '',
    address: formatAddress(details.address),
    pull_enabled: formatFlag(details.pullEnabled),
    push_enabled: formatFlag(details.pushEnabled),
  };
}

/** Formats a bank abroad. */
export function formatForeignBank(bank: ForeignBank | null): Static<typeof ForeignBankShape> | null {
  if (bank === null) return null;
  return {
    identifier_code: bank.identifierCode,
    name: bank.name,
    address: formatAddress(bank.address),
  };
}
