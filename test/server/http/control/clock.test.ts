// The clock of a sandbox over HTTP: reading it, setting it, and advancing it with the report of the changes.

import { describe, expect, test } from 'vitest';
import { IS_WORKERD } from '../../process/support.ts';
import { type Bank, openBank, pull } from './server.ts';

const FROZEN = { mode: 'frozen', now: '2026-07-02T17:00:00Z' };
const freeze = ({ call }: Bank) => call('PUT', '/_sandbox/clock', FROZEN);

describe('GET /_sandbox/clock', () => {
  test('returns the real time until the clock is set', async () => {
    const { call, advance } = await openBank();
    expect((await call('GET', '/_sandbox/clock')).body).toEqual({
      mode: 'live',
      now: '2026-03-04T18:00:00.000Z',
      rate: 1,
    });
    await advance(1_250);
    expect((await call('GET', '/_sandbox/clock')).body.now).toBe('2026-03-04T18:00:01.250Z');
  });
});

describe('PUT /_sandbox/clock', () => {
  test('freezes the clock', async () => {
    const server = await openBank();
    const answer = await freeze(server);
    expect([answer.status, answer.body]).toEqual([
      200,
      { mode: 'frozen', now: '2026-07-02T17:00:00.000Z', rate: 0 },
    ]);
    await server.advance(86_400_000);
    expect((await server.call('GET', '/_sandbox/clock')).body.now).toBe('2026-07-02T17:00:00.000Z');
    expect((await pull(server, '1.00')).timestamps.created_at).toBe('2026-07-02T17:00:00Z');
  });

  test('changes the rate, from the present time', async () => {
    const { call, advance } = await openBank();
    await call('PUT', '/_sandbox/clock', { mode: 'scaled', rate: 3600 });
    await advance(2_000);
    expect((await call('GET', '/_sandbox/clock')).body).toEqual({
      mode: 'scaled',
      now: '2026-03-04T20:00:00.000Z',
      rate: 3600,
    });
    await call('PUT', '/_sandbox/clock', { mode: 'live' });
    await advance(2_000);
    expect((await call('GET', '/_sandbox/clock')).body).toMatchObject({
      mode: 'live',
      now: '2026-03-04T20:00:02.000Z',
    });
  });

  test('runs every step that is due by the new time, before it responds', async () => {
    const server = await openBank();
    const { id } = await pull(server, '5.00');
    await server.call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-03-20T12:00:00Z' });
    expect((await server.call('GET', `/v2/payments/transaction/${id}`)).body).toMatchObject({
      status: 'settled',
      timestamps: { settled_at: '2026-03-09T12:30:00Z' },
    });
  });

  test('can also set the clock back', async () => {
    const { call } = await openBank();
    await call('PUT', '/_sandbox/clock', { mode: 'live', now: '2020-01-01T00:00:00Z' });
    // In another process, time passes.
    const now = IS_WORKERD ? expect.stringMatching(/^2020-01-01T00:0/) : '2020-01-01T00:00:00.000Z';
    expect((await call('GET', '/_sandbox/clock')).body.now).toEqual(now);
  });

  test.each([
    [{}, 'mode is required'],
    [{ mode: 'stopped' }, 'mode must be one of live, frozen, scaled'],
    [{ mode: 'scaled' }, 'rate is required for scaled: the seconds of the sandbox per real second, like 60'],
    [{ mode: 'live', rate: 2 }, 'rate applies only to the mode scaled; leave it out for live'],
    [{ mode: 'scaled', rate: 0 }, 'rate must be 0.001 or more'],
    [{ mode: 'scaled', rate: -1 }, 'rate must be 0.001 or more'],
    [{ mode: 'scaled', rate: 1e9 }, 'rate must be 86400 or less'],
    [
      { mode: 'frozen', now: 'tomorrow' },
      'now is "tomorrow"; expected an instant with its zone, like "2026-07-03T12:00:00Z"',
    ],
    [
      { mode: 'frozen', now: '2300-01-01T00:00:00Z' },
      "now is outside the years 1970 to 2199, the range of a sandbox's clock",
    ],
    [{ mode: 'frozen', at: '2026-01-01T00:00:00Z' }, 'this operation does not accept at'],
  ])('refuses %j', async (body, message) => {
    const { call } = await openBank();
    const before = (await call('GET', '/_sandbox/clock')).body;
    const answer = await call('PUT', '/_sandbox/clock', body);
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
    expect((await call('GET', '/_sandbox/clock')).body).toEqual(before);
  });
});

describe('POST /_sandbox/clock/advance', () => {
  test('advances the clock and lists what happened', async () => {
    const server = await openBank({ hasWebhook: true });
    await freeze(server);
    const { id } = await pull(server, '12.50');
    await server.idle();
    const { status, body } = await server.call('POST', '/_sandbox/clock/advance', { business_days: 3 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      quiescent: true,
      from: '2026-07-02T17:00:00.000Z',
      clock: { mode: 'frozen', now: '2026-07-07T17:00:00.000Z', rate: 0 },
    });
    expect(body.transitions).toEqual(
      [
        ['originated', 'pending', '2026-07-02T17:01:00.000Z'],
        ['pending', 'clearing', '2026-07-02T19:15:00.000Z'],
        ['clearing', 'cleared', '2026-07-03T12:30:00.000Z'],
        ['cleared', 'settled', '2026-07-07T12:30:00.000Z'],
      ].map(([from, to, at]) => ({ transaction_id: id, rail: 'ach_pull', from, to, at })),
    );
    const { seeded } = (await server.call('GET', '/_sandbox')).body;
    expect(body.postings).toEqual([
      {
        id: expect.any(Number),
        kind: 'settle',
        debit_account_id: seeded.master_account_id,
        credit_account_id: seeded.sub_account_id,
        amount: '12.50',
        hold_id: expect.any(Number),
        transaction_id: id,
        at: '2026-07-07T12:30:00.000Z',
      },
    ]);
    expect(
      body.events.map(
        ({ api_version: apiVersion, type }: { api_version: string; type: string }) => `${apiVersion} ${type}`,
      ),
    ).toEqual([
      'v2 transaction.status.pending',
      'v2 transaction.status.clearing',
      'v2 transaction.status.cleared',
      'v1 ach.originated.updated',
      'v2 transaction.status.settled',
      'v1 transfer.updated',
      'v1 ach.received.credit',
      'v1 account.credit',
    ]);
    expect(
      body.deliveries.map(({ type, attempt, status: code, state }: Record<string, unknown>) => [
        type,
        attempt,
        code,
        state,
      ]),
    ).toEqual(
      ['ach.originated.updated', 'transfer.updated', 'ach.received.credit', 'account.credit'].map((type) => [
        type,
        1,
        200,
        'delivered',
      ]),
    );
    const received = body.events.filter(
      ({ api_version: apiVersion }: { api_version: string }) => apiVersion === 'v1',
    );
    expect(body.deliveries.map(({ event_id: event }: { event_id: string }) => event)).toEqual(
      received.map(({ id: event }: { id: string }) => event),
    );
    expect(server.sent.slice(-4).map(({ headers }) => headers['webhook-id'])).toEqual(
      received.map(({ id: event }: { id: string }) => event),
    );
    expect(body.deliveries[0].webhook_id).toBe(seeded.webhook_id);
  });

  test('has the same result for a duration and for an instant', async () => {
    const server = await openBank();
    await freeze(server);
    const by = await server.call('POST', '/_sandbox/clock/advance', { by: 'P2DT30M' });
    expect(by.body.clock.now).toBe('2026-07-04T17:30:00.000Z');
    const to = await server.call('POST', '/_sandbox/clock/advance', { to: by.body.clock.now });
    expect(to.body).toMatchObject({ quiescent: true, from: by.body.clock.now, clock: by.body.clock });
  });

  test.each([
    [{}, 'send exactly one of by, business_days and to; none was given'],
    [
      { by: 'P1D', business_days: 1 },
      'send exactly one of by, business_days and to; by and business_days were given',
    ],
    [{ by: '2 days' }, 'by is "2 days"; expected an ISO 8601 duration, like "P2D", "PT90M" or "P1M"'],
    [{ business_days: 0 }, 'business_days must be 1 or more'],
    [{ business_days: 1.5 }, 'business_days must be a whole number'],
    [{ business_days: '2' }, 'business_days must be a whole number'],
    [
      { to: '2026-07-02' },
      'to is "2026-07-02"; expected an instant with its zone, like "2026-07-03T12:00:00Z"',
    ],
    [
      { to: '2026-07-02T16:59:59Z' },
      'to is before the current time of the clock, 2026-07-02T17:00:00.000Z: PUT /_sandbox/clock sets it to any time',
    ],
    [{ by: 'P1D', deadline_ms: 0 }, 'deadline_ms must be 1 or more'],
    [{ days: 2 }, 'this operation does not accept days'],
  ])('refuses %j and changes nothing', async (body, message) => {
    const server = await openBank();
    await freeze(server);
    const answer = await server.call('POST', '/_sandbox/clock/advance', body);
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
    expect((await server.call('GET', '/_sandbox/clock')).body.now).toBe('2026-07-02T17:00:00.000Z');
  });

  test('is exclusive: no other advance or change of the clock runs meanwhile', async () => {
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await openBank({
      rails: 'fast',
      hasWebhook: true,
      answer: async () => {
        arrived();
        await silence;
        return 200;
      },
    });
    await freeze(server);
    await pull(server, '1.00');
    const first = server.call('POST', '/_sandbox/clock/advance', { by: 'P1D' });
    await arrival;
    const second = server.call('POST', '/_sandbox/clock/advance', { by: 'P1D' });
    const set = server.call('PUT', '/_sandbox/clock', { mode: 'live' });
    expect(await second).toMatchObject({ status: 409, body: { error: { code: 'illegal_step' } } });
    expect(await set).toMatchObject({ status: 409, body: { error: { code: 'illegal_step' } } });
    // The bank responds to other requests meanwhile.
    expect((await server.call('GET', '/v2/webhook')).status).toBe(200);
    answer();
    expect((await first).body).toMatchObject({ quiescent: true, clock: { now: '2026-07-03T17:00:00.000Z' } });
  });

  test('reports a timeout', async () => {
    let answer = (): void => {};
    const silence = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const server = await openBank({
      rails: 'fast',
      hasWebhook: true,
      answer: async () => {
        await silence;
        return 200;
      },
    });
    await freeze(server);
    await pull(server, '1.00');
    const late = await server.call('POST', '/_sandbox/clock/advance', { by: 'P1D', deadline_ms: 5 });
    const { stopped_by: stop } = late.body;
    expect(late.body).toMatchObject({ quiescent: false, clock: { now: '2026-07-02T17:00:00.000Z' } });
    expect(stop).toEqual({
      reason: 'in_flight',
      webhook_id: (await server.call('GET', '/_sandbox')).body.seeded.webhook_id,
      event_id: expect.stringMatching(/^evt_/),
    });
    const { why } = (await server.call('GET', `/_sandbox/explain/${stop.event_id}`)).body;
    expect(why).toMatchObject({ reason: stop.reason, webhook_id: stop.webhook_id });
    answer();
    const done = await server.call('POST', '/_sandbox/clock/advance', { by: 'P1D' });
    expect(done.body).toMatchObject({ quiescent: true, stopped_by: null });
  });
});

describe('the preview of an advance', () => {
  test('lists what an advance to the same instant does, with the banking days until then', async () => {
    const server = await openBank();
    await freeze(server);
    await pull(server, '1.00');
    const preview = async (query: string) => (await server.call('GET', `/_sandbox/timers?${query}`)).body;
    const week = await preview('by=P7D');
    const to: string = week.until;
    expect(to).toBe('2026-07-09T17:00:00.000Z');
    expect(
      week.days.map((day: { date: string; banking_day: boolean }) => [day.date, day.banking_day]),
    ).toEqual([
      ['2026-07-02', true],
      ['2026-07-03', true],
      ['2026-07-04', false],
      ['2026-07-05', false],
      ['2026-07-06', true],
      ['2026-07-07', true],
      ['2026-07-08', true],
      ['2026-07-09', true],
    ]);
    const due = week.timers.map(({ due_at }: { due_at: string }) => due_at);
    expect(due.length).toBeGreaterThan(0);
    expect(week.days.reduce((sum: number, { timers }: { timers: number }) => sum + timers, 0)).toBe(
      due.length,
    );
    expect(await preview(`until=${encodeURIComponent(to)}`)).toEqual(week);
    expect((await preview('business_days=5')).until).toBe('2026-07-09T17:00:00.000Z');
    expect((await preview(`until=${week.clock.now}`)).timers).toEqual([]);
    const done = (await server.call('POST', '/_sandbox/clock/advance', { to })).body;
    const moved = done.transitions.map(({ at }: { at: string }) => at);
    expect(moved).toEqual(expect.arrayContaining(due));
    const refused = await server.call('GET', '/_sandbox/timers?until=tomorrow');
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('until is')]);
  });
});

describe('POST /_sandbox/clock/settle', () => {
  test('runs until no payment is pending', async () => {
    const server = await openBank();
    await freeze(server);
    await pull(server, '3.00');
    const { body } = await server.call('POST', '/_sandbox/clock/settle');
    expect(body).toMatchObject({ quiescent: true, clock: { now: '2026-07-07T12:30:00.000Z' }, left: [] });
    expect(body.transitions.at(-1)).toMatchObject({ to: 'settled' });
  });

  test('advances payments with manual rails, without moving the clock', async () => {
    const server = await openBank({ rails: 'manual' });
    await freeze(server);
    const { id } = await pull(server, '3.00');
    const { body } = await server.call('POST', '/_sandbox/clock/settle', {});
    expect(body.clock.now).toBe('2026-07-02T17:00:00.000Z');
    expect(body.transitions.map(({ to }: { to: string }) => to)).toEqual([
      'pending',
      'clearing',
      'cleared',
      'settled',
    ]);
    expect((await server.call('GET', `/v2/payments/transaction/${id}`)).body.status).toBe('settled');
  });

  test.each([
    ['fast', '2026-07-03T17:00:00.000Z'],
    ['calendar', '2026-07-03T12:30:00.000Z'],
    ['manual', '2026-07-02T17:00:00.000Z'],
  ] as const)(
    'captures a card test of v1, and keeps a hold that was not captured (%s)',
    async (rails, now) => {
      const server = await openBank({ rails });
      await freeze(server);
      const { seeded } = (await server.call('GET', '/_sandbox')).body;
      await server.call('POST', `/v1/card/${seeded.card_id}/test`, { amount: '5.00' });
      const held = await server.call('POST', `/_sandbox/simulate/cards/${seeded.card_id}/authorize`, {
        amount: '7.00',
      });
      const { body } = await server.call('POST', '/_sandbox/clock/settle');
      expect(body).toMatchObject({ quiescent: true, clock: { now }, left: [] });
      expect(body.transitions).toEqual([
        {
          transaction_id: expect.stringMatching(/^txn_/),
          rail: 'card_test_authorization',
          from: 'pending',
          to: 'settled',
          at: now,
        },
      ]);
      const account = await server.call('GET', `/v2/accounts/sub_account/${seeded.sub_account_id}`);
      expect(account.body).toMatchObject({ available_balance: '4988.00', pending_debits: '7.00' });
      expect(
        (await server.call('GET', `/v2/payments/transaction/${held.body.transaction.id}`)).body.status,
      ).toBe('pending');
    },
  );

  test('lists payments that wait for an action', async () => {
    const server = await openBank();
    await freeze(server);
    const { id } = await pull(server, '3.00');
    await server.call('POST', `/_sandbox/simulate/transactions/${id}/review`, {});
    const { body } = await server.call('POST', '/_sandbox/clock/settle');
    expect(body.left).toEqual([{ transaction_id: id, rail: 'ach_pull', status: 'in_review' }]);
  });
});

describe('GET /_sandbox/timers', () => {
  test('is empty if nothing is scheduled', async () => {
    const { call } = await openBank();
    const { body } = await call('GET', '/_sandbox/timers');
    expect(body).toEqual({
      clock: (await call('GET', '/_sandbox/clock')).body,
      until: '',
      more: false,
      in_flight: 0,
      days: [],
      timers: [],
    });
  });

  test('lists scheduled steps and retries in order, with their effects', async () => {
    const server = await openBank({
      hasWebhook: true,
      answer: () => 500,
    });
    await freeze(server);
    const { id } = await pull(server, '3.00');
    const { seeded } = (await server.call('GET', '/_sandbox')).body;
    const spent = await server.call('POST', `/_sandbox/simulate/cards/${seeded.card_id}/authorize`, {
      amount: '1.00',
    });
    await server.call('POST', `/v1/card/${seeded.card_id}/test`, { amount: '2.00' });
    await server.idle();
    const { body } = await server.call('GET', '/_sandbox/timers');
    const { data } = (await server.call('GET', '/v2/payments/transaction?limit=1')).body;
    const retries = body.timers.filter(({ kind }: { kind: string }) => kind === 'retry');
    expect(retries.map(({ does }: { does: string }) => does).toSorted()).toEqual([
      `attempt 2 to deliver account.debit to ${seeded.webhook_id}`,
      `attempt 2 to deliver account.debit to ${seeded.webhook_id}`,
      `attempt 2 to deliver ach.originated.credit to ${seeded.webhook_id}`,
      `attempt 2 to deliver card.spend to ${seeded.webhook_id}`,
      `attempt 2 to deliver card.spend to ${seeded.webhook_id}`,
      `attempt 2 to deliver transfer.created to ${seeded.webhook_id}`,
    ]);
    expect(retries[0].subject).toMatch(/^evt_[0-9a-f]{32}$/);
    expect(body.timers.filter(({ kind }: { kind: string }) => kind === 'step')).toEqual([
      {
        due_at: '2026-07-02T17:01:00.000Z',
        kind: 'step',
        subject: id,
        does: 'ach pull: submit, originated to pending',
      },
      {
        due_at: '2026-07-03T12:30:00.000Z',
        kind: 'step',
        subject: data[0].id,
        does: 'card test authorization: settle, pending to settled, posts the hold',
      },
      {
        due_at: '2026-07-09T17:00:00.000Z',
        kind: 'step',
        subject: spent.body.transaction.id,
        does: 'card authorization: expire, pending to reversed, releases the hold',
      },
    ]);
    const instants = body.timers.map(({ due_at: due }: { due_at: string }) => due);
    expect(instants).toEqual(instants.toSorted());
    const first = await server.call('GET', '/_sandbox/timers?limit=1');
    expect(first.body.timers).toEqual(body.timers.slice(0, 1));
  });

  test.each(['0', '1001', 'all', '-1'])('refuses the limit %s', async (limit) => {
    const { call } = await openBank();
    expect((await call('GET', `/_sandbox/timers?limit=${limit}`)).status).toBe(400);
  });
});

describe('GET /_sandbox/calendar', () => {
  test('returns the banking days, the holidays, and the windows in UTC', async () => {
    const { call } = await openBank();
    const { body } = await call('GET', '/_sandbox/calendar?from=2026-07-02&to=2026-07-06');
    const { days } = body;
    expect(
      days.map(({ date, banking_day: works, holiday }: Record<string, unknown>) => [date, works, holiday]),
    ).toEqual([
      ['2026-07-02', true, ''],
      ['2026-07-03', true, ''],
      ['2026-07-04', false, 'Independence Day'],
      ['2026-07-05', false, ''],
      ['2026-07-06', true, ''],
    ]);
    expect(days[0]).toEqual({
      date: '2026-07-02',
      banking_day: true,
      holiday: '',
      ach_windows: [
        '2026-07-02T12:15:00.000Z',
        '2026-07-02T15:15:00.000Z',
        '2026-07-02T19:15:00.000Z',
        '2026-07-02T23:15:00.000Z',
      ],
      ach_same_day_cutoff: '2026-07-02T19:15:00.000Z',
      ach_settlement: '2026-07-02T12:30:00.000Z',
      ach_same_day_windows: [
        {
          deadline: '2026-07-02T14:30:00.000Z',
          distribution: '2026-07-02T16:00:00.000Z',
          settlement: '2026-07-02T17:00:00.000Z',
        },
        {
          deadline: '2026-07-02T18:45:00.000Z',
          distribution: '2026-07-02T20:00:00.000Z',
          settlement: '2026-07-02T21:00:00.000Z',
        },
        {
          deadline: '2026-07-02T20:45:00.000Z',
          distribution: '2026-07-02T21:30:00.000Z',
          settlement: '2026-07-02T22:00:00.000Z',
        },
      ],
      wires_open: '2026-07-02T13:00:00.000Z',
    });
    expect(days[2].ach_windows).toEqual([]);
  });

  test('follows daylight saving time', async () => {
    const { call } = await openBank();
    const windows = async (date: string) =>
      (await call('GET', `/_sandbox/calendar?from=${date}&to=${date}`)).body.days[0].ach_windows[0];
    expect(await windows('2026-03-06')).toBe('2026-03-06T13:15:00.000Z');
    expect(await windows('2026-03-09')).toBe('2026-03-09T12:15:00.000Z');
    expect(await windows('2026-10-30')).toBe('2026-10-30T12:15:00.000Z');
    expect(await windows('2026-11-02')).toBe('2026-11-02T13:15:00.000Z');
  });

  test("starts with the sandbox's present day, for two weeks", async () => {
    const server = await openBank();
    await freeze(server);
    const { days } = (await server.call('GET', '/_sandbox/calendar')).body;
    expect([days.length, days[0].date]).toEqual([14, '2026-07-02']);
  });

  test.each([
    ['from=2026-02-30', 'from is "2026-02-30"; expected a date of the years 1970 to 2199, like "2026-07-03"'],
    ['from=2026-07-03&to=2026-07-02', 'to is 2026-07-02, before from, 2026-07-03'],
    ['from=2026-01-01&to=2027-01-02', 'to is 367 days from 2026-01-01; the maximum is 366 days'],
  ])('refuses %s', async (query, message) => {
    const { call } = await openBank();
    const answer = await call('GET', `/_sandbox/calendar?${query}`);
    expect([answer.status, answer.body.error.message]).toEqual([400, message]);
  });
});
