/** The palette, which finds a screen, an action, a state or a record. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { TABLES } from '../src/kit/client/table.ts';
import { CLOCK_ACTIONS, FREEZE, RUN, SANDBOX_ACTIONS } from './actions.ts';
import { client, explain } from './bank.ts';
import { idOf, type Version } from './operations.ts';
import { say, viewOf } from './parts.tsx';
import { OTHER_SCREENS, SCREENS } from './screens.ts';
import { STATUSES } from './transaction-words.ts';

interface Found {
  readonly title: string;
  readonly detail: string;
  /** The path; absent for an action. */
  readonly path?: string;
  readonly run?: () => Promise<void>;
}

/** The name of a payment: its rail and its amount. */
const titleOf = (detail: string): string => detail.split(', ').slice(0, 2).join(' ').replaceAll('_', ' ');

const MOST_OPERATIONS = 8;

/** The operations whose method, path or name has every word. */
function operationsWith(words: string): Found[] {
  if (words.length < 3) return [];
  return Object.entries({ v2: TABLES.v2, v1: TABLES.v1, control: TABLES.sandbox })
    .flatMap(([version, table]) =>
      Object.entries(table).map(([name, { method, path }]) => {
        const id = idOf(version as Version, name);
        return {
          title: `${method} ${path}`,
          detail: `Send a request: ${id.replaceAll('_', ' ')}`,
          path: `/send?version=${version}&operation=${id}`,
        };
      }),
    )
    .filter(({ title, detail }) => {
      const text = `${title} ${detail}`.toLowerCase().replaceAll('_', ' ');
      return words.split(/\s+/).every((word) => text.includes(word.replaceAll('_', ' ')));
    })
    .slice(0, MOST_OPERATIONS);
}

/** Finds a screen, an action, a state or a record by words. */
export function Palette({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    input.current?.focus();
  }, []);
  const words = text.trim().toLowerCase();
  const screens: Found[] = [...SCREENS, ...OTHER_SCREENS]
    .filter(({ title }) => title.toLowerCase().includes(words))
    .map(({ title, path, says }) => ({ title, detail: says, path }));
  const states: Found[] = Object.keys(STATUSES)
    .filter((state) => words.length > 2 && state.replaceAll('_', ' ').startsWith(words))
    .map((state) => ({
      title: `Transactions: ${state.replaceAll('_', ' ')}`,
      detail: 'All transactions in this state',
      path: `/transactions?status=${state}`,
    }));
  const filters: Found[] =
    words.length > 1
      ? [
          {
            title: `Activity with “${words}”`,
            detail: 'Amounts, names, paths, codes',
            path: `/?text=${encodeURIComponent(words)}`,
          },
          {
            title: `Requests with “${words}”`,
            detail: 'Paths, operations, status codes',
            path: `/requests?text=${encodeURIComponent(words)}`,
          },
        ]
      : [];
  const actions: Found[] = [FREEZE, RUN, ...CLOCK_ACTIONS, ...SANDBOX_ACTIONS]
    .filter(({ label, says }) => words !== '' && `${label} ${says}`.toLowerCase().includes(words))
    .map(({ label, says, run }) => ({ title: label, detail: says, run }));
  const view = viewOf(words);
  const [records, setRecords] = useState<readonly Found[]>([]);
  useEffect(() => {
    if (words.length < 2) {
      setRecords([]);
      return undefined;
    }
    let isOver = false;
    // Waits until the user pauses.
    const timer = setTimeout(async () => {
      const answer = await client.value.sandbox
        .search({ query: { q: words } })
        .catch(() => ({ results: [] }));
      const rows = answer.results.flatMap(({ kind, id, title, detail, at: when }) => {
        const path = viewOf(id);
        return path === undefined
          ? []
          : [
              {
                title: title || titleOf(detail) || id,
                detail: `${kind.replaceAll('_', ' ')}, ${detail}, ${when.slice(0, 10)}`,
                path,
              },
            ];
      });
      if (!isOver) setRecords(rows);
    }, 120);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [words]);
  const found: Found[] =
    view === undefined || records.length > 0
      ? [...screens, ...actions, ...states, ...records, ...filters, ...operationsWith(words)]
      : [{ title: words, detail: 'Open this record', path: view }, ...screens];
  const open = (one: Found | undefined): void => {
    if (one === undefined) return;
    close();
    if (one.path !== undefined) go(one.path);
    one.run?.().catch((error) => say(explain(error).title, 'bad'));
  };
  useEffect(() => document.getElementById(`found-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(found[at]);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt((at + step + found.length) % Math.max(1, found.length));
  };
  return (
    <dialog class="palette" ref={dialog} onClose={close} aria-label="Find">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${at}` : undefined}
        aria-label="A screen, an action, a name, an amount, a number, an id"
        placeholder="A screen, an action, a name, an amount, a number, an id"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="found" role="listbox" aria-label="Results">
        {found.map((one, index) => (
          <li
            key={one.path ?? one.title}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(one)}
          >
            <strong>{one.title}</strong> <span class="soft">{one.detail}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="soft">No results.</p>}
    </dialog>
  );
}
