/** The scheduled work: the next steps of payments and retries of deliveries, with the days without settlement. */
import { useComputed } from '@preact/signals';
import { bankDayAt } from './bank-day.ts';
import { useLive } from './live.ts';
import { Sentence } from './name.tsx';
import { Box, Id, When } from './parts.tsx';
import { items } from './stream.ts';

/** Shows fewer rows, so that the activity starts further up. */
const SHOWN = 1;
const DAYS = 7;

export function Upcoming() {
  const loaded = useLive(
    (bank) => bank.sandbox.listTimers({ query: { limit: '50' } }),
    [],
    ['transaction', 'holder', 'attempt'],
  );
  // The days change when a day has passed, or when the page moves the clock.
  const latest = useComputed(() => items.value.at(-1)?.at ?? '').value;
  const now = latest || (loaded.data?.clock.now ?? '');
  const day = now === '' ? '' : bankDayAt(now);
  const calendar = useLive(
    async (bank) => (day === '' ? null : bank.sandbox.retrieveCalendar({ query: { from: day } })),
    [day],
    ['calendar'],
  );
  const timers = loaded.data?.timers ?? [];
  const days = calendar.data?.days.slice(0, DAYS) ?? [];
  return (
    <Box
      kind="next"
      title={`Scheduled${timers.length === 0 ? '' : ` (${timers.length === 50 ? '50 or more' : timers.length})`}`}
      aside={
        <div class="days-of">
          <span class="soft" id="next-days">
            Banking days in New York
          </span>
          <ul class="days" aria-labelledby="next-days">
            {days.map(({ date, banking_day: isOpen, holiday }) => (
              <li
                key={date}
                class={isOpen ? '' : 'off'}
                title={isOpen ? 'banking day' : holiday || 'weekend'}
              >
                {dayName(date)} {date.slice(8)}
                {!isOpen && <span class="hidden"> {holiday || 'no banking day'}</span>}
              </li>
            ))}
          </ul>
        </div>
      }
    >
      {timers.length > 0 && <Timers of={timers.slice(0, SHOWN)} />}
      {timers.length > SHOWN && (
        <details>
          <summary>{timers.length - SHOWN} more</summary>
          <Timers of={timers.slice(SHOWN)} />
        </details>
      )}
      {timers.length === 0 && (
        <p class="soft">
          {loaded.data === undefined
            ? 'Loading …'
            : 'Nothing is scheduled: no payment has a next step and no delivery waits for a retry.'}
        </p>
      )}
    </Box>
  );
}

const dayName = (date: string): string =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });

/** Scheduled steps and retries, each with its effect. */
export function Timers({
  of,
}: {
  of: readonly {
    readonly due_at: string;
    readonly subject: string;
    readonly does: string;
  }[];
}) {
  return (
    <ul class="plain-list">
      {of.map(({ due_at: at, subject, does }) => (
        <li key={`${at} ${subject} ${does}`}>
          <When at={at} /> · <Sentence text={does} /> <Id id={subject} />
        </li>
      ))}
    </ul>
  );
}
