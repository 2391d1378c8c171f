/** The accounts, and an account with its balance over time, its entries, and simulated payments from other banks. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import type { Client } from '../../src/kit/client/client.ts';
import { client } from '../bank.ts';
import { drawBalances } from '../chart.ts';
import { chartPoints } from '../chart-points.ts';
import { ChoiceField, TextField } from '../fields.tsx';
import { useLibrary } from '../library.ts';
import { useLive } from '../live.ts';
import { sayOutcome } from '../outcome.tsx';
import { readV2, usePages } from '../pages.ts';
import {
  Act,
  Box,
  Empty,
  Id,
  isPosting,
  Limit,
  Money,
  Record,
  SHORT_TIME,
  Show,
  Status,
  say,
  When,
} from '../parts.tsx';
import { type Column, Table } from '../table.tsx';

export default function Accounts({ id }: { id?: string }) {
  return id === undefined ? <All /> : <One id={id} />;
}

function All() {
  const [, go] = useLocation();
  const { loaded, rows, more } = usePages(
    (bank, page) => readV2(page, (query) => bank.v2.listSubAccounts({ query })),
    ({ id }) => id,
    [],
    ['account', 'transaction'],
    ['transaction'],
  );
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    {
      title: 'Account',
      width: 'minmax(0, 1fr)',
      cell: ({ label, sub_account_holder_name: name }) => `${label || 'Account'} · ${name}`,
    },
    { title: 'Id', width: '10rem', isWideOnly: true, cell: ({ id }) => <Id id={id} /> },
    { title: 'State', width: '7rem', narrow: '5.5rem', cell: ({ status }) => <Status of={status} /> },
    {
      title: 'On hold (USD)',
      width: '8rem',
      isMoney: true,
      isWideOnly: true,
      cell: ({ pending_debits: amount }) => <Money amount={amount} />,
    },
    {
      title: 'Pending in (USD)',
      width: '8rem',
      isMoney: true,
      isWideOnly: true,
      cell: ({ pending_credits: amount }) => <Money amount={amount} />,
    },
    {
      title: 'Available (USD)',
      width: '9rem',
      narrow: '7rem',
      isMoney: true,
      cell: ({ available_balance: amount }) => <Money amount={amount} />,
    },
  ];
  return (
    <>
      <h1>Accounts</h1>
      <Show of={loaded}>
        {() => (
          <Table
            label="Accounts"
            rows={rows}
            columns={columns}
            empty="There is no account yet. Send creates one: New account."
            keyOf={({ id }) => id}
            open={({ id }) => go(`/accounts/${id}`)}
            toEnd={() => void more()}
            isWhole
          />
        )}
      </Show>
    </>
  );
}

const PAGE = 50;
const RAILS = ['ach_push', 'ach_pull', 'domestic_wire', 'international_wire', 'rtp', 'fednow'];

function One({ id }: { id: string }) {
  const isMaster = id.startsWith('mas');
  const account = useLive(
    (bank) =>
      isMaster
        ? bank.v2.retrieveMasterAccount({ params: { master_account_id: id } })
        : bank.v2.retrieveSubAccount({ params: { sub_account_id: id } }),
    [id],
    ['transaction', id],
  );
  const entries = useEntries(id);
  return (
    <Show of={account}>
      {(it) => (
        <>
          <h1>{it.label || 'Account'}</h1>
          <p>
            <Id id={id} whole /> <Status of={it.status} />
            <Holder of={it} />
          </p>
          <ul class="cards" aria-label="Totals in USD">
            <Total title="Available" amount={it.available_balance} />
            <Total title="Pending in" amount={it.pending_credits} />
            <Total title="On hold" amount={it.pending_debits} />
          </ul>
          <Balances id={id} />
          {!isMaster && <Incoming id={id} status={it.status} />}
          <Entries of={entries} />
          {!isMaster && <Limits id={id} />}
          <Record title="v2 record" value={it} />
        </>
      )}
    </Show>
  );
}

/** The holder of a sub account; a master account has none. */
function Holder({ of }: { of: object }) {
  const { sub_account_holder_id: id, sub_account_holder_name: name } = of as Partial<SubAccount>;
  if (id === undefined) return null;
  return (
    <>
      {' of '}
      <Link href={`/people/${id}`}>{name}</Link>
    </>
  );
}
type SubAccount = Awaited<ReturnType<Client['v2']['retrieveSubAccount']>>;

/** The limits of the configuration, with the part of each that is used today or this month. */
function Limits({ id }: { id: string }) {
  const loaded = useLive((bank) => bank.sandbox.explain({ params: { id } }), [id], ['transaction', id]);
  const limits = loaded.data?.limits ?? [];
  if (limits.length === 0) return null;
  return (
    <Box title="Limits (USD)">
      {limits.map(({ name, period, limit, used }) => (
        <Limit key={`${name} ${period}`} title={`${limitName(name)}, ${period}`} used={used} most={limit} />
      ))}
    </Box>
  );
}

const limitName = (path: string): string => path.replace('limits.', '').replace('.', ' by ');

function Total({ title, amount }: { title: string; amount: string }) {
  return (
    <li>
      <span class="title">{title}</span>
      <span class="big">
        <Money amount={amount} /> <span class="soft">USD</span>
      </span>
    </li>
  );
}

/** The chart is redrawn less often than the figures above it. */
const CHART_MS = 5_000;

function Balances({ id }: { id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const loaded = useLive(
    (bank) => bank.sandbox.listLedgerBalances({ params: { account: id }, query: { points: '400' } }),
    [id],
    ['transaction'],
    CHART_MS,
  );
  const points = loaded.data?.points;
  const uPlot = useLibrary('uplot');
  useEffect(() => {
    if (place.current === null || points === undefined || uPlot === undefined) return undefined;
    return drawBalances(uPlot, place.current, points);
  }, [points, uPlot]);
  const last = points?.at(-1);
  return (
    <Box title="Balance over time (USD)">
      {loaded.error !== undefined && points === undefined ? (
        <Empty>No balances: {(loaded.error as Error).message}</Empty>
      ) : (
        <div
          class="chart"
          ref={place}
          role="img"
          aria-label={`Balance over time, now ${last?.available_balance ?? ''} available and ${last?.posted_balance ?? ''} posted`}
        />
      )}
      {points !== undefined && chartPoints(points).setBack.length > 0 && (
        <p class="soft">
          The clock was set back, so the horizontal axis shows the order of the entries, not time.
        </p>
      )}
    </Box>
  );
}

/** The simulated actions of another bank and of the platform on the account. */
function Incoming({ id, status }: { id: string; status: string }) {
  const [rail, setRail] = useState('rtp');
  const [amount, setAmount] = useState('25.00');
  const [name, setName] = useState('');
  const send = (): Promise<void> =>
    client.value.sandbox
      .simulateIncoming({
        params: { rail },
        body: { sub_account_id: id, amount, ...(name !== '' && { sender: { name } }) },
      })
      .then(sayOutcome);
  const change = async (event: 'lock' | 'unlock'): Promise<void> => {
    await client.value.sandbox.simulateAccount({ params: { id, event } });
    say(`The account is ${event}ed.`);
  };
  return (
    <Box title="Simulate an incoming payment">
      <div class="form">
        <ChoiceField label="Rail" value={rail} set={setRail} all={RAILS} />
        <TextField label="Amount (USD)" inputMode="decimal" value={amount} set={setAmount} />
        <TextField label="From" placeholder="any sender" value={name} set={setName} />
        <Act label="Send" kind="main" run={send} />
        {status === 'locked' ? (
          <Act label="Unlock the account" run={() => change('unlock')} />
        ) : (
          <Act label="Lock the account" run={() => change('lock')} />
        )}
      </div>
    </Box>
  );
}

interface Entry {
  readonly transfer_id: number;
}

/** Joins newer and older entries to one list; only the newer ones if entries are missing between them. */
function joined<T extends Entry>(newer: readonly T[], older: readonly T[]): readonly T[] {
  const last = newer.at(-1)?.transfer_id;
  const at = older.findIndex(({ transfer_id: of }) => of === last);
  return at < 0 ? newer : [...newer, ...older.slice(at + 1)];
}

const readEntries = (bank: Client, id: string, offset: number) =>
  bank.sandbox.listLedgerEntries({
    params: { account: id },
    query: { limit: String(PAGE), offset: String(offset) },
  });
type Page = Awaited<ReturnType<typeof readEntries>>;
type Row = Page['entries'][number];

/** The entries that were read, loaded together with the account. */
function useEntries(id: string) {
  const loaded = useLive((bank) => readEntries(bank, id, 0), [id], ['transaction']);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const isBusy = useRef(false);
  useLayoutEffect(() => setRows((before) => joined(loaded.data?.entries ?? [], before)), [loaded.data]);
  const more = async (total: number): Promise<void> => {
    if (isBusy.current || rows.length >= total) return;
    isBusy.current = true;
    try {
      const { entries } = await readEntries(client.value, id, Math.max(0, rows.length - 1));
      setRows((before) => joined(before, entries));
    } finally {
      isBusy.current = false;
    }
  };
  return { loaded, rows, more };
}

function Entries({ of: { loaded, rows, more } }: { of: ReturnType<typeof useEntries> }) {
  const [, go] = useLocation();
  const columns: readonly Column<Row>[] = useMemo(
    () => [
      { ...SHORT_TIME, cell: ({ at }) => <When at={at} /> },
      { title: 'Entry', width: '6rem', isWideOnly: true, cell: ({ kind }) => kind },
      { title: 'Transaction', width: 'minmax(0, 1fr)', cell: ({ transaction_id: of }) => <Id id={of} /> },
      {
        title: 'Amount (USD)',
        width: '9rem',
        isMoney: true,
        cell: ({ kind, amount, side }) =>
          isPosting(kind) ? (
            <Money amount={amount} direction={side} />
          ) : (
            <span class="soft">
              (<Money amount={amount} />)
            </span>
          ),
      },
      {
        title: 'Available after',
        width: '9rem',
        isMoney: true,
        isWideOnly: true,
        cell: ({ available_after: amount }) => <Money amount={amount} />,
      },
    ],
    [],
  );
  return (
    <Show of={loaded}>
      {({ total }) => (
        <Box title={`Entries (${total})`}>
          <Table
            label="Entries"
            rows={rows}
            columns={columns}
            empty="This account has no entries yet."
            keyOf={({ transfer_id: of }) => String(of)}
            open={({ transaction_id: of }) => of !== '' && go(`/transactions/${of}`)}
            toEnd={() => void more(total)}
          />
        </Box>
      )}
    </Show>
  );
}
