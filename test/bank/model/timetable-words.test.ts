// The timetable in words says what the timetable does. A small reader of the words computes the time of every step for
// every day of two years, at times around every cut-off, and the timetable must agree.

import { expect, test } from 'vitest';
import {
  addBankingDays,
  dateIn,
  EASTERN,
  instantAt,
  isBankingDay,
  nextBankingDay,
  onOrAfterBankingDay,
  PACIFIC,
} from '../../../src/bank/kernel/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/bank/kernel/time.ts';
import {
  dueAt,
  effectiveDate,
  isSameDay,
  STEPS,
  timeWords,
  type When,
} from '../../../src/bank/model/timetable.ts';

interface Terms {
  sameDay: boolean;
  effectiveDate: string;
}
type Reader = (match: readonly string[], now: number, terms: Terms) => number;

const wordsOf = (when: When): string => timeWords(when, 'calendar');
const timesIn = (text = ''): string[] => text.match(/\d\d:\d\d/g) ?? [];
const pacific = (date: string, time = ''): number => instantAt(PACIFIC, date, time);
const eastern = (date: string, time = ''): number => instantAt(EASTERN, date, time);
const COUNT: Record<string, number> = { two: 2, three: 3, five: 5 };

/** The first of the times that is later than `now`, on a banking day. */
function nextOf(times: readonly string[], now: number): number {
  const day = onOrAfterBankingDay(dateIn(PACIFIC, now));
  const today = times.map((time) => pacific(day, time)).find((time) => time > now);
  return today ?? pacific(nextBankingDay(day), times[0]);
}

/** What each form of words means. */
const FORMS: readonly [RegExp, Reader][] = [
  [/^at once$/, (_, now) => now],
  [/^after (\d+) days$/, ([, days], now) => now + Number(days) * DAY_MS],
  [/^after (\d+) seconds$/, ([, seconds], now) => now + Number(seconds) * SECOND_MS],
  [
    /^the next (?:window|file): (.*) Pacific on a banking day$/,
    ([, times], now) => nextOf(timesIn(times), now),
  ],
  [
    /^after a minute, or just before the next (window|file) if that is earlier$/,
    ([, what], now) => {
      const next = wordsOf(what === 'window' ? 'ach_send' : 'check_deposit_send');
      return Math.min(now + MINUTE_MS, nextOf(timesIn(next), now) - 1);
    },
  ],
  [
    /^after a minute, or at (\S+) Pacific on a banking day if that is earlier$/,
    ([, time], now) => {
      const today = dateIn(PACIFIC, now);
      const cutOff = pacific(today, time);
      return isBankingDay(today) && now <= cutOff ? Math.min(now + MINUTE_MS, cutOff) : now + MINUTE_MS;
    },
  ],
  [
    /^(\S+) Eastern on the effective date; same-day at (.*), if it is sent by (.*)$/,
    ([, time, at, by], now, { sameDay, effectiveDate }) => {
      const place = timesIn(by).findIndex((deadline) => now <= eastern(effectiveDate, deadline));
      return eastern(effectiveDate, sameDay ? timesIn(at).at(place) : time);
    },
  ],
  [
    /^(\S+) Eastern on the effective date; same-day at the next (.*)$/,
    ([, time, at], now, { sameDay, effectiveDate }) => {
      const times = timesIn(at);
      const next = times.find((one) => now <= eastern(effectiveDate, one)) ?? times.at(-1);
      return eastern(effectiveDate, sameDay ? next : time);
    },
  ],
  [
    /^(\S+) Eastern, (\w+) banking days after the effective date$/,
    ([, time, days = ''], _, { effectiveDate }) =>
      eastern(addBankingDays(effectiveDate, COUNT[days] ?? 0), time),
  ],
  [
    /^(\S+) Eastern, (\w+) banking days later$/,
    ([, time, days = ''], now) => eastern(addBankingDays(dateIn(PACIFIC, now), COUNT[days] ?? 0), time),
  ],
  [
    /^(\S+) Eastern on the next banking day$/,
    ([, time], now) => eastern(nextBankingDay(dateIn(PACIFIC, now)), time),
  ],
  [
    /^at once from (\S+) to (\S+) Pacific on a banking day, before at \1, otherwise at (\S+) Pacific on the next banking day$/,
    ([, from, to, opens], now) => {
      const today = dateIn(PACIFIC, now);
      const isOpen = isBankingDay(today) && now <= pacific(today, to);
      return isOpen ? Math.max(now, pacific(today, from)) : pacific(nextBankingDay(today), opens);
    },
  ],
  [
    /^after 30 minutes; after (\S+) Pacific or on a day without banks, at (\S+) Pacific on the next banking day$/,
    ([, closes, opens], now) => wireAt(now + 30 * MINUTE_MS, closes, opens),
  ],
  [
    /^at once until (\S+) Pacific on a banking day, otherwise at (\S+) Pacific on the next banking day$/,
    ([, closes, opens], now) => wireAt(now, closes, opens),
  ],
];

function wireAt(instant: number, closes = '', opens = ''): number {
  const day = dateIn(PACIFIC, instant);
  const isOpen = isBankingDay(day) && instant < pacific(day, closes);
  return isOpen ? instant : pacific(nextBankingDay(day), opens);
}

/** The reader of each step's words. A step is never earlier than the time at which it becomes possible. */
const READERS = STEPS.map((when) => {
  for (const [form, reader] of FORMS) {
    const match = form.exec(wordsOf(when));
    if (match === null) continue;
    const read = (now: number, terms: Terms): number => Math.max(now, reader(match, now, terms));
    return { when, read, isAch: when.startsWith('ach_') };
  }
  throw new Error(`no reader for the words of ${when}: ${wordsOf(when)}`);
});

/** The times of day at which something changes, each also a moment before. */
const MINUTES = [...new Set(STEPS.flatMap((when) => timesIn(wordsOf(when))))].map((time) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
});

test.each([2027, 2028])('the words of every step agree with the timetable on every day of %i', (year) => {
  const wrong: string[] = [];
  const start = Date.UTC(year, 0, 1);
  for (let day = start; day < Date.UTC(year + 1, 0, 1); day += DAY_MS) {
    const moments = MINUTES.flatMap((minutes) =>
      // In Pacific and Eastern time, in winter and in summer.
      [4, 5, 7, 8].flatMap((offset) => {
        const instant = day + minutes * MINUTE_MS + offset * HOUR_MS;
        return [instant - 1, instant];
      }),
    );
    for (const now of moments) {
      for (const isRequested of [false, true]) {
        const sameDay = isSameDay(now, isRequested, 0);
        const terms = { sameDay, effectiveDate: effectiveDate(now, sameDay, '') };
        for (const { when, read, isAch } of READERS) {
          if (isRequested && !isAch) continue;
          const [said, done] = [read(now, terms), dueAt(when, 'calendar', now, terms)];
          if (said !== done) wrong.push(`${when} at ${new Date(now).toISOString()}: ${said} ${done}`);
        }
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});
