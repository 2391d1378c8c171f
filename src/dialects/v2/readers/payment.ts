/**
 * Reads the bodies that originate payments. A v2 payment that the balance does not cover is recorded as declined, so
 * every origination asks the bank to record it.
 * Source: the origination operations of the platform's v2 reference; row 28 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Origination } from '../../../bank/inputs.ts';
import { readId } from '../ids.ts';
import type { AchOrigination, IntraAccountOrigination } from '../shapes/transaction.ts';
import { readAmount, readDate, readFlag, sent } from './fields.ts';

/** Reads an intra-account payment. Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function readIntraAccountOrigination(body: Static<typeof IntraAccountOrigination>): Origination {
  return {
    accountId: readId('account', body.sub_account_id),
    counterpartyId: readId('counterparty', body.counterparty_id),
    amount: readAmount(body.amount),
    ...sent('description', body.description),
    ...sent('externalReferenceId', body.external_reference_id),
    shortage: 'record',
  };
}

/** Reads an ACH payment. Refuses as an intra-account payment does, and `field_invalid` for a date that is none. */
export function readAchOrigination(body: Static<typeof AchOrigination>): Origination {
  const date = readDate('effective_date', body.effective_date ?? '');
  return {
    ...readIntraAccountOrigination(body),
    ...sent('sameDay', body.same_day === undefined ? undefined : readFlag(body.same_day)),
    ...sent('effectiveDate', date === '' ? undefined : date),
    ...sent('companyDiscretionaryData', body.company_discretionary_data),
    ...sent('companyEntryDescription', body.company_entry_description),
  };
}
