/**
 * A statement: a month of an account, and what was booked in it. A list names the months, as numbers.
 * Source: "list all statements" and "retrieve a statement" of the platform's v1 reference; rows 156 and 220 of
 * docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { listOf, plainListQuery } from '../paging.ts';
import { Money, record, SignedMoney, Text, Timestamp, wordOf } from './scalars.ts';
import { Transaction } from './transaction.ts';

const StatementMonth = record('StatementMonth', {
  month: Type.Integer({ description: '1 to 12' }),
  year: Type.Integer(),
  createdAt: Timestamp,
});

export const StatementList = listOf('StatementList', StatementMonth);

/** What one is found by. */
export const StatementParams = Type.Object({
  accountId: Type.String(),
  year: Type.String({ description: 'Four digits.' }),
  month: Type.String({ description: '1 to 12' }),
});

export const Statement = record('Statement', {
  accountId: Text,
  personId: Text,
  businessId: Text,
  familyId: Text,
  accountNumber: Text,
  routingNumber: Text,
  label: Text,
  startDate: Type.String({ description: 'The first day of the month.' }),
  endDate: Type.String({ description: 'The last day of the month, also of one that is not over.' }),
  openingBalance: SignedMoney,
  closingBalance: SignedMoney,
  totalCredit: Money,
  totalDebit: Money,
  transactions: Type.Array(Transaction),
});

export const StatementListQuery = plainListQuery({});
export const StatementQuery = Type.Object({ export: Type.Optional(wordOf(['json', 'csv', 'pdf'])) });
