/**
 * Coverage: counted from calls, refusals and facts, with a complete list of all items, and preserved when the bank is
 * replaced.
 */
import { describe, expect, it } from 'vitest';
import { REFUSALS } from '../../../../src/bank/kernel/refusals.ts';
import { V1_KINDS, V2_KINDS } from '../../../../src/bank/model/facts.ts';
import type { RailEvent } from '../../../../src/bank/model/rails/index.ts';
import { latestSeqOf } from '../../../support/tables.ts';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

interface Share {
  exists: number;
  exercised: number;
  percent: number;
  counts: Record<string, number>;
  missing: string[];
}

type Coverage = { percent: number; facts_not_read: number } & Record<
  | 'operations'
  | 'states'
  | 'transitions'
  | 'event_types_v1'
  | 'event_types_v2'
  | 'error_codes'
  | 'return_codes',
  Share
>;

async function coverage(caller: Caller): Promise<Coverage> {
  const answer = await caller.v2('GET', '/_sandbox/coverage');
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Coverage;
}

const pull = (caller: Caller, amount = '5.00') =>
  caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount,
  });

/** Runs steps of the last created payment. */
async function step(caller: Caller, ...events: RailEvent[]): Promise<void> {
  for (const event of events) await simulate(caller, event);
}

async function simulate(caller: Caller, event: RailEvent, body: object = {}): Promise<void> {
  const { body: list } = await caller.v2('GET', '/_sandbox/events?api_version=v2&limit=1');
  const [{ resource_id: id } = { resource_id: '' }] = (list as { events: { resource_id: string }[] }).events;
  const answer = await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
  expect(answer.status, answer.text).toBe(200);
}

describe('coverage', () => {
  it('starts at zero with all items', async () => {
    const { percent, facts_not_read, ...shares } = await coverage(http.caller());
    expect([percent, facts_not_read]).toEqual([0, 0]);
    for (const share of Object.values(shares)) {
      expect(share).toMatchObject({ exercised: 0, percent: 0, counts: {} });
      expect(share.missing).toHaveLength(share.exists);
      expect(share.exists).toBeGreaterThan(0);
    }
    expect(shares.event_types_v2.missing).toEqual(V2_KINDS);
    expect(shares.event_types_v1.missing).toEqual(V1_KINDS);
    for (const code of shares.error_codes.missing) expect(REFUSALS).toHaveProperty(code);
    expect(shares.error_codes.missing).toContain('insufficient_funds');
    expect(shares.error_codes.missing).not.toContain('key_missing');
    expect(shares.states.missing).toContain('ach_pull: in_review');
    expect(shares.states.missing).toContain('sub account: credit_blocked');
    expect(shares.transitions.missing).toContain(
      'card_authorization: pending -> reversed (reverse or expire)',
    );
    expect(shares.return_codes.missing).toContain('R01');
  });

  it('counts a payment from its first state to its last', async () => {
    const caller = http.caller();
    await pull(caller);
    await step(caller, 'submit', 'send', 'clear', 'settle');
    await pull(caller);
    const { operations, states, transitions, event_types_v2 } = await coverage(caller);
    expect(operations.counts).toEqual({ v2_originate_ach_pull: 2 });
    expect(states.counts).toEqual({
      'ach_pull: cleared': 1,
      'ach_pull: clearing': 1,
      'ach_pull: originated': 2,
      'ach_pull: pending': 1,
      'ach_pull: settled': 1,
    });
    expect(transitions.counts).toEqual({
      'ach_pull: cleared -> settled (settle)': 1,
      'ach_pull: clearing -> cleared (clear)': 1,
      'ach_pull: originated -> pending (submit)': 1,
      'ach_pull: pending -> clearing (send)': 1,
    });
    expect(event_types_v2.counts).toMatchObject({
      'transaction.created': 2,
      'transaction.status.settled': 1,
    });
    expect(states.exercised).toBe(5);
    expect(states.percent).toBe(Math.round((5 / states.exists) * 1000) / 10);
  });

  it('counts the states of other objects, including existing ones', async () => {
    const caller = http.caller();
    const card = caller.seed('card_id').replaceAll('-', '').replace('crd', 'crd_');
    const update = async (status: string) => {
      const answer = await caller.v2('PATCH', `/v2/issuing/card/${card}`, { status });
      expect(answer.status, answer.text).toBe(200);
    };
    await update('blocked');
    await update('open');
    const { states, transitions } = await coverage(caller);
    expect(transitions.counts).toEqual({
      'card: blocked -> open (open)': 1,
      'card: open -> blocked (block)': 1,
    });
    expect(states.counts).toEqual({ 'card: blocked': 1, 'card: open': 1 });
  });

  it('counts refusals by code, without errors from faults', async () => {
    const caller = http.caller();
    await pull(caller, 'five');
    await pull(caller, 'five');
    await caller.v2('GET', '/v2/nothing');
    await caller.v2('POST', '/_sandbox/faults', {
      error: { status: 409, code: 'insufficient_funds' },
      times: 1,
    });
    await pull(caller);
    const { error_codes } = await coverage(caller);
    expect(error_codes.counts).toEqual({ amount_malformed: 2, path_unknown: 1 });
  });

  it('counts return codes', async () => {
    const caller = http.caller();
    await pull(caller);
    await step(caller, 'submit', 'send', 'clear');
    await simulate(caller, 'return', { return_code: 'R03' });
    const { return_codes, transitions } = await coverage(caller);
    expect(return_codes.counts).toEqual({ R03: 1 });
    expect(transitions.counts).toMatchObject({ 'ach_pull: cleared -> returned (return)': 1 });
  });

  it('starts again when it is deleted', async () => {
    const caller = http.caller();
    await pull(caller);
    await pull(caller, 'five');
    expect((await caller.v2('DELETE', '/_sandbox/coverage')).status).toBe(204);
    expect((await coverage(caller)).percent).toBe(0);
    await step(caller, 'submit');
    const { transitions, states } = await coverage(caller);
    expect(transitions.counts).toEqual({ 'ach_pull: originated -> pending (submit)': 1 });
    expect(states.counts).toEqual({ 'ach_pull: pending': 1 });
  });

  it('continues over a change of banks, with the items of the old one', async () => {
    const caller = http.caller();
    const seeded = caller.sandbox.image();
    await pull(caller);
    await step(caller, 'submit');
    caller.sandbox.replaceWith(seeded);
    await pull(caller);
    const { states, facts_not_read } = await coverage(caller);
    expect(states.counts).toEqual({ 'ach_pull: originated': 2, 'ach_pull: pending': 1 });
    expect(facts_not_read).toBe(0);
  });

  it('is computed in slices, and is the same for concurrent readers', async () => {
    const caller = http.caller();
    const count = 700;
    await Promise.all(Array.from({ length: count }, () => pull(caller)));
    expect(latestSeqOf(caller.sandbox)).toBeGreaterThan(count);
    const [one, other] = await Promise.all([coverage(caller), coverage(caller)]);
    expect(one.states.counts).toEqual({ 'ach_pull: originated': count });
    expect(other).toEqual(one);
  });
});
