/** A step that waits for a state: how long, and when the wait of the other side is skipped. */
import { describe, expect, it } from 'vitest';
import type { Side } from '../../src/compare/side.ts';
import { type Durations, takeStep } from '../../src/compare/steps.ts';

const PATIENCE_MS = 120_000;
const STEP = { wait: 'GET /v2/payments/txn_1', field: 'status', is: ['settled'] };
const PLACE = { name: 'settles', captured: {}, seen: 0, isSteady: false, stuckAt: '' };

/** Waits on a side that answers these states in turn; returns the recorded exchange, the requests and the pauses. */
async function waitFor(states: readonly string[], needed: number | undefined, changes: Partial<Side> = {}) {
  const left = [...states];
  let requests = 0;
  const pauses: number[] = [];
  const side: Side = {
    url: 'http://127.0.0.1:1',
    versions: ['v2'],
    send: async () => {
      requests += 1;
      return { answer: { status: 200, headers: {}, body: { status: left.shift() } } };
    },
    ...changes,
  };
  const durations: Durations = { of: () => needed, note: () => {} };
  const track = { side, exchanges: [], events: [], created: [], unanswered: [], begun: new Map() };
  const pause = async (ms: number) => pauses.push(ms);
  const options = { durations, run: 'run', patienceMs: PATIENCE_MS, pause };
  const { isStuck } = await takeStep(options, track, STEP, PLACE);
  return { exchange: track.exchanges[0], isStuck, requests, pauses };
}

describe('a wait for a state', () => {
  it('is skipped after one request if this bank needed longer than the patience', async () => {
    const { exchange, isStuck, requests } = await waitFor(['pending', 'settled'], PATIENCE_MS + 1);
    expect(exchange).toMatchObject({ failure: 'this bank needs 2 min for it, and --patience is 2 min' });
    expect([isStuck, requests]).toEqual([true, 1]);
  });

  it('continues with longer pauses if this bank needed exactly that long', async () => {
    const { exchange, isStuck, pauses } = await waitFor(['pending', 'sent', 'settled'], PATIENCE_MS);
    expect(exchange).toMatchObject({ states: ['pending', 'sent', 'settled'], isReached: true });
    expect([isStuck, pauses]).toEqual([false, [100, 150]]);
  });

  it('is never skipped on the side whose clock can be moved', async () => {
    const { exchange, pauses } = await waitFor(['pending', 'settled'], PATIENCE_MS + 1, {
      pass: async () => true,
    });
    expect(exchange).toMatchObject({ states: ['pending', 'settled'], isReached: true });
    expect(pauses).toEqual([]);
  });
});
