/** The dialog that advances the clock: it shows the scheduled work before, and the results afterwards. */
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { client, explain } from './bank.ts';
import { bankDayAt, fromNewYork } from './bank-day.ts';
import { ChoiceField, TextField } from './fields.tsx';
import { Name } from './name.tsx';
import { counted, Empty, Id, Status, say, When } from './parts.tsx';
import { touchAll } from './stream.ts';
import { Timers } from './upcoming.tsx';

export type Travel = Awaited<ReturnType<(typeof client)['value']['sandbox']['advanceClock']>>;

const isOpen = signal(false);
const outcome = signal<Travel | null>(null);

export function openClock(): void {
  outcome.value = null;
  isOpen.value = true;
}

const WHYS: Readonly<Record<string, string>> = {
  in_flight: 'a receiver has not responded',
  commit_failed: 'the result of a delivery could not be written',
  write_failed: 'data could not be written',
  deadline: 'there was more to do than the deadline allowed',
};

/** Why an advance ended early, in words; `''` when it did not. */
function stopOf({ stopped_by: stop, problem }: Pick<Travel, 'stopped_by' | 'problem'>): string {
  if (stop === null) return problem;
  return `The clock stopped early: ${WHYS[stop.reason] ?? stop.reason}. ${problem}`.trim();
}

const titleOf = ({ from, clock }: Travel): string =>
  from === clock.now ? 'The clock did not move' : 'Clock advanced';

function countsOf({ transitions, events, deliveries }: Travel): string {
  return [
    counted(transitions.length, 'payment step'),
    counted(events.length, 'event'),
    counted(deliveries.length, 'delivery attempt'),
  ].join(', ');
}

/** Shows the results of an advance until the user closes them. */
export function report(travel: Travel): void {
  const stop = stopOf(travel);
  const done = countsOf(travel);
  say(stop === '' ? done : `${stop} Until then: ${done}.`, stop === '' ? 'good' : 'waiting', {
    label: 'Show',
    async run() {
      outcome.value = travel;
      isOpen.value = true;
    },
  });
  touchAll();
}

const WAYS = {
  '1 hour': { by: 'PT1H' },
  '1 day': { by: 'P1D' },
  'the next banking day': { business_days: '1' },
  '3 banking days': { business_days: '3' },
  '1 week': { by: 'P7D' },
  '30 days': { by: 'P30D' },
} as const;
const MORNING = 'the next banking day, 10:00 in New York';
const TIME = 'a time';
type Way = keyof typeof WAYS | typeof MORNING | typeof TIME;

/** 10:00 in New York on the next banking day. */
async function nextMorning(): Promise<string> {
  const { sandbox } = client.value;
  const today = bankDayAt((await sandbox.retrieveClock()).now);
  const { days } = await sandbox.retrieveCalendar({ query: { from: today } });
  const next = days.find(({ date, banking_day: isOpenDay }) => isOpenDay && date > today);
  return next === undefined ? '' : fromNewYork(`${next.date} 10:00`);
}

/** The dialog, while it is open. */
export function ClockDialog() {
  return isOpen.value ? <Open /> : null;
}

function Open() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [way, setWay] = useState<Way>('1 day');
  const [until, setUntil] = useState('');
  const [typed, setTyped] = useState('');
  const [preview, setPreview] = useState<Preview>();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  const [path] = useLocation();
  const begun = useRef(path);
  useEffect(() => {
    if (path !== begun.current) isOpen.value = false;
  }, [path]);
  const target = way === MORNING || way === TIME ? { until } : WAYS[way];
  const isKnown = !('until' in target) || until !== '';
  const isPast = isKnown && 'until' in target && preview !== undefined && until < preview.clock.now;
  const wrong =
    way === TIME && !isKnown && typed.trim() !== ''
      ? `${typed.trim()} is not a time.`
      : isPast
        ? 'The clock is past this time. Only PUT /_sandbox/clock sets it back.'
        : problem;
  const choose = (next: Way): void => {
    setWay(next);
    setUntil('');
    setTyped('');
    setProblem('');
    if (next === MORNING) nextMorning().then(setUntil, (error) => setProblem(explain(error).title));
  };
  useEffect(() => {
    if (!isKnown || outcome.value !== null) return undefined;
    // The answer for an earlier time may come after the one for this time.
    let isOver = false;
    client.value.sandbox.listTimers({ query: { ...target, limit: '200' } }).then(
      (found) => {
        if (isOver) return;
        setPreview(found);
        setProblem('');
      },
      (error) => {
        if (!isOver) setProblem(explain(error).title);
      },
    );
    return () => {
      isOver = true;
    };
  }, [way, until]);
  const advance = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const body =
      'until' in target
        ? { to: target.until }
        : 'by' in target
          ? { by: target.by }
          : { business_days: Number(target.business_days) };
    try {
      outcome.value = await client.value.sandbox.advanceClock({ body });
      touchAll();
    } catch (error) {
      setProblem(explain(error).title);
    } finally {
      setBusy(false);
    }
  };
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="asking wide" aria-labelledby="clock-title" onCancel={close}>
      <form onSubmit={advance}>
        <h2 id="clock-title">{outcome.value === null ? 'Advance the clock' : titleOf(outcome.value)}</h2>
        {outcome.value === null ? (
          <>
            <div class="form">
              <ChoiceField
                label="By"
                value={way}
                set={choose}
                all={[...(Object.keys(WAYS) as Way[]), MORNING, TIME]}
              />
              {way === TIME && (
                <TextField
                  label="New York, like 2026-12-01 10:00; or UTC, like 2026-12-01T15:00Z"
                  isWide
                  value={typed}
                  set={(text) => {
                    setTyped(text);
                    const instant = fromNewYork(text.trim());
                    const isTime = !Number.isNaN(Date.parse(instant));
                    setUntil(isTime ? instant : '');
                    setProblem('');
                  }}
                />
              )}
            </div>
            {wrong !== '' && (
              <p class="failure" role="alert">
                {wrong}
              </p>
            )}
            {isKnown && preview !== undefined && wrong === '' && <Before of={preview} />}
          </>
        ) : (
          <After of={outcome.value} />
        )}
        <div class="buttons">
          <button type="button" onClick={close}>
            {outcome.value === null ? 'Cancel' : 'Close'}
          </button>
          {outcome.value === null && (
            <button type="submit" class="main" aria-busy={isBusy} disabled={isBusy || !isKnown || isPast}>
              Advance
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

type Preview = Awaited<ReturnType<(typeof client)['value']['sandbox']['listTimers']>>;

function Before({ of: { until, timers, days, more } }: { of: Preview }) {
  return (
    <section aria-label="Preview">
      <p>
        Until <When at={until} isLong />: {timers.length}
        {more ? ' or more' : ''} scheduled
        {timers.length === 1 ? ' step or retry' : ' steps and retries'}, and their effects.
      </p>
      <p class="soft" id="preview-days">
        Banking days in New York, each with the number of its steps and retries:
      </p>
      <ul class="days" aria-labelledby="preview-days">
        {days.slice(0, 31).map(({ date, banking_day: isOpenDay, holiday, timers: count }) => (
          <li
            key={date}
            class={isOpenDay ? '' : 'off'}
            title={isOpenDay ? 'banking day' : holiday || 'weekend'}
          >
            {date.slice(5)} {count > 0 && <strong>{count}</strong>}
            {!isOpenDay && <span class="hidden"> {holiday || 'no banking day'}</span>}
          </li>
        ))}
      </ul>
      <div class="short">
        <Timers of={timers} />
      </div>
    </section>
  );
}

function After({ of }: { of: Travel }) {
  const stop = stopOf(of);
  const { transitions, deliveries, from, clock, stopped_by: by } = of;
  return (
    <section aria-label="Results">
      <p>
        From <When at={from} isLong /> to <When at={clock.now} isLong />: {countsOf(of)}.
      </p>
      {stop !== '' && (
        <p class="notice" role="status">
          {stop} {by !== null && by.webhook_id !== '' && <Name id={by.webhook_id} />}{' '}
          {by !== null && by.event_id !== '' && <Id id={by.event_id} />}
        </p>
      )}
      {stop === '' && transitions.length === 0 && deliveries.length === 0 && <Empty>Nothing was due.</Empty>}
      <div class="short">
        <ul class="plain-list">
          {transitions.map(({ transaction_id: id, rail, from: before, to, at }, place) => (
            <li key={`${id} ${place}`}>
              <When at={at} isLong /> {rail.replaceAll('_', ' ')} {before ?? 'new'} → <Status of={to} />{' '}
              <Id id={id} />
            </li>
          ))}
          {deliveries.map(({ event_id: id, type, at, status, attempt }, place) => (
            <li key={`${id} ${place}`}>
              <When at={at} isLong /> delivery of {type}, attempt {attempt} <Status of={status} />{' '}
              {id !== null && <Id id={id} />}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
