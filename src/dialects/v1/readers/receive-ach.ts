/**
 * Reads the order to pull money by ACH. Where the account cannot do it, v1 answers with an error and makes nothing,
 * which is what `shortage: 'refuse'` asks of the bank.
 * Source: "receive an ACH pull" of the platform's v1 reference; row 28 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Origination } from '../../../bank/inputs.ts';
import type { ReceiveAchBody } from '../shapes/transfer.ts';
import { readId } from './ids.ts';
import { readAmount, sent } from './values.ts';

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function readAchPull(body: Static<typeof ReceiveAchBody>): Origination {
  return {
    amount: readAmount('amount', body.amount),
    accountId: readId('account', body.accountId),
    counterpartyId: readId('counterparty', body.contactId),
    ...sent(body, ['title', 'description']),
    ...(body.metadata != null && { metadata: body.metadata }),
    sameDay: body.type === 'sameDay',
    shortage: 'refuse',
  };
}
