/** The transactions, and a transaction. */
import { useLocation } from 'wouter-preact';
import type { Client } from '../../src/kit/client/client.ts';
import { Filter, withAll } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { usePages } from '../pages.ts';
import { counted, Id, Money, SHORT_TIME, Show, Status, When } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { Transaction } from '../transaction.tsx';
import { METHODS, type Method, STATUSES, type State } from '../transaction-words.ts';

export default function Transactions({ id }: { id?: string }) {
  return id === undefined ? <All /> : <Transaction id={id} />;
}

type Row = Awaited<ReturnType<Client['sandbox']['listTransactions']>>['transactions'][number];

function All() {
  const [, go] = useLocation();
  const [search] = useFilters();
  const status = search.get('status') ?? '';
  const method = search.get('method') ?? '';
  const account = search.get('sub_account_id')?.trim() ?? '';
  const filter = {
    ...(status in STATUSES && { status: status as State }),
    ...(method in METHODS && { method: method as Method }),
    ...(account !== '' && { sub_account_id: account }),
  };
  const { loaded, rows, hasMore, more } = usePages(
    async (bank, page) => {
      const { transactions, cursor, total } = await bank.sandbox.listTransactions({
        query: { ...filter, ...page },
      });
      return { rows: transactions, cursor, extra: { total } };
    },
    keyOf,
    [status, method, account],
    ['transaction'],
  );
  const columns: readonly Column<Row>[] = [
    { ...SHORT_TIME, isWideOnly: true, cell: ({ created_at: at }) => <When at={at} /> },
    {
      title: 'Payment',
      width: '10rem',
      isWideOnly: true,
      cell: ({ method: by, type }) => `${by.replaceAll('_', ' ')} ${type}`,
    },
    {
      title: 'Counterparty',
      width: 'minmax(0, 1fr)',
      cell: ({ name, description, method: by, type }) => (
        <>
          {name || description || '–'}{' '}
          <span class="second narrow-only">
            {by.replaceAll('_', ' ')} {type}
          </span>
        </>
      ),
    },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ id }) => <Id id={id} /> },
    { title: 'State', width: '7.5rem', narrow: '6.2rem', cell: ({ status: state }) => <Status of={state} /> },
    {
      title: 'Amount (USD)',
      width: '8.5rem',
      narrow: '6.5rem',
      isMoney: true,
      cell: ({ amount, direction, status: state }) => (
        <Money amount={amount} direction={direction} status={state} />
      ),
    },
  ];
  return (
    <>
      <h1>Transactions</h1>
      <div class="form">
        <Filter name="status" label="State" all={withAll(Object.keys(STATUSES))} />
        <Filter name="method" label="Method" all={withAll(Object.keys(METHODS))} />
        <Filter name="sub_account_id" label="Account" placeholder="sub_…" isLate />
      </div>
      <Show of={loaded}>
        {({ total }) => (
          <>
            <p class="soft">
              {rows.length} shown{hasMore ? ' so far' : ''}; {counted(total, 'transaction')} in the sandbox
            </p>
            <Table
              label={`Transactions, ${total} in all`}
              rows={rows}
              columns={columns}
              empty={
                total === 0 ? 'This sandbox has no transaction yet.' : 'No transaction matches the filter.'
              }
              keyOf={keyOf}
              open={({ id }) => go(`/transactions/${id}`)}
              toEnd={() => void more()}
              isWhole
            />
          </>
        )}
      </Show>
    </>
  );
}

const keyOf = ({ id }: Row): string => id;
