/**
 * The timetable in words, for pages and people: when a step is taken that has become possible. The rows are those of
 * `timetable.ts`.
 */
import { DAY_MS, SECOND_MS } from '../kernel/time.ts';
import { dueAt, type RailsProfile, type When } from './timetable.ts';

const NO_ACH = { sameDay: false, effectiveDate: '' };

/** When each step is taken in the profile `calendar`. */
export const CALENDAR_WORDS: Readonly<Record<When, string>> = {
  ach_submit: 'a minute later, but in time for the window that it was in time for',
  ach_send: 'the next window: 05:15, 08:15, 12:15 or 16:15 Pacific on a banking day',
  ach_clear: '08:30 Eastern on the effective date; a same-day one 16:00',
  ach_settle_push: '08:30 Eastern on the effective date; a same-day one 17:00',
  ach_settle_pull: '08:30 Eastern two banking days after the effective date',
  ach_receive: 'at once',
  wire_submit: 'a minute later, but in time for noon',
  wire_send: 'at once from 06:00 to 12:00 Pacific on a banking day, else at the next opening',
  wire_clear: '30 minutes later; after 16:00 Pacific at the next opening',
  wire_settle: '30 minutes later; after 16:00 Pacific at the next opening',
  wire_receive: 'at once until 16:00 Pacific on a banking day, else at the next opening',
  immediately: 'at once',
  check_mail: '08:30 Eastern two banking days later',
  check_cash: '08:30 Eastern five banking days later',
  check_deposit_submit: 'a minute later, but in time for the file that it was in time for',
  check_deposit_send: 'the next file: 16:00 Pacific on a banking day',
  check_deposit_settle: '08:30 Eastern three banking days later',
  card_expire: '7 days later',
  card_settle: '08:30 Eastern on the next banking day',
  verification: '8 seconds later',
};

/** When a step is taken in the profile `fast`. */
export function fastWords(when: When): string {
  const wait = dueAt(when, 'fast', 0, NO_ACH) ?? 0;
  if (wait === 0) return 'at once';
  if (wait === DAY_MS) return 'a day later';
  if (wait % DAY_MS === 0) return `${wait / DAY_MS} days later`;
  return `${wait / SECOND_MS} s later`;
}

/** When a step is taken in a profile; `''` in `manual`, where none is by itself. */
export function timeWords(when: When, profile: RailsProfile): string {
  if (profile === 'manual') return '';
  return profile === 'fast' ? fastWords(when) : CALENDAR_WORDS[when];
}
