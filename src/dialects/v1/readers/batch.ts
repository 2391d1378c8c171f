/**
 * Reads a batch. What cannot be read refuses all of it; what the bank refuses is the item's own affair.
 * Source: "create an intrabank batch" of the platform's v1 reference; rows 28 and 199 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { BatchItem } from '../../../bank/inputs.ts';
import type { BatchBody } from '../shapes/batch.ts';
import { readId } from './ids.ts';
import { readAmount, sent } from './values.ts';

const RAILS = { send: 'intra_push', receive: 'intra_pull' } as const;

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function readBatch({ data }: Static<typeof BatchBody>): BatchItem[] {
  return data.map((item, place) => ({
    label: item.sequence,
    rail: RAILS[item.api],
    order: {
      accountId: readId('account', item.accountId, `data.${place}.accountId`),
      counterpartyId: readId('counterparty', item.contactId, `data.${place}.contactId`),
      amount: readAmount(`data.${place}.amount`, item.amount),
      ...sent(item, ['title', 'description']),
      shortage: 'refuse',
    },
  }));
}
