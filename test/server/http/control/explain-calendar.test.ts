/** The explanation of payments whose steps have the times of the banking calendar. */
import { expect, it } from 'vitest';
import { useHttp } from '../support.ts';
import { originate } from './calls.ts';

const http = useHttp({ rails: 'calendar' });

it('sandbox_explain says when the money is expected, and which days are without banks', async () => {
  const caller = http.caller();
  // The Wednesday before Thanksgiving.
  await caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2026-11-25T23:00:00Z' });
  const id = await originate(caller, 'ach_pull');
  const expected = (await caller.v2('GET', `/_sandbox/explain/${id}`)).at('summary');
  await caller.v2('POST', '/_sandbox/clock/settle');
  const made = await caller.v2('GET', `/v2/payments/transaction/${id}`);
  expect(made.at('status')).toBe('settled');
  expect(expected).toContain(`; settled is expected at ${made.at('timestamps.settled_at')} (`);
  expect(expected).toMatch(/\(\w{3},? \d\d:\d\d in New York\); days without banks until then: /);
  expect(expected).toContain('until then: 2026-11-26, 2026-11-28, 2026-11-29');
});

it('sandbox_explain names no simulation as the cause of an expiry', async () => {
  const caller = http.caller();
  const path = `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`;
  const id = (await caller.v2('POST', path, { amount: '20.00' })).id('transaction.id');
  await caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/increment`, { amount: '5.00' });
  const summary = async () => (await caller.v2('GET', `/_sandbox/explain/${id}`)).at('summary');
  expect(await summary()).toContain('pending; simulate increment');
  await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P8D' });
  expect(await summary()).toMatch(/^reversed.*; in its ordinary steps$/);
});
