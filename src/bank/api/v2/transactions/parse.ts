/**
 * Parses the filters of the list of transactions, and the bodies that update or sub-ledger one. A filter by an id
 * that does not exist matches nothing, and an empty filter is ignored.
 * Source: the transaction operations of the platform's v2 reference; decisions `sub-ledgering` and
 * `v2-transaction-filters` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { on } from '../../../model/conditions.ts';
import type { TransactionCondition } from '../../../model/filters.ts';
import type { Program } from '../../../model/records.ts';
import type { Leg, SubLedgering, TransactionChange } from '../../../verbs/inputs.ts';
import { tryParseId } from '../../ids.ts';
import { ifPresent, parseAmount, parseId } from '../fields.ts';
import type { SubLedgering as SubLedgeringShape, TransactionQuery, TransactionUpdate } from './shapes.ts';

/** The filters of the list. */
export interface TransactionFilters {
  ledger: Leg['ledger'];
  where: TransactionCondition[];
}

/** A condition that matches no transaction. */
const MATCHES_NOTHING: TransactionCondition = on('id', { is: '' });

/** Parses the filters of the list. */
export function parseTransactionFilters(
  query: Static<typeof TransactionQuery>,
  program: Program,
): TransactionFilters {
  const ledger = query.ledger_type ?? 'sub_account';
  const master = {
    master_account: program.masterAccountId,
    master_account_holder: program.masterAccountHolderId,
  };
  const masterFilter = (kind: keyof typeof master, text = ''): TransactionCondition[] =>
    text === '' || tryParseId(kind, text) === master[kind] ? [] : [MATCHES_NOTHING];
  // An entry in the master account has neither a sub account nor a holder.
  const subAccountFilter = (
    kind: 'account' | 'holder',
    field: 'accountId' | 'holderId',
    text = '',
  ): TransactionCondition[] => {
    if (text === '') return [];
    return ledger === 'master_account'
      ? [MATCHES_NOTHING]
      : [on(field, { is: tryParseId(kind, text) ?? '' })];
  };
  const subAccountFilters = [
    ...subAccountFilter('account', 'accountId', query.sub_account_id),
    ...subAccountFilter('holder', 'holderId', query.sub_account_holder_id),
  ];
  const reference = query.external_reference_id ?? '';
  return {
    ledger,
    where: [
      ...subAccountFilters,
      ...(query.ledger_type === 'sub_account' && subAccountFilters.length === 0
        ? [on('accountId', { not: '' })]
        : []),
      ...masterFilter('master_account', query.master_account_id),
      ...masterFilter('master_account_holder', query.master_account_holder_id),
      ...(reference === '' ? [] : [on('externalReferenceId', { is: reference })]),
    ],
  };
}

/** Parses a change. */
export function parseTransactionChange(body: Static<typeof TransactionUpdate>): TransactionChange {
  return { ...ifPresent('description', body.description), ...ifPresent('metadata', body.metadata) };
}

/**
 * Parses the entry, the amount and the sub account of a sub-ledgering. Refuses: `transaction_not_found`,
 * `account_not_found`, `amount_invalid`.
 */
export function parseSubLedgering(body: Static<typeof SubLedgeringShape>): SubLedgering {
  return {
    masterEntryId: parseId('transaction', body.master_account_transaction_id),
    accountId: parseId('account', body.sub_account_id),
    amount: parseAmount(body.amount),
  };
}
