/** The transactions, and one of them: its way through the states of its rail, the decisions, the books, and what it caused. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useSearchParams } from 'wouter-preact';
import { client } from '../bank.ts';
import { Diagram } from '../diagram.tsx';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Id, Json, Money, Show, Status, say, When } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { type Moment, Timeline } from '../timeline.tsx';

export default function Transactions({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

type Query = NonNullable<Parameters<(typeof client)['value']['sandbox']['listTransactions']>[0]>['query'];
type State = NonNullable<NonNullable<Query>['status']>;
type Method = NonNullable<NonNullable<Query>['method']>;

/** Every state and method: the compiler says when one is missing. */
const STATUSES: Readonly<Record<State, true>> = {
  originated: true,
  pending: true,
  in_review: true,
  clearing: true,
  cleared: true,
  received: true,
  settled: true,
  returned: true,
  declined: true,
  canceled: true,
  reversed: true,
  refunded: true,
};
const METHODS: Readonly<Record<Method, true>> = {
  ach: true,
  domestic_wire: true,
  international_wire: true,
  rtp: true,
  fednow: true,
  check: true,
  card_issuing: true,
  debit_card: true,
  intra_account: true,
};
const PAGE = 50;

function All() {
  const [, go] = useLocation();
  const [search, setSearch] = useSearchParams();
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
  const choose = (name: string, value: string): void => {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
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

function One({ id }: { id: string }) {
  const loaded = useLive(
    async (bank) => {
      const [why, record] = await Promise.all([
        bank.sandbox.explain({ params: { id } }),
        bank.v2.retrieveTransaction({ params: { transaction_id: id } }),
      ]);
      return { why, record };
    },
    [id],
  );
  const rails = useLive((bank) => bank.sandbox.listRails(), [], null);
  return (
    <Show of={loaded}>
      {({ why, record }) => {
        const rail = rails.data?.rails.find(({ name }) => name === why.figures.rail);
        const states = why.path.map(({ status }) => status).filter((state, at, all) => state !== all[at - 1]);
        return (
          <>
            <h1>
              {rail?.label ?? record.method.replaceAll('_', ' ')}{' '}
              <Money amount={record.amount} direction={record.direction} status={record.status} />{' '}
              <span class="soft">USD</span>
            </h1>
            <p>
              <Id id={id} whole /> <Status of={record.status} />
            </p>
            <p class="lead">{why.summary}</p>
            {rail !== undefined && (
              <Box title="States">
                <Diagram
                  steps={rail.steps}
                  path={states}
                  label={`The states of ${rail.label}; it went ${states.join(', ')}`}
                />
                {why.next_step !== null && (
                  <p>
                    Next: {why.next_step.event} at <When at={why.next_step.at} isLong />
                  </p>
                )}
              </Box>
            )}
            <Happen why={why} events={rail?.steps.map(({ event }) => event) ?? []} />
            <Way why={why} />
            <div class="two">
              <Books transfers={why.transfers} />
              <Decisions why={why} />
            </div>
            <Caused id={id} />
            <Records id={id} record={record} />
          </>
        );
      }}
    </Show>
  );
}

type Why = Awaited<ReturnType<(typeof client)['value']['sandbox']['explain']>>;

type Simulation = Why['simulations'][number];

/** Whether it is done by a merchant to a card's authorization. */
const isOfMerchant = ({ path }: Simulation): boolean => path.includes('/authorizations/');

/** Every event that can be made to happen; those that cannot happen now say why. */
function Happen({ why, events }: { why: Why; events: readonly string[] }) {
  const codes = useLive((bank) => bank.sandbox.listReturnCodes(), [], null);
  const [code, setCode] = useState('R01');
  const [amount, setAmount] = useState('');
  // What a merchant does to an authorization goes before the same word for a transaction.
  const ofMerchant = why.simulations.filter(isOfMerchant);
  const known = new Set(ofMerchant.map(({ event }) => event));
  const all = [
    ...ofMerchant,
    ...why.simulations.filter((one) => !isOfMerchant(one) && !known.has(one.event)),
  ];
  const legal = all.filter((one) => one.legal);
  // An event that the rail never has is not worth a button.
  const others = all.filter((one) => !one.legal && (isOfMerchant(one) || events.includes(one.event)));
  const run = (simulation: Simulation) => async () => {
    const { event } = simulation;
    if (isOfMerchant(simulation)) {
      await client.value.sandbox.simulateAuthorization({
        params: { transaction_id: why.id, event },
        body: event === 'expire' || amount === '' ? {} : { amount },
      });
    } else {
      await client.value.sandbox.simulateTransaction({
        params: { id: why.id, event },
        body: event === 'return' && why.figures.rail?.startsWith('ach') ? { return_code: code } : {},
      });
    }
    say(`${event}: done`);
  };
  return (
    <Box title="Let something happen">
      <div class="form">
        {legal.some(isOfMerchant) && (
          <label>
            Amount (USD)
            <input
              inputMode="decimal"
              value={amount}
              placeholder="all of it"
              onInput={({ currentTarget }) => setAmount(currentTarget.value.trim())}
            />
          </label>
        )}
        {legal.map((one) => (
          <Act key={one.event} label={one.event} kind="main" run={run(one)} />
        ))}
        {legal.some(({ event }) => event === 'return') && why.figures.rail?.startsWith('ach') && (
          <label>
            Return code
            <select value={code} onChange={({ currentTarget }) => setCode(currentTarget.value)}>
              {(codes.data?.return_codes ?? []).map(({ code: one, title }) => (
                <option value={one} key={one}>
                  {one} {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {others.map((one) => (
          <Act key={one.event} label={one.event} run={run(one)} isOff reason={one.reason} />
        ))}
      </div>
      {why.return_windows.length > 0 && (
        <ul class="soft">
          {why.return_windows.map(({ time_limit, until, return_codes }) => (
            <li key={time_limit}>
              May be returned until <When at={until} isLong /> ({time_limit};{' '}
              {return_codes.slice(0, 6).join(', ')}
              {return_codes.length > 6 ? ', …' : ''})
            </li>
          ))}
        </ul>
      )}
    </Box>
  );
}

/** The postings, as an account is drawn by those who keep books: debits at the left, credits at the right. */
function Books({ transfers }: { transfers: Why['transfers'] }) {
  const accounts = [...new Set(transfers.flatMap(({ debit, credit }) => [debit, credit]))];
  return (
    <Box title="Books">
      {transfers.length === 0 && <Empty>It moved no money.</Empty>}
      {accounts.map((account) => (
        <table class="t-account" key={account}>
          <caption>{account === 'suspense' ? 'suspense' : <Id id={account} />}</caption>
          <thead>
            <tr>
              <th scope="col">Debit</th>
              <th scope="col">Credit</th>
            </tr>
          </thead>
          <tbody>
            {transfers
              .filter(({ debit, credit }) => debit === account || credit === account)
              .map(({ id, kind, amount, debit }) => (
                <tr key={id}>
                  <td>
                    {debit === account && (
                      <>
                        {kind} <Money amount={amount} />
                      </>
                    )}
                  </td>
                  <td>
                    {debit !== account && (
                      <>
                        {kind} <Money amount={amount} />
                      </>
                    )}
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      ))}
    </Box>
  );
}

function Decisions({ why: { decisions, figures } }: { why: Why }) {
  return (
    <Box title="Why">
      <ol class="plain-list">
        {decisions.map((one, at) => (
          <li key={`${one.at} ${at}`}>
            <When at={one.at} /> <strong>{one.source.replaceAll('_', ' ')}</strong> {one.name}: {one.effect}
            <div class="soft">{one.message}</div>
          </li>
        ))}
      </ol>
      {decisions.length === 0 && <p>It went its ordinary course.</p>}
      <dl>
        {Object.entries(figures).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}

const KIND_OF: Readonly<Record<string, Moment['kind']>> = {
  settled: 'good',
  declined: 'bad',
  returned: 'bad',
  canceled: 'bad',
  reversed: 'bad',
};

/** What became of it and of what belongs to it (the captures and refunds of an authorization), on a line of time. */
function Way({ why: { path, related, next_step: next } }: { why: Why }) {
  const own = path.map(
    ({ at, change, status, figures: { amount = '' } }, index): Moment => ({
      at,
      kind: KIND_OF[status] ?? 'plain',
      title: change.replaceAll('_', ' '),
      detail: (
        <>
          <Status of={status} /> {amount !== path[index - 1]?.figures.amount && <Money amount={amount} />}
        </>
      ),
    }),
  );
  const others = related.map(
    ({ id, as, at, type, status, amount, direction }): Moment => ({
      at,
      kind: KIND_OF[status] ?? 'plain',
      title: as,
      detail: (
        <>
          <Id id={id} /> {type} <Money amount={amount} direction={direction} status={status} />{' '}
          <Status of={status} />
        </>
      ),
    }),
  );
  const planned: Moment[] =
    next === null
      ? []
      : [{ at: next.at, kind: 'waiting', title: `${next.event.replaceAll('_', ' ')} is planned` }];
  const moments = [...own, ...others, ...planned];
  return (
    <Box title="Its way">
      <Timeline moments={moments} label={`What happened to it, in ${moments.length} steps`} />
    </Box>
  );
}

function Caused({ id }: { id: string }) {
  const loaded = useLive((bank) => bank.sandbox.listEvents({ query: { resource: id, limit: '50' } }), [id]);
  return (
    <Box title="Events and deliveries">
      <Show of={loaded}>
        {({ events }) => (
          <ul class="plain-list">
            {events.map(({ id: event, type, at, dialect, deliveries }) => (
              <li key={event}>
                <When at={at} /> <span class="soft">{dialect}</span> {type} <Id id={event} />{' '}
                <span class="soft">
                  {Object.entries(deliveries)
                    .filter(([, count]) => count > 0)
                    .map(([state, count]) => `${count} ${state}`)
                    .join(', ') || 'nobody is subscribed'}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Box>
  );
}

function Records({ id, record }: { id: string; record: unknown }) {
  const account = (record as { sub_account_id?: string }).sub_account_id ?? '';
  const v1 = useLive(
    async (bank) =>
      account === '' ? null : bank.v1.retrieveTransaction({ params: { accountId: account, txnId: id } }),
    [id, account],
  );
  return (
    <div class="two">
      <Box title="The record in v2">
        <Json value={record} />
      </Box>
      <Box title="The record in v1">
        {v1.data === null || v1.error !== undefined ? (
          <Empty>v1 has no such record.</Empty>
        ) : (
          <Json value={v1.data} />
        )}
      </Box>
    </div>
  );
}
