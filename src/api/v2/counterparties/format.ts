/**
 * Writes a counterparty with the details of its rails. The bank knows of one check only, that of an ACH account; an
 * account on an instant rail is taken as good, as the platform's sandbox shows it. The code of a debit card is kept
 * nowhere and shown empty.
 * Source: the counterparty record of the platform's v2 reference.
 */

import type { Static } from '@sinclair/typebox';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import type { Bank } from '../../../model/banks.ts';
import type { BankDetails, Counterparty, CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import { type Viewer, viewAttachments } from '../attachments.ts';
import { viewAddress, viewOfac, viewOwner, writeFlag, writeId } from '../fields.ts';
import { viewBusiness, viewPerson } from '../people.ts';
import type {
  BankInfo,
  BankQuery,
  Counterparty as CounterpartyShape,
  ForeignBank as ForeignBankShape,
} from './shapes.ts';

type CounterpartyAnswer = Static<typeof CounterpartyShape>;

/** Writes the bank of a number; an address as far as it is known. */
export function viewBankInfo(
  { type, routing_number }: Static<typeof BankQuery>,
  { name, city, state, country, paymentMethods }: Bank,
): Static<typeof BankInfo> {
  return {
    routing_number,
    bank_name: name,
    type,
    payment_methods: [...paymentMethods],
    address: viewAddress({ line1: '', line2: '', city, state, country, postalCode: '' }),
  };
}

/** Writes a counterparty. */
export function viewCounterparty(counterparty: Counterparty, program: Viewer): CounterpartyAnswer {
  const { rails } = counterparty;
  return {
    id: writeId('counterparty', counterparty.id),
    ...viewOwner(program),
    sub_account_holder_id: writeId('holder', counterparty.holderId),
    sub_account_id: writeId('account', counterparty.accountId),
    label: counterparty.label,
    type: counterparty.type,
    person: counterparty.person === null ? null : viewPerson(counterparty.person, null, null),
    business: counterparty.business === null ? null : viewBusiness(counterparty.business, null, []),
    intra_account: viewIntraAccount(rails.intraAccount),
    ach:
      rails.ach === null
        ? null
        : { ...viewBank(rails.ach), verification_status: rails.ach.verified ? 'pass' : 'review' },
    domestic_wire: rails.domesticWire === null ? null : viewBank(rails.domesticWire),
    international_wire: viewInternationalWire(rails.internationalWire),
    rtp: rails.rtp === null ? null : { ...viewBank(rails.rtp), verification_status: 'pass' },
    fednow: rails.fednow === null ? null : { ...viewBank(rails.fednow), verification_status: 'pass' },
    check: rails.check === null ? null : { address: viewAddress(rails.check.address) },
    debit_card: viewDebitCard(rails.debitCard),
    purpose: counterparty.purpose,
    external_reference_id: counterparty.externalReferenceId,
    ofac: viewOfac(counterparty.ofacStatus, counterparty.ofacAt),
    attachments: viewAttachments(program, counterparty.id),
    metadata: counterparty.metadata,
    status: counterparty.status,
    timestamps: {
      created_at: formatInstant(counterparty.createdAt),
      updated_at: formatInstant(counterparty.updatedAt),
      deactivated_at: formatInstantOrEmpty(counterparty.deactivatedAt),
    },
  };
}

function viewIntraAccount(intra: CounterpartyRails['intraAccount']): CounterpartyAnswer['intra_account'] {
  if (intra === null) return null;
  return {
    sub_account_number: intra.accountNumber,
    sub_account_id: writeId('account', intra.accountId),
  };
}

function viewBank(details: BankDetails): NonNullable<CounterpartyAnswer['domestic_wire']> {
  return {
    account_number: details.accountNumber,
    routing_number: details.routingNumber,
    account_type: details.accountType,
    bank_name: details.bankName,
  };
}

function viewInternationalWire(
  details: CounterpartyRails['internationalWire'],
): CounterpartyAnswer['international_wire'] {
  if (details === null) return null;
  return {
    account_number: details.accountNumber,
    beneficiary_bank: viewForeignBank(details.beneficiaryBank),
    correspondent_bank: viewForeignBank(details.correspondentBank),
  };
}

function viewDebitCard(details: CounterpartyRails['debitCard']): CounterpartyAnswer['debit_card'] {
  if (details === null) return null;
  return {
    card_number: details.cardNumber,
    last4: details.last4,
    expiry_month: details.expiryMonth,
    expiry_year: details.expiryYear,
    cvv: '',
    address: viewAddress(details.address),
    pull_enabled: writeFlag(details.pullEnabled),
    push_enabled: writeFlag(details.pushEnabled),
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
