/**
 * Every attempt to deliver an event: to whom, when, what came of it, and when the next is due.
 */
import { Type } from '@sinclair/typebox';
import { findEvent } from '../../../sandboxes/event-log.ts';
import { AttemptView, EventParams, viewAttempts } from '../events.ts';
import { controlOperation } from '../operation.ts';

export const listEventAttempts = controlOperation({
  id: 'sandbox_list_event_attempts',
  method: 'GET',
  path: '/_sandbox/events/:id/attempts',
  group: 'Events',
  summary: 'List the attempts to deliver an event',
  status: 200,
  refuses: ['event_not_found'],
  params: EventParams,
  response: Type.Object({ attempts: Type.Array(AttemptView) }),
  run: ({ sandbox }, { params }) => ({
    attempts: viewAttempts(sandbox, findEvent(sandbox.outbox, params.id)),
  }),
});
