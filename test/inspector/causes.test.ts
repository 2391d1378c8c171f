/** The activity as lines: causes and effects, outcomes, and filters. */
import { describe, expect, it } from 'vitest';
import { causesOf, fits, isFailure } from '../../inspector/causes.ts';
import type { AttemptItem, FactItem, Item, RequestItem } from '../../inspector/stream.ts';

let number = 0;
const next = () => {
  number += 1;
  return { number, bank: 0, at: '2026-03-01T12:00:00Z' };
};

const request = (more: Partial<RequestItem> = {}): RequestItem => ({
  type: 'request',
  ...next(),
  id: `req_${number}`,
  wall_at: '2026-03-01T12:00:00Z',
  api_version: 'v2',
  method: 'POST',
  path: '/v2/payments/ach/pull',
  operation: 'v2_originate_ach_pull',
  status: 201,
  ms: 1,
  error_code: '',
  fault: '',
  facts: null,
  ...more,
});
const fact = (seq: number, status: string, more: Partial<FactItem['summary']> = {}): FactItem => ({
  type: 'fact',
  ...next(),
  seq,
  resource: 'transaction',
  resource_id: 'txn_1',
  change: 'status',
  summary: {
    title: 'ACH pull',
    name: 'Harbor Supplies',
    status,
    amount: '62.40',
    direction: 'credit',
    reason: '',
    ...more,
  },
  events: [{ id: `evt_${seq}`, type: 'transaction.created', api_version: 'v2' }],
});
const attempt = (seq: number, which: number, status: number): AttemptItem => ({
  type: 'attempt',
  ...next(),
  webhook_id: 'whk_1',
  event_id: `evt_${seq}`,
  event_type: 'transaction.created',
  attempt: which,
  status,
  error: '',
  state: 'waiting',
});
const ALL = { kind: '', only: '', text: '' };

describe('the activity list', () => {
  it('groups effects under their causes, in any order of arrival, with the final state', () => {
    const made = fact(1, 'originated');
    const failed = attempt(1, 1, 503);
    const asked = request({ facts: { from: 1, to: 1 } });
    const settled = fact(2, 'settled');
    const retry = attempt(1, 2, 200);
    const returned = fact(3, 'returned', { reason: 'R01' });
    const call = request({ api_version: 'control', facts: { from: 3, to: 3 } });
    const all: Item[] = [made, failed, asked, settled, retry, returned, call];
    const causes = causesOf(all);
    expect(causes.map(({ item }) => item)).toEqual([asked, settled, retry, call]);
    expect(causes[0]).toMatchObject({ caused: [made, failed], subject: made, outcome: returned });
    expect(causes[2]).toMatchObject({ caused: [], subject: made, outcome: retry });
    expect(causes[0]?.outcome).toBe(returned);
  });

  it('groups the retries of a delivery at the time of the latest, with an outcome of their own', () => {
    const made = fact(1, 'originated');
    const [first, second, third] = [attempt(1, 1, 503), attempt(1, 2, 500), attempt(1, 3, 200)];
    const other = { ...attempt(1, 2, 503), webhook_id: 'whk_2' };
    const read = request({ method: 'GET' });
    const returned = fact(2, 'returned', { reason: 'R01' });
    const before = causesOf([made, first, second, other, read, returned]);
    expect(before.map(({ item }) => item)).toEqual([made, second, other, read, returned]);
    expect(before[0]).toMatchObject({ outcome: returned, undelivered: [second] });
    expect(before[1]).toMatchObject({ subject: made, outcome: second, undelivered: [second] });
    const after = causesOf([made, first, second, other, read, third]);
    expect(after.map(({ item }) => item)).toEqual([made, other, read, second]);
    expect(after[3]).toMatchObject({ caused: [third], outcome: third, undelivered: [] });
    expect(after.map(isFailure)).toEqual([false, true, false, false]);
  });

  it('assigns records that were written during a move of the clock to their payment', () => {
    const asked = request({ facts: { from: 5, to: 5 } });
    const made = fact(5, 'originated');
    const advance = request({ api_version: 'control', facts: { from: 1, to: 9 } });
    const causes = causesOf([made, advance, asked]);
    expect(causes.find(({ item }) => item === asked)?.caused).toEqual([made]);
    expect(causes.find(({ item }) => item === advance)?.caused).toEqual([]);
  });

  it('names the payment of a request, not one whose due step was executed with it', () => {
    const due = { ...fact(1, 'settled'), resource_id: 'txn_01a2aa' };
    const made = { ...fact(2, 'received'), resource_id: 'txn_01a2bb', change: 'created' };
    const asked = request({ facts: { from: 1, to: 2 } });
    expect(causesOf([asked, due, made])[0]?.subject).toBe(made);
    // A return makes a child of the payment in its path.
    const returned = request({ path: '/v1/transfer/tra-01a2-aa/return', facts: { from: 1, to: 2 } });
    expect(causesOf([returned, due, made])[0]?.subject).toBe(due);
    const advance = request({ path: '/_sandbox/clock/advance', facts: { from: 1, to: 1 } });
    expect(causesOf([advance, due])[0]?.subject).toBe(due);
  });

  it('is filtered by kind, outcome and text together', () => {
    const refused = request({ status: 400, path: '/v2/payments/ach/push' });
    const read = request({ method: 'GET', path: '/v2/accounts/sub_account', status: 200, api_version: 'v1' });
    const made = fact(1, 'settled');
    const asked = request({ facts: { from: 1, to: 1 } });
    const causes = causesOf([refused, read, made, asked]);
    const kept = (filter: Partial<typeof ALL>) =>
      causes.filter((cause) => fits(cause, { ...ALL, ...filter })).map(({ item }) => item);
    expect(kept({})).toEqual([refused, read, asked]);
    expect(kept({ only: 'failed' })).toEqual([refused]);
    expect(kept({ only: 'changes' })).toEqual([refused, asked]);
    expect(kept({ kind: 'v1' })).toEqual([read]);
    expect(kept({ text: 'harbor', kind: 'v2' })).toEqual([asked]);
    expect(kept({ text: '62.40', only: 'failed' })).toEqual([]);
  });

  it('marks failures by refusals, deliveries and failed payments', () => {
    const [lost] = causesOf([fact(1, 'declined')]);
    const [undelivered] = causesOf([fact(2, 'settled'), attempt(2, 1, 500)]);
    const [fine] = causesOf([fact(3, 'settled'), attempt(3, 1, 200)]);
    expect([lost, undelivered, fine].map((cause) => cause !== undefined && isFailure(cause))).toEqual([
      true,
      true,
      false,
    ]);
  });
});
