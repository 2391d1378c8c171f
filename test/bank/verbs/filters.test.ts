/** The filters of the bank's lists: each names an existing column, and a misspelt one does not compile. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { idFilter, textFilters, wordFilter } from '../../../src/bank/api/v1/paging.ts';
import { on } from '../../../src/bank/model/conditions.ts';
import {
  ACCOUNT_FILTERS,
  type AccountCondition,
  CARD_FILTERS,
  CARD_HOLDER_FILTERS,
  COUNTERPARTY_FILTERS,
  FAMILY_FILTERS,
  HOLDER_FILTERS,
  type HolderCondition,
  MEMBER_FILTERS,
  onColumns,
  TRANSACTION_FILTERS,
  WALLET_FILTERS,
} from '../../../src/bank/model/filters.ts';
import type { CursorWindow } from '../../../src/bank/store/lists.ts';
import { openTestSandbox } from '../../support/sandbox.ts';

const WINDOW: CursorWindow = { kind: 'cursor', limit: 1, after: '', before: '' };

const LISTS = [
  ['holders', HOLDER_FILTERS],
  ['members', MEMBER_FILTERS],
  ['families', FAMILY_FILTERS],
  ['accounts', ACCOUNT_FILTERS],
  ['wallets', WALLET_FILTERS],
  ['cardHolders', CARD_HOLDER_FILTERS],
  ['cards', CARD_FILTERS],
  ['counterparties', COUNTERPARTY_FILTERS],
  ['payments', TRANSACTION_FILTERS],
] as const;

describe('every filter of a list', () => {
  it.each(LISTS)('%s: names an existing column', (name, filters) => {
    const { bank } = openTestSandbox();
    const { list } = bank[name] as {
      list(where: readonly object[], window: CursorWindow): { total: number };
    };
    for (const field of Object.keys(filters)) {
      expect(list([{ field, is: 'nobody has this' }], WINDOW).total, field).toBe(0);
    }
    expect(() => list([{ field: 'nothing', is: '' }], WINDOW)).toThrow();
  });
});

it('filters are mapped to columns, also within alternatives', () => {
  const where: HolderCondition[] = [
    on('personPhone', { is: '1' }),
    { anyOf: [[on('verificationStatus', { oneOf: ['pass'] })], [on('id', { not: '2' })]] },
  ];
  expect(onColumns(HOLDER_FILTERS, where)).toEqual([
    { field: 'person.phone', is: '1' },
    { anyOf: [[{ field: 'verification.status', oneOf: ['pass'] }], [{ field: 'id', not: '2' }]] },
  ]);
});

it('a misspelt filter does not compile', () => {
  const ofHolders = (...where: HolderCondition[]) => where.length;
  expect(ofHolders(on('status', { is: 'activated' }), ...idFilter('createdBy', 'person', 'x'))).toBe(2);
  // @ts-expect-error: no list of holders has this filter
  expect(ofHolders(on('stauts', { is: 'activated' }))).toBe(1);
  // @ts-expect-error: it is called createdBy
  expect(ofHolders(...idFilter('creator', 'person', 'x'))).toBe(1);
  // @ts-expect-error: it is called personPhone
  expect(ofHolders(...textFilters({ phone: '1' }, { phone: 'person.phone' }))).toBe(1);
  // @ts-expect-error: it is called verificationStatus
  expect(ofHolders(...wordFilter('verification.status', { pass: 'approved' }, 'approved'))).toBe(1);
  // @ts-expect-error: a filter of holders
  const ofAccounts: AccountCondition = on('entityType', { is: 'estate' });
  expect(ofAccounts).toBeDefined();
  expectTypeOf(on('id', { is: 1 })).toExtend<AccountCondition>();
});
