/** The transactions, and one of them. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { client } from '../bank.ts';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { Empty, Id, Money, Show, Status, When } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { Transaction } from '../transaction.tsx';
import { METHODS, type Method, STATUSES, type State } from '../transaction-words.ts';

export default function Transactions({ id }: { id?: string }) {
  return id === undefined ? <All /> : <Transaction id={id} />;
}

const PAGE = 50;

function All() {
  const [, go] = useLocation();
  const [search, choose] = useFilters();
  const status = search.get('status') ?? '';
  const method = search.get('method') ?? '';
  const account = search.get('sub_account_id') ?? '';
  const filter = {
    ...(status in STATUSES && { status: status as State }),
    ...(method in METHODS && { method: method as Method }),
    ...(account !== '' && { sub_account_id: account }),
  };
  const place = JSON.stringify(filter);
  const newest = useLive(
    (bank) => bank.sandbox.listTransactions({ query: { ...filter, limit: String(PAGE) } }),
    [place],
    ['transaction'],
  );
  type Page = NonNullable<typeof newest.data>;
  type Row = Page['transactions'][number];
  const [older, setOlder] = useState<{ rows: readonly Row[]; cursor: string; of: string }>({
    rows: [],
    cursor: '',
    of: '',
  });
  const isBusy = useRef(false);
  const first = newest.data?.transactions ?? [];
  const known = new Set(first.map(({ id }) => id));
  const later = older.of === place ? older.rows : [];
  const rows = useMemo(
    () => [...first, ...later.filter(({ id }) => !known.has(id))],
    [newest.data, older, place],
  );
  const cursor = older.of === place ? older.cursor : (newest.data?.cursor ?? '');
  const more = async (): Promise<void> => {
    if (isBusy.current || cursor === '') return;
    isBusy.current = true;
    try {
      const page = await client.value.sandbox.listTransactions({
        query: { ...filter, limit: String(PAGE * 4), cursor },
      });
      setOlder({
        // Rows that newer ones moved off the first page stay.
        rows: [...rows.slice(first.length === 0 ? 0 : PAGE), ...page.transactions].filter(
          ({ id }, at, all) => all.findIndex((one) => one.id === id) === at,
        ),
        cursor: page.cursor,
        of: place,
      });
    } finally {
      isBusy.current = false;
    }
  };
  const columns: readonly Column<Row>[] = [
    {
      title: 'Time',
      width: '11rem',
      isWideOnly: true,
      cell: ({ created_at: at }) => <When at={at} isLong />,
    },
    {
      title: 'Payment',
      width: '10rem',
      isWideOnly: true,
      cell: ({ method: by, type }) => `${by.replaceAll('_', ' ')} ${type}`,
    },
    {
      title: 'Counterparty',
      width: 'minmax(0, 1fr)',
      cell: ({ name, description }) => name || description || '–',
    },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ id }) => <Id id={id} /> },
    { title: 'State', width: '7.5rem', cell: ({ status: state }) => <Status of={state} /> },
    {
      title: 'Amount (USD)',
      width: '8.5rem',
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
        <Choice
          label="State"
          value={status}
          all={Object.keys(STATUSES)}
          choose={(value) => choose('status', value)}
        />
        <Choice
          label="Method"
          value={method}
          all={Object.keys(METHODS)}
          choose={(value) => choose('method', value)}
        />
        <label>
          Account
          <input
            value={account}
            placeholder="sub_…"
            onChange={({ currentTarget }) => choose('sub_account_id', currentTarget.value.trim())}
          />
        </label>
      </div>
      <Show of={newest}>
        {({ total }) => (
          <>
            <p class="soft">
              {rows.length} shown{cursor === '' ? '' : ' so far'}; {total} transactions in the sandbox
            </p>
            {rows.length === 0 && <Empty>There are no such transactions.</Empty>}
            <Table
              label={`Transactions, ${total} in all`}
              rows={rows}
              columns={columns}
              keyOf={({ id }) => id}
              open={({ id }) => go(`/transactions/${id}`)}
              toEnd={() => void more()}
            />
          </>
        )}
      </Show>
    </>
  );
}

function Choice({
  label,
  value,
  all,
  choose,
}: {
  label: string;
  value: string;
  all: readonly string[];
  choose: (value: string) => void;
}) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">all</option>
        {all.map((one) => (
          <option value={one} key={one}>
            {one.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
    </label>
  );
}
