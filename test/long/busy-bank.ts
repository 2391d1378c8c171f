/**
 * A bank after a morning of tests: many sandboxes, hundreds of payments, and receivers of which one fails sometimes.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Running, startBank, stop } from '../server/process/support.ts';

const SANDBOXES = 30;
const PAYMENTS = 300;
const AT_ONCE = 20;
/** The response of the receiver to some of the deliveries. */
export const FAILURE = 'database is locked';

export interface BusyBank {
  readonly bank: Running;
  /** From the last test: a returned payment, and a new one. */
  readonly returned: string;
  readonly made: string;
  readonly flaky: { readonly id: string; readonly url: string };
  stop(): Promise<unknown>;
}

export async function startBusyBank(): Promise<BusyBank> {
  const bank = await startBank({ SANDBANK_RAILS: 'calendar' });
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const answer = await bank.v2(method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const receiver = await listen();
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
  await call('PUT', '/_sandbox/clock', { mode: 'frozen' });
  for (let count = 1; count <= SANDBOXES; count += 1) {
    await call('POST', '/_sandbox/sandboxes', { name: `payments_${count}` });
  }
  const { sub_account_id, ach_counterparty_id: counterparty_id, virtual_card_id: card } = bank.seeded;
  const pull = (amount: string) =>
    call('POST', '/v2/payments/ach/pull', { sub_account_id, counterparty_id, amount });
  for (let count = 0; count < PAYMENTS; count += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => pull(`${(count + place) % 90}.50`)));
  }
  const events = ['*'];
  await call('POST', '/_sandbox/webhooks', { api_version: 'v2', url: 'http://127.0.0.1:9/', events });
  const flaky = await call('POST', '/_sandbox/webhooks', { api_version: 'v2', url, events });
  const returned = String((await pull('62.40')).id);
  await call('POST', `/_sandbox/simulate/transactions/${returned}/settle`, {});
  await call('POST', `/_sandbox/simulate/transactions/${returned}/return`, { return_code: 'R01' });
  await bank.v2('POST', '/v2/payments/ach/pull', { sub_account_id, counterparty_id, amount: '1.2' });
  await call('POST', `/_sandbox/simulate/cards/${card}/authorize`, {
    amount: '9.99',
    merchant: { name: 'Corner Market', mcc: '5411' },
  });
  const made = String((await pull('18.00')).id);
  await call('POST', '/_sandbox/drain', {});
  return {
    bank,
    returned,
    made,
    flaky: { id: String(flaky.id), url },
    async stop() {
      receiver.closeAllConnections();
      receiver.close();
      return stop(bank);
    },
  };
}

/** Every third delivery fails. */
async function listen(): Promise<Server> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    if (count % 3 === 0) response.writeHead(500, { 'content-type': 'text/plain' }).end(FAILURE);
    else response.writeHead(200).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
