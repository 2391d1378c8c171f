/**
 * Lets time pass: from one due instant to the next up to where it was asked to go, with every planned step and delivery
 * in its place, and tells what happened. Two small ways come to the same as one long one.
 */
import { Type } from '@sinclair/typebox';
import { targetOf } from '../../../sandboxes/targets.ts';
import { advance } from '../../../sandboxes/time-travel.ts';
import { controlOperation } from '../operation.ts';
import { DEADLINE_MS, Deadline, TravelView, viewTravel } from '../time-views.ts';

export const advanceClock = controlOperation({
  id: 'sandbox_advance_clock',
  method: 'POST',
  path: '/_sandbox/clock/advance',
  group: 'Clock',
  summary: 'Let time pass',
  status: 200,
  refuses: ['illegal_step'],
  body: Type.Object({
    by: Type.Optional(Type.String({ description: 'An ISO 8601 duration, like P2D or PT90M.' })),
    business_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5000,
        description: 'Banking days; the Eastern clock then shows the same time of day.',
      }),
    ),
    to: Type.Optional(Type.String({ description: 'An instant, ISO 8601 with a zone.' })),
    deadline_ms: Deadline,
  }),
  response: TravelView,
  example: { body: { business_days: 2 } },
  run: async ({ sandbox, signal }, { body }) => {
    const { deadline_ms: deadlineMs = DEADLINE_MS, ...wish } = body;
    const target = targetOf(wish, sandbox.clock.now());
    return viewTravel(sandbox, await advance(sandbox, target, { deadlineMs, signal }));
  },
});
