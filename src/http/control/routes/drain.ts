/**
 * Waits until the sandbox is quiet: nothing is due and nothing in flight. The clock is not moved, so what is planned for
 * later, retries included, goes on waiting; what delivery chaos holds back to shuffle it is sent.
 */
import { Type } from '@sinclair/typebox';
import { formatInstantOrEmpty } from '../../../kernel/time.ts';
import { nextDueAt, waitUntilQuiet } from '../../../sandboxes/time-travel.ts';
import { controlOperation } from '../operation.ts';

const USUAL_DEADLINE_MS = 5_000;

export const drain = controlOperation({
  id: 'sandbox_drain',
  method: 'POST',
  path: '/_sandbox/drain',
  group: 'Events',
  summary: 'Wait until every delivery that is due has arrived',
  status: 200,
  body: Type.Object({
    deadline_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600_000,
        description: `Real milliseconds; ${USUAL_DEADLINE_MS} when not sent.`,
      }),
    ),
  }),
  response: Type.Object({
    quiescent: Type.Boolean({ description: 'false when the deadline came first.' }),
    delivered: Type.Integer({ description: 'Deliveries that have arrived since the bank was opened.' }),
    failed: Type.Integer({ description: 'Attempts that have failed since then.' }),
    waiting: Type.Integer({ description: 'Deliveries that wait: for a retry, or for a paused webhook.' }),
    in_flight: Type.Integer({ description: 'Deliveries that are being sent.' }),
    next_due_at: Type.String({
      description: 'When the next planned step or retry is due, ISO 8601 in UTC; "" without one.',
    }),
  }),
  example: { body: { deadline_ms: 5000 } },
  run: async ({ sandbox, signal }, { body }) => {
    const deadline = performance.now() + (body.deadline_ms ?? USUAL_DEADLINE_MS);
    // Commands that were given before this one have run then.
    await sandbox.commit(() => undefined);
    let quiescent: boolean;
    do quiescent = await waitUntilQuiet(sandbox, Math.max(0, deadline - performance.now()), signal);
    while (quiescent && sandbox.courier?.release() === true);
    const { first, retry } = sandbox.queue.waiting();
    return {
      quiescent,
      ...(sandbox.courier?.tally() ?? { delivered: 0, failed: 0 }),
      waiting: first + retry,
      in_flight: sandbox.courier?.inFlight() ?? 0,
      next_due_at: formatInstantOrEmpty(nextDueAt(sandbox) ?? null),
    };
  },
});
