/**
 * One event, by the id that it was delivered with.
 */
import { refuse } from '../../../kernel/refusal.ts';
import { findEvent } from '../../../sandboxes/event-log.ts';
import { EventParams, EventView, viewEvents } from '../events.ts';
import { controlOperation } from '../operation.ts';

export const retrieveEvent = controlOperation({
  id: 'sandbox_retrieve_event',
  method: 'GET',
  path: '/_sandbox/events/:id',
  group: 'Events',
  summary: 'Retrieve an event',
  status: 200,
  refuses: ['event_not_found'],
  params: EventParams,
  response: EventView,
  run: ({ sandbox }, { params }) => {
    const [event] = viewEvents(sandbox, [findEvent(sandbox.outbox, params.id)]);
    if (event === undefined) throw refuse('event_not_found');
    return event;
  },
});
