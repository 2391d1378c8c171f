/**
 * A statement: a month of an account, and what was booked in it. A list names the months, as numbers.
 * Source: "list all statements" and "retrieve a statement" of the platform's v1 reference; rows 156 and 220 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { listOf, plainListQuery } from '../paging.ts';
import { AccountNumber, IdText, RoutingNumber, record, Text, wordOf } from './scalars.ts';
import { Transaction } from './transaction.ts';

const StatementMonth = record('StatementMonth', 'A month that there is a statement of.', {
  month: Type.Integer({ description: '1 to 12' }),
  year: Type.Integer({ description: 'Four digits.' }),
  createdAt: Type.String({
    description: 'When the month was over; of the present one, now. ISO 8601 in UTC.',
  }),
});

export const StatementList = listOf('StatementList', StatementMonth);

/** What one is found by. */
export const StatementParams = Type.Object({
  accountId: Type.String(),
  year: Type.String({ description: 'Four digits.' }),
  month: Type.String({ description: '1 to 12' }),
});

const dollars = (what: string) => Type.String({ description: `Dollars and cents ${what}.` });

export const Statement = record('Statement', 'A month of an account, with what was booked in it.', {
  accountId: IdText,
  personId: IdText,
  businessId: IdText,
  familyId: IdText,
  accountNumber: AccountNumber,
  routingNumber: RoutingNumber,
  label: Text,
  startDate: Type.String({ description: 'The first day of the month, YYYY-MM-DD.' }),
  endDate: Type.String({
    description: 'The last day of the month, also of one that is not over, YYYY-MM-DD.',
  }),
  openingBalance: dollars('of the books before the month'),
  closingBalance: dollars('of the books after it, or now'),
  totalCredit: dollars('that came in, without a sign'),
  totalDebit: dollars('that went out, without a sign'),
  transactions: Type.Array(Transaction, { description: 'What was settled in the month, oldest first.' }),
});

export const StatementListQuery = plainListQuery({});
export const StatementQuery = Type.Object({ export: Type.Optional(wordOf(['json', 'csv', 'pdf'])) });
