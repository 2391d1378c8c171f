/**
 * A statement as a file: the movements of the month as comma-separated values, or as a PDF with whose account it is, the
 * figures of the month, and the balance of the books after each movement. A long one is made slice by slice, and others
 * are answered between two of them; what is sent as it is made waits for whoever reads it.
 * Source: the `export` of "retrieve a statement" in the platform's v1 reference; rows 156 and 282 of docs/fidelity.md.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatementFile } from '../../bank/inputs.ts';
import { viewStatementHead } from '../../dialects/v1/views/statement.ts';
import { viewTransaction } from '../../dialects/v1/views/transaction.ts';
import { formatMoney } from '../../kernel/money.ts';
import type { Program } from '../../model/records.ts';
import type { RenderedFile } from '../operation.ts';
import { writePdf } from '../pdf.ts';
import { CSV_TYPE, writeCsv } from './transaction-files.ts';

const COLUMNS = [
  { name: 'Date', width: 60 },
  { name: 'Title', width: 150 },
  { name: 'Description', width: 142 },
  { name: 'Amount', width: 80, align: 'right' },
  { name: 'Balance', width: 80, align: 'right' },
] as const;

/** So many movements are shown in one piece, as any record is. */
const IN_ONE_PIECE = 500;

/** Whether a statement is too long to be made in one piece. */
export function isLong({ statement }: StatementFile): boolean {
  return statement.count > IN_ONE_PIECE;
}

/** Renders a statement. */
export async function renderStatement(
  form: 'json' | 'csv' | 'pdf',
  file: StatementFile,
  program: Program,
): Promise<RenderedFile> {
  const name = `statement-${file.statement.id}`;
  if (form === 'json') {
    const content = streamOf(jsonOf(file, program));
    return { contentType: 'application/json; charset=utf-8', name: '', content };
  }
  if (form === 'csv') {
    const pieces = streamOf(csvOf(file, program));
    const content = isLong(file) ? pieces : Buffer.from((await pieces.toArray()).join(''));
    return { contentType: CSV_TYPE, name: `${name}.csv`, content };
  }
  const view = viewStatementHead(file, program);
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
      ['Transactions', String(file.statement.count)],
    ],
    columns: COLUMNS,
    rows: rowsOf(file, program),
  });
  return { contentType: 'application/pdf', name: `${name}.pdf`, content };
}

/** Two pieces wait to be sent, and no more are made before they were. */
function streamOf(pieces: AsyncIterable<string>): Readable {
  return Readable.from(pieces, { highWaterMark: 2 });
}

/** The same text as of a record in one piece. */
async function* jsonOf(file: StatementFile, program: Program): AsyncGenerator<string> {
  yield JSON.stringify({ ...viewStatementHead(file, program), transactions: [] }).slice(0, -']}'.length);
  let comma = '';
  for (const slice of file.slices) {
    const rows = slice.map((transaction) => JSON.stringify(viewTransaction(transaction, program)));
    yield comma + rows.join(',');
    comma = ',';
    await nextTurn();
  }
  yield ']}';
}

async function* csvOf(file: StatementFile, program: Program): AsyncGenerator<string> {
  yield await writeCsv([], true);
  for (const slice of file.slices) {
    const rows = slice.map((transaction) => viewTransaction(transaction, program));
    yield await writeCsv(rows, false);
    await nextTurn();
  }
}

/** The balance after a row of a statement is that of the books, which pending money is no part of. */
async function* rowsOf({ statement, slices }: StatementFile, program: Program): AsyncGenerator<string[]> {
  let balance = statement.opening;
  for (const slice of slices) {
    for (const transaction of slice) {
      const { txnDate, title, description, amount } = viewTransaction(transaction, program);
      balance += transaction.direction === 'debit' ? -transaction.amount : transaction.amount;
      yield [txnDate.slice(0, 10), title, description, amount, formatMoney(balance)];
    }
    await nextTurn();
  }
}
