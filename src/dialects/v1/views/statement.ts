/**
 * Writes statements. A sum of debits has no sign; the movements have theirs, as everywhere in v1.
 * Source: "list all statements" and "retrieve a statement" of the platform's v1 reference; row 156 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { StatementFile, Statement as StatementRecord } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { formatInstant, utcDate } from '../../../kernel/time.ts';
import { routingNumberOf } from '../../../model/account-config.ts';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import { spellOwner } from '../ids.ts';
import type { Statement, StatementList } from '../shapes/statement.ts';
import { viewTransaction } from './transaction.ts';

/** The month of a statement. */
export function viewStatementMonth({
  id,
  createdAt,
}: StatementRecord): Static<typeof StatementList>['data'][number] {
  const [year, month] = id.split('-').map(Number) as [number, number];
  return { month, year, createdAt: formatInstant(createdAt) };
}

/** A statement: whose account it is, the figures of the month, and what was booked, oldest first. */
export function viewStatement(file: StatementFile, program: Program): Static<typeof Statement> {
  const transactions = [...file.slices].flat();
  return {
    ...viewStatementHead(file, program),
    transactions: transactions.map((transaction) => viewTransaction(transaction, program)),
  };
}

/** A statement without what was booked, which comes after it. */
export function viewStatementHead(
  { statement, account: { account } }: StatementFile,
  program: Program,
): Omit<Static<typeof Statement>, 'transactions'> {
  return {
    accountId: spellV1('account', account.id),
    ...spellOwner(account, account.createdBy),
    accountNumber: account.accountNumber,
    routingNumber: routingNumberOf(account, program),
    label: account.label,
    startDate: utcDate(statement.from),
    endDate: utcDate(statement.until - 1),
    openingBalance: formatMoney(statement.opening),
    closingBalance: formatMoney(statement.closing),
    totalCredit: formatMoney(statement.credits),
    totalDebit: formatMoney(statement.debits),
  };
}
