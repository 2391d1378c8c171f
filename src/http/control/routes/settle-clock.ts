/**
 * Lets time pass until every movement under way has arrived, and tells what happened. A test spend of v1 is captured on
 * the way; card holds that wait for their capture are not under way; what waits for somebody (a review) is left and named.
 */
import { Type } from '@sinclair/typebox';
import { spellV2 } from '../../../dialects/identifiers.ts';
import { settle } from '../../../sandboxes/time-travel.ts';
import { controlOperation } from '../operation.ts';
import { DEADLINE_MS, Deadline, MovementView, TravelView, viewTravel } from '../time-views.ts';

export const settleClock = controlOperation({
  id: 'sandbox_settle_clock',
  method: 'POST',
  path: '/_sandbox/clock/settle',
  group: 'Clock',
  summary: 'Let time pass until everything under way has arrived',
  status: 200,
  refuses: ['illegal_step'],
  body: Type.Object({ deadline_ms: Deadline }),
  response: Type.Intersect([
    TravelView,
    Type.Object({
      left: Type.Array(MovementView, { description: 'Movements that wait for somebody.' }),
    }),
  ]),
  example: { body: { deadline_ms: 5000 } },
  run: async ({ sandbox, signal }, { body: { deadline_ms: deadlineMs = DEADLINE_MS } }) => {
    const settled = await settle(sandbox, { deadlineMs, signal });
    const left = settled.left.map(({ id, rail, status }) => ({
      transaction_id: spellV2('transaction', id),
      rail,
      status,
    }));
    return { ...viewTravel(sandbox, settled), left };
  },
});
