/**
 * Statements: a month of an account with its booked transactions. The total of debits has no sign; the transactions
 * have signs, as everywhere in v1. As a file it is CSV or a PDF with the balance after each transaction. A long
 * statement is formatted in slices while it is sent, so that other requests are served in between.
 * Source: "list all statements" and "retrieve a statement" of the platform's v1 reference; decisions
 * `statement-contents`, `v1-shown-person` and `long-statement` in docs/fidelity.md.
 */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../kernel/money.ts';
import { refuse } from '../../kernel/refusal.ts';
import { formatInstant, utcDate } from '../../kernel/time.ts';
import { routingNumberOf } from '../../model/account-config.ts';
import type { Program } from '../../model/records.ts';
import type { StatementFile, Statement as StatementRecord } from '../../verbs/inputs.ts';
import { formatV1 } from '../ids.ts';
import { type Context, operation, type RenderedFile } from '../operation.ts';
import { formatPdf } from '../pdf.ts';
import {
  AccountNumber,
  DATE,
  DATE_TIME,
  formatOwner,
  IdText,
  parseId,
  RoutingNumber,
  record,
  Text,
} from './fields.ts';
import { formatList, listOf, parseWindow, plainListQuery } from './paging.ts';
import { CSV_TYPE, formatCsv } from './transactions/files.ts';
import { formatTransaction } from './transactions/format.ts';
import { EXPORT_TYPES, ExportQuery, Transaction } from './transactions/shapes.ts';

const StatementMonth = record('StatementMonth', 'A month with a statement.', {
  month: Type.Integer({ description: '1 to 12' }),
  year: Type.Integer({ description: 'Four digits.' }),
  createdAt: Type.String({
    description: 'The end of the month; for the current month, now. ISO 8601 in UTC.',
    ...DATE_TIME,
  }),
});

const StatementList = listOf('StatementList', StatementMonth);

/** The path parameters of a statement. */
const StatementParams = Type.Object({
  accountId: Type.String(),
  year: Type.String({ description: 'Four digits.' }),
  month: Type.String({ description: '1 to 12' }),
});

const dollars = (what: string) => Type.String({ description: `Dollars and cents ${what}.` });

export const Statement = record(
  'Statement',
  'The statement of a month: the transactions that were booked in it.',
  {
    accountId: IdText,
    personId: IdText,
    businessId: IdText,
    familyId: IdText,
    accountNumber: AccountNumber,
    routingNumber: RoutingNumber,
    label: Text,
    startDate: Type.String({ description: 'The first day of the month, YYYY-MM-DD.', ...DATE }),
    endDate: Type.String({
      description: 'The last day of the month, also of the current one, YYYY-MM-DD.',
      ...DATE,
    }),
    openingBalance: dollars('before the month'),
    closingBalance: dollars('after the month, or now'),
    totalCredit: dollars('of all credits, without a sign'),
    totalDebit: dollars('of all debits, without a sign'),
    transactions: Type.Array(Transaction, { description: 'The transactions of the month, oldest first.' }),
  },
);

const StatementListQuery = plainListQuery({});

const YEAR = /^\d{4}$/;
const MONTH = /^(0?[1-9]|1[0-2])$/;

/** Parses the month: `2026-03` for `2026/3` and `2026/03`. Refuses: `field_invalid`. */
function parseStatementMonth({ year, month }: Static<typeof StatementParams>): string {
  if (!YEAR.test(year)) {
    throw refuse('field_invalid', { field: 'year', message: `year has four digits; got "${year}"` });
  }
  if (!MONTH.test(month)) {
    throw refuse('field_invalid', { field: 'month', message: `month must be 1 to 12; got "${month}"` });
  }
  return `${year}-${month.padStart(2, '0')}`;
}

/** Formats the month of a statement. */
function formatStatementMonth({
  id,
  createdAt,
}: StatementRecord): Static<typeof StatementList>['data'][number] {
  const [year, month] = id.split('-').map(Number) as [number, number];
  return { month, year, createdAt: formatInstant(createdAt) };
}

/** Formats a statement: the account, the figures of the month, and the booked transactions, oldest first. */
export function formatStatement(file: StatementFile, program: Program): Static<typeof Statement> {
  const transactions = [...file.slices].flat();
  return {
    ...formatStatementHead(file, program),
    transactions: transactions.map((transaction) => formatTransaction(transaction, program)),
  };
}

/** Formats the part of a statement before its transactions. */
function formatStatementHead(
  { statement, account: { account } }: StatementFile,
  program: Program,
): Omit<Static<typeof Statement>, 'transactions'> {
  return {
    accountId: formatV1('account', account.id),
    ...formatOwner(account, account.createdBy),
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

const COLUMNS = [
  { name: 'Date', width: 60 },
  { name: 'Title', width: 150 },
  { name: 'Description', width: 142 },
  { name: 'Amount', width: 80, align: 'right' },
  { name: 'Balance', width: 80, align: 'right' },
] as const;

/** Up to this number of transactions, a statement is formatted at once, like any record. */
const ROWS_IN_ONE_PIECE = 500;

/** Whether a statement is too long to be formatted at once. */
function isLong({ statement }: StatementFile): boolean {
  return statement.count > ROWS_IN_ONE_PIECE;
}

/** Renders a statement. */
async function renderStatement(
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
  const view = formatStatementHead(file, program);
  const content = await formatPdf({
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

/** A stream that buffers at most two pieces. */
function streamOf(pieces: AsyncIterable<string>): Readable {
  return Readable.from(pieces, { highWaterMark: 2 });
}

/** Produces the same text as formatting the record at once. */
async function* jsonOf(file: StatementFile, program: Program): AsyncGenerator<string> {
  yield JSON.stringify({ ...formatStatementHead(file, program), transactions: [] }).slice(0, -']}'.length);
  let comma = '';
  for (const slice of file.slices) {
    const rows = slice.map((transaction) => JSON.stringify(formatTransaction(transaction, program)));
    yield comma + rows.join(',');
    comma = ',';
    await nextTurn();
  }
  yield ']}';
}

async function* csvOf(file: StatementFile, program: Program): AsyncGenerator<string> {
  yield await formatCsv([], true);
  for (const slice of file.slices) {
    const rows = slice.map((transaction) => formatTransaction(transaction, program));
    yield await formatCsv(rows, false);
    await nextTurn();
  }
}

/** The balance after a row of a statement excludes pending money. */
async function* rowsOf({ statement, slices }: StatementFile, program: Program): AsyncGenerator<string[]> {
  let balance = statement.opening;
  for (const slice of slices) {
    for (const transaction of slice) {
      const { txnDate, title, description, amount } = formatTransaction(transaction, program);
      balance += transaction.direction === 'debit' ? -transaction.amount : transaction.amount;
      yield [txnDate.slice(0, 10), title, description, amount, formatMoney(balance)];
    }
    await nextTurn();
  }
}

/** The statement that `render` has found, for `run`. */
const found = new WeakMap<Context, StatementFile>();

function findStatement({ bank }: Context, params: Static<typeof StatementParams>): StatementFile {
  const month = parseStatementMonth(params);
  return bank.statements.byId(parseId('account', params.accountId), month);
}

export const STATEMENT_OPERATIONS = [
  operation({
    id: 'listStatements',
    method: 'GET',
    path: '/v1/account/:accountId/statement',
    summary: 'List the statements of an account',
    description: 'Lists the months of an account, newest first, including the current month up to now.',
    answer: 'The statements, newest first.',
    decisions: ['statement-contents'],
    status: 200,
    query: StatementListQuery,
    response: StatementList,
    example: {
      query: { offset: '0', limit: '10' },
    },
    run({ bank }, { params, query }) {
      const page = bank.statements.list(parseId('account', params.accountId), parseWindow(query));
      return formatList(page, formatStatementMonth);
    },
  }),

  operation({
    id: 'retrieveStatement',
    method: 'GET',
    path: '/v1/account/:accountId/statement/:year/:month',
    summary: 'Retrieve a statement',
    description:
      'Retrieves the statement of a month with its balances and transactions, as JSON, or with `export` as a CSV or PDF file. The current month ends now.',
    answer: 'The statement of the month.',
    decisions: ['statement-contents'],
    status: 200,
    refuses: ['statement_not_found'],
    params: StatementParams,
    query: ExportQuery,
    response: Statement,
    fileTypes: EXPORT_TYPES,
    example: {
      params: ({ seed }) => ({
        accountId: seed('account_id'),
        year: seed('statement_year'),
        month: seed('statement_month'),
      }),
      query: { export: 'json' },
    },
    run: (context, { params }) =>
      formatStatement(found.get(context) ?? findStatement(context, params), context.bank.program),
    render(context, { params, query }) {
      const form = query.export ?? 'json';
      const file = findStatement(context, params);
      found.set(context, file);
      return form === 'json' && !isLong(file) ? undefined : renderStatement(form, file, context.bank.program);
    },
  }),
] as const;
