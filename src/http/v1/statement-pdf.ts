/**
 * A statement as a file: whose account it is, the figures of the month, and each movement with the balance of the books
 * after it.
 * Source: the `export` of statements in the clients of the platform's v1; row 156 of docs/fidelity.md.
 */
import type { StatementFile } from '../../bank/inputs.ts';
import { viewStatement } from '../../dialects/v1/views/statement.ts';
import { describe, titleOf } from '../../dialects/v1/views/title.ts';
import { formatMoney } from '../../kernel/money.ts';
import { utcDate } from '../../kernel/time.ts';
import type { Program } from '../../model/records.ts';
import type { RenderedFile } from '../operation.ts';
import { writePdf } from '../pdf.ts';

const COLUMNS = [
  { name: 'Date', width: 60 },
  { name: 'Title', width: 150 },
  { name: 'Description', width: 142 },
  { name: 'Amount', width: 80, align: 'right' },
  { name: 'Balance', width: 80, align: 'right' },
] as const;

/** Renders a statement. */
export async function renderStatement(file: StatementFile, program: Program): Promise<RenderedFile> {
  const { account } = file.account;
  const view = viewStatement(file.statement, program);
  const content = await writePdf({
    title: `Statement ${view.id}`,
    author: program.sponsorBank,
    at: file.at,
    facts: [
      ['Bank', program.sponsorBank],
      ['Account holder', account.holderName],
      ['Account', account.label],
      ['Account number', account.accountNumber],
      ['Routing number', program.routingNumber],
      ['Period', `${view.startDate} to ${view.endDate}`],
      ['Opening balance', view.openingBalance],
      ['Credits', view.totalCredits],
      ['Debits', view.totalDebits],
      ['Closing balance', view.closingBalance],
      ['Transactions', String(view.transactionCount)],
    ],
    columns: COLUMNS,
    rows: rowsOf(file),
  });
  return { contentType: 'application/pdf', name: `statement-${view.id}.pdf`, content };
}

function* rowsOf({ statement, transactions }: StatementFile): Generator<string[]> {
  let balance = statement.opening;
  for (const transaction of transactions) {
    const { settledAt, createdAt, direction, amount } = transaction;
    const signed = direction === 'debit' ? -amount : amount;
    balance += signed;
    yield [
      utcDate(settledAt ?? createdAt),
      titleOf(transaction),
      describe(transaction),
      formatMoney(signed),
      formatMoney(balance),
    ];
  }
}
