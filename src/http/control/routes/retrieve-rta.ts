/**
 * Whom the sandbox asks in real time.
 */
import { controlOperation } from '../operation.ts';
import { RtaView, viewRta } from '../real-time.ts';

export const retrieveRta = controlOperation({
  id: 'sandbox_retrieve_rta',
  method: 'GET',
  path: '/_sandbox/rta',
  group: 'Real-time authorization',
  summary: 'Show whom the sandbox asks in real time',
  status: 200,
  response: RtaView,
  run: ({ sandbox }) => viewRta(sandbox.bank.realTime.settings()),
});
