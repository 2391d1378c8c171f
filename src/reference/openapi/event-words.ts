/**
 * A sentence about each kind of event, for the OpenAPI documents. A kind of v2 consists of a noun and a change, so
 * its sentence is generated; those of v1 are written by hand.
 */
import type { ApiVersion } from '../../bank/api/events.ts';

const NOUNS: Readonly<Record<string, string>> = {
  client: 'the client',
  client_member: 'a member of the client',
  master_account_holder: 'the holder of the master account',
  master_account: 'the master account',
  sub_account_holder: 'a sub account holder',
  sub_account: 'a sub account',
  card_holder: 'a card holder',
  counterparty: 'a counterparty',
  card: 'a card',
  transaction: 'a transaction',
};

/** The meaning of each transaction status. */
const TRANSACTION_STATUSES: Readonly<Record<string, string>> = {
  pending: 'it waits for its next step',
  clearing: 'it was sent to the network',
  cleared: 'the network has cleared it',
  settled: 'the payment is complete',
  canceled: 'it ended before it was sent',
  in_review: 'it waits for a decision',
  returned: 'the other bank has returned it',
  reversed: 'another transaction reverses it',
  received: 'another bank has sent it',
  declined: 'it was declined, and no money has moved',
  refunded: 'a merchant has refunded it',
};

const V1: Readonly<Record<string, string>> = {
  'account.created': 'an account was created',
  'account.credit': 'an account was credited',
  'account.debit': 'an account was debited',
  'account.updated': 'an account was changed',
  'ach.auth.request': 'another bank requests a debit of an account',
  'ach.originated.credit': 'an ACH pull was created; it will credit the account',
  'ach.originated.debit': 'an ACH push was created; it debits the account',
  'ach.originated.updated': 'the status of an ACH transfer of the client has changed',
  'ach.received.credit': 'an ACH credit has arrived',
  'ach.received.debit': 'an ACH debit of another bank has arrived',
  'ach.received.declined': 'an ACH payment of another bank was declined',
  'ach.reversal.credit': 'an ACH payment was returned or reversed, and the account was credited',
  'ach.reversal.debit': 'an ACH payment was returned or reversed, and the account was debited',
  'business.created': 'a business was created',
  'business.kyb.approved': 'the KYB of a business has passed',
  'business.kyb.declined': 'the KYB of a business has failed',
  'business.kyb.review': 'the KYB of a business waits for a review',
  'business.updated': 'a business was changed',
  'card.auth.request': 'a merchant requests an authorization',
  'card.canceled': 'a card was canceled',
  'card.declined': 'a purchase with a card was declined',
  'card.deposit': 'money was deposited with a card',
  'card.enriched': 'details of a merchant were added to a purchase',
  'card.refund': 'a merchant has refunded a purchase',
  'card.replaced': 'a card was replaced; the record is that of the old card',
  'card.reversal': 'an authorization was reversed or has expired',
  'card.reward.canceled': 'a reward was canceled',
  'card.reward.credit': 'a reward was paid',
  'card.reward.pending': 'a reward was earned',
  'card.spend': 'a card was used for a purchase',
  'card.spend.update': 'a purchase with a card has changed',
  'card.updated': 'a card was changed',
  'card.wallet.created': 'a card was added to a wallet',
  'card.wallet.updated': 'a card in a wallet was changed',
  'check.originated.credit': 'a check was deposited',
  'check.originated.debit': 'a check was sent',
  'check.reversal.credit': 'a sent check was reversed, and the account was credited',
  'check.reversal.debit': 'a deposited check was returned, and the account was debited',
  'contact.created': 'a contact was created',
  'contact.updated': 'a contact was changed or deleted',
  'debitcard.chargeback': 'the money of a debit card pull was taken back',
  'family.created': 'a family was created',
  'family.updated': 'a family was changed',
  'intrabank.originated.credit': 'an intrabank pull was created',
  'intrabank.originated.debit': 'an intrabank push was created',
  'intrabank.received.credit': 'an intrabank push has arrived',
  'intrabank.received.debit': 'an intrabank pull has debited the other account',
  'member.created': 'a member was added to a business or a family',
  'member.updated': 'a member was changed',
  'person.created': 'a person was created',
  'person.kyc.approved': 'the KYC of a person has passed',
  'person.kyc.declined': 'the KYC of a person has failed',
  'person.kyc.review': 'the KYC of a person waits for a review',
  'person.kyc.updated': 'the status or a result of the KYC of a person has changed',
  'person.updated': 'a person was changed',
  'solidcard.canceled': 'a sent card was canceled',
  'solidcard.delivered': 'a sent card was delivered',
  'solidcard.originated.debit': 'a card was sent, and the account was debited',
  'solidcard.reversal.credit': 'a sent card was reversed, and the account was credited',
  'solidcard.topup': 'money was added to a sent card',
  'transfer.created': 'a transfer was created',
  'transfer.updated': 'a transfer or its status has changed',
  'wallet.created': 'a wallet in another currency was created',
  'wallet.credit': 'a wallet in another currency was credited',
  'wallet.debit': 'a wallet in another currency was debited',
  'wallet.transfer.created': 'a transfer of a wallet in another currency was created',
  'wallet.transfer.updated': 'a transfer of a wallet in another currency has changed',
  'wallet.updated': 'a wallet in another currency was changed',
  'wire.originated.debit': 'a wire was sent, and the account was debited',
  'wire.originated.updated': 'the status of a sent wire has changed',
  'wire.received.credit': 'a wire has arrived',
  'wire.reversal.credit': 'a sent wire was returned or reversed, and the account was credited',
  'wire.reversal.debit': 'a received wire was returned or reversed, and the account was debited',
};

/** The report of a kind of event, such as `a card was created`. */
export function reportOf(version: ApiVersion, kind: string): string {
  const words = version === 'v1' ? V1[kind] : reportOfV2(kind);
  if (words === undefined) throw new Error(`the kind ${kind} of ${version} has no words`);
  return words;
}

function reportOfV2(kind: string): string | undefined {
  const [name = '', change, status = ''] = kind.split('.');
  const noun = NOUNS[name];
  if (noun === undefined) return undefined;
  if (change === 'created') return `${noun} was created`;
  if (change === 'updated') return `${noun} was changed`;
  const meaning = name === 'transaction' ? TRANSACTION_STATUSES[status] : undefined;
  return `${noun} is now \`${status}\`${meaning === undefined ? '' : `: ${meaning}`}`;
}
