/**
 * Forgets what was exercised, and counts from here.
 */
import { controlOperation } from '../operation.ts';

export const clearCoverage = controlOperation({
  id: 'sandbox_clear_coverage',
  method: 'DELETE',
  path: '/_sandbox/coverage',
  group: 'Look',
  summary: 'Count what is exercised from here',
  status: 204,
  run: ({ sandbox }) => sandbox.coverage.clear(sandbox.outbox),
});
