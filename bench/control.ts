/**
 * Measures the control plane: the reset, snapshot, restore and clone of the seeded bank; the cost of faults and rules
 * for a request, with none and with one of each that never matches (in alternation, one request at a time); a trace
 * after thousands of payments; and an advance by a year with thousands of pending payments.
 */

import { caseOf, requestOf } from './cases.ts';
import { freshPath, type Place, startBank, startClient } from './children.ts';
import { median } from './numbers.ts';
import { getJson, readBank } from './state.ts';

export interface ControlFigures {
  readonly place: Place;
  /** Milliseconds over HTTP, medians. */
  readonly resetMs: number;
  readonly snapshotMs: number;
  readonly restoreMs: number;
  readonly cloneMs: number;
  /** A sandbox with thousands of payments, whose journal and lists are full. */
  readonly traceMs: number;
  /** Microseconds of a payment without and with a fault and a rule that never match. */
  readonly emptyUs: number;
  readonly unfittingUs: number;
  /** The number of payments that the advance by a year settled, in total and per second of real time. */
  readonly settled: number;
  readonly settledPerSecond: number;
}

const REPEATS = 50;
const PAIRS = 10;
const PAYMENTS = 150;
const TRACES = 10;
const PLANNED_SECONDS = 1.5;
const YEAR_LIMIT_MS = 60_000;

const FAULT = { match: { operation: 'v2_delete_webhook' }, error: { status: 503 } };
const RULE = { match: { name: 'Nobody of that name' }, outcome: { return_code: 'R01' } };

export async function measureControl(place: Place): Promise<ControlFigures> {
  const bank = await startBank(place, { compileCache: freshPath('compile-cache') });
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(bank.url + path, {
      method,
      headers: { 'api-key': 'test_default', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text;
  };
  const timed = async (times: number, action: (turn: number) => Promise<unknown>): Promise<number> => {
    const all: number[] = [];
    for (let turn = 0; turn < times; turn += 1) {
      const start = performance.now();
      await action(turn);
      all.push(performance.now() - start);
    }
    return median(all);
  };

  const resetMs = await timed(REPEATS, () => send('POST', '/_sandbox/reset'));
  const snapshotMs = await timed(REPEATS, () => send('PUT', '/_sandbox/snapshots/bench'));
  const restoreMs = await timed(REPEATS, () => send('POST', '/_sandbox/snapshots/bench/restore'));
  const cloneMs = await timed(REPEATS, (turn) =>
    send('POST', '/_sandbox/sandboxes', { name: `clone${turn}`, from: 'default' }),
  );

  const { seeded } = await getJson<{ seeded: Record<string, string> }>(bank.url, '/_sandbox');
  const payment = { sub_account_id: seeded.sub_account_id, counterparty_id: seeded.ach_counterparty_id };
  const pay = () => send('POST', '/v2/payments/ach/pull', { ...payment, amount: '0.01' });
  await timed(PAYMENTS * 4, pay);
  const empty: number[] = [];
  const unfitting: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await send('DELETE', '/_sandbox/faults');
    await send('PUT', '/_sandbox/rules', { rules: [] });
    empty.push(await timed(PAYMENTS, pay));
    await send('POST', '/_sandbox/faults', FAULT);
    await send('PUT', '/_sandbox/rules', { rules: [RULE] });
    unfitting.push(await timed(PAYMENTS, pay));
  }
  const traceMs = await timed(TRACES, () => send('POST', '/_sandbox/trace', {}));
  const { settled, seconds } = await measureYear(bank, send);
  await bank.stop();
  const inUs = (ms: number[]): number => median(ms) * 1000;
  return {
    place,
    resetMs,
    snapshotMs,
    restoreMs,
    cloneMs,
    traceMs,
    emptyUs: inUs(empty),
    unfittingUs: inUs(unfitting),
    settled,
    settledPerSecond: settled / seconds,
  };
}

/** Makes payments that take days, advances the clock by a year, and checks that all of them are settled. */
async function measureYear(
  bank: { port: number; url: string },
  send: (method: string, path: string, body?: object) => Promise<unknown>,
): Promise<{ settled: number; seconds: number }> {
  await send('POST', '/_sandbox/reset');
  const { seeded } = await readBank(bank.url);
  const client = startClient();
  const { answers, problem } = await client.run({
    ...requestOf(caseOf('ach'), seeded),
    port: bank.port,
    name: 'planned',
    connections: 16,
    seconds: PLANNED_SECONDS,
  });
  await client.stop();
  if (problem !== '') throw new Error(`payments that are to be settled: ${problem}`);
  const begun = performance.now();
  await send('POST', '/_sandbox/clock/advance', { by: 'P1Y', deadline_ms: YEAR_LIMIT_MS });
  const seconds = (performance.now() - begun) / 1000;
  const { plannedSteps } = await readBank(bank.url);
  if (plannedSteps > 0) throw new Error(`a year passed, and ${plannedSteps} steps are still planned`);
  return { settled: answers, seconds };
}
