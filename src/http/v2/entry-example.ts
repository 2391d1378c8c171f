/**
 * How an entry comes to wait on the master account, for examples that need one: money comes in that names no sub account,
 * and the control plane settles it, because nothing settles by itself in a sandbox whose rails are moved by hand.
 */
import type { AnyOperation, ExampleWorld } from '../operation.ts';
import { simulateAchPush } from './routes/simulate-ach-push.ts';

const enter: AnyOperation = {
  ...simulateAchPush,
  example: {
    body: ({ seed }: ExampleWorld) => ({
      master_account_id: seed('master_account_id'),
      amount: '100.00',
      description: 'For whom it may concern',
      counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
    }),
  },
};

/** Its answer has the settled entry as `transaction`. */
export const settleEntry: AnyOperation = {
  ...enter,
  id: 'sandbox_simulate_transaction',
  path: '/_sandbox/simulate/transactions/:id/:event',
  status: 200,
  example: {
    after: enter,
    params: ({ made }: ExampleWorld) => ({ id: made('id'), event: 'settle' }),
    body: {},
  },
};
