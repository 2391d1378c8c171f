/**
 * The body of a v1 webhook delivery. The kind of event determines the record: a change of a transaction can be sent
 * as a transfer, a transaction or a declined authorization, and a change of a holder as the holder or as its
 * verification. The envelope has no event id and no time.
 * Source: "introduction to webhooks" and the webhook samples of the platform's v1 reference; decisions
 * `v1-event-envelope` and `account-events` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Fact, FactRecords, Resource } from '../../model/facts.ts';
import type { Program } from '../../model/records.ts';
import { formatV1 } from '../ids.ts';
import { formatAccount } from './accounts/format.ts';
import { Account } from './accounts/shapes.ts';
import { formatBusiness } from './businesses/format.ts';
import { Business } from './businesses/shapes.ts';
import { DeclinedAuthorization, formatDeclined } from './cards/declined.ts';
import { formatCard } from './cards/format.ts';
import { Card } from './cards/shapes.ts';
import { Chargeback, formatChargeback } from './chargebacks.ts';
import { formatContact } from './contacts/format.ts';
import { Contact } from './contacts/shapes.ts';
import { Family, formatFamily } from './families.ts';
import { formatMember, Member } from './members.ts';
import { formatPerson, Person } from './persons.ts';
import { formatTransaction } from './transactions/format.ts';
import { Transaction } from './transactions/shapes.ts';
import { formatTransfer } from './transfers/format.ts';
import { Transfer } from './transfers/shapes.ts';
import { UNSERVED } from './unserved-events.ts';
import { formatKyb, formatKyc, Kyb, Kyc } from './verification.ts';
import { formatWallet, Wallet } from './wallets.ts';

/** Formats the v1 event for one kind of a fact. Refuses: `failure` for a fact without a record in v1. */
export function formatEvent({ kind, fact, program }: { kind: string; fact: Fact; program: Program }): string {
  return formatEnvelope(kind, program, formatFact(kind, fact as AnyFact, program));
}

/** Formats the envelope of a v1 event with this record. */
export function formatEnvelope(kind: string, program: Program, data: object): string {
  return JSON.stringify({
    eventType: kind,
    programId: formatV1('program', program.programId),
    env: 'test',
    data,
  });
}

/**
 * The shape of a kind's record, by the beginning of its name; the first match applies, the default is a transaction.
 */
const RECORD_SHAPES: readonly (readonly [beginning: string, shape: TSchema])[] = [
  ['transfer.', Transfer],
  ['card.declined', DeclinedAuthorization],
  ['debitcard.chargeback', Chargeback],
  ['person.kyc.', Kyc],
  ['business.kyb.', Kyb],
  ['person.', Person],
  ['business.', Business],
  ['family.', Family],
  ['wallet.created', Wallet],
  ['wallet.updated', Wallet],
  ['member.', Member],
  ['contact.', Contact],
  ['account.created', Account],
  ['account.updated', Account],
  ['card.updated', Card],
  ['card.canceled', Card],
  ['card.replaced', Card],
  ['card.wallet.', Card],
  ['solidcard.delivered', Card],
  ['solidcard.canceled', Card],
];

/** The shape of the record of a kind. */
export function recordOf(kind: string): TSchema {
  const named = UNSERVED[kind]?.shape ?? RECORD_SHAPES.find(([beginning]) => kind.startsWith(beginning))?.[1];
  return named ?? Transaction;
}

/** A fact whose resource determines the type of its record. */
type AnyFact = { [R in Resource]: Fact<R> }[Resource];

function formatFact(kind: string, fact: AnyFact, program: Program): object {
  switch (fact.resource) {
    case 'transaction':
      return formatPayment(kind, fact, program);
    case 'holder':
      return formatHolder(kind, fact.record, program);
    case 'family':
      return formatFamily(fact.record, program);
    case 'wallet':
      return formatWallet(fact.record, program);
    case 'member':
      return formatMember(fact.record, program);
    case 'account':
      return formatAccount(fact.record, program);
    case 'counterparty':
      return formatContact(fact.record, program);
    case 'card':
      return kind === 'solidcard.delivered'
        ? withoutSender(formatCard(fact.record, program))
        : formatCard(fact.record, program);
    case 'card_holder':
      throw refuse('failure', { message: `v1 has no record of a ${fact.resource}` });
  }
}

/** The published event of a delivered card contains neither an account nor the person of the card holder. */
function withoutSender(card: ReturnType<typeof formatCard>): typeof card {
  return { ...card, accountId: '', cardholder: { ...card.cardholder, personId: '' } };
}

function formatPayment(kind: string, fact: Fact<'transaction'>, program: Program): object {
  const { record: transaction, change, moved } = fact;
  if (kind.startsWith('transfer.')) return formatTransfer(transaction, program);
  if (kind === 'debitcard.chargeback') return formatChargeback(transaction, program);
  if (kind === 'card.declined') return formatDeclined(transaction, 'event');
  const view = formatTransaction(transaction, program);
  // An update changes the authorization, which lists show as the purchase; only the event shows it as an update.
  const parents = { parentTxnId: view.id, parentTransferId: formatV1('transfer', transaction.id) };
  const isUpdate = kind === 'card.spend.update' || (change === 'progressed' && moved !== null);
  const data = isUpdate
    ? { ...view, subType: 'authUpdate', ...(transaction.parentId === '' && parents) }
    : view;
  return kind.startsWith('account.') ? withBalanceChange(data, fact) : data;
}

/** An account event contains the change of the balance by this fact, and the available balance after it. */
function withBalanceChange<V extends object>(view: V, { record, moved }: Fact<'transaction'>): V {
  // A fact of an older version contains only the record.
  if (moved === null || moved === 0) return view;
  return {
    ...view,
    txnType: moved > 0 ? 'credit' : 'debit',
    amount: formatMoney(moved),
    balance: formatMoney(record.availableBalance),
  };
}

function formatHolder(kind: string, file: FactRecords['holder'], program: Program): object {
  const { holder } = file;
  if (kind.startsWith('person.kyc.')) return formatKyc(holder);
  if (kind.startsWith('business.kyb.')) return formatKyb(holder);
  if (holder.person !== null) return formatPerson(holder, holder.person, program);
  return formatBusiness(file, program);
}
