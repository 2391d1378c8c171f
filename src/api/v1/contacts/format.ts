/**
 * Writes a counterparty of the bank as a contact of v1. v1 has two states of a contact, so one that can no longer be
 * paid is `deleted`. Of a debit card only the last four digits are stored and shown.
 * Source: the contact object of the platform's v1 reference; decisions `deleted-things` and `debit-card-kept` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import type { PartnerBank } from '../../../model/banks.ts';
import type { BankDetails, Counterparty, CounterpartyRails, Program, Token } from '../../../model/records.ts';
import { formatV1 } from '../../ids.ts';
import { formatAddress } from '../fields.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';
import type { BankInfo, BankQuery, Contact, DebitCardToken, DeletedContact } from './shapes.ts';

type View = Static<typeof Contact>;

/** The bank of a number; its address as far as it is known. */
export function formatBankInfo(
  { type, routingNumber }: Static<typeof BankQuery>,
  { name, city, state, country, paymentMethods }: PartnerBank,
): Static<typeof BankInfo> {
  return {
    routingNumber,
    bankName: name,
    type,
    paymentMethods: [...paymentMethods],
    address: formatAddress('', { line1: '', line2: '', city, state, country, postalCode: '' }),
  };
}

/** The answer to the deletion of a contact. */
export function formatDeletedContact({ id }: Counterparty): Static<typeof DeletedContact> {
  return { id: formatV1('counterparty', id), status: 'deleted' };
}

/** A token that lets the debit card of a contact be set. */
export function formatDebitCardToken({ subjectId, token }: Token): Static<typeof DebitCardToken> {
  return { id: formatV1('counterparty', subjectId), debitCardToken: token };
}

/** A contact. */
export function formatContact(counterparty: Counterparty, program: Program): View {
  const { rails } = counterparty;
  // A counterparty that v2 made keeps these with the details of its person or business.
  const details = counterparty.person ?? counterparty.business;
  return {
    id: formatV1('counterparty', counterparty.id),
    accountId: formatV1('account', counterparty.accountId),
    programId: formatV1('program', program.programId),
    name: counterparty.name,
    label: counterparty.label,
    email: counterparty.email || (details?.email ?? ''),
    phone: counterparty.phone || (details?.phone ?? ''),
    type: counterparty.relation,
    status: counterparty.deletedAt === null && counterparty.status !== 'deactivated' ? 'active' : 'deleted',
    intrabank: rails.intraAccount && {
      accountId: formatV1('account', rails.intraAccount.accountId),
      accountNumber: rails.intraAccount.accountNumber,
    },
    ach: rails.ach && { ...formatBankDetails(rails.ach), verified: rails.ach.verified },
    wire: formatWire(rails),
    check: rails.check && { address: formatAddress('check', rails.check.address) },
    card: rails.card && { address: formatAddress('card', rails.card.address) },
    debitCard: formatDebitCard(rails.debitCard),
    crossBorder: null,
    metadata: counterparty.metadata,
    createdAt: formatInstant(counterparty.createdAt),
    modifiedAt: formatInstant(counterparty.updatedAt),
  };
}

function formatBankDetails({ accountNumber, accountType, bankName, routingNumber }: BankDetails) {
  return {
    accountNumber,
    accountType: accountType === '' ? accountType : BANK_ACCOUNT_TYPES.v1[accountType],
    bankName,
    last4: accountNumber.slice(-4),
    routingNumber,
  };
}

function formatWire({
  domesticWire: domestic,
  internationalWire: international,
}: CounterpartyRails): View['wire'] {
  if (domestic === null && international === null) return null;
  return {
    domestic: domestic && {
      ...formatBankDetails(domestic),
      address: formatAddress('wire', domestic.address),
    },
    international: international && {
      accountNumber: international.accountNumber,
      accountType: international.accountType,
      bankIdentifierCode: international.beneficiaryBank?.identifierCode ?? '',
      bankIdentifierType: international.identifierType,
      beneficiaryAddress: formatAddress('wire', international.beneficiaryAddress),
      beneficiaryBank: international.beneficiaryBank?.name ?? '',
      beneficiaryBankAddress: formatAddress('wire', international.beneficiaryBank?.address ?? null),
      correspondentBank: international.correspondentBank?.name ?? '',
      correspondentBankAddress: formatAddress('wire', international.correspondentBank?.address ?? null),
      correspondentBankIdentifierCode: international.correspondentBank?.identifierCode ?? '',
    },
  };
}

function formatDebitCard(card: CounterpartyRails['debitCard']): View['debitCard'] {
  return (
    card && {
      cardNumber: card.last4 === '' ? '' : `************${card.last4}`,
      last4: card.last4,
      expiryMonth: card.expiryMonth,
      expiryYear: card.expiryYear,
      address: formatAddress('card', card.address),
      pull: { enabled: card.pullEnabled },
      push: { enabled: card.pushEnabled },
      usageType: '',
    }
  );
}
