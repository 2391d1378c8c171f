/**
 * A webhook for all kinds under full load, with a healthy receiver: nothing is dropped, each
 * event arrives exactly once, and those of one record arrive in order. Source: docs/decisions/0021-nothing-dropped.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { parseEventId } from '../../src/bank/api/events.ts';
import { type Running, startBank, until } from '../server/process/support.ts';

const LOAD_MS = 8_000;
const CONNECTIONS = 16;

interface Arrival {
  id: string;
  /** The record of the event. */
  about: string;
}

/** Responds with 200 to everything, and stores the arrivals in order. */
async function startReceiver(): Promise<{ url: string; arrivals: Arrival[] }> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const about = /"id": ?"([^"]+)"/.exec(body.slice(body.indexOf('"data"')))?.[1] ?? '';
      arrivals.push({ id: String(request.headers['webhook-id']), about });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, arrivals };
}

async function countsOf(bank: Running): Promise<{ waiting: number; delivered: number; dropped: number }> {
  const { body } = await bank.v2('GET', '/_sandbox/webhooks');
  const [webhook] = body.webhooks as [
    { deliveries: { waiting: number; delivered: number; dropped: number } },
  ];
  return webhook.deliveries;
}

async function pay(bank: Running, endAt: number): Promise<number> {
  const { sub_account_id, intra_counterparty_id: counterparty_id } = bank.seeded;
  let paid = 0;
  while (Date.now() < endAt) {
    const order = { sub_account_id, counterparty_id, amount: '0.01', description: 'load' };
    const { status, text } = await bank.v2('POST', '/v2/payments/intra_account/pull', order);
    expect(status, text).toBe(201);
    paid += 1;
  }
  return paid;
}

it('a healthy receiver gets every event under full load once, and those of a record in order', async () => {
  const { url, arrivals } = await startReceiver();
  const bank = await startBank({ SANDBANK_WEBHOOK_URL: url });
  const endAt = Date.now() + LOAD_MS;
  const paid = await Promise.all(Array.from({ length: CONNECTIONS }, () => pay(bank, endAt)));
  expect(paid.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(CONNECTIONS);
  await until('the end of the backlog', async () => (await countsOf(bank)).waiting === 0, 120_000);
  const { delivered, dropped } = await countsOf(bank);
  expect({ dropped, arrived: arrivals.length }).toEqual({ dropped: 0, arrived: delivered });
  expect(new Set(arrivals.map(({ id }) => id)).size).toBe(delivered);
  const last = new Map<string, number>();
  const late = arrivals.filter(({ id, about }) => {
    const place = parseEventId(id);
    if (place === undefined) throw new Error(`${id} is not the id of an event`);
    const at = place.seq * 256 + place.ordinal;
    const isLate = at < (last.get(about) ?? 0);
    last.set(about, at);
    return isLate;
  });
  expect(late).toEqual([]);
  expect(last.size).toBeGreaterThan(1);
}, 180_000);
