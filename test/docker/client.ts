/** Calls a bank in a container from this machine, also with many payments at a time. */
import { expect } from 'vitest';
import { type Container, TOKEN } from './engine.ts';

/** The transactions of a new sandbox. */
const SEEDED = 18;

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface Client {
  call(method: string, path: string, body?: unknown): Promise<Reply>;
  /** Makes an ACH pull in v2. */
  pull(amount: string): Promise<Reply>;
}

export async function clientOf(bank: Container): Promise<Client> {
  const url = await bank.url();
  const call: Client['call'] = async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'api-key': 'test_default', 'x-control-token': TOKEN, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  const { seeded } = (await call('GET', '/_sandbox')).body as { seeded: Record<string, string> };
  const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded;
  const pull = (amount: string): Promise<Reply> =>
    call('POST', '/v2/payments/ach/pull', { sub_account_id, counterparty_id, amount });
  return { call, pull };
}

export interface Load {
  /** The ids of the payments that the bank acknowledged. */
  readonly ids: string[];
  /** Responses other than 201. */
  readonly refused: Reply[];
  /** Resolves when no request is under way; no new one begins. */
  stop(): Promise<void>;
}

/** Makes payments with so many requests at a time, until it is stopped or the bank does not answer any more. */
export function makeLoad(client: Client, concurrent = 8): Load {
  const ids: string[] = [];
  const refused: Reply[] = [];
  let isStopped = false;
  const one = async (): Promise<void> => {
    while (!isStopped) {
      const reply = await client.pull('1.00').catch(() => undefined);
      if (reply === undefined) return;
      if (reply.status === 201) ids.push(reply.body.id as string);
      else refused.push(reply);
    }
  };
  const all = Array.from({ length: concurrent }, one);
  return {
    ids,
    refused,
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
    },
  };
}

/** The bank has all of these payments, and between none and `extra` more, whose requests got no response. */
export async function expectPayments(client: Client, ids: readonly string[], extra: number): Promise<void> {
  const { status, body } = await client.call('GET', '/v2/payments/transaction?limit=1');
  expect(status).toBe(200);
  const others = (body.total as number) - SEEDED - ids.length;
  expect(others).toBeGreaterThanOrEqual(0);
  expect(others).toBeLessThanOrEqual(extra);
  const rest = [...ids];
  const missing: string[] = [];
  const look = async (): Promise<void> => {
    for (let id = rest.pop(); id !== undefined; id = rest.pop()) {
      if ((await client.call('GET', `/v2/payments/transaction/${id}`)).status !== 200) missing.push(id);
    }
  };
  await Promise.all(Array.from({ length: 8 }, look));
  expect(missing).toEqual([]);
}
