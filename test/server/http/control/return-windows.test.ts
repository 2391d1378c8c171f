/**
 * The return windows of ACH: a simulated return within the window of its code is accepted. A later one is refused
 * with the window and its last instant, unless the simulation sets `late`. Returns by the bank itself are in time. A
 * payment that this bank sent can be reversed for 24 hours. Decisions `ach-return-window`, `ach-reversal-window` and
 * `ach-held-up` in docs/fidelity.md.
 */
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../../../src/bank/kernel/time.ts';
import type { OriginationRail } from '../../../../src/bank/model/rails/index.ts';
import { returnableUntil } from '../../../../src/bank/model/timetable.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';
import { originate as originateOn } from './calls.ts';

const http = useHttp();
const EASTERN = 'America/New_York';

const simulate = (caller: Caller, id: string, event: string, body: object = {}): Promise<Answer> =>
  caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
const read = async (caller: Caller, id: string) =>
  (await caller.v2('GET', `/v2/payments/transaction/${id}`)).body as Record<string, unknown>;

/** Freezes the clock of a caller's bank at an instant. */
const setClock = async (caller: Caller, now: string): Promise<void> => {
  const answer = await caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now });
  expect(answer.status, answer.text).toBe(200);
};

async function originate(caller: Caller, rail: 'push' | 'pull', more: object = {}): Promise<string> {
  const made = await caller.v2('POST', `/v2/payments/ach/${rail}`, {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '25.00',
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.id();
}

async function receive(caller: Caller, rail: string): Promise<string> {
  const body = { sub_account_id: caller.seed('sub_account_id'), amount: '25.00', sender: { name: 'Mill' } };
  const answer = await caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.id('transaction.id');
}

/** A settled payment of each ACH rail; on this Friday an outgoing one posts on Monday the 23rd. */
const SETTLED: readonly [string, string, (caller: Caller) => Promise<string>][] = [
  ['ach_push', '2026-11-23', (caller) => originate(caller, 'push')],
  ['ach_pull', '2026-11-23', (caller) => originate(caller, 'pull')],
  ['ach_received_push', '2026-11-20', (caller) => receive(caller, 'ach_push')],
  ['ach_received_pull', '2026-11-20', (caller) => receive(caller, 'ach_pull')],
];

describe.each(SETTLED)('a transaction by %s', (_, effective, make) => {
  const settled = async (caller: Caller): Promise<string> => {
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await make(caller);
    await simulate(caller, id, 'settle');
    expect(await read(caller, id)).toMatchObject({ status: 'settled', ach: { effective_date: effective } });
    return id;
  };

  it('can be returned immediately, and up to the last second of the window', async () => {
    const caller = http.caller();
    const id = await settled(caller);
    expect((await simulate(caller, id, 'return', { return_code: 'R01' })).status).toBe(200);
    const again = await settled(caller);
    const last = formatInstant(returnableUntil({ days: 2, of: 'banking' }, effective) ?? 0);
    await setClock(caller, last);
    const answer = await simulate(caller, again, 'return', { return_code: 'R01' });
    expect([answer.status, answer.at('transaction.status')]).toEqual([200, 'returned']);
  });

  it('cannot be returned a second later: 409 contains the window and its last instant, and changes nothing', async () => {
    const caller = http.caller();
    const id = await settled(caller);
    const last = returnableUntil({ days: 2, of: 'banking' }, effective) ?? 0;
    await setClock(caller, formatInstant(last + 1000));
    const before = await read(caller, id);
    for (const body of [{ return_code: 'R01' }, {}, { reason: 'changedMind' }]) {
      const answer = await simulate(caller, id, 'return', body);
      expect([answer.status, answer.at('error.code'), answer.at('error.hint')]).toEqual([
        409,
        'return_too_late',
        'late',
      ]);
      expect(answer.at('error.message')).toContain('2 banking days after settlement');
      expect(answer.at('error.message')).toContain(formatInstant(last));
      expect(answer.at('error.message')).toContain(effective);
    }
    expect(await read(caller, id)).toEqual(before);
  });

  it('can be returned late by a bank that breaks the rule, and explain says so', async () => {
    const caller = http.caller();
    const id = await settled(caller);
    await setClock(caller, '2027-12-25T18:00:00Z');
    const answer = await simulate(caller, id, 'return', { return_code: 'R01', late: true });
    expect([answer.status, answer.at('transaction.status')]).toEqual([200, 'returned']);
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.at('decisions.1')).toMatchObject({ name: 'return', numbers: { reason: 'R01', late: 'true' } });
  });
});

describe('400 days after settlement', () => {
  it.each([
    ['R01', '2 banking days after settlement', '2026-11-25T13:30:00Z'],
    ['R10', '60 calendar days after settlement', '2027-01-23T04:59:59Z'],
    ['R13', 'the next file delivery after processing', '2026-11-24T13:30:00Z'],
  ])('a return under %s is refused: %s, until %s', async (return_code, words, last) => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await originate(caller, 'pull');
    await simulate(caller, id, 'settle');
    await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P400D' });
    const answer = await simulate(caller, id, 'return', { return_code });
    expect([answer.status, answer.at('error.code')]).toEqual([409, 'return_too_late']);
    expect(answer.at('error.message')).toContain(words);
    expect(answer.at('error.message')).toContain(last);
  });

  it.each(['R06', 'R23', 'R31', 'R61', 'R80'])(
    'a return under %s, which has no time limit, is accepted',
    async (code) => {
      const caller = http.caller();
      await setClock(caller, '2026-11-20T18:00:00Z');
      const id = await originate(caller, 'pull');
      await simulate(caller, id, 'settle');
      await setClock(caller, '2027-12-25T18:00:00Z');
      expect((await simulate(caller, id, 'return', { return_code: code })).status).toBe(200);
    },
  );

  it.each(['domestic_wire', 'international_wire', 'rtp_push', 'debit_card_pull', 'check_deposit'] as const)(
    'a payment by %s can still be returned: its rail has no window',
    async (rail: OriginationRail) => {
      const caller = http.caller();
      const id = await originateOn(caller, rail);
      await simulate(caller, id, 'settle');
      await setClock(caller, '2027-12-25T18:00:00Z');
      expect((await simulate(caller, id, 'return')).status).toBe(200);
    },
  );

  it('a transaction that cannot be returned at all is refused for that reason', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'pull');
    await setClock(caller, '2027-12-25T18:00:00Z');
    const answer = await simulate(caller, id, 'return', { return_code: 'R01' });
    expect([answer.status, answer.at('error.code')]).toEqual([409, 'illegal_step']);
  });
});

it('a return under R10 is accepted in its last second and refused in the next one, whatever the date', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.date({
        min: new Date('2024-01-01T00:00:00Z'),
        max: new Date('2032-12-31T00:00:00Z'),
        noInvalidDate: true,
      }),
      async (made) => {
        const caller = http.caller();
        await setClock(caller, formatInstant(made.getTime()));
        const ids = [await originate(caller, 'pull'), await originate(caller, 'pull')];
        for (const id of ids) await simulate(caller, id, 'settle');
        const [first = '', second = ''] = ids;
        const { effective_date: effective } = (await read(caller, first)).ach as Record<string, string>;
        const last = DateTime.fromISO(effective ?? '', { zone: EASTERN })
          .plus({ days: 60 })
          .endOf('day');
        await setClock(caller, formatInstant(last.toMillis()));
        const taken = await simulate(caller, first, 'return', { return_code: 'R10' });
        expect([effective, taken.status]).toEqual([effective, 200]);
        await setClock(caller, formatInstant(last.toMillis() + 1000));
        const refused = await simulate(caller, second, 'return', { return_code: 'R10' });
        expect([effective, refused.status]).toEqual([effective, 409]);
        expect(refused.at('error.message')).toContain(formatInstant(last.toMillis()));
      },
    ),
    { numRuns: IS_WORKERD ? 3 : 25 },
  );
});

describe('a delayed transaction', () => {
  it('posts on the banking day after it was sent, and its window starts there', async () => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await originate(caller, 'pull');
    await simulate(caller, id, 'review');
    await setClock(caller, '2026-12-04T18:00:00Z');
    await simulate(caller, id, 'settle');
    expect(await read(caller, id)).toMatchObject({
      status: 'settled',
      ach: { effective_date: '2026-12-07' },
    });
    await setClock(caller, '2026-12-09T13:30:00Z');
    expect((await simulate(caller, id, 'return', { return_code: 'R01' })).status).toBe(200);
  });

  it('keeps the effective date of the request if that is not over', async () => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await originate(caller, 'push', { effective_date: '2026-12-15' });
    await setClock(caller, '2026-12-04T18:00:00Z');
    await simulate(caller, id, 'settle');
    expect(await read(caller, id)).toMatchObject({ ach: { effective_date: '2026-12-15' } });
    await setClock(caller, '2026-12-17T13:30:00Z');
    expect((await simulate(caller, id, 'return')).status).toBe(200);
  });
});

describe('a reversal', () => {
  it.each(['push', 'pull'] as const)(
    'of an ACH %s is possible within 24 hours of its settlement',
    async (rail) => {
      const caller = http.caller();
      await setClock(caller, '2026-11-20T18:00:00Z');
      const [first, second] = [await originate(caller, rail), await originate(caller, rail)];
      for (const id of [first, second]) await simulate(caller, id, 'settle');
      await setClock(caller, '2026-11-21T18:00:00Z');
      expect((await simulate(caller, first, 'reverse')).at('transaction.status')).toBe('reversed');
      await setClock(caller, '2026-11-21T18:00:01Z');
      const before = await read(caller, second);
      const late = await simulate(caller, second, 'reverse');
      expect([late.status, late.at('error.code'), late.at('error.hint')]).toEqual([
        409,
        'reversal_too_late',
        'late',
      ]);
      expect(late.at('error.message')).toContain('2026-11-21T18:00:00Z');
      expect(await read(caller, second)).toEqual(before);
      expect((await simulate(caller, second, 'reverse', { late: true })).status).toBe(200);
      const why = await caller.v2('GET', `/_sandbox/explain/${second}`);
      expect(why.at('decisions.1')).toMatchObject({ name: 'reverse', numbers: { late: 'true' } });
    },
  );

  it('of an incoming payment, and on other rails, has no limit', async () => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const made = [await receive(caller, 'ach_push'), await receive(caller, 'rtp')];
    for (const id of made) await simulate(caller, id, 'settle');
    await setClock(caller, '2026-12-20T18:00:00Z');
    for (const id of made) expect((await simulate(caller, id, 'reverse')).status).toBe(200);
  });

  it('is not listed by explain after its time limit', async () => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await originate(caller, 'push');
    await simulate(caller, id, 'settle');
    const offered = async () => {
      const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
      const simulations = why.at('simulations') as { event: string; legal: boolean }[];
      return simulations.find(({ event }) => event === 'reverse')?.legal;
    };
    expect(await offered()).toBe(true);
    await setClock(caller, '2026-11-22T18:00:00Z');
    expect(await offered()).toBe(false);
  });
});

describe('the field late', () => {
  it.each([
    ['settle', { late: true }],
    ['submit', { late: false }],
  ])('is accepted for a return or reversal, not for %s', async (event, body) => {
    const caller = http.caller();
    const id = await originate(caller, 'pull');
    const answer = await simulate(caller, id, event, body);
    expect([answer.status, answer.at('error.hint')]).toEqual([400, 'late']);
  });

  it('has no effect within the window, and is a boolean', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'pull');
    await simulate(caller, id, 'settle');
    expect((await simulate(caller, id, 'return', { late: 'yes' })).status).toBe(400);
    expect((await simulate(caller, id, 'return', { late: true })).status).toBe(200);
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.at('decisions.1.numbers')).toEqual({ reason: 'R01' });
  });
});

describe('explain', () => {
  it('lists the time limit of each return window while it is open', async () => {
    const caller = http.caller();
    await setClock(caller, '2026-11-20T18:00:00Z');
    const id = await originate(caller, 'pull');
    const windows = async () => (await caller.v2('GET', `/_sandbox/explain/${id}`)).at('return_windows');
    expect(await windows()).toEqual([]);
    await simulate(caller, id, 'settle');
    expect(await windows()).toEqual([
      {
        time_limit: 'the next file delivery after processing',
        until: '2026-11-24T13:30:00Z',
        return_codes: expect.arrayContaining(['R13', 'R36']),
      },
      {
        time_limit: '2 banking days after settlement',
        until: '2026-11-25T13:30:00Z',
        return_codes: expect.arrayContaining(['R01', 'R03', 'R29']),
      },
      {
        time_limit: '60 calendar days after settlement',
        until: '2027-01-23T04:59:59Z',
        return_codes: expect.arrayContaining(['R05', 'R07', 'R10', 'R11']),
      },
    ]);
    await simulate(caller, id, 'return');
    expect(await windows()).toEqual([]);
  });

  it('lists no windows for other rails', async () => {
    const caller = http.caller();
    const id = await receive(caller, 'rtp');
    await simulate(caller, id, 'settle');
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect([why.at('legal_events'), why.at('return_windows')]).toEqual([['return', 'reverse'], []]);
  });
});

describe('the list of return codes', () => {
  it('has the days of each window', async () => {
    const { body } = await http.call('GET', '/_sandbox/return_codes');
    const { return_codes: codes } = body as { return_codes: { code: string; window: unknown }[] };
    const windowOf = (code: string) => codes.find((row) => row.code === code)?.window;
    expect(['R01', 'R10', 'R13', 'R06', 'R71'].map(windowOf)).toEqual([
      { days: 2, of: 'banking' },
      { days: 60, of: 'calendar' },
      { days: 1, of: 'banking' },
      null,
      null,
    ]);
  });
});
