/**
 * A statement: a month of an account in figures, and with what was booked in it. The platform publishes that statements
 * exist and where, but not what they look like.
 * Source: row 156 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { listOf, plainListQuery } from '../paging.ts';
import { Money, record, SignedMoney, Text, wordOf } from './scalars.ts';
import { Transaction } from './transaction.ts';

const FIGURES = {
  /** `2026-11` */
  id: Text,
  accountId: Text,
  programId: Text,
  month: Text,
  year: Text,
  startDate: Text,
  endDate: Text,
  currency: Text,
  openingBalance: SignedMoney,
  closingBalance: SignedMoney,
  totalCredits: Money,
  totalDebits: Money,
  transactionCount: Type.Integer(),
};

export const Statement = record('Statement', FIGURES);
export const StatementList = listOf('StatementList', Statement);
export const StatementDetail = record('StatementDetail', {
  ...FIGURES,
  transactions: Type.Array(Transaction),
});

export const StatementListQuery = plainListQuery({});
export const StatementQuery = Type.Object({ export: Type.Optional(wordOf(['json', 'pdf'])) });
