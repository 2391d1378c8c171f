/** What happens in the sandbox, as it happens: requests with what they caused, payments that move by themselves, deliveries. */
import { useMemo, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { apiKey } from '../bank.ts';
import { useLive } from '../live.ts';
import { Act, Box, Empty, Id, Money, Show, Status, viewOf, When } from '../parts.tsx';
import { clearItems, type FactItem, type Item, items, type RequestItem } from '../stream.ts';
import { type Column, Table } from '../table.tsx';

const KINDS = { all: 'everything', request: 'requests', fact: 'records', attempt: 'deliveries' } as const;
type Kind = keyof typeof KINDS;

/** An item at its place among what caused it and what it caused. */
interface Row {
  readonly item: Item;
  readonly depth: number;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Time', width: '5.5rem', cell: ({ item: { at } }) => <When at={at} /> },
  { title: 'What', width: '6.5rem', cell: ({ item }) => <KindOf item={item} /> },
  {
    title: 'It',
    width: 'minmax(0, 1fr)',
    cell: ({ item, depth }) => (
      <span class={`depth-${depth}`}>
        <Text item={item} />
      </span>
    ),
  },
  { title: 'State', width: '8.5rem', cell: ({ item }) => <State item={item} /> },
];

export default function Now() {
  const [kind, setKind] = useState<Kind>('all');
  const [text, setText] = useState('');
  const [, go] = useLocation();
  const [frozenAt, setFrozenAt] = useState<readonly Item[] | null>(null);
  const shown = frozenAt ?? items.value;
  const rows = useMemo(() => {
    const words = text.trim().toLowerCase();
    if (kind === 'all' && words === '') return byCause(shown);
    return shown
      .filter((item) => kind === 'all' || item.type === kind)
      .filter((item) => words === '' || wordsOf(item).includes(words))
      .map((item) => ({ item, depth: 0 }))
      .toReversed();
  }, [shown, kind, text]);
  const missed = frozenAt === null ? 0 : items.value.length - frozenAt.length;
  const line = `curl -s ${location.origin}/v2/accounts/sub_account -H 'api-key: ${apiKey.value}'`;

  return (
    <>
      <h1>Now</h1>
      <Balances />
      <Box
        title="What happens"
        aside={
          <span class="filters">
            <label>
              <span class="hidden">Kind</span>
              <select value={kind} onChange={({ currentTarget }) => setKind(currentTarget.value as Kind)}>
                {Object.entries(KINDS).map(([value, label]) => (
                  <option value={value} key={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              <span class="hidden">Text</span>
              <input
                type="search"
                placeholder="filter by text"
                value={text}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </label>
            <button
              type="button"
              aria-pressed={frozenAt !== null}
              onClick={() => setFrozenAt(frozenAt === null ? items.value : null)}
            >
              {frozenAt === null ? 'Pause' : `Go on${missed > 0 ? ` (${missed} new)` : ''}`}
            </button>
            <Act label="Clear" run={async () => clearItems()} />
          </span>
        }
      >
        {rows.length > 0 ? (
          <Table
            label="What happens"
            rows={rows}
            columns={COLUMNS}
            keyOf={({ item: { number } }) => String(number)}
            open={({ item }) => {
              const view = placeOf(item);
              if (view !== undefined) go(view);
            }}
          />
        ) : (
          <Empty line={line}>
            {items.value.length === 0
              ? 'Nothing has happened since this page was opened. Make a call, and it appears here:'
              : 'Nothing fits the filter.'}
          </Empty>
        )}
      </Box>
    </>
  );
}

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

/**
 * Each request with the records that it changed below it, and each of those with the first attempts to deliver its
 * events: the newest first, and what one thing caused in the order of its coming. A retry stands by itself, when it is
 * made.
 */
function byCause(all: readonly Item[]): Row[] {
  const requests = new Map<string, RequestItem>();
  const facts = new Map<string, FactItem>();
  for (const item of all) {
    if (item.type === 'request' && item.facts !== null) {
      for (let seq = item.facts.from; seq <= item.facts.to; seq += 1)
        requests.set(`${item.bank}.${seq}`, item);
    } else if (item.type === 'fact') for (const { id } of item.events) facts.set(id, item);
  }
  const causeOf = (item: Item): Item | undefined => {
    if (item.type === 'fact') return requests.get(`${item.bank}.${item.seq}`);
    return item.type === 'attempt' && item.attempt === 1 ? facts.get(item.event_id) : undefined;
  };
  const caused = new Map<Item, Item[]>();
  const first: Item[] = [];
  for (const item of all) {
    const cause = causeOf(item);
    if (cause === undefined) first.push(item);
    else {
      const list = caused.get(cause);
      if (list === undefined) caused.set(cause, [item]);
      else list.push(item);
    }
  }
  const rows: Row[] = [];
  const add = (item: Item, depth: number): void => {
    rows.push({ item, depth });
    for (const one of caused.get(item) ?? []) add(one, depth + 1);
  };
  for (const item of first.toReversed()) add(item, 0);
  return rows;
}

function wordsOf(item: Item): string {
  switch (item.type) {
    case 'request':
      return `${item.method} ${item.path} ${item.status} ${item.operation} ${item.id}`.toLowerCase();
    case 'fact':
      return `${item.resource} ${item.change} ${item.resource_id} ${item.events.map(({ kind }) => kind).join(' ')}`.toLowerCase();
    case 'attempt':
      return `${item.kind} ${item.event_id} ${item.webhook_id} ${item.state} ${item.error}`.toLowerCase();
  }
}

function KindOf({ item: { type } }: { item: Item }) {
  const [mark, word] = { request: ['→', 'request'], fact: ['▪', 'record'], attempt: ['↗', 'delivery'] }[
    type
  ] as [string, string];
  return (
    <span class={`kind ${type}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}

function Text({ item }: { item: Item }) {
  if (item.type === 'request') {
    return (
      <>
        <Link href={viewOf(item.id) ?? '/requests'}>
          {item.method} {item.path}
        </Link>{' '}
        <span class="soft">{item.ms} ms</span>
      </>
    );
  }
  if (item.type === 'attempt') {
    return (
      <>
        <Link href={viewOf(item.event_id) ?? '/webhooks'}>{item.kind}</Link> <span class="soft">to</span>{' '}
        <Id id={item.webhook_id} />
        {item.error !== '' && <span class="soft"> {item.error}</span>}
      </>
    );
  }
  const event = item.events[0];
  return (
    <>
      {event === undefined ? (
        `${item.resource} ${item.change}`
      ) : (
        <Link href={viewOf(event.id) ?? '/'}>{event.kind}</Link>
      )}{' '}
      <Id id={item.resource_id} />
    </>
  );
}

function State({ item }: { item: Item }) {
  if (item.type === 'request') return <Status of={item.status} />;
  if (item.type === 'attempt') return <Status of={item.status ?? item.state} />;
  const status = item.events
    .map(({ kind }) => /\.status\.(\w+)$/.exec(kind)?.[1])
    .find((word) => word !== undefined);
  return status === undefined ? <span class="soft">{item.change}</span> : <Status of={status} />;
}

function Balances() {
  const accounts = useLive((bank) => bank.v2.listSubAccounts({ query: { limit: '6' } }));
  return (
    <Show of={accounts}>
      {({ data }) => (
        <ul class="cards" aria-label="Accounts">
          {data.map(
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
                  <span class="title">{label || 'Account'}</span>
                  <span class="soft">{holder}</span>
                  <span class="big">
                    <Money amount={available} /> <span class="soft">USD</span>
                  </span>
                  <span class="soft">
                    {pending_credits !== '0.00' && (
                      <>
                        <Money amount={pending_credits} direction="credit" /> coming{' '}
                      </>
                    )}
                    {pending_debits !== '0.00' && (
                      <>
                        <Money amount={pending_debits} direction="debit" /> held
                      </>
                    )}
                  </span>
                  {status !== 'open' && <Status of={status} />}
                </Link>
              </li>
            ),
          )}
        </ul>
      )}
    </Show>
  );
}
