/**
 * Writes statements. A sum of debits has no sign; the movements have theirs, as everywhere in v1.
 * Source: row 156 of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { StatementFile, Statement as StatementRecord } from '../../../bank/inputs.ts';
import { formatMoney } from '../../../kernel/money.ts';
import { utcDate } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import { spellV1 } from '../../identifiers.ts';
import type { Statement, StatementDetail } from '../shapes/statement.ts';
import { viewTransaction } from './transaction.ts';

/** A month in figures. */
export function viewStatement(statement: StatementRecord, program: Program): Static<typeof Statement> {
  const { id, accountId, from, until } = statement;
  return {
    id,
    accountId: spellV1('account', accountId),
    programId: spellV1('program', program.programId),
    month: id.slice(5),
    year: id.slice(0, 4),
    startDate: utcDate(from),
    endDate: utcDate(until - 1),
    currency: 'USD',
    openingBalance: formatMoney(statement.opening),
    closingBalance: formatMoney(statement.closing),
    totalCredits: formatMoney(statement.credits),
    totalDebits: formatMoney(statement.debits),
    transactionCount: statement.count,
  };
}

/** A month in figures, with what was booked. */
export function viewStatementDetail(
  { statement, transactions }: StatementFile,
  program: Program,
): Static<typeof StatementDetail> {
  return {
    ...viewStatement(statement, program),
    transactions: transactions.map((transaction) => viewTransaction(transaction, program)),
  };
}
