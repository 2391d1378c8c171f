/**
 * Every writing operation of the control plane, with the input of its call, for tests that make each fail. The table
 * follows the list of operations, so a new operation needs a row here.
 */
import { expect } from 'vitest';
import { CONTROL_OPERATIONS } from '../../../../src/sandboxes/control/index.ts';
import type { AnyControlOperation } from '../../../../src/sandboxes/control/operation.ts';
import { pull, type Server } from './server.ts';

/** Values for a call that other calls have to create first. */
export interface World {
  seed(name: string): string;
  readonly event: string;
  readonly fault: string;
  readonly request: string;
  readonly payment: string;
  readonly authorization: string;
  readonly image: Buffer;
}

export type Place = 'a file' | 'memory';

export interface Row {
  readonly params?: (world: World) => Record<string, string>;
  readonly body?: (world: World) => unknown;
  /** A call before the disk is full. */
  readonly first?: readonly [method: 'PUT' | 'POST', url: string, body: unknown];
  /** Operations that succeed although nothing can be written: they change only memory, or only remove. */
  readonly succeeds?: readonly Place[];
}

export const BOTH: readonly Place[] = ['a file', 'memory'];
const IN_MEMORY: Row = { succeeds: BOTH };
const PLAIN: Row = {};
export const SPARE = 'ci-1';
const payday = () => ({ name: 'payday' });

/** Every writing operation. */
export const ROWS: Readonly<Record<string, Row>> = {
  sandbox_create_sandbox: { succeeds: ['memory'] },
  sandbox_delete_sandbox: { params: () => ({ name: SPARE }), succeeds: BOTH },
  sandbox_reset: { succeeds: ['memory'] },
  sandbox_seed: { first: ['PUT', '/_sandbox/clock', { mode: 'frozen' }] },
  sandbox_import: { body: ({ image }) => image, succeeds: ['memory'] },
  sandbox_take_snapshot: { params: () => ({ name: 'other' }), succeeds: ['memory'] },
  sandbox_delete_snapshot: { params: payday, succeeds: BOTH },
  sandbox_restore_snapshot: { succeeds: ['memory'] },
  sandbox_set_clock: PLAIN,
  sandbox_advance_clock: PLAIN,
  sandbox_settle_clock: PLAIN,
  sandbox_resend_event: {
    params: ({ event }) => ({ id: event }),
    first: ['POST', '/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] }],
  },
  sandbox_drain: PLAIN,
  sandbox_create_webhook: PLAIN,
  sandbox_delete_webhook: PLAIN,
  sandbox_send_example: { params: ({ seed }) => ({ id: seed('webhook_id') }) },
  sandbox_replay_events: {
    params: ({ seed }) => ({ id: seed('webhook_id') }),
    body: () => ({ since: '2020-01-01T00:00:00Z' }),
  },
  sandbox_resend_failed: PLAIN,
  sandbox_make_trace: IN_MEMORY,
  sandbox_rotate_secret: PLAIN,
  sandbox_set_chaos: PLAIN,
  sandbox_delete_chaos: PLAIN,
  sandbox_set_receiver: PLAIN,
  sandbox_clear_receiver: PLAIN,
  sandbox_create_fault: PLAIN,
  sandbox_delete_faults: PLAIN,
  sandbox_delete_fault: { params: ({ fault }) => ({ id: fault }) },
  sandbox_clear_coverage: IN_MEMORY,
  sandbox_keep_platform_answer: {
    params: ({ request }) => ({ id: request }),
    succeeds: BOTH,
  },
  sandbox_simulate_transaction: { params: ({ payment }) => ({ id: payment, event: 'settle' }) },
  sandbox_simulate_incoming: PLAIN,
  sandbox_simulate_card_authorization: PLAIN,
  sandbox_simulate_card_refund: PLAIN,
  sandbox_simulate_authorization: {
    params: ({ authorization }) => ({ transaction_id: authorization, event: 'capture' }),
    body: () => ({}),
  },
  sandbox_simulate_holder: PLAIN,
  sandbox_simulate_card: PLAIN,
  sandbox_simulate_account: PLAIN,
  sandbox_replace_rules: PLAIN,
  sandbox_change_settings: PLAIN,
  sandbox_configure_rta: PLAIN,
  sandbox_remove_rta: {
    first: ['PUT', '/_sandbox/rta', { url: 'http://hooks.example/rta' }],
  },
};

/** Path parameters that the list of operations does not have for reading ones. */
const READ_PARAMS: Readonly<Record<string, (world: World) => Record<string, string>>> = {
  sandbox_retrieve_event: ({ event }) => ({ id: event }),
  sandbox_render_event: ({ event }) => ({ id: event }),
  sandbox_list_event_attempts: ({ event }) => ({ id: event }),
  sandbox_retrieve_request: () => ({ id: 'req_0' }),
};
/** An image is compared by its rows, and a stream has no end. */
const NOT_LOOKED_AT = ['/_sandbox/export', '/_sandbox/stream'];

export const WRITES = CONTROL_OPERATIONS.filter(({ method }) => method !== 'GET');
export const READS = CONTROL_OPERATIONS.filter(
  ({ method, path }) => method === 'GET' && !NOT_LOOKED_AT.includes(path),
);

export async function createWorld(server: Server): Promise<World> {
  const { call } = server;
  const { seeded } = (await call('GET', '/_sandbox')).body;
  await call('POST', '/_sandbox/sandboxes', { name: SPARE });
  await call('PUT', '/_sandbox/snapshots/payday');
  const fault = await call('POST', '/_sandbox/faults', {
    match: { route: '/v2/card' },
    error: { status: 503 },
  });
  const payment = await pull(server, '12.00');
  const held = await call('POST', `/_sandbox/simulate/cards/${seeded.virtual_card_id}/authorize`, {
    amount: '1.00',
  });
  const { events } = (await call('GET', '/_sandbox/events')).body;
  const { requests } = (await call('GET', '/_sandbox/requests?limit=1')).body;
  return {
    seed: (name) => String(seeded[name]),
    request: requests[0].id,
    event: events[0].id,
    fault: fault.body.id,
    payment: payment.id,
    authorization: held.body.transaction.id,
    image: (await call('GET', '/_sandbox/export')).bytes,
  };
}

export const read = (part: unknown, world: World): unknown =>
  typeof part === 'function' ? part(world) : part;

/** The path of a call; a parameter without a value fails the test. */
export function urlOf(
  { id, path, example }: AnyControlOperation,
  world: World,
  params = READ_PARAMS[id],
): string {
  const parts = {
    ...(read(example?.params, world) as object),
    ...params?.(world),
  } as Record<string, string>;
  const query = new URLSearchParams(read(example?.query, world) as Record<string, string>);
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    expect(parts[name], `${id} needs its ${name} in this file`).toBeTypeOf('string');
    return String(parts[name]);
  });
  return query.size === 0 ? url : `${url}?${query}`;
}
