/**
 * The log of events, whether or not a webhook wants them: the newest first, or what came after one; with `wait` it is
 * answered as soon as there is one, so that nobody has to ask again and again.
 */
import { awaitEvents } from '../../../sandboxes/event-log.ts';
import { EventList, EventsQuery, readEventsQuery, viewEvents } from '../events.ts';
import { controlOperation } from '../operation.ts';

export const listEvents = controlOperation({
  id: 'sandbox_list_events',
  method: 'GET',
  path: '/_sandbox/events',
  group: 'Events',
  summary: 'List the events, or wait for one',
  status: 200,
  refuses: ['event_not_found', 'event_unknown'],
  query: EventsQuery,
  response: EventList,
  run: async ({ sandbox, signal }, request) => {
    const { query, waitMs } = readEventsQuery(sandbox, request.query);
    const { events, cursor } = await awaitEvents(sandbox, query, waitMs, signal);
    return { events: events.length === 0 ? [] : viewEvents(sandbox, events), cursor };
  },
});
