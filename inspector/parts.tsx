/** The common components of the screens: money, ids, states, instants, JSON, lines to copy, and empty lists. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { explain } from './bank.ts';
import { newYorkTime } from './bank-day.ts';
import { touchAll } from './stream.ts';
import { trace } from './trace.ts';

/** The states in which no money has moved. */
const VOID = /^(declined|canceled)$/;

/** Dollars and cents in figures of one width. A mark and a colour show the sign, unless the payment moved no money. */
export function Money({
  amount,
  direction,
  status = '',
}: {
  amount: string;
  direction?: 'debit' | 'credit' | string;
  status?: string;
}) {
  const isOut = direction === 'debit' || amount.startsWith('-');
  const [whole = '', cents = '00'] = amount.replace('-', '').split('.');
  const figures = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`;
  const sign = direction === 'debit' || amount.startsWith('-') ? '−' : direction === 'credit' ? '+' : '';
  if (VOID.test(status)) return <s class="money void">{figures}</s>;
  return (
    <span class={`money ${sign === '' ? '' : isOut ? 'out' : 'in'}`}>
      {sign}
      {figures}
    </span>
  );
}

/** Whether a transfer moves money; the others reserve it. */
export const isPosting = (kind: string): boolean => kind === 'post' || kind === 'settle';

/** The amount of a transfer with its kind. A hold and its release are in parentheses, because no balance counts them. */
export function Transferred({ kind, amount }: { kind: string; amount: string }) {
  return isPosting(kind) ? (
    <>
      {kind} <Money amount={amount} />
    </>
  ) : (
    <span class="soft">
      ({kind} <Money amount={amount} />)
    </span>
  );
}

/** The screen for the record of an id, by the prefix of the id in either version. */
const SCREENS: readonly [pattern: RegExp, path: string][] = [
  [/^(txn|tra)[_-]/, 'transactions'],
  [/^(sub|acc|mas)[_-]/, 'accounts'],
  [/^(crd)[_-]/, 'cards'],
  [/^(sah|per|bus|fam)[_-]/, 'people'],
  [/^(ctp|con)[_-]/, 'counterparties'],
  [/^(evt)[_-]/, 'events'],
  [/^(whk|wbh)[_-]/, 'webhooks'],
  [/^(req)[_-]/, 'requests'],
];
export const ANY_ID = /^[a-z]{3}[_-][0-9a-f][0-9a-f-]{20,}$/;

/** The path of the view of an id in the sandbox; `undefined` if no screen shows its kind. */
export function viewOf(id: string): string | undefined {
  if (!ANY_ID.test(id)) return undefined;
  const screen = SCREENS.find(([pattern]) => pattern.test(id))?.[1];
  return screen === undefined ? undefined : `/${screen}/${id}`;
}

/** A shortened id as a link to its view. Its title is the whole id, and the button copies it. */
export function Id({ id, whole = false }: { id: string; whole?: boolean }) {
  if (id === '') return <span class="soft">none</span>;
  const view = viewOf(id);
  const text = whole || id.length < 16 ? id : `${id.slice(0, 4)}…${id.slice(-6)}`;
  const shown =
    view === undefined ? (
      <span title={id}>{text}</span>
    ) : (
      <Link href={view} title={id}>
        {text}
      </Link>
    );
  return (
    <span class="id">
      {shown}
      <Copy text={id} label={`Copy ${id}`} />
    </span>
  );
}

/** Copies a text. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).catch(() => {});
    setDone(true);
    setTimeout(() => setDone(false), 1_200);
  };
  return (
    <button type="button" class="copy" aria-label={label} title={label} onClick={copy}>
      {isDone ? (
        '✓'
      ) : (
        <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
          <path d="M5 5V2h9v9h-3M2 5h9v9H2z" fill="none" stroke="currentColor" stroke-width="1.5" />
        </svg>
      )}
    </button>
  );
}

const GOOD =
  /^(settled|active|activated|open|delivered|approved|completed|2\d\d|pass(ed)?|ok|signature ok|books balance)$/;
const BAD =
  /^(declined|returned|failed|canceled|reversed|locked|blocked|closed|deactivated|exhausted|books do not balance|dropped|failing|events lost|missed|suspended|dishonored|[45]\d\d|0)$/;

/** A state: a mark, its word and a colour. */
export function Status({ of }: { of: string | number | null }) {
  const word = String(of ?? 'no response');
  const kind = GOOD.test(word) ? 'good' : BAD.test(word) || of === null ? 'bad' : 'waiting';
  const mark = { good: '●', bad: '✕', waiting: '◌' }[kind];
  return (
    <span class={`status ${kind}`}>
      <span aria-hidden="true">{mark}</span> {word.replaceAll('_', ' ')}
    </span>
  );
}

/**
 * An instant in UTC and in New York, in seconds, and with its year and zones if it is long; its title is the exact
 * instant. The short form always has the day, because a list can contain many days if the clock is moved; a telephone
 * shows no seconds.
 */
export function When({ at, isLong = false }: { at: string; isLong?: boolean }) {
  if (at === '') return <span class="soft">–</span>;
  const text = at.replace('T', ' ').replace(/(\.\d+)?Z$/, '');
  return (
    <time dateTime={at} title={`${at} (UTC, by the clock of the sandbox)`}>
      {isLong ? `${text} UTC` : text.slice(5, 16)}
      {!isLong && <span class="wide-only">{text.slice(16)}</span>}{' '}
      <span class="soft">
        {newYorkTime(at)}
        {isLong && ' New York'}
      </span>
    </time>
  );
}

/** The widths of a column of short instants. */
export const SHORT_TIME = { title: 'UTC, New York', width: '13.5rem', narrow: '5.6rem' } as const;

const MASKED = /^(secret|previous_secret|pan|number|cvv|pin|id_?number|id_number|token)$/i;
/** A list with more items is closed at first. */
const MOST_OPEN = 50;
const shownSecrets = signal<ReadonlySet<string>>(new Set());

/** JSON that can be opened and closed. Ids are links, and secrets are shown on request. */
export function Json({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const label = name === undefined ? null : <span class="json-name">{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div class="json-row">
        {label}
        <JsonValue value={value} name={name ?? ''} />
      </div>
    );
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) {
    return (
      <div class="json-row">
        {label}
        {open}
        {close}
      </div>
    );
  }
  return (
    <details class="json" open={depth < 2 && entries.length <= MOST_OPEN}>
      <summary>
        {label}
        <span class="soft">{Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`}</span>
      </summary>
      {entries.map(([key, inner]) => (
        <Json key={key} value={inner} name={key} depth={depth + 1} />
      ))}
    </details>
  );
}

function JsonValue({ value, name }: { value: unknown; name: string }) {
  if (typeof value !== 'string') return <span class="json-word">{String(value)}</span>;
  if (MASKED.test(name) && value !== '' && !/[*•]/.test(value)) {
    const isShown = shownSecrets.value.has(value);
    const show = (): void => {
      shownSecrets.value = new Set([...shownSecrets.value, value]);
    };
    return isShown ? (
      <span class="json-text">"{value}"</span>
    ) : (
      <button type="button" class="plain" onClick={show}>
        •••••• show
      </button>
    );
  }
  return viewOf(value) === undefined ? <span class="json-text">"{value}"</span> : <Id id={value} whole />;
}

/** A line for a shell, with a button that copies it. */
export function Line({ text }: { text: string }) {
  return (
    <div class="line">
      <code>{text}</code>
      <Copy text={text} label="Copy this line" />
    </div>
  );
}

/** The advice on an empty list. */
export function Empty({ children, line }: { children: ComponentChildren; line?: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {line !== undefined && <Line text={line} />}
    </div>
  );
}

/** The error message of the bank, with advice. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, advice } = explain(error);
  return (
    <div class="failure" role="alert">
      <h2>{title}</h2>
      {advice !== '' && <p>{advice}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** A screen with loaded data: its error, its wait, or its content. */
export function Show<T>({
  of,
  children,
  wait = (
    <p class="soft" aria-busy="true">
      Loading …
    </p>
  ),
}: {
  of: { data: T | undefined; error: unknown; reload(): void };
  /** What is shown while it is loaded, in the height of the content. */
  wait?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}) {
  if (of.data === undefined) {
    return of.error === undefined ? wait : <Failure error={of.error} retry={of.reload} />;
  }
  return <>{children(of.data)}</>;
}

/** The parts of a limit from which its bar is yellow or red. */
const NEARLY = 0.75;
const FULL = 0.95;

/** A count with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A bar that shows how much is used: green, yellow from three quarters on, and red when nearly all is used. */
export function Usage({ used, most, children }: { used: number; most: number; children: ComponentChildren }) {
  const isFull = used >= FULL * most;
  return (
    <label class="limit">
      <span>
        {children}{' '}
        {isFull && <strong class="status bad">{used >= most ? 'used up' : 'nearly used up'}</strong>}
      </span>
      <meter min={0} max={most} low={NEARLY * most} high={FULL * most} optimum={0} value={used} />
    </label>
  );
}

/** A bar that shows the used part of a limit in dollars. */
export function Limit({ title, used, most }: { title: string; used: string; most: string }) {
  return (
    <Usage used={Number(used)} most={Number(most)}>
      {title}: <Money amount={used} /> of <Money amount={most} />
    </Usage>
  );
}

/** A box with a heading. */
export function Box({
  title,
  children,
  aside,
  kind = '',
}: {
  title: string;
  /** A separate class. */
  kind?: string;
  children: ComponentChildren;
  aside?: ComponentChildren;
}) {
  return (
    <section class={`box ${kind}`}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A record as JSON, closed at first, because the important parts are shown above. */
export function Record({
  title,
  value,
  isOpen = false,
}: {
  title: string;
  value: unknown;
  isOpen?: boolean;
}) {
  return (
    <details class="box record" open={isOpen}>
      <summary>
        <h2>{title}</h2>
      </summary>
      <Json value={value} />
    </details>
  );
}

/**
 * A button for an action of the bank. It ignores clicks during the action, and shows its error. It is never `disabled`,
 * because a disabled button loses the focus.
 */
export function Act({
  label,
  run,
  isOff = false,
  reason = '',
  kind = '',
  title = '',
}: {
  label: string;
  title?: string;
  run: () => Promise<unknown>;
  isOff?: boolean;
  reason?: string;
  kind?: string;
}) {
  const [isBusy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => () => passFocus(button.current), []);
  // A trace is read-only.
  if (trace !== null) return null;
  const act = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await run();
      touchAll();
    } catch (error) {
      const { title, advice } = explain(error);
      say(`${label}: ${title}${advice === '' ? '' : `. ${advice}`}`, 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      class={kind}
      ref={button}
      aria-busy={isBusy}
      aria-disabled={isOff}
      title={isOff ? reason : title}
      onClick={isOff ? () => say(`${label}: ${reason}`, 'bad') : act}
    >
      {label}
    </button>
  );
}

/** Before an element with the focus is removed: its box gets the focus, so that a keyboard user stays there. */
function passFocus(from: HTMLElement | null): void {
  if (from === null || document.activeElement !== from) return;
  const box = from.closest<HTMLElement>('.box, main');
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body || box?.isConnected !== true) return;
    box.tabIndex = -1;
    box.focus({ preventScroll: true });
  });
}

/** A message about the last action or error. */
type Kind = 'good' | 'waiting' | 'bad';
interface Remedy {
  readonly label: string;
  run(): Promise<unknown>;
}
export const message = signal<{ text: ComponentChildren; kind: Kind; remedy?: Remedy } | null>(null);
const MESSAGE_MS = 6_000;
/** How long a message with a button is shown. */
const REMEDY_MS = 30_000;
let timer = 0;

export function say(text: ComponentChildren, kind: Kind = 'good', remedy?: Remedy): void {
  message.value = { text, kind, ...(remedy !== undefined && { remedy }) };
  clearTimeout(timer);
  timer = window.setTimeout(
    () => {
      message.value = null;
    },
    remedy === undefined ? MESSAGE_MS : REMEDY_MS,
  );
}
