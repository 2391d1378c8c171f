/**
 * The requests that prepare the example of a control operation and supply parts of it: the id of an event, of a
 * fault, of a payment.
 */
import type { Reply } from './bank.ts';
import type { Draft } from './requests.ts';

/** Calls the bank with JSON; throws for a status of 400 or more. */
export type CallJson = (method: string, path: string, body?: object) => Promise<Reply>;

type Json = Record<string, unknown>;
type Prepare = (call: CallJson, seeded: Readonly<Record<string, string>>) => Promise<Partial<Draft>>;

const first = (body: unknown, list: string): string =>
  (body as Record<string, Json[]>)[list]?.[0]?.id as string;
const idIn = (body: unknown): string => (body as Json).id as string;

const pull = async (call: CallJson, seeded: Readonly<Record<string, string>>): Promise<string> => {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
  const { body } = await call('POST', '/v2/payments/ach/pull', {
    sub_account_id,
    counterparty_id,
    amount: '62.40',
    description: 'February dues',
  });
  return idIn(body);
};

/** Creates an event with a subscribed webhook and its delivery. */
const anEvent: Prepare = async (call, seeded) => {
  await call('POST', '/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
  await pull(call, seeded);
  await call('POST', '/_sandbox/drain');
  return { params: { id: first((await call('GET', '/_sandbox/events?limit=1')).body, 'events') } };
};
const aRequest: Prepare = async (call, seeded) => {
  await pull(call, seeded);
  return { params: { id: first((await call('GET', '/_sandbox/requests')).body, 'requests') } };
};
const aFault: Prepare = async (call) => {
  const fault = { match: { method: 'POST', route: '/v2/payments/*' }, error: { status: 503 }, times: 1 };
  return { params: { id: idIn((await call('POST', '/_sandbox/faults', fault)).body) } };
};
const aWebhook: Prepare = async (_, { webhook_id: id = '' }) => ({ params: { id } });
const aSnapshot: Prepare = async (call) => {
  await call('PUT', '/_sandbox/snapshots/payday');
  return {};
};
const aSandbox =
  (name: string): Prepare =>
  async (call) => {
    await call('POST', '/_sandbox/sandboxes', { name });
    return {};
  };
const aPayment: Prepare = async (call, seeded) => {
  await pull(call, seeded);
  return {};
};
const anImage = async (call: CallJson): Promise<Partial<Draft>> => ({
  payload: (await call('GET', '/_sandbox/export')).bytes,
  headers: { 'content-type': 'application/vnd.sqlite3' },
});

export const PREPARATIONS: Readonly<Record<string, Prepare>> = {
  sandbox_retrieve_event: anEvent,
  sandbox_render_event: anEvent,
  sandbox_list_event_attempts: anEvent,
  sandbox_resend_event: anEvent,
  sandbox_list_events: aPayment,
  sandbox_list_timers: aPayment,
  sandbox_list_requests: aPayment,
  sandbox_retrieve_request: aRequest,
  sandbox_keep_platform_answer: aRequest,
  sandbox_retrieve_coverage: aPayment,
  sandbox_advance_clock: aPayment,
  sandbox_list_faults: aFault,
  sandbox_delete_fault: aFault,
  sandbox_send_example: aWebhook,
  sandbox_replay_events: aWebhook,
  sandbox_resend_failed: aWebhook,
  sandbox_list_webhook_attempts: async (call, seeded) => {
    await anEvent(call, seeded);
    return { params: { id: first((await call('GET', '/_sandbox/webhooks')).body, 'webhooks') } };
  },
  sandbox_list_sandboxes: aSandbox('alice'),
  sandbox_delete_sandbox: aSandbox('spare'),
  sandbox_list_snapshots: aSnapshot,
  sandbox_retrieve_snapshot: aSnapshot,
  sandbox_delete_snapshot: aSnapshot,
  sandbox_restore_snapshot: aSnapshot,
  sandbox_compare_snapshot: async (call, seeded) => {
    await aSnapshot(call, seeded);
    return aPayment(call, seeded);
  },
  sandbox_import: anImage,
  sandbox_retrieve_rta: async (call) => {
    await call('PUT', '/_sandbox/rta', { url: 'http://hooks.example/rta' });
    return {};
  },
  sandbox_simulate_transaction: async (call, seeded) => ({
    params: { id: await pull(call, seeded), event: 'settle' },
  }),
  sandbox_simulate_authorization: async (call, { virtual_card_id }) => {
    const url = `/_sandbox/simulate/cards/${virtual_card_id}/authorize`;
    const { body } = await call('POST', url, { amount: '4.50' });
    const { transaction } = body as { transaction: { id: string } };
    return { params: { transaction_id: transaction.id, event: 'capture' } };
  },
};
