/**
 * Reads the bodies that make and change a sub account, and the filters of the lists. A filter by the id of something that
 * nobody has finds nothing; so does a status of a holder that no account has.
 * Source: the master account and sub account operations of the platform's v2 reference; row 157 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { AccountChange, MasterFile, NewAccount } from '../../../bank/inputs.ts';
import type { Program } from '../../../model/records.ts';
import type { AccountStatus } from '../../../model/vocabulary.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseId } from '../../identifiers.ts';
import { readId } from '../ids.ts';
import type {
  FILTERED_STATUSES,
  MasterAccountQuery,
  NewSubAccount,
  SubAccountQuery,
  SubAccountUpdate,
} from '../shapes/account.ts';
import { sent } from './fields.ts';

/** What a word of a filter means; of a holder's words those that an account has something like. */
const FILTERS: Readonly<Record<(typeof FILTERED_STATUSES)[number], readonly AccountStatus[]>> = {
  open: ['open'],
  closed: ['closed'],
  credit_blocked: ['credit_blocked'],
  debit_blocked: ['debit_blocked'],
  blocked: ['blocked'],
  locked: ['locked'],
  pending_activation: [],
  activated: ['open'],
  suspended: ['blocked', 'credit_blocked', 'debit_blocked'],
  deactivated: ['closed'],
};

/** Reads a new sub account. Refuses: `holder_not_found`. */
export function readNewAccount(body: Static<typeof NewSubAccount>): NewAccount {
  return {
    holderId: readId('holder', body.sub_account_holder_id),
    type: body.type,
    ...readWords(body),
  };
}

/** Reads a change of a sub account. */
export function readAccountChange(body: Static<typeof SubAccountUpdate>): AccountChange {
  return { ...readWords(body), ...sent('status', body.status) };
}

/** Reads the filters of the list of sub accounts. */
export function readAccountFilters(
  query: Static<typeof SubAccountQuery>,
  { masterAccountId }: Program,
): Condition[] {
  const { sub_account_holder_id: holder, master_account_id: master, status } = query;
  const elsewhere = isFilter(master) && parseId('master_account', master) !== masterAccountId;
  return [
    ...(isFilter(holder) ? [{ field: 'holderId', is: parseId('holder', holder) ?? '' }] : []),
    ...(elsewhere ? [{ field: 'id', is: '' }] : []),
    ...(status === undefined ? [] : [{ field: 'status', oneOf: FILTERS[status] }]),
    ...(isFilter(query.external_reference_id)
      ? [{ field: 'externalReferenceId', is: query.external_reference_id }]
      : []),
  ];
}

/** Whether a master account is one that the filters of the list ask for. */
export function isAskedFor(
  { account }: MasterFile,
  { master_account_holder_id: holder, status }: Static<typeof MasterAccountQuery>,
  { masterAccountHolderId }: Program,
): boolean {
  if (isFilter(holder) && parseId('master_account_holder', holder) !== masterAccountHolderId) return false;
  return status === undefined || status === account.status;
}

type Words = Pick<
  Static<typeof SubAccountUpdate>,
  'label' | 'external_reference_id' | 'purpose' | 'metadata'
>;

function readWords(body: Words) {
  return {
    ...sent('label', body.label),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('purpose', body.purpose),
    ...sent('metadata', body.metadata),
  };
}

const isFilter = (text: string | undefined): text is string => text !== undefined && text !== '';
