/**
 * Transactions as a file: the same content as the list or the record, as CSV or as a PDF. The libraries are loaded
 * for the first file.
 * Source: the `export` of "list all transactions" in the platform's v1 reference; decision `v1-transaction-export` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Instant } from '../../../kernel/time.ts';
import type { Program } from '../../../model/records.ts';
import type { RenderedFile } from '../../operation.ts';
import { formatPdf } from '../../pdf.ts';
import type { Transaction } from './shapes.ts';

type View = Static<typeof Transaction>;

export const CSV_TYPE = 'text/csv; charset=utf-8';

const CSV_COLUMNS = [
  'id',
  'accountId',
  'createdAt',
  'modifiedAt',
  'txnDate',
  'txnType',
  'transferType',
  'subType',
  'status',
  'title',
  'description',
  'amount',
  'currency',
  'balance',
  'parentTxnId',
  'reviewCode',
  'reviewMessage',
] as const satisfies readonly (keyof View)[];

const PDF_COLUMNS = [
  { name: 'Date', width: 60 },
  { name: 'Title', width: 140 },
  { name: 'Description', width: 122 },
  { name: 'Status', width: 50 },
  { name: 'Amount', width: 70, align: 'right' },
  { name: 'Balance', width: 70, align: 'right' },
] as const;

/** Renders the transactions in the requested file format; `undefined` for JSON, which is not a file. */
export function renderTransactions(
  form: 'json' | 'csv' | 'pdf' | undefined,
  name: string,
  read: () => readonly View[],
  program: Program,
  at: Instant,
): Promise<RenderedFile> | undefined {
  if (form === 'csv') return renderCsv(name, read());
  return form === 'pdf' ? renderPdf(name, read(), program, at) : undefined;
}

async function renderCsv(name: string, transactions: readonly View[]): Promise<RenderedFile> {
  const content = Buffer.from(await formatCsv(transactions, true));
  return { contentType: CSV_TYPE, name: `${name}.csv`, content };
}

/** Formats transactions as CSV, one line each, optionally with a header line. */
export async function formatCsv(transactions: readonly View[], header: boolean): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify([...transactions], { header, columns: [...CSV_COLUMNS] });
}

async function renderPdf(
  name: string,
  transactions: readonly View[],
  program: Program,
  at: Instant,
): Promise<RenderedFile> {
  const content = await formatPdf({
    title: 'Transactions',
    author: program.sponsorBank,
    at,
    facts: [
      ['Bank', program.sponsorBank],
      ['Transactions', String(transactions.length)],
    ],
    columns: PDF_COLUMNS,
    rows: transactions.map(({ txnDate, title, description, status, amount, balance }) => [
      txnDate.slice(0, 10),
      title,
      description,
      status,
      amount,
      balance,
    ]),
  });
  return { contentType: 'application/pdf', name: `${name}.pdf`, content };
}
