/**
 * The 73 kinds of event of v1, each with the record that it carries.
 * Source: the catalogue of events of the platform's v1 reference, as its public clients have it.
 */
import type { Table } from '../rows.ts';
import { ACCOUNT_V1 } from './account.ts';
import { CARD_V1, DECLINED_EVENT } from './card.ts';
import { CONTACT } from './contact.ts';
import { CHARGEBACK, TRANSACTION_V1, TRANSFER } from './money.ts';
import { BUSINESS, FAMILY, KYB, KYC, MEMBER, PERSON, WALLET } from './people.ts';

/** A real-time request, and kinds that nothing causes here: no record of them is ever published. */
const NOT_PUBLISHED = null;

const GROUPS: readonly (readonly [record: Table | null, kinds: string])[] = [
  [ACCOUNT_V1, 'account.created account.updated'],
  [TRANSACTION_V1, 'account.credit account.debit'],
  [
    TRANSACTION_V1,
    'ach.originated.credit ach.originated.debit ach.originated.updated ach.received.credit ach.received.debit ach.received.declined ach.reversal.credit ach.reversal.debit',
  ],
  [BUSINESS, 'business.created business.updated'],
  [KYB, 'business.kyb.approved business.kyb.declined business.kyb.review'],
  [CARD_V1, 'card.canceled card.replaced card.updated card.wallet.created'],
  [DECLINED_EVENT, 'card.declined'],
  [TRANSACTION_V1, 'card.refund card.reversal card.spend card.spend.update'],
  [
    TRANSACTION_V1,
    'check.originated.credit check.originated.debit check.reversal.credit check.reversal.debit',
  ],
  [CONTACT, 'contact.created contact.updated'],
  [CHARGEBACK, 'debitcard.chargeback'],
  [FAMILY, 'family.created family.updated'],
  [WALLET, 'wallet.created'],
  [
    TRANSACTION_V1,
    'intrabank.originated.credit intrabank.originated.debit intrabank.received.credit intrabank.received.debit',
  ],
  [MEMBER, 'member.created member.updated'],
  [PERSON, 'person.created person.updated'],
  [KYC, 'person.kyc.approved person.kyc.declined person.kyc.review person.kyc.updated'],
  [TRANSFER, 'transfer.created transfer.updated'],
  [
    TRANSACTION_V1,
    'wire.originated.debit wire.originated.updated wire.received.credit wire.reversal.credit wire.reversal.debit',
  ],
  [NOT_PUBLISHED, 'ach.auth.request card.auth.request'],
  [
    NOT_PUBLISHED,
    'card.deposit card.enriched card.reward.canceled card.reward.credit card.reward.pending card.wallet.updated',
  ],
  [CARD_V1, 'solidcard.canceled solidcard.delivered'],
  [TRANSACTION_V1, 'solidcard.originated.debit solidcard.reversal.credit'],
  [NOT_PUBLISHED, 'solidcard.topup'],
  [
    NOT_PUBLISHED,
    'wallet.credit wallet.debit wallet.transfer.created wallet.transfer.updated wallet.updated',
  ],
];

export const KINDS_V1: ReadonlyMap<string, Table | null> = new Map(
  GROUPS.flatMap(([record, kinds]) => kinds.split(' ').map((kind) => [kind, record] as const)),
);
