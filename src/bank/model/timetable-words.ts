/**
 * The timetable in words, for the documents and the inspector: when the bank takes a step after the step has become
 * possible. The rows are those of `timetable.ts`.
 */
import { DAY_MS, SECOND_MS } from '../kernel/time.ts';
import { dueAt, type RailsProfile, type When } from './timetable.ts';

const NO_ACH = { sameDay: false, effectiveDate: '' };

/** When the bank takes each step with the rails `calendar`. */
export const CALENDAR_WORDS: Readonly<Record<When, string>> = {
  ach_submit: 'after a minute, or at the cut-off of the next window if that is earlier',
  ach_send: 'the next window: 05:15, 08:15, 12:15 or 16:15 Pacific on a banking day',
  ach_clear: '08:30 Eastern on the effective date; same-day payments at 16:00',
  ach_settle_push: '08:30 Eastern on the effective date; same-day payments at 17:00',
  ach_settle_pull: '08:30 Eastern, two banking days after the effective date',
  ach_receive: 'at once',
  wire_submit: 'after a minute, or at 12:00 Pacific if that is earlier',
  wire_send: 'at once from 06:00 to 12:00 Pacific on a banking day, otherwise when the network next opens',
  wire_clear: 'after 30 minutes; after 16:00 Pacific, when the network next opens',
  wire_settle: 'after 30 minutes; after 16:00 Pacific, when the network next opens',
  wire_receive: 'at once until 16:00 Pacific on a banking day, otherwise when the network next opens',
  immediately: 'at once',
  check_mail: '08:30 Eastern, two banking days later',
  check_cash: '08:30 Eastern, five banking days later',
  check_deposit_submit: 'after a minute, or at the cut-off of the next file if that is earlier',
  check_deposit_send: 'the next file: 16:00 Pacific on a banking day',
  check_deposit_settle: '08:30 Eastern, three banking days later',
  card_expire: 'after 7 days',
  card_settle: '08:30 Eastern on the next banking day',
  dispute_decide: 'after 90 days',
  verification: 'after 8 seconds',
};

/** When the bank takes a step with the rails `fast`. */
export function fastWords(when: When): string {
  const wait = dueAt(when, 'fast', 0, NO_ACH) ?? 0;
  if (wait === 0) return 'at once';
  if (wait === DAY_MS) return 'after 1 day';
  if (wait % DAY_MS === 0) return `after ${wait / DAY_MS} days`;
  return `after ${wait / SECOND_MS} s`;
}

/** When the bank takes a step in a profile; `''` in `manual`, where no step is scheduled. */
export function timeWords(when: When, profile: RailsProfile): string {
  if (profile === 'manual') return '';
  return profile === 'fast' ? fastWords(when) : CALENDAR_WORDS[when];
}
