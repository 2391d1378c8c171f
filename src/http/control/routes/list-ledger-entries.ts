/**
 * The entries of one account in the books, newest first, each with what the account had available after it. The master
 * account is `master`, or its own id, and what waits on it for a sub account is `suspense`.
 */
import { Type } from '@sinclair/typebox';
import { parseId } from '../../../dialects/identifiers.ts';
import { readId } from '../../../dialects/v2/ids.ts';
import { formatMoney } from '../../../kernel/money.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { entriesOf } from '../../../ledger/entries.ts';
import { SUSPENSE, totalsOf } from '../../../ledger/ledger.ts';
import type { Sandbox } from '../../../sandboxes/sandbox.ts';
import { EntryView, PageQuery, readPage, spellLedgerAccount, viewEntry } from '../ledger.ts';
import { controlOperation } from '../operation.ts';
import { Amount, Balance, LedgerAccount } from '../shapes.ts';

export const listLedgerEntries = controlOperation({
  id: 'sandbox_list_ledger_entries',
  method: 'GET',
  path: '/_sandbox/ledger/:account',
  group: 'Look',
  summary: 'List the entries of an account in the books',
  status: 200,
  refuses: ['account_not_found'],
  params: Type.Object({ account: Type.String({ description: 'A sub account, `master`, or `suspense`.' }) }),
  query: Type.Object(PageQuery),
  response: Type.Object({
    account: LedgerAccount,
    available_balance: Balance,
    pending_credits: Amount,
    pending_debits: Amount,
    total: Type.Integer({ description: 'How many entries there are, on all pages.' }),
    entries: Type.Array(EntryView),
  }),
  example: { params: { account: 'master' } },
  run({ sandbox }, { params, query }) {
    const { id, totals } = readAccount(sandbox, params.account);
    const { limit, offset } = readPage(query);
    const { total, data } = entriesOf(sandbox.connection.db, id, limit, offset);
    return {
      account: spellLedgerAccount(id, sandbox.program),
      available_balance: formatMoney(totals.availableBalance),
      pending_credits: formatMoney(totals.pendingCredits),
      pending_debits: formatMoney(totals.pendingDebits),
      total,
      entries: data.map((entry) => viewEntry(entry, sandbox.program)),
    };
  },
});

/** Refuses: `account_not_found`. */
function readAccount(
  { bank, program }: Sandbox,
  text: string,
): { id: Id; totals: ReturnType<typeof totalsOf> } {
  if (text === 'master' || parseId('master_account', text) === program.masterAccountId) {
    const { account, balance } = bank.accounts.master();
    return { id: account.id, totals: totalsOf(balance, 'master_account') };
  }
  if (text === SUSPENSE) return { id: SUSPENSE, totals: totalsOf(bank.payments.waiting()) };
  const { account, balance } = bank.accounts.byId(readId('account', text));
  return { id: account.id, totals: totalsOf(balance) };
}
