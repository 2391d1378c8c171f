/**
 * The stop of the process on request: it ends soon, after answering requests in progress, and stores pending
 * deliveries and steps for the next start.
 */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openReceiver } from '../http/receiver.ts';
import { makeFolder, pull, type Running, startBank, stop, totals, until, within } from './support.ts';

/**
 * A stop waits for none of these: the response of a receiver takes up to ten seconds, a request up to sixty, and an idle
 * connection stays open for longer than a minute. Without such a wait it takes a fraction of a second on an idle machine,
 * and `STOP_DEADLINE_MS` in src/server/main.ts ends it.
 */
const NO_WAIT_MS = 5000;

/** Sends the signal and returns how the process ended and how long that took. */
async function timedStop(bank: Running, signal: NodeJS.Signals = 'SIGTERM') {
  const from = Date.now();
  const end = await stop(bank, signal);
  return { ...end, took: Date.now() - from };
}

describe('a bank that is stopped', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s ends without waiting for idle connections and removes its ready file',
    async (signal) => {
      const bank = await startBank();
      // An idle keep-alive connection must not keep the process running.
      await bank.v2('GET', '/v2/webhook');
      const { code, took, stderr } = await timedStop(bank, signal);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(took).toBeLessThan(NO_WAIT_MS);
      expect(existsSync(bank.readyFile)).toBe(false);
    },
  );

  it('responds to the running request', async () => {
    const bank = await startBank();
    const { hostname, port } = new URL(bank.url);
    const body = JSON.stringify({
      sub_account_id: bank.seeded.sub_account_id,
      counterparty_id: bank.seeded.ach_counterparty_id,
      amount: '12.50',
    });
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(
      `POST /v2/payments/ach/pull HTTP/1.1\r\nhost: localhost\r\napi-key: ${bank.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    // Its head has been read when a later request has its response.
    await bank.v2('GET', '/v2/webhook');
    // Suspended, so that the signal and the rest of the request reach it together, however slow this process is.
    bank.child.kill('SIGSTOP');
    const ending = timedStop(bank);
    socket.write(body.slice(20));
    bank.child.kill('SIGCONT');
    await within(30_000, 'the answer', closed);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain('"amount":"12.50"');
    const { code, took } = await ending;
    expect(code).toBe(0);
    expect(took).toBeLessThan(NO_WAIT_MS);
  });

  it('does not wait for a request that never ends', async () => {
    const bank = await startBank();
    const { hostname, port } = new URL(bank.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST /v2/payments/ach/pull HTTP/1.1\r\nhost: localhost\r\napi-key: ${bank.key}\r\n` +
        'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    await bank.v2('GET', '/v2/webhook');
    const { code, took } = await timedStop(bank);
    socket.destroy();
    expect(code).toBe(0);
    expect(took).toBeLessThan(NO_WAIT_MS);
    expect(existsSync(bank.readyFile)).toBe(false);
  });

  it('keeps undelivered events, and delivers them after the next start', async () => {
    const data = makeFolder();
    const receiver = await openReceiver();
    try {
      const settings = { SANDBANK_DATA: data, SANDBANK_RAILS: 'manual' };
      const bank = await startBank(settings);
      await bank.v2('POST', '/v2/webhook', { url: receiver.url, events: ['transaction.created'] });
      // The first never gets a response, so all others wait behind it.
      receiver.answer = () => new Promise(() => {});
      const made: unknown[] = [];
      for (let count = 0; count < 5; count += 1) made.push((await pull(bank, '1.00')).body.id);
      await until('the first delivery', () => receiver.arrivals.length > 0);
      const { code, took } = await timedStop(bank);
      expect(code).toBe(0);
      expect(took).toBeLessThan(NO_WAIT_MS);

      receiver.arrivals.length = 0;
      receiver.answer = () => 200;
      const again = await startBank(settings);
      expect(await totals(again)).toEqual(['5000.00', '5.00', '0.00']);
      await until('all deliveries', () => receiver.arrivals.length >= 5);
      expect(receiver.arrivals.map(({ json }) => (json.data as { id: string }).id)).toEqual(made);
    } finally {
      await receiver.close();
    }
  });
});
