/** The activity of the sandbox: one line per cause with its effects, newest last. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { apiKey, client, sandboxName } from '../bank.ts';
import { type Cause, type Filter as CauseFilter, causesOf, fits, KINDS, ONLY } from '../causes.ts';
import { exportHar, exportJson } from '../export.ts';
import { Filter } from '../fields.tsx';
import { useFilters } from '../filters.ts';
import { useLive } from '../live.ts';
import { Name } from '../name.tsx';
import { Act, Box, Empty, Id, isPosting, Money, Show, Status, Transferred, viewOf, When } from '../parts.tsx';
import { addHistory, clearItems, type FactItem, type Item, items } from '../stream.ts';
import { type Column, Table } from '../table.tsx';
import { Upcoming } from '../upcoming.tsx';

const HISTORY = '300';

/** A cause, or an effect below an open cause. */
type Row =
  | { readonly key: string; readonly cause: Cause; readonly isOpen: boolean }
  | { readonly key: string; readonly item: Item }
  | { readonly key: string; readonly posting: Posting };
type Posting = Awaited<ReturnType<(typeof client)['value']['sandbox']['explain']>>['transfers'][number];

export default function Activity() {
  const [, go] = useLocation();
  const [search] = useFilters();
  const filter: CauseFilter = {
    kind: search.get('kind') ?? '',
    only: search.get('only') ?? '',
    text: search.get('text') ?? '',
  };
  const history = useLive(
    async (bank) => addHistory((await bank.sandbox.listActivity({ query: { limit: HISTORY } })).items),
    [],
    ['resumed'],
  );
  const [frozenAt, setFrozenAt] = useState<readonly Item[] | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [postings, setPostings] = useState<Readonly<Record<string, readonly Posting[]>>>({});
  const shown = frozenAt ?? items.value;
  const causes = useMemo(() => causesOf(shown), [shown]);
  const fitting = useMemo(
    () => causes.filter((cause) => fits(cause, filter)),
    [causes, filter.kind, filter.only, filter.text],
  );
  const rows = useMemo(
    () =>
      fitting.flatMap((cause): Row[] => {
        const key = keyOf(cause.item);
        if (!open.has(key)) return [{ key, cause, isOpen: false }];
        const own = cause.item.type === 'fact' ? cause.caused : [cause.item, ...cause.caused];
        return [
          { key, cause, isOpen: true },
          ...own.map((item) => ({ key: `${key} ${keyOf(item)}`, item })),
          ...(postings[cause.subject?.resource_id ?? ''] ?? []).map((posting) => ({
            key: `${key} transfer ${posting.id}`,
            posting,
          })),
        ];
      }),
    [fitting, open, postings],
  );
  const toggle = (cause: Cause): void => {
    const key = keyOf(cause.item);
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
    const { subject } = cause;
    if (subject?.resource !== 'transaction' || !next.has(key)) return;
    client.value.sandbox.explain({ params: { id: subject.resource_id } }).then(
      ({ transfers }) => setPostings((before) => ({ ...before, [subject.resource_id]: transfers })),
      () => {},
    );
  };
  useEffect(() => setOpen(new Set()), [sandboxName.value]);
  const missed = frozenAt === null ? 0 : items.value.length - frozenAt.length;
  const line = `curl -s ${location.origin}/v2/accounts/sub_account -H 'api-key: ${apiKey.value}'`;

  return (
    <>
      <h1>Activity</h1>
      <Balances />
      <Upcoming />
      <Box
        title="History"
        aside={
          <span class="filters">
            <Filter name="kind" label="Kind" all={KINDS} isLabelHidden />
            <Filter name="only" label="Outcome" all={ONLY} isLabelHidden />
            <Filter name="text" label="Text" placeholder="filter by text" isLabelHidden />
            <button
              type="button"
              aria-pressed={frozenAt !== null}
              onClick={() => setFrozenAt(frozenAt === null ? items.value : null)}
            >
              {frozenAt === null ? 'Pause' : `Resume${missed > 0 ? ` (${missed} new)` : ''}`}
            </button>
            <Act label="Clear" run={async () => clearItems()} />
            <Act label="JSON" title="Export the activity as JSON" run={() => exportJson(shown)} />
            <Act label="HAR" title="Export the requests as HAR" run={exportHar} />
          </span>
        }
      >
        {rows.length > 0 ? (
          <Table
            label="Activity"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ key }) => key}
            isFollowing
            open={(row) => {
              if ('cause' in row) return toggle(row.cause);
              const view = 'item' in row ? placeOf(row.item) : undefined;
              if (view !== undefined) go(view);
            }}
          />
        ) : history.data === undefined && history.error === undefined && items.value.length === 0 ? (
          <p class="soft">Loading …</p>
        ) : (
          <Empty line={line}>
            {items.value.length === 0
              ? 'This sandbox has no activity yet. Send a request, and it appears here:'
              : 'No activity matches the filter.'}
          </Empty>
        )}
      </Box>
    </>
  );
}

const keyOf = (item: Item): string => String(item.number);

/** The time of a cause; for retries that of the latest. */
const timeOf = ({ item, outcome }: Cause): string => (outcome?.type === 'attempt' ? outcome : item).at;

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Real time (UTC)',
    width: '7rem',
    isWideOnly: true,
    cell: (row) => {
      const item = 'cause' in row ? row.cause.item : undefined;
      return item?.type === 'request' ? (
        <time dateTime={item.wall_at} title={`${item.wall_at} (UTC, real time)`} class="soft">
          {item.wall_at.slice(11, 19)}
        </time>
      ) : null;
    },
  },
  {
    title: 'Bank time (UTC, New York)',
    width: '12.5rem',
    isWideOnly: true,
    cell: (row) => ('posting' in row ? null : <When at={'cause' in row ? timeOf(row.cause) : row.item.at} />),
  },
  {
    title: 'Event',
    width: 'minmax(0, 1fr)',
    cell: (row) => {
      if ('cause' in row) return <Headline cause={row.cause} isOpen={row.isOpen} />;
      return (
        <span class="depth-1">
          {'item' in row ? <Detail item={row.item} /> : <Transfer of={row.posting} />}
        </span>
      );
    },
  },
  {
    title: 'Outcome',
    width: '17rem',
    narrow: '7.5rem',
    cell: (row) => {
      if ('cause' in row) return <Outcome cause={row.cause} />;
      if ('item' in row) return <StateOf item={row.item} />;
      return <span class="soft">{isPosting(row.posting.kind) ? 'posting' : 'no posting'}</span>;
    },
  },
];

/** The view that a row opens. */
function placeOf(item: Item): string | undefined {
  switch (item.type) {
    case 'request':
      return viewOf(item.id);
    case 'fact':
      return viewOf(item.resource_id) ?? viewOf(item.events[0]?.id ?? '');
    case 'attempt':
      return viewOf(item.event_id);
  }
}

/** "ACH pull 62.40 from Harbor Supplies", or the request if it has no effect. */
function Headline({ cause: { item, subject, outcome }, isOpen }: { cause: Cause; isOpen: boolean }) {
  const mark = <span aria-hidden="true">{isOpen ? '▾' : '▸'} </span>;
  if (item.type === 'attempt') {
    const { attempt: last, error } = outcome?.type === 'attempt' ? outcome : item;
    return (
      <>
        {mark}
        {last === item.attempt ? `Attempt ${last}` : `Attempts ${item.attempt}–${last}`} to deliver{' '}
        <Link href={viewOf(item.event_id) ?? '/events'}>{item.event_type}</Link>{' '}
        <span class="soft">
          to <Name id={item.webhook_id} /> {error}
        </span>
      </>
    );
  }
  const request = item.type === 'request' ? `${item.method} ${item.path}` : '';
  if (subject === undefined) {
    return (
      <>
        {mark}
        <Link href={viewOf(item.type === 'request' ? item.id : '') ?? '/requests'}>{request}</Link>
      </>
    );
  }
  return (
    <>
      {mark}
      <Subject of={subject} />
      {request !== '' && <span class="soft wide-only"> {request}</span>}
      {item.type === 'fact' && (
        <span class="soft">{subject.resource === 'transaction' && ` ${stepOf(item)}`} by the bank</span>
      )}
    </>
  );
}

/** The new state, or the kind of another change. */
const stepOf = ({ change, summary: { status } }: FactItem): string =>
  (change === 'status' ? status : change).replaceAll('_', ' ');

/** A record by its readable name, as a link. */
function Subject({ of: { resource, resource_id: id, change, summary } }: { of: FactItem }) {
  const { title, amount, direction, name, status } = summary;
  const view = viewOf(id);
  const words =
    resource === 'transaction' ? (
      <>
        {title} <Money amount={amount} direction={direction} status={status} />
        {name !== '' && ` ${direction === 'credit' ? 'from' : 'to'} ${name}`}
      </>
    ) : (
      `${resource.replaceAll('_', ' ')} ${title} ${change}`
    );
  return view === undefined ? (
    words
  ) : (
    <Link href={view} title={id}>
      {words}
    </Link>
  );
}

/** The outcome: the response of a refused request or of a receiver, else the current state of the record. */
function Outcome({ cause: { item, outcome, undelivered } }: { cause: Cause }) {
  const isRefused = item.type === 'request' && item.status >= 400;
  const shown =
    outcome === undefined || isRefused || (outcome.type === 'fact' && outcome.summary.status === '')
      ? item
      : outcome;
  const count = item.type === 'attempt' ? 0 : undelivered.length;
  return (
    <>
      <StateOf item={shown} />
      {shown.type === 'fact' && shown.summary.reason !== '' && ` ${shown.summary.reason}`}
      {count > 0 && (
        <span class="bad wide-only">
          {' · '}
          {count} failed {count === 1 ? 'delivery' : 'deliveries'}
        </span>
      )}
    </>
  );
}

function Detail({ item }: { item: Item }) {
  if (item.type === 'request') {
    return (
      <>
        <Link href={viewOf(item.id) ?? '/requests'}>
          {item.method} {item.path}
        </Link>{' '}
        <span class="soft">
          {item.ms} ms {item.fault === '' ? '' : `fault ${item.fault}`}
        </span>
      </>
    );
  }
  if (item.type === 'attempt') {
    return (
      <>
        {item.attempt === 1 ? 'delivery' : `attempt ${item.attempt}`} of{' '}
        <Link href={viewOf(item.event_id) ?? '/webhooks'}>{item.event_type}</Link>{' '}
        <span class="soft">to</span> <Name id={item.webhook_id} />
        {item.error !== '' && <span class="soft"> {item.error}</span>}
      </>
    );
  }
  return (
    <>
      {item.events.length === 0
        ? `${item.resource} ${item.change}`
        : item.events.map(({ id, type }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link href={viewOf(id) ?? '/events'}>{type}</Link>
            </span>
          ))}{' '}
      <Id id={item.resource_id} />
    </>
  );
}

function Transfer({ of: { kind, amount, debit, credit } }: { of: Posting }) {
  return (
    <>
      <Transferred kind={kind} amount={amount} /> <span class="soft">from</span> <Name id={debit} />{' '}
      <span class="soft">to</span> <Name id={credit} />
    </>
  );
}

/** A delivery that is not attempted again. */
const END = /^(exhausted|dropped)$/;

function StateOf({ item }: { item: Item }) {
  if (item.type === 'request') {
    return (
      <>
        <Status of={item.status} /> {item.error_code}
      </>
    );
  }
  if (item.type === 'attempt') {
    return (
      <>
        <Status of={item.status} />
        {END.test(item.state) && <span class="bad"> {item.state}</span>}
      </>
    );
  }
  return item.summary.status === '' ? (
    <span class="soft">{item.change}</span>
  ) : (
    <Status of={item.summary.status} />
  );
}

/** Accounts with pending payments come first. */
const byPending = (left: Pending, right: Pending): number =>
  Number(isPending(right)) - Number(isPending(left));
type Pending = Readonly<Record<'pending_credits' | 'pending_debits', string>>;
const isPending = ({ pending_credits: credits, pending_debits: debits }: Pending): boolean =>
  credits !== '0.00' || debits !== '0.00';

function Balances() {
  const accounts = useLive(
    (bank) => bank.v2.listSubAccounts({ query: { limit: '6' } }),
    [],
    ['account', 'transaction'],
  );
  return (
    <Show of={accounts} wait={<ul class="strip" aria-busy="true" />}>
      {({ data }) => (
        <ul class="strip" aria-label="Accounts">
          {data
            .toSorted(byPending)
            .map(
              ({
                id,
                label,
                sub_account_holder_name: holder,
                available_balance: available,
                pending_credits,
                pending_debits,
                status,
              }) => (
                <li key={id}>
                  <Link href={`/accounts/${id}`}>
                    <span class="title">
                      {label || 'Account'} <span class="soft">{holder}</span>
                    </span>
                    <span>
                      <Money amount={available} /> <span class="soft">USD</span>{' '}
                      {status !== 'open' && <Status of={status} />}
                    </span>{' '}
                    <span class="soft">
                      {pending_credits !== '0.00' && (
                        <>
                          <Money amount={pending_credits} direction="credit" /> pending in{' '}
                        </>
                      )}
                      {pending_debits !== '0.00' && (
                        <>
                          <Money amount={pending_debits} direction="debit" /> on hold
                        </>
                      )}
                    </span>
                  </Link>
                </li>
              ),
            )}
        </ul>
      )}
    </Show>
  );
}
