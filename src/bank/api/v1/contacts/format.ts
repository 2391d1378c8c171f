/**
 * Formats a counterparty of the bank as a contact of v1. A contact has only two statuses in v1, so a counterparty
 * that can no longer be paid is `deleted`. Only the last four digits of a debit card are stored and shown.
 * Source: the contact object of the platform's v1 reference; decisions `deleted-things` and `debit-card-kept` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { formatInstant } from '../../../kernel/time.ts';
import type { PartnerBank } from '../../../model/banks.ts';
import type { Counterparty, Program, Token } from '../../../model/records.ts';
import { formatV1 } from '../../ids.ts';
import { viewV1 } from '../../view.ts';
import { formatAddress, METADATA } from '../fields.ts';
import { RAILS } from './rails.ts';
import {
  type BankInfo,
  type BankQuery,
  type Contact,
  type DebitCardToken,
  type DeletedContact,
  NAMES,
  REACHED,
} from './shapes.ts';

type View = Static<typeof Contact>;

/** Formats the bank of a number, with the known parts of its address. */
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

/** Formats the response to the deletion of a contact. */
export function formatDeletedContact({ id }: Counterparty): Static<typeof DeletedContact> {
  return { id: formatV1('counterparty', id), status: 'deleted' };
}

/** Formats a token that sets the debit card of a contact. */
export function formatDebitCardToken({ subjectId, token }: Token): Static<typeof DebitCardToken> {
  return { id: formatV1('counterparty', subjectId), debitCardToken: token };
}

export const CONTACT_VIEW = viewV1('contact', formatContact);

/** Formats a contact. */
export function formatContact(counterparty: Counterparty, program: Program): View {
  // A counterparty of v2 has these fields in its person or business.
  const details = counterparty.person ?? counterparty.business;
  return {
    id: formatV1('counterparty', counterparty.id),
    accountId: formatV1('account', counterparty.accountId),
    programId: formatV1('program', program.programId),
    ...NAMES.format(counterparty),
    ...REACHED.format({
      email: counterparty.email || (details?.email ?? ''),
      phone: counterparty.phone || (details?.phone ?? ''),
    }),
    type: counterparty.relation,
    status: counterparty.deletedAt === null && counterparty.status !== 'deactivated' ? 'active' : 'deleted',
    ...RAILS.format(counterparty.rails),
    crossBorder: null,
    ...METADATA.format(counterparty),
    createdAt: formatInstant(counterparty.createdAt),
    modifiedAt: formatInstant(counterparty.updatedAt),
  };
}
