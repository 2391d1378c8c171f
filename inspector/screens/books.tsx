/**
 * The audit of the books, and the trial balance: every account with its balance, and the sum next to the master
 * account.
 */
import { Link } from 'wouter-preact';
import { audit, verifyBooks } from '../books.ts';
import { useLive } from '../live.ts';
import { Act, Box, counted, Empty, Id, Money, Show, Status, When } from '../parts.tsx';

const PAGE = '100';
const MOST_PAGES = 10;

export default function Books() {
  return (
    <>
      <h1>Books</h1>
      <Audit />
      <TrialBalance />
    </>
  );
}

function Audit() {
  const found = audit.value;
  return (
    <Box title="Audit" aside={<Act label="Verify now" kind="main" run={verifyBooks} />}>
      {found === null ? (
        <Empty>The books have not been audited yet.</Empty>
      ) : (
        <>
          <p>
            <Status of={found.result.balanced ? 'books balance' : 'books do not balance'} /> at{' '}
            <When at={found.at} isLong /> (real time): {counted(found.result.accounts, 'account')},{' '}
            {counted(found.result.transfers, 'transfer')}, {counted(found.result.open_holds, 'open hold')}.
          </p>
          <ul>
            {found.result.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
    </Box>
  );
}

const cents = (amount: string): number => Math.round(Number(amount) * 100);
const dollars = (amount: number): string => (amount / 100).toFixed(2);

interface Balances {
  available_balance: string;
  pending_debits: string;
  pending_credits: string;
}

function BalanceCells({ of }: { of: Balances }) {
  return [of.available_balance, of.pending_debits, of.pending_credits].map((amount, place) => (
    <td key={place} class="right">
      <Money amount={amount} />
    </td>
  ));
}

function TrialBalance() {
  const loaded = useLive(
    async (bank) => {
      const accounts = [];
      let after = '';
      let hasMore = true;
      for (let page = 0; page < MOST_PAGES && hasMore; page += 1) {
        const query = { limit: PAGE, ...(after !== '' && { starting_after: after }) };
        const { data, has_more, starting_after } = await bank.v2.listSubAccounts({ query });
        accounts.push(...data);
        after = starting_after;
        hasMore = has_more === 'true';
      }
      const { data: masters } = await bank.v2.listMasterAccounts({ query: { limit: PAGE } });
      return { accounts, masters, hasMore };
    },
    [],
    ['transaction', 'account'],
  );
  return (
    <Box title="Trial balance (USD)">
      <Show of={loaded}>
        {({ accounts, masters, hasMore }) => {
          const total = (of: (account: Balances) => string): string =>
            dollars(accounts.reduce((sum, account) => sum + cents(of(account)), 0));
          const totals: Balances = {
            available_balance: total((one) => one.available_balance),
            pending_debits: total((one) => one.pending_debits),
            pending_credits: total((one) => one.pending_credits),
          };
          return (
            <div class="scroll">
              <table class="plain">
                <thead>
                  <tr>
                    <th scope="col">Account</th>
                    <th scope="col">Available</th>
                    <th scope="col">On hold</th>
                    <th scope="col">Pending in</th>
                  </tr>
                </thead>
                <tbody>
                  {accounts.map(({ id, label, ...balances }) => (
                    <tr key={id}>
                      <td>
                        <Link href={`/accounts/${id}`}>{label || 'Account'}</Link>
                      </td>
                      <BalanceCells of={balances} />
                    </tr>
                  ))}
                </tbody>
                <tfoot>
                  <tr>
                    <th scope="row">
                      {hasMore ? 'The newest' : 'All'} {accounts.length} sub accounts
                    </th>
                    <BalanceCells of={totals} />
                  </tr>
                  {!hasMore && (
                    <tr>
                      <th scope="row">Not allocated to a sub account</th>
                      <td class="right">
                        <Money
                          amount={dollars(
                            masters.reduce((sum, one) => sum + cents(one.available_balance), 0) -
                              cents(totals.available_balance),
                          )}
                        />
                      </td>
                      <td />
                      <td />
                    </tr>
                  )}
                  {masters.map(({ id, ...balances }) => (
                    <tr key={id}>
                      <th scope="row">
                        Master account <Id id={id} />
                      </th>
                      <BalanceCells of={balances} />
                    </tr>
                  ))}
                </tfoot>
              </table>
            </div>
          );
        }}
      </Show>
    </Box>
  );
}
