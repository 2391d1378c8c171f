// The timetable: when a payment proceeds and when the money is available. Instants are in Pacific or Eastern Time
// with their offset, so that readers can check them. The order of steps in every table is also tested with random
// instants of six years.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateIn, isBankingDay, PACIFIC } from '../../../src/bank/kernel/calendar.ts';
import {
  dueAt,
  effectiveDate,
  effectiveDateOfReceived,
  isSameDay,
  type RailsProfile,
  type When,
} from '../../../src/bank/model/timetable.ts';

const STEPS: Record<string, When[]> = {
  'ACH push': ['ach_submit', 'ach_send', 'ach_clear', 'ach_settle_push'],
  'ACH pull': ['ach_submit', 'ach_send', 'ach_clear', 'ach_settle_pull'],
  'incoming ACH': ['ach_receive'],
  wire: ['wire_submit', 'wire_send', 'wire_clear', 'wire_settle'],
  'incoming wire': ['wire_receive'],
  'instant payment': ['immediately'],
  'sent check': ['check_mail', 'check_cash'],
  'deposited check': ['check_deposit_submit', 'check_deposit_send', 'check_deposit_settle'],
  'card hold': ['card_expire'],
  'test spend': ['card_settle'],
  verification: ['verification'],
};
const EVERY_STEP = [...new Set(Object.values(STEPS).flat())];
const DAY_MS = 86_400_000;

const at = (text: string) => Date.parse(text);
const NO_ACH = { sameDay: false, effectiveDate: '' };

/** The steps of a rail, each at the instant at which the previous one was due. */
function walk(
  rail: string,
  now: number,
  options: { sameDay?: boolean; requestedDate?: string; profile?: RailsProfile } = {},
) {
  const sameDay = isSameDay(now, options.sameDay ?? false, 100);
  const context = { sameDay, effectiveDate: effectiveDate(now, sameDay, options.requestedDate ?? '') };
  const instants: number[] = [];
  for (const when of STEPS[rail] ?? []) {
    const due = dueAt(when, options.profile ?? 'calendar', instants.at(-1) ?? now, context);
    if (due === null) break;
    instants.push(due);
  }
  return instants;
}

const walkFrom = (rail: string, text: string, options?: Parameters<typeof walk>[2]) =>
  walk(rail, at(text), options).map((instant) => new Date(instant).toISOString());
const utc = (...texts: string[]) => texts.map((text) => new Date(at(text)).toISOString());
const due = (when: When, text: string) => dueAt(when, 'calendar', at(text), NO_ACH);

describe('an ACH', () => {
  test('leaves in the next window, clears and settles on the next banking morning', () => {
    expect(walkFrom('ACH push', '2026-03-04T10:00:00-08:00')).toEqual(
      utc(
        '2026-03-04T10:01:00-08:00',
        '2026-03-04T12:15:00-08:00',
        '2026-03-05T08:30:00-05:00',
        '2026-03-05T08:30:00-05:00',
      ),
    );
  });

  test('leaves in each of the four windows of the day, or in the first one of the next', () => {
    const send = (text: string) => walkFrom('ACH push', text)[1];
    expect(send('2026-03-04T00:00:00-08:00')).toBe('2026-03-04T13:15:00.000Z');
    expect(send('2026-03-04T05:14:59.999-08:00')).toBe('2026-03-04T13:15:00.000Z');
    expect(send('2026-03-04T05:15:00.000-08:00')).toBe('2026-03-04T16:15:00.000Z');
    expect(send('2026-03-04T08:15:00.000-08:00')).toBe('2026-03-04T20:15:00.000Z');
    expect(send('2026-03-04T12:15:00.000-08:00')).toBe('2026-03-05T00:15:00.000Z');
    expect(send('2026-03-04T16:14:59.999-08:00')).toBe('2026-03-05T00:15:00.000Z');
    expect(send('2026-03-04T16:15:00.000-08:00')).toBe('2026-03-05T13:15:00.000Z');
  });

  test('posts on the banking day after the date of its window', () => {
    expect(effectiveDate(at('2026-03-04T16:14:59.999-08:00'), false, '')).toBe('2026-03-05');
    expect(effectiveDate(at('2026-03-04T16:15:00.000-08:00'), false, '')).toBe('2026-03-06');
    expect(effectiveDate(at('2026-03-04T23:59:59.999-08:00'), false, '')).toBe('2026-03-06');
    expect(effectiveDate(at('2026-03-05T00:00:00.000-08:00'), false, '')).toBe('2026-03-06');
  });

  test('of another bank waits for no window: it posts on the day of its arrival, or on the next banking day', () => {
    const posts = (time: string) => effectiveDateOfReceived(at(time), isSameDay(at(time), true, 1));
    expect(posts('2026-03-04T12:14:59.999-08:00')).toBe('2026-03-04');
    expect(posts('2026-03-04T12:15:00.000-08:00')).toBe('2026-03-05');
    expect(posts('2026-03-04T23:59:59.999-08:00')).toBe('2026-03-05');
    expect(posts('2026-03-07T10:00:00.000-08:00')).toBe('2026-03-09');
  });

  test('waits over the weekend after the last window on Friday', () => {
    expect(walkFrom('ACH push', '2026-01-09T16:15:00-08:00')).toEqual(
      utc(
        '2026-01-09T16:16:00-08:00',
        '2026-01-12T05:15:00-08:00',
        '2026-01-13T08:30:00-05:00',
        '2026-01-13T08:30:00-05:00',
      ),
    );
  });

  test('skips a holiday after the day of its window', () => {
    expect(effectiveDate(at('2026-11-10T10:00:00-08:00'), false, '')).toBe('2026-11-12');
    expect(effectiveDate(at('2026-11-10T17:00:00-08:00'), false, '')).toBe('2026-11-13');
    expect(effectiveDate(at('2026-11-25T10:00:00-08:00'), false, '')).toBe('2026-11-27');
  });

  test('settles on the day after a long weekend, and on Friday if the holiday is a Saturday', () => {
    expect(effectiveDate(at('2026-05-22T10:00:00-07:00'), false, '')).toBe('2026-05-26');
    expect(effectiveDate(at('2026-05-22T17:00:00-07:00'), false, '')).toBe('2026-05-27');
    expect(effectiveDate(at('2027-07-02T10:00:00-07:00'), false, '')).toBe('2027-07-06');
    expect(effectiveDate(at('2026-07-02T10:00:00-07:00'), false, '')).toBe('2026-07-03');
    expect(effectiveDate(at('2026-07-03T10:00:00-07:00'), false, '')).toBe('2026-07-06');
  });

  test('keeps local times over the start of daylight saving time', () => {
    expect(walkFrom('ACH pull', '2026-03-06T16:15:00-08:00')).toEqual([
      '2026-03-07T00:16:00.000Z',
      '2026-03-09T12:15:00.000Z',
      '2026-03-10T12:30:00.000Z',
      '2026-03-12T12:30:00.000Z',
    ]);
    expect(walkFrom('ACH push', '2026-03-06T10:00:00-08:00').slice(1)).toEqual([
      '2026-03-06T20:15:00.000Z',
      '2026-03-09T12:30:00.000Z',
      '2026-03-09T12:30:00.000Z',
    ]);
  });

  test('keeps local times over the end of daylight saving time', () => {
    expect(walkFrom('ACH pull', '2026-10-30T16:15:00-07:00')).toEqual([
      '2026-10-30T23:16:00.000Z',
      '2026-11-02T13:15:00.000Z',
      '2026-11-03T13:30:00.000Z',
      '2026-11-05T13:30:00.000Z',
    ]);
    expect(walkFrom('ACH push', '2026-10-30T10:00:00-07:00').slice(1)).toEqual([
      '2026-10-30T19:15:00.000Z',
      '2026-11-02T13:30:00.000Z',
      '2026-11-02T13:30:00.000Z',
    ]);
  });

  test('pull is available two banking days after its settlement', () => {
    expect(walkFrom('ACH pull', '2026-03-04T10:00:00-08:00').at(-1)).toBe('2026-03-09T12:30:00.000Z');
    expect(walkFrom('ACH pull', '2026-05-20T10:00:00-07:00').at(-1)).toBe('2026-05-26T12:30:00.000Z');
  });

  test('that is incoming posts immediately, also on a Sunday', () => {
    expect(due('ach_receive', '2026-03-08T12:00:00-07:00')).toBe(at('2026-03-08T12:00:00-07:00'));
  });
});

describe('a same-day ACH', () => {
  test('settles on the same day in the window of the clearing house that its file meets: originateAchPush', () => {
    const times = (text: string) => walkFrom('ACH push', text, { sameDay: true }).slice(1);
    expect(times('2026-03-04T04:00:00-08:00')).toEqual(
      utc('2026-03-04T08:15:00-05:00', '2026-03-04T12:00:00-05:00', '2026-03-04T13:00:00-05:00'),
    );
    expect(times('2026-03-04T06:00:00-08:00')).toEqual(
      utc('2026-03-04T11:15:00-05:00', '2026-03-04T16:00:00-05:00', '2026-03-04T17:00:00-05:00'),
    );
    expect(times('2026-03-04T09:00:00-08:00')).toEqual(
      utc('2026-03-04T15:15:00-05:00', '2026-03-04T17:30:00-05:00', '2026-03-04T18:00:00-05:00'),
    );
  });

  test('is sent, cleared and settled on one day', () => {
    expect(walkFrom('ACH push', '2026-03-04T09:00:00-08:00', { sameDay: true })).toEqual(
      utc(
        '2026-03-04T09:01:00-08:00',
        '2026-03-04T12:15:00-08:00',
        '2026-03-04T17:30:00-05:00',
        '2026-03-04T18:00:00-05:00',
      ),
    );
  });

  test('pull is available two banking days later at 08:30 Eastern', () => {
    const pull = walkFrom('ACH pull', '2026-03-04T09:00:00-08:00', { sameDay: true });
    expect(pull.slice(2)).toEqual(utc('2026-03-04T17:30:00-05:00', '2026-03-06T08:30:00-05:00'));
  });

  test('is possible to the millisecond before 12:15 Pacific, and next-day from then on', () => {
    const before = at('2026-03-04T12:14:59.999-08:00');
    expect(isSameDay(before, true, 100)).toBe(true);
    expect(effectiveDate(before, true, '')).toBe('2026-03-04');
    expect(isSameDay(before + 1, true, 100)).toBe(false);
    expect(effectiveDate(before + 1, true, '')).toBe('2026-03-05');
  });

  test('keeps its cut-off in local time in summer', () => {
    expect(isSameDay(at('2026-07-15T19:14:59.999Z'), true, 100)).toBe(true);
    expect(isSameDay(at('2026-07-15T19:15:00.000Z'), true, 100)).toBe(false);
  });

  test('is next-day if it is created on a weekend or a holiday', () => {
    for (const text of ['2026-03-07T09:00:00-08:00', '2026-05-25T09:00:00-07:00']) {
      expect(isSameDay(at(text), true, 100)).toBe(false);
    }
    expect(effectiveDate(at('2026-03-07T09:00:00-08:00'), true, '')).toBe('2026-03-10');
    expect(effectiveDate(at('2026-07-03T09:00:00-07:00'), true, '')).toBe('2026-07-03');
  });

  test('is at most 1,000,000.00; a larger one is next-day', () => {
    const now = at('2026-03-04T09:00:00-08:00');
    expect([1_000_000_00, 1_000_000_01].map((amount) => isSameDay(now, true, amount))).toEqual([true, false]);
  });

  test('must be requested', () => {
    expect(isSameDay(at('2026-03-04T09:00:00-08:00'), false, 100)).toBe(false);
  });
});

describe('a requested effective date', () => {
  const wednesday = at('2026-03-04T10:00:00-08:00');

  test('is used if it is a later banking day', () => {
    expect(effectiveDate(wednesday, false, '2026-03-11')).toBe('2026-03-11');
    expect(effectiveDate(wednesday, true, '2026-03-11')).toBe('2026-03-11');
    expect(walk('ACH push', wednesday, { requestedDate: '2026-03-11' }).at(-1)).toBe(
      at('2026-03-11T08:30:00-04:00'),
    );
  });

  test('moves to the next banking day from a weekend or a holiday', () => {
    expect(effectiveDate(wednesday, false, '2026-03-14')).toBe('2026-03-16');
    expect(effectiveDate(wednesday, false, '2026-05-25')).toBe('2026-05-26');
  });

  test('is ignored if it is past or too early', () => {
    for (const requestedDate of ['2020-01-02', '2026-03-03', '2026-03-04', '2026-03-05']) {
      expect(effectiveDate(wednesday, false, requestedDate)).toBe('2026-03-05');
    }
  });

  test('is refused if the date does not exist', () => {
    expect(() => effectiveDate(wednesday, false, '2026-04-31')).toThrow(RangeError);
  });
});

describe('a wire', () => {
  test('is sent on the same day if it is originated by 12:00 Pacific', () => {
    expect(walkFrom('wire', '2026-03-04T12:00:00.000-08:00')).toEqual(
      utc(
        '2026-03-04T12:00:00-08:00',
        '2026-03-04T12:00:00-08:00',
        '2026-03-04T12:30:00-08:00',
        '2026-03-04T13:00:00-08:00',
      ),
    );
  });

  test('is sent at 06:00 Pacific on the next banking day if it is later', () => {
    expect(walkFrom('wire', '2026-03-06T12:00:00.001-08:00')).toEqual(
      utc(
        '2026-03-06T12:01:00.001-08:00',
        '2026-03-09T06:00:00-07:00',
        '2026-03-09T06:30:00-07:00',
        '2026-03-09T07:00:00-07:00',
      ),
    );
    expect(due('wire_send', '2026-05-23T09:00:00-07:00')).toBe(at('2026-05-26T06:00:00-07:00'));
  });

  test('waits for the opening of the desk if it is originated at night', () => {
    expect(due('wire_send', '2026-03-04T02:00:00-08:00')).toBe(at('2026-03-04T06:00:00-08:00'));
  });

  test('that is sent by a simulation on a Saturday clears when the network opens', () => {
    expect(due('wire_clear', '2026-03-07T10:00:00-08:00')).toBe(at('2026-03-09T06:00:00-07:00'));
  });

  test('that is incoming settles immediately before 16:00 Pacific on a banking day, else at the next opening', () => {
    const before = at('2026-03-06T15:59:59.999-08:00');
    expect(dueAt('wire_receive', 'calendar', before, NO_ACH)).toBe(before);
    expect(due('wire_receive', '2026-03-06T16:00:00.000-08:00')).toBe(at('2026-03-09T06:00:00-07:00'));
    expect(due('wire_receive', '2026-03-08T10:00:00-07:00')).toBe(at('2026-03-09T06:00:00-07:00'));
    expect(due('wire_receive', '2026-09-07T10:00:00-07:00')).toBe(at('2026-09-08T06:00:00-07:00'));
  });
});

describe('a check', () => {
  test('that is sent is mailed after two banking days and cashed five days later', () => {
    expect(walkFrom('sent check', '2026-03-04T10:00:00-08:00')).toEqual(
      utc('2026-03-06T08:30:00-05:00', '2026-03-13T08:30:00-04:00'),
    );
  });

  test('that is deposited leaves with the file at 16:00 Pacific and is held for three banking days', () => {
    expect(walkFrom('deposited check', '2026-03-04T15:59:59.999-08:00').slice(1)).toEqual(
      utc('2026-03-04T16:00:00-08:00', '2026-03-09T08:30:00-04:00'),
    );
    expect(walkFrom('deposited check', '2026-03-06T16:00:00-08:00').slice(1)).toEqual(
      utc('2026-03-09T16:00:00-07:00', '2026-03-12T08:30:00-04:00'),
    );
  });
});

describe('the banking day', () => {
  test('of a check ends at midnight Pacific, not Eastern', () => {
    expect(due('check_deposit_settle', '2026-03-04T21:30:00-08:00')).toBe(at('2026-03-09T08:30:00-04:00'));
  });
});

describe('a card test', () => {
  test('is captured with the settlement of the next banking day, hours later at the earliest', () => {
    expect(due('card_settle', '2026-03-04T00:00:00-08:00')).toBe(at('2026-03-05T08:30:00-05:00'));
    expect(due('card_settle', '2026-03-04T23:59:59.999-08:00')).toBe(at('2026-03-05T08:30:00-05:00'));
    expect(due('card_settle', '2026-03-05T00:00:00-08:00')).toBe(at('2026-03-06T08:30:00-05:00'));
  });

  test('waits over a weekend and a holiday', () => {
    expect(due('card_settle', '2026-05-22T10:00:00-07:00')).toBe(at('2026-05-26T08:30:00-04:00'));
    expect(due('card_settle', '2026-05-25T10:00:00-07:00')).toBe(at('2026-05-26T08:30:00-04:00'));
  });
});

describe('without banking hours', () => {
  const saturday = at('2026-03-07T23:59:59.999-08:00');

  test('an instant payment settles with the next tick, in both profiles', () => {
    expect(dueAt('immediately', 'calendar', saturday, NO_ACH)).toBe(saturday);
    expect(dueAt('immediately', 'fast', saturday, NO_ACH)).toBe(saturday);
  });

  test('a card hold expires 7 days later to the millisecond, also across daylight saving time', () => {
    expect(dueAt('card_expire', 'calendar', saturday, NO_ACH)).toBe(saturday + 7 * DAY_MS);
    expect(dueAt('card_expire', 'fast', saturday, NO_ACH)).toBe(saturday + 7 * DAY_MS);
  });

  test('a card test in the fast profile is open for a day, which updates do not extend', () => {
    expect(dueAt('card_settle', 'fast', saturday, NO_ACH)).toBe(saturday + DAY_MS);
  });

  test('a verification is decided after 8 s, or 1 s in the fast profile', () => {
    expect(dueAt('verification', 'calendar', saturday, NO_ACH)).toBe(saturday + 8_000);
    expect(dueAt('verification', 'fast', saturday, NO_ACH)).toBe(saturday + 1_000);
  });
});

describe('profiles', () => {
  const now = at('2026-03-04T10:00:00-08:00');

  test.each(EVERY_STEP)('manual: %s waits for a simulation', (when) => {
    expect(dueAt(when, 'manual', now, NO_ACH)).toBeNull();
  });

  const unhurried: When[] = ['immediately', 'card_expire', 'card_settle'];
  test.each(EVERY_STEP.filter((when) => !unhurried.includes(when)))('fast: %s takes a second', (when) => {
    expect(dueAt(when, 'fast', now, NO_ACH)).toBe(now + 1_000);
  });
});

describe('at any moment from 2025 to 2030', () => {
  const moments = fc.integer({ min: at('2025-01-01T00:00:00Z'), max: at('2030-12-31T23:59:59.999Z') });
  const dates = moments.map((moment) => dateIn(PACIFIC, moment));
  const optionSets = fc.record({
    sameDay: fc.boolean(),
    requestedDate: fc.oneof(fc.constant(''), dates),
    profile: fc.constantFrom<RailsProfile>('calendar', 'fast'),
  });

  test.each(Object.keys(STEPS))('the steps of every rail keep their order: %s', (rail) => {
    fc.assert(
      fc.property(moments, optionSets, (now, options) => {
        const instants = [now, ...walk(rail, now, options)];
        expect(instants).toHaveLength(1 + (STEPS[rail]?.length ?? 0));
        expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      }),
    );
  });

  test('an overdue ACH is due immediately and never before now', () => {
    fc.assert(
      fc.property(
        moments,
        dates,
        fc.boolean(),
        fc.constantFrom(...EVERY_STEP),
        (now, date, sameDay, when) => {
          const context = { sameDay, effectiveDate: date };
          expect(dueAt(when, 'calendar', now, context)).toBeGreaterThanOrEqual(now);
        },
      ),
    );
    const late = { sameDay: false, effectiveDate: '2026-03-02' };
    const now = at('2026-03-04T10:00:00-08:00');
    expect(dueAt('ach_settle_push', 'calendar', now, late)).toBe(now);
  });

  test('an ACH is sent and posted on banking days, sent before its effective date unless it is same-day', () => {
    fc.assert(
      fc.property(moments, fc.boolean(), fc.oneof(fc.constant(''), dates), (now, wanted, requestedDate) => {
        const date = effectiveDate(now, wanted, requestedDate);
        const [, send = 0, clear = 0, settle = 0] = walk('ACH push', now, { sameDay: wanted, requestedDate });
        const sent = dateIn(PACIFIC, send);
        expect(isBankingDay(date)).toBe(true);
        expect(isBankingDay(sent)).toBe(true);
        expect(isSameDay(now, wanted, 100) ? sent <= date : sent < date).toBe(true);
        expect(send).toBeLessThan(clear);
        expect(dateIn(PACIFIC, settle)).toBe(date);
      }),
    );
  });

  // Except an incoming wire: one in the evening waits for 06:00, and one after midnight settles immediately.
  test.each(['ACH push', 'ACH pull', 'wire', 'sent check', 'deposited check', 'test spend'])(
    'earlier payments arrive first: %s',
    (rail) => {
      // Mostly close together: two payments years apart would not test a cut-off between them.
      const pauses = fc.oneof(fc.nat(3_600_000), fc.nat(4 * DAY_MS));
      fc.assert(
        fc.property(moments, pauses, (first, pause) => {
          const earlier = walk(rail, first);
          const later = walk(rail, first + pause);
          expect(earlier.every((instant, step) => instant <= (later[step] ?? 0))).toBe(true);
        }),
      );
    },
  );
});
