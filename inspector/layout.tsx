/**
 * The frame of every screen: the list of screens, the sandbox with its clock, the palette, the calls of the page, its
 * questions and its messages.
 */
import { computed, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { CLOCK_ACTIONS, FREEZE, RUN, SANDBOX_ACTIONS } from './actions.ts';
import {
  apiKey,
  BASE,
  calls,
  curlOf,
  give,
  isReachable,
  isRefused,
  makeSandbox,
  sandboxName,
  wanted,
} from './bank.ts';
import { audit, verifyBooks } from './books.ts';
import { ClockDialog } from './clock.tsx';
import { Dialogs } from './dialog.tsx';
import { useLive } from './live.ts';
import { Palette } from './palette.tsx';
import { Act, Copy, message, Status, When } from './parts.tsx';
import { SCREENS } from './screens.ts';
import { Help, isHelpOpen, isPaletteOpen, shortcut } from './shortcuts.tsx';
import { streamState } from './stream.ts';
import { type Trace, trace } from './trace.ts';

const THEME = 'sandbank-theme';
const theme = signal(localStorage.getItem(THEME) ?? '');
const isDrawerOpen = signal(false);
const themeName = computed(() => theme.value || 'system');

function applyTheme(): void {
  if (theme.value === '') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}
applyTheme();

function nextTheme(): void {
  theme.value = { '': 'light', light: 'dark', dark: '' }[theme.value] ?? '';
  localStorage.setItem(THEME, theme.value);
  applyTheme();
}

/** Sets the title to the screen and moves the focus to its heading after a navigation. */
function useScreen(path: string): void {
  const isFirst = useRef(true);
  useEffect(() => {
    let isOver = false;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    // The list of the screens scrolls on a telephone.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    const look = (): void => {
      const heading = document.querySelector<HTMLElement>('main h1, main .failure h2');
      if (isOver) return;
      if (heading === null) {
        setTimeout(look, 50);
        return;
      }
      document.title = `${heading.innerText.replace(/\s+/g, ' ')} · ${sandboxName.value} · Sandbank`;
      if (wasFirst || document.querySelector('dialog[open]') !== null) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    };
    setTimeout(look, 0);
    return () => {
      isOver = true;
    };
  }, [path]);
}

export function Layout({ children }: { children: ComponentChildren }) {
  const [path] = useLocation();
  useScreen(path);
  // Registered before the page is painted, so that a key counts as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        isPaletteOpen.value = true;
      } else shortcut(event);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="layout" data-stream={streamState.value}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <nav aria-label="Screens">
        <strong class="brand">Sandbank</strong>
        <ul>
          {SCREENS.map(({ path: to, title }) => {
            const isHere = to === '/' ? path === '/' : path.startsWith(to);
            return (
              <li key={to}>
                <Link href={to} aria-current={isHere ? 'page' : undefined}>
                  {title}
                </Link>
              </li>
            );
          })}
        </ul>
        {trace === null && (
          <p class="foot">
            <a href="/docs/">Documentation</a>
          </p>
        )}
      </nav>
      {trace !== null && <TraceHead trace={trace} />}
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Bad />
        {wanted.value === null && children}
      </main>
      {isDrawerOpen.value && <Drawer />}
      {isPaletteOpen.value && <Palette close={() => (isPaletteOpen.value = false)} />}
      {wanted.value !== null && <Asking what={wanted.value} />}
      <div class="messages" role="status">
        {message.value !== null && (
          <p class={message.value.kind}>
            {message.value.text}{' '}
            {message.value.remedy !== undefined && (
              <Act label={message.value.remedy.label} run={message.value.remedy.run} />
            )}{' '}
            <button
              type="button"
              class="plain"
              aria-label="Close the message"
              onClick={() => {
                message.value = null;
              }}
            >
              ✕
            </button>
          </p>
        )}
      </div>
      <Dialogs />
      <ClockDialog />
      {isHelpOpen.value && <Help />}
    </div>
  );
}

/** The errors that prevent a screen, each with advice. */
function Bad() {
  if (!isReachable.value) {
    return (
      <div class="failure stays" role="alert">
        <strong>The bank does not answer.</strong>
        <p>
          It may have been stopped. Start it again with <code>sandbank start</code>; this page then
          reconnects.
        </p>
      </div>
    );
  }
  if (streamState.value === 'deleted') {
    return (
      <div class="failure stays" role="alert">
        <strong>The sandbox {sandboxName.value} was deleted.</strong>
        <p>
          <a href={`${BASE}/default`}>Go to the default sandbox</a>{' '}
          <Act label="Create it again" run={makeSandbox} />
        </p>
      </div>
    );
  }
  if (streamState.value === 'lost') {
    return (
      <p class="notice stays" role="status">
        The connection was lost. Reconnecting …
      </p>
    );
  }
  return null;
}

/** The test of a trace, and why it failed. */
function TraceHead({ trace: { test, error, made_at, program } }: { trace: Trace }) {
  return (
    <section class="trace" aria-label="The test">
      <h2>{test === '' ? 'Trace' : `Failed: ${test}`}</h2>
      {error !== '' && <pre>{error}</pre>}
      <p class="soft">
        Created {made_at.replace('T', ' ').slice(0, 19)} UTC by Sandbank {program}. Read-only; secrets and
        numbers are masked.
      </p>
    </section>
  );
}

function TopBar() {
  const clock = useLive((bank) => bank.sandbox.retrieveClock(), [], ['request']);
  // On a telephone the buttons are behind one of their own.
  const [isOpen, setOpen] = useState(false);
  return (
    <header class={isOpen ? 'top open' : 'top'}>
      <SandboxSwitch />
      <Clock mode={clock.data?.mode ?? ''} now={clock.data?.now ?? ''} rate={clock.data?.rate ?? 0} />
      <button type="button" class="narrow-only" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Menu
      </button>
      <BooksBadge />
      <span class="actions">
        <TimeActions isFrozen={clock.data?.mode === 'frozen'} />
        {SANDBOX_ACTIONS.map(({ label, run }) => (
          <Act key={label} label={label} run={run} />
        ))}
      </span>
      <span class="tools">
        <button type="button" onClick={() => (isPaletteOpen.value = true)} aria-keyshortcuts="Control+K">
          Find <kbd>Ctrl K</kbd>
        </button>
        {trace === null && (
          <button
            type="button"
            onClick={() => (isDrawerOpen.value = !isDrawerOpen.value)}
            aria-expanded={isDrawerOpen.value}
          >
            Calls
          </button>
        )}
        <button
          type="button"
          onClick={nextTheme}
          title={`Theme: ${themeName.value}`}
          aria-label={`Theme: ${themeName.value}`}
        >
          ◐
        </button>
      </span>
    </header>
  );
}

const AUDIT_AFTER_MS = 1_000;

/** A link to the last audit that shows whether the books balance. */
function BooksBadge() {
  const of = apiKey.value;
  useEffect(() => {
    audit.value = null;
    // The audit reads the whole bank, so the requests of the screen come first.
    const timer = setTimeout(() => verifyBooks().catch(() => {}), AUDIT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [of]);
  const found = audit.value;
  if (found === null) return null;
  return (
    <Link href="/books" class="badge" title={`Audited at ${found.at}`}>
      <Status of={found.result.balanced ? 'books balance' : 'books do not balance'} />
    </Link>
  );
}

function SandboxSwitch() {
  const list = useLive((bank) => bank.sandbox.listSandboxes(), [], ['sandboxes']);
  const names = list.data?.sandboxes.map(({ name }) => name) ?? [];
  const all = names.includes(sandboxName.value) ? names : [sandboxName.value, ...names];
  return (
    <label class="sandbox">
      <span>Sandbox</span>
      <select
        value={sandboxName.value}
        onChange={({ currentTarget }) =>
          location.assign(`${BASE}/${encodeURIComponent(currentTarget.value)}`)
        }
      >
        {all.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** The clock of the sandbox, which continues between two updates. */
function Clock({ mode, now, rate }: { mode: string; now: string; rate: number }) {
  const [, tick] = useState(0);
  const since = useRef({ now: '', at: 0 });
  if (since.current.now !== now) since.current = { now, at: performance.now() };
  useEffect(() => {
    const timer = setInterval(() => tick((value) => value + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  if (now === '') return <span class="clock soft">…</span>;
  const shown = new Date(Date.parse(now) + (performance.now() - since.current.at) * rate).toISOString();
  return (
    <span class="clock" title="The clock of the sandbox, in UTC and in New York">
      <When at={shown.replace(/\.\d+/, '')} isLong />{' '}
      <span class="soft">{mode === 'scaled' ? `${rate} times as fast` : mode}</span>
    </span>
  );
}

function TimeActions({ isFrozen }: { isFrozen: boolean }) {
  return (
    <>
      {[isFrozen ? RUN : FREEZE, ...CLOCK_ACTIONS].map(({ label, run }, place) => (
        <Act key={place === 0 ? 'mode' : label} label={label} run={run} />
      ))}
    </>
  );
}

/** The calls of the page as lines for a shell. It has the focus while it is open; Escape closes it. */
function Drawer() {
  const drawer = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    drawer.current?.focus();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const close = (): void => {
    isDrawerOpen.value = false;
  };
  const own = calls.value.filter(({ method }) => method !== 'GET');
  const shown =
    own.length > 0 ? [...own, ...calls.value.filter(({ method }) => method === 'GET')] : calls.value;
  return (
    <aside
      class="drawer"
      aria-label="API calls of this page"
      ref={drawer}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <header>
        <h2>API calls of this page</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <p class="soft">With these lines a script can repeat what you do on this page.</p>
      <ol>
        {shown.slice(0, 60).map((call) => (
          <li key={call.number}>
            <span>
              <Status of={call.status} /> {call.method} {call.ms} ms{' '}
              <Copy text={curlOf(call)} label="Copy as curl" />
            </span>
            <code>{curlOf(call)}</code>
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** Asks for the token of the control plane, or the key of a sandbox. */
function Asking({ what }: { what: 'token' | 'key' }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  useEffect(() => dialog.current?.showModal(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    give(what, text.trim());
  };
  return (
    <dialog ref={dialog} class="asking" onCancel={(event) => event.preventDefault()} aria-labelledby="asking">
      <form onSubmit={submit}>
        <h2 id="asking">
          {what === 'token' ? 'Control token' : `There is no sandbox called ${sandboxName.value}`}
        </h2>
        <p>
          {what === 'token'
            ? 'This bank can be reached from other machines, so it needs its control token: the value of SANDBANK_CONTROL_TOKEN, or the token that the bank printed when it started.'
            : 'Create it, or enter its key if it was created with a random key.'}
        </p>
        {isRefused.value && (
          <p class="failure" role="alert">
            {what === 'token' ? 'The bank refused this token.' : 'No sandbox of this name has this key.'}
          </p>
        )}
        {what === 'key' && (
          <div class="buttons">
            <Act label="Create it" kind="main" run={makeSandbox} />
            <a href={`${BASE}/default`}>Go to the default sandbox</a>
          </div>
        )}
        <label>
          {what === 'token' ? 'Control token' : 'Key'}
          <input
            type="password"
            autocomplete="off"
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <button type="submit" class={what === 'token' ? 'main' : ''} disabled={text.trim() === ''}>
          Open
        </button>
        <p class="soft">The browser keeps it until you close this tab.</p>
      </form>
    </dialog>
  );
}
