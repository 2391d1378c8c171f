/**
 * The requests of real-time authorization, with which the client approves or declines a debit by a card or by another
 * bank. The capitalized keys are the platform's.
 * Source: "ACH" and "card real time authorization webhooks" of the platform's v1 reference.
 */

import { type Cents, formatMoney } from '../../kernel/money.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import type { CounterpartySnapshot, Merchant, Program } from '../../model/records.ts';
import type { AccountWithBalance, CardWithHolder } from '../../verbs/inputs.ts';
import { formatV1 } from '../ids.ts';
import { formatCard } from './cards/format.ts';
import { formatEnvelope } from './events.ts';
import { formatAchAuthorization } from './fields.ts';
import { MERCHANT } from './transactions/shapes.ts';
import { accountType } from './vocabulary.ts';

/** The debit to authorize, on any rail. */
interface AuthRequest {
  id: Id;
  at: Instant;
  amount: Cents;
  own: AccountWithBalance;
}

/** Formats `card.auth.request`. */
export function formatCardRequest(
  { id, amount, own, card, cardHolder, merchant }: AuthRequest & CardWithHolder & { merchant: Merchant },
  program: Program,
): string {
  const { label, bin, cardType, theme, limitAmount, limitInterval, last4, cardStatus, metadata } = formatCard(
    { card, cardHolder },
    program,
  );
  return formatEnvelope('card.auth.request', program, {
    id: formatV1('authorization', id),
    amount: formatMoney(amount),
    status: 'pending',
    merchant: MERCHANT.format(merchant),
    Account: formatAccount(own),
    Card: {
      id: formatV1('card', card.id),
      label,
      bin,
      type: cardType,
      theme,
      limitAmount,
      limitInterval,
      last4,
      cardStatus,
      metadata,
    },
  });
}

/** Formats `ach.auth.request`. */
export function formatAchRequest(
  {
    id,
    at,
    amount,
    own,
    sender,
    traceNumber,
    description,
  }: AuthRequest & { sender: Partial<CounterpartySnapshot>; traceNumber: string; description: string },
  program: Program,
): string {
  const { account } = own;
  const createdAt = formatInstant(at);
  return formatEnvelope('ach.auth.request', program, {
    id: formatAchAuthorization(id),
    amount: formatMoney(amount),
    status: 'pending',
    createdAt,
    personId: formatV1('person', account.createdBy),
    programId: formatV1('program', program.programId),
    Account: formatAccount(own),
    Ach: {
      id: formatAchAuthorization(id).replace('aar-', 'act-'),
      senderName: sender.name ?? '',
      senderRoutingNumber: sender.routingNumber ?? '',
      traceNumber,
      description,
      addenda: '',
      createdAt,
    },
  });
}

function formatAccount({ account, balance }: AccountWithBalance) {
  return {
    id: formatV1('account', account.id),
    label: account.label,
    type: accountType(account),
    balance: formatMoney(balance.creditsPosted - balance.debitsPosted - balance.debitsPending),
    currency: 'USD',
    metadata: account.metadata,
  };
}
