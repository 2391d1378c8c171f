/**
 * Tells what the clock of the sandbox shows, and how it goes.
 */
import { controlOperation } from '../operation.ts';
import { ClockView, viewClock } from '../time-views.ts';

export const retrieveClock = controlOperation({
  id: 'sandbox_retrieve_clock',
  method: 'GET',
  path: '/_sandbox/clock',
  group: 'Clock',
  summary: 'What the clock shows',
  status: 200,
  response: ClockView,
  run: ({ sandbox }) => viewClock(sandbox),
});
