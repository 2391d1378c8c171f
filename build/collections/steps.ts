/**
 * What some control operations need before them, as requests of the collection itself: an event, a fault, a snapshot. And
 * the operations that no collection can send.
 */

/** A variable as both programs write it. */
export const variable = (name: string): string => `{{${name}}}`;

/** A request that is sent before another one. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** The variable that keeps a part of the answer, and where it stands: `transaction.id`. */
  readonly keep?: readonly [variable: string, place: string];
}

interface Needs {
  readonly steps: readonly Step[];
  readonly params?: Readonly<Record<string, string>>;
}

/** Operations without a request in the collections, each with the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sandbox_stream: 'its answer does not end',
  sandbox_import: 'its body is a file',
  sandbox_put_slot_image: 'its body is a file',
  sandbox_change_slot: 'only a bank of a fleet takes it',
  sandbox_retrieve_slot_image: 'only a bank of a fleet has it',
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
/** An event that a webhook wants. */
const aWantedEvent: Needs = {
  ...anEvent,
  steps: [
    { method: 'POST', path: '/_sandbox/webhooks', body: { dialect: 'v2', receiver: true, events: ['*'] } },
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

/** What each operation needs. A sandbox that is there already answers 409, which does not matter. */
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
