/**
 * Prerequisites of some control operations as requests: an event, a fault, a snapshot. Also the operations that no
 * collection can send.
 */

/** A variable in the syntax of both programs. */
export const variable = (name: string): string => `{{${name}}}`;

/** A request that is sent before another one. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The variable that stores a part of the response, and the path of that part: `transaction.id`. */
  readonly keep?: readonly [variable: string, place: string];
}

interface Needs {
  readonly steps: readonly Step[];
  readonly params?: Readonly<Record<string, string>>;
}

/** Operations that are not in the collections, with the reasons. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sandbox_stream: 'its answer does not end',
  sandbox_import: 'its body is a file',
};

const PULL: Step = {
  method: 'POST',
  path: '/v2/payments/ach/pull',
  body: {
    sub_account_id: variable('sub_account_id'),
    counterparty_id: variable('ach_counterparty_id'),
    amount: '62.40',
  },
  keep: ['made_transaction_id', 'id'],
};
const AUTHORIZE: Step = {
  method: 'POST',
  path: `/_sandbox/simulate/cards/${variable('virtual_card_id')}/authorize`,
  body: { amount: '4.50' },
  keep: ['made_transaction_id', 'transaction.id'],
};
const SNAPSHOT: Step = { method: 'PUT', path: '/_sandbox/snapshots/payday' };
const anEvent: Needs = {
  steps: [PULL, { method: 'GET', path: '/_sandbox/events?limit=1', keep: ['made_event_id', 'events.0.id'] }],
  params: { id: variable('made_event_id') },
};
/** An event with a subscribed webhook. */
const aWantedEvent: Needs = {
  ...anEvent,
  steps: [
    {
      method: 'POST',
      path: '/_sandbox/webhooks',
      body: { api_version: 'v2', receiver: true, events: ['*'] },
    },
    ...anEvent.steps,
  ],
};
const aWebhook: Needs = { steps: [], params: { id: variable('webhook_id') } };
const A_REQUEST: Needs = {
  steps: [
    PULL,
    { method: 'GET', path: '/_sandbox/requests?limit=1', keep: ['made_request_id', 'requests.0.id'] },
  ],
  params: { id: variable('made_request_id') },
};

/** The prerequisites of each operation. An existing sandbox answers 409, which is ignored. */
export const STEPS: Readonly<Record<string, Needs>> = {
  sandbox_retrieve_event: anEvent,
  sandbox_render_event: anEvent,
  sandbox_list_event_attempts: anEvent,
  sandbox_resend_event: aWantedEvent,
  sandbox_send_example: aWebhook,
  sandbox_replay_events: aWebhook,
  sandbox_retrieve_request: A_REQUEST,
  sandbox_keep_platform_answer: A_REQUEST,
  sandbox_delete_fault: {
    steps: [
      {
        method: 'POST',
        path: '/_sandbox/faults',
        body: { match: { route: '/v1/none' }, error: { status: 503 } },
        keep: ['made_fault_id', 'id'],
      },
    ],
    params: { id: variable('made_fault_id') },
  },
  sandbox_create_sandbox: { steps: [{ method: 'DELETE', path: '/_sandbox/sandboxes/spare' }] },
  sandbox_delete_sandbox: {
    steps: [{ method: 'POST', path: '/_sandbox/sandboxes', body: { name: 'spare' } }],
  },
  sandbox_retrieve_snapshot: { steps: [SNAPSHOT] },
  sandbox_delete_snapshot: { steps: [SNAPSHOT] },
  sandbox_restore_snapshot: { steps: [SNAPSHOT] },
  sandbox_compare_snapshot: { steps: [SNAPSHOT] },
  sandbox_simulate_transaction: {
    steps: [PULL],
    params: { id: variable('made_transaction_id'), event: 'decline' },
  },
  sandbox_simulate_authorization: {
    steps: [AUTHORIZE],
    params: { transaction_id: variable('made_transaction_id'), event: 'capture' },
  },
};
