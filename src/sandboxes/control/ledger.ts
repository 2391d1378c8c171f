/**
 * The ledger in the control plane: entries and transfers, with the accounts by their ids, and the audit.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatV2, tryParseId } from '../../bank/api/ids.ts';
import { parseId } from '../../bank/api/v2/fields.ts';
import { formatMoney } from '../../bank/kernel/money.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import type { AuditReport } from '../../bank/ledger/audit.ts';
import {
  type BalanceHistory,
  balanceHistory,
  type HistoryQuery,
  MIN_POINTS,
} from '../../bank/ledger/balance-history.ts';
import { type Entry, entriesOf } from '../../bank/ledger/entries.ts';
import { SUSPENSE, type Transfer } from '../../bank/ledger/ledger.ts';
import { totalsOf } from '../../bank/model/balances.ts';
import type { Program } from '../../bank/model/records.ts';
import { auditBankInTurns } from '../../bank/verbs/audit.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { readInstant } from '../sandbox/time-targets.ts';
import {
  Amount,
  Balance,
  DATE_TIME,
  enumOf,
  Instant,
  LedgerAccount,
  TransactionId,
  TransferKind,
  text,
  wrong,
} from './fields.ts';
import { controlOperation } from './operation.ts';

const TransferNumber = Type.Integer({ description: 'The number of the transfer in the ledger.' });
const HoldId = Type.Unsafe<number | null>({
  type: 'integer',
  nullable: true,
  description: 'The transfer whose hold this one ends.',
});

export const PageQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d{0,2}|1000)$',
      description: 'A whole number from 1 to 1000; default: 100.',
    }),
  ),
  offset: Type.Optional(
    Type.String({ pattern: '^\\d{1,9}$', description: 'A number of newer entries to skip.' }),
  ),
};

/** The requested part of a list. */
export function parsePage({ limit = '100', offset = '0' }: { limit?: string; offset?: string }) {
  return { limit: Number(limit), offset: Number(offset) };
}

export const EntryView = Type.Object({
  transfer_id: TransferNumber,
  kind: TransferKind,
  side: enumOf(['debit', 'credit']),
  amount: Amount,
  available_after: Balance,
  against: LedgerAccount,
  hold_id: HoldId,
  transaction_id: TransactionId,
  at: Instant,
});

function formatEntry(entry: Entry, program: Program): Static<typeof EntryView> {
  return {
    transfer_id: entry.transferId,
    kind: entry.kind,
    side: entry.side,
    amount: formatMoney(entry.amount),
    available_after: formatMoney(entry.availableAfter),
    against: formatLedgerAccount(entry.contraAccountId, program),
    hold_id: entry.holdId,
    transaction_id: formatV2('transaction', entry.transactionId),
    at: formatInstant(entry.at),
  };
}

export const TransferView = Type.Object({
  id: TransferNumber,
  kind: TransferKind,
  debit: LedgerAccount,
  credit: LedgerAccount,
  amount: Amount,
  hold_id: HoldId,
  debit_available_after: Balance,
  credit_available_after: Balance,
  at: Instant,
});

export function formatTransfer(transfer: Transfer, program: Program): Static<typeof TransferView> {
  return {
    id: transfer.id,
    kind: transfer.kind,
    debit: formatLedgerAccount(transfer.debitAccount, program),
    credit: formatLedgerAccount(transfer.creditAccount, program),
    amount: formatMoney(transfer.amount),
    hold_id: transfer.holdId,
    debit_available_after: formatMoney(transfer.debitAvailableAfter),
    credit_available_after: formatMoney(transfer.creditAvailableAfter),
    at: formatInstant(transfer.at),
  };
}

/** A ledger account is the master account or a sub account, both named by their ids, or an unallocated amount. */
export function formatLedgerAccount(id: Id, { masterAccountId }: Program): string {
  if (id === SUSPENSE) return SUSPENSE;
  return formatV2(id === masterAccountId ? 'master_account' : 'account', id);
}

/**
 * Audits the bank. If it is replaced meanwhile, or its file is closed, the audit stops and the current bank is audited.
 */
async function audit(sandbox: Sandbox): Promise<AuditReport> {
  const { connection } = sandbox;
  try {
    return await auditBankInTurns(connection.db);
  } catch (error) {
    if (sandbox.opened()?.connection === connection) throw error;
    return sandbox.audit();
  }
}

const MAX_POINTS = 1000;
const USUAL_POINTS = 200;

/** Reads the history of a balance. If the bank is replaced meanwhile, it is read from the new bank instead. */
async function historyOf(sandbox: Sandbox, query: HistoryQuery): Promise<BalanceHistory> {
  const { bankNumber, connection } = sandbox;
  try {
    return await balanceHistory(connection.db, query);
  } catch (error) {
    if (sandbox.bankNumber === bankNumber) throw error;
    return balanceHistory(sandbox.connection.db, query);
  }
}

/** Refuses: `field_invalid` for an invalid instant or number, or an end before the start. */
function parseHistoryQuery({ from, to, points }: { from?: string; to?: string; points?: string }) {
  const query = {
    from: from === undefined ? undefined : readInstant(from, 'from'),
    to: to === undefined ? undefined : readInstant(to, 'to'),
    max: points === undefined ? USUAL_POINTS : Number(points),
  };
  if (query.max < MIN_POINTS || query.max > MAX_POINTS) {
    throw wrong('points', `must be a number from ${MIN_POINTS} to ${MAX_POINTS}; got ${points}`);
  }
  if (query.from !== undefined && query.to !== undefined && query.to < query.from) {
    throw wrong('to', `must not be before from, ${from}; got ${to}`);
  }
  return query;
}

/** Refuses: `account_not_found`. */
function parseAccount(
  { bank, program }: Sandbox,
  text: string,
): { id: Id; totals: ReturnType<typeof totalsOf> } {
  if (text === 'master' || tryParseId('master_account', text) === program.masterAccountId) {
    const { account, balance } = bank.accounts.master();
    return { id: account.id, totals: totalsOf(balance, 'master_account') };
  }
  if (text === SUSPENSE) return { id: SUSPENSE, totals: totalsOf(bank.payments.suspenseBalance()) };
  const { account, balance } = bank.accounts.byId(parseId('account', text));
  return { id: account.id, totals: totalsOf(balance) };
}

export const LEDGER_OPERATIONS = [
  controlOperation({
    id: 'sandbox_verify_ledger',
    method: 'GET',
    path: '/_sandbox/ledger/verify',
    group: 'Inspect',
    summary: 'Audit the books',
    description:
      'Audits the books: adds up every transfer again, and compares every transaction with its transfers. It does not rely on cached balances. An empty list of problems means that everything balances.',
    answer: 'The result of the audit, with every problem.',
    status: 200,
    response: Type.Object({
      balanced: Type.Boolean(),
      accounts: Type.Integer({ description: 'Number of audited accounts.' }),
      transfers: Type.Integer({ description: 'Number of transfers that were added up.' }),
      open_holds: Type.Integer({ description: 'Number of holds that are neither settled nor released.' }),
      problems: Type.Array(Type.String(), {
        description: 'The problems in sentences; empty if there are none.',
      }),
    }),
    async run({ sandbox }) {
      const { openHolds, problems, ...counts } = await audit(sandbox);
      return { balanced: problems.length === 0, ...counts, open_holds: openHolds, problems };
    },
  }),

  controlOperation({
    id: 'sandbox_list_ledger_entries',
    method: 'GET',
    path: '/_sandbox/ledger/:account',
    group: 'Inspect',
    summary: 'List the ledger entries of an account',
    description:
      'Lists the ledger entries of an account, newest first, each with the available balance after it. The master account is `master` or its id, and `suspense` is the money in it that has no sub account.',
    answer: 'The entries, newest first.',
    status: 200,
    refuses: ['account_not_found'],
    params: Type.Object({ account: Type.String({ description: 'A sub account, `master`, or `suspense`.' }) }),
    query: Type.Object(PageQuery),
    response: Type.Object({
      account: LedgerAccount,
      available_balance: Balance,
      pending_credits: Amount,
      pending_debits: Amount,
      total: Type.Integer({ description: 'Number of entries on all pages.' }),
      entries: Type.Array(EntryView),
    }),
    example: { params: { account: 'master' } },
    run({ sandbox }, { params, query }) {
      const { id, totals } = parseAccount(sandbox, params.account);
      const { limit, offset } = parsePage(query);
      const { total, data } = entriesOf(sandbox.connection.db, id, limit, offset);
      return {
        account: formatLedgerAccount(id, sandbox.program),
        available_balance: formatMoney(totals.availableBalance),
        pending_credits: formatMoney(totals.pendingCredits),
        pending_debits: formatMoney(totals.pendingDebits),
        total,
        entries: data.map((entry) => formatEntry(entry, sandbox.program)),
      };
    },
  }),

  controlOperation({
    id: 'sandbox_list_ledger_balances',
    method: 'GET',
    path: '/_sandbox/ledger/:account/balances',
    group: 'Inspect',
    summary: 'List the balances of an account over time',
    description:
      'Lists the balance of an account over time, for a chart. If there are too many entries, each interval has its first, lowest, highest and last balance. The points are in the order of the ledger, so `at` goes back if the clock was set back.',
    answer: 'The balances, in the order of the ledger.',
    status: 200,
    refuses: ['account_not_found'],
    params: Type.Object({ account: Type.String({ description: 'A sub account, `master`, or `suspense`.' }) }),
    query: Type.Object({
      from: Type.Optional(
        Type.String({
          description: 'ISO 8601; default: the first entry. The first point is the balance at this time.',
        }),
      ),
      to: Type.Optional(Type.String({ description: "ISO 8601; default: now, on the sandbox's clock." })),
      points: Type.Optional(
        Type.String({
          pattern: '^\\d{1,4}$',
          description: `A maximum number of points from ${MIN_POINTS} to ${MAX_POINTS}; default: ${USUAL_POINTS}.`,
        }),
      ),
    }),
    response: Type.Object({
      account: LedgerAccount,
      changes: Type.Integer({ description: 'Number of entries in the period.' }),
      complete: Type.Boolean({ description: 'Whether every entry has its own point.' }),
      points: Type.Array(
        Type.Object({
          at: text('ISO 8601 in UTC, to the millisecond.', DATE_TIME),
          posted_balance: Balance,
          available_balance: Balance,
          pending_credits: Amount,
          pending_debits: Amount,
        }),
      ),
    }),
    example: { params: { account: 'master' } },
    async run({ sandbox }, { params, query }) {
      const { id } = parseAccount(sandbox, params.account);
      const { points, ...counts } = await historyOf(sandbox, {
        account: id,
        isMaster: id === sandbox.program.masterAccountId,
        now: sandbox.clock.now(),
        ...parseHistoryQuery(query),
      });
      return {
        account: formatLedgerAccount(id, sandbox.program),
        ...counts,
        points: points.map(({ at, posted, available, pendingDebits, pendingCredits }) => ({
          at: new Date(at).toISOString(),
          posted_balance: formatMoney(posted),
          available_balance: formatMoney(available),
          pending_credits: formatMoney(pendingCredits),
          pending_debits: formatMoney(pendingDebits),
        })),
      };
    },
  }),
] as const;
