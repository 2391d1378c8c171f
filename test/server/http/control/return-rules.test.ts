/**
 * Returns by a rule or a magic value are in time, whatever the payment waits for: at the latest in the last instant
 * of their window, unless the rule simulates a bank that breaks it. Decision `ach-return-window` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { DAY_MS, parseInstant, SECOND_MS } from '../../../../src/bank/kernel/time.ts';
import { RETURN_CODES } from '../../../../src/bank/model/return-codes.ts';
import { returnableUntil } from '../../../../src/bank/model/timetable.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp({ rails: 'calendar' });

const setRule = async (caller: Caller, outcome: object): Promise<void> => {
  const answer = await caller.v2('PUT', '/_sandbox/rules', { rules: [{ match: {}, outcome }] });
  expect(answer.status, answer.text).toBe(200);
};
const settleAll = (caller: Caller) => caller.v2('POST', '/_sandbox/clock/settle');
const read = async (caller: Caller, id: string) => caller.v2('GET', `/v2/payments/transaction/${id}`);

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

async function frozen(): Promise<Caller> {
  const caller = http.caller();
  await caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-11-20T18:00:00Z' });
  return caller;
}

/** The instant of the return of a payment, and the last possible one under a code. */
async function returned(caller: Caller, id: string, code: string): Promise<[number, number]> {
  const answer = await read(caller, id);
  expect([answer.at('status'), answer.at('ach.return_code')]).toEqual(['returned', code]);
  const window = RETURN_CODES.find((row) => row.code === code)?.timeLimit.window;
  const last = window ? returnableUntil(window, answer.id('ach.effective_date')) : null;
  return [parseInstant(answer.id('timestamps.updated_at')) ?? 0, last ?? Number.POSITIVE_INFINITY];
}

describe('a return by a rule', () => {
  it.each(['R01', 'R03', 'R10', 'R13'])('under %s is in time by default', async (code) => {
    const caller = await frozen();
    await setRule(caller, { return_code: code });
    for (const rail of ['push', 'pull'] as const) {
      for (const more of [{}, { same_day: 'true' }, { effective_date: '2027-02-01' }]) {
        const id = await originate(caller, rail, more);
        await settleAll(caller);
        const [at, last] = await returned(caller, id, code);
        expect(at).toBeLessThanOrEqual(last);
      }
    }
  });

  it('with a delay beyond its window is sent in the last instant of the window, and the decision says so', async () => {
    const caller = await frozen();
    await setRule(caller, { return_code: 'R10', after: 'P90D' });
    const id = await originate(caller, 'pull');
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.at('decisions.0.effect')).toBe(
      'return R10 when its window closes, before P90D after it was made',
    );
    await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P100D' });
    const [at, last] = await returned(caller, id, 'R10');
    // Records have whole seconds.
    expect(at).toBe(Math.floor(last / SECOND_MS) * SECOND_MS);
  });

  it('with a delay within its window is sent after the delay', async () => {
    const caller = await frozen();
    await setRule(caller, { return_code: 'R10', after: 'P30D' });
    const id = await originate(caller, 'pull');
    const why = await caller.v2('GET', `/_sandbox/explain/${id}`);
    expect(why.at('decisions.0.effect')).toBe('return R10 P30D after it was made');
    await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P100D' });
    const [at] = await returned(caller, id, 'R10');
    expect(at).toBe(Date.parse('2026-11-20T18:00:00Z') + 30 * DAY_MS);
  });

  it('that is explicitly late is sent after its delay', async () => {
    const caller = await frozen();
    await setRule(caller, { return_code: 'R01', after: 'P90D', late: true });
    expect((await caller.v2('GET', '/_sandbox/rules')).at('rules.0.outcome')).toEqual({
      return_code: 'R01',
      after: 'P90D',
      late: true,
    });
    const id = await originate(caller, 'pull');
    await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P100D' });
    const [at, last] = await returned(caller, id, 'R01');
    expect(at).toBe(Date.parse('2026-11-20T18:00:00Z') + 90 * DAY_MS);
    expect(at).toBeGreaterThan(last);
  });

  it.each([{ late: true }, { return_code: 'R01', late: true }, { review: true, after: 'P1D', late: true }])(
    'cannot be late as %j: that requires a return and a delay',
    async (outcome) => {
      const caller = http.caller();
      const answer = await caller.v2('PUT', '/_sandbox/rules', { rules: [{ match: {}, outcome }] });
      expect([answer.status, answer.at('error.hint')]).toEqual([400, 'rules.0.outcome.late']);
    },
  );
});

it('by the magic values of v1 is in time', async () => {
  const caller = await frozen();
  for (const [path, amount, code] of [
    ['/v1/receive/ach', '60.00', 'R01'],
    ['/v1/send/ach', '99.99', 'R03'],
  ] as const) {
    const made = await caller.v1(
      'POST',
      path,
      {
        accountId: caller.seed('account_id'),
        contactId: caller.seed('contact_id'),
        amount,
        description: 'x',
      },
      { 'sd-person-id': caller.seed('person_id') },
    );
    expect(made.status, made.text).toBe(201);
    await settleAll(caller);
    const [at, last] = await returned(caller, `txn_${made.id().slice(4).replaceAll('-', '')}`, code);
    expect(at).toBeLessThanOrEqual(last);
  }
});
