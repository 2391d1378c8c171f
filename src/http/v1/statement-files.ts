/**
 * A statement as a file: the movements of the month as comma-separated values, or as a PDF with whose account it is, the
 * figures of the month, and the balance of the books after each movement.
 * Source: the `export` of "retrieve a statement" in the platform's v1 reference; row 156 of docs/fidelity.md.
 */
import type { StatementFile } from '../../bank/inputs.ts';
import { viewStatement } from '../../dialects/v1/views/statement.ts';
import { viewTransaction } from '../../dialects/v1/views/transaction.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Program } from '../../model/records.ts';
import type { RenderedFile } from '../operation.ts';
import { writePdf } from '../pdf.ts';
import { renderCsv } from './transaction-files.ts';

const COLUMNS = [
  { name: 'Date', width: 60 },
  { name: 'Title', width: 150 },
  { name: 'Description', width: 142 },
  { name: 'Amount', width: 80, align: 'right' },
  { name: 'Balance', width: 80, align: 'right' },
] as const;

/** Renders a statement. */
export async function renderStatement(
  form: 'csv' | 'pdf',
  file: StatementFile,
  program: Program,
): Promise<RenderedFile> {
  const view = viewStatement(file, program);
  const name = `statement-${file.statement.id}`;
  if (form === 'csv') return renderCsv(name, view.transactions);
  const content = await writePdf({
    title: `Statement ${file.statement.id}`,
    author: program.sponsorBank,
    at: file.at,
    facts: [
      ['Bank', program.sponsorBank],
      ['Account holder', file.account.account.holderName],
      ['Account', view.label],
      ['Account number', view.accountNumber],
      ['Routing number', view.routingNumber],
      ['Period', `${view.startDate} to ${view.endDate}`],
      ['Opening balance', view.openingBalance],
      ['Credits', view.totalCredit],
      ['Debits', view.totalDebit],
      ['Closing balance', view.closingBalance],
      ['Transactions', String(view.transactions.length)],
    ],
    columns: COLUMNS,
    rows: rowsOf(file, program),
  });
  return { contentType: 'application/pdf', name: `${name}.pdf`, content };
}

/** The balance after a row of a statement is that of the books, which pending money is no part of. */
function* rowsOf({ statement, transactions }: StatementFile, program: Program): Generator<string[]> {
  let balance = statement.opening;
  for (const transaction of transactions) {
    const { txnDate, title, description, amount } = viewTransaction(transaction, program);
    balance += transaction.direction === 'debit' ? -transaction.amount : transaction.amount;
    yield [txnDate.slice(0, 10), title, description, amount, formatMoney(balance)];
  }
}
