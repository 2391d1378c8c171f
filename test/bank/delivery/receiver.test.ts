/** The built-in receiver: its stored and discarded deliveries, and its responses. */
import { describe, expect, it } from 'vitest';
import {
  createReceiver,
  isReceiverUrl,
  RECEIVER_URL,
  type Receiver,
} from '../../../src/bank/delivery/receiver.ts';
import { signatureHeaders } from '../../../src/bank/delivery/signature.ts';
import type { Webhook } from '../../../src/bank/model/records.ts';

const NOW = Date.UTC(2026, 10, 20, 18);
const WEBHOOK = { id: 'w', apiVersion: 'v2' } as unknown as Webhook;

interface Options {
  body?: string;
  signedWith?: string;
  signedAt?: number;
  secrets?: string[];
}

function take(
  receiver: Receiver,
  { body = '{}', signedWith = 'one', signedAt = NOW, secrets = ['one'] }: Options = {},
) {
  const headers = signatureHeaders({
    secret: signedWith,
    id: 'evt_1',
    timestampSeconds: Math.floor(signedAt / 1000),
    body,
  });
  return receiver.take({ headers, body }, { webhook: WEBHOOK, secrets, at: NOW, wallNow: NOW });
}

const problems = (receiver: Receiver) => [...receiver.kept()].map(({ problem }) => problem);

describe('the built-in receiver', () => {
  it('is used only for its own host', () => {
    expect(isReceiverUrl(RECEIVER_URL)).toBe(true);
    expect(isReceiverUrl('http://receiver.sandbank.invalid')).toBe(true);
    expect(isReceiverUrl(`${RECEIVER_URL}orders?of=1`)).toBe(true);
    for (const url of [
      'http://receiver.sandbank.invalid.example/',
      'http://receiver.sandbank.invalid@example.com/',
      'http://receiver.sandbank.invalid:80@example.com/',
      'http://127.0.0.1/',
    ]) {
      expect(isReceiverUrl(url), url).toBe(false);
    }
  });

  it('accepts a signature of any current secret, within the time limit', () => {
    const receiver = createReceiver();
    take(receiver);
    take(receiver, { secrets: ['two', 'one'] });
    take(receiver, { signedAt: NOW - 299_000 });
    expect(problems(receiver)).toEqual(['', '', '']);
  });

  it('reports what is wrong with a signature', () => {
    const receiver = createReceiver();
    take(receiver, { signedWith: 'other' });
    take(receiver, { signedAt: NOW - 3_600_000 });
    expect(problems(receiver)).toEqual([
      'webhook-timestamp is 3600 seconds away from now; receivers allow 300',
      'webhook-signature does not match the body and the secret of the webhook',
    ]);
  });

  it('responds as it is configured for a number of requests, and then with 200', () => {
    const receiver = createReceiver();
    receiver.setAnswering({ status: 503, times: 2, retryAfter: 60 });
    const answers = [1, 2, 3].map(() => take(receiver));
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [503, '60'],
      [503, '60'],
      [200, null],
    ]);
    receiver.setAnswering({ status: 410, times: null, retryAfter: null });
    expect([1, 2, 3].map(() => take(receiver).status)).toEqual([410, 410, 410]);
  });

  it('keeps the newest deliveries, by number and by size', () => {
    const few = createReceiver(2);
    for (let times = 0; times < 5; times += 1) take(few);
    expect([...few.kept()].map(({ number }) => number)).toEqual([5, 4]);
    expect(few.counts()).toEqual({ kept: 2, dropped: 3 });
    const small = createReceiver(100, 10);
    take(small, { body: '{"a":1}' });
    take(small, { body: '{"a":2}' });
    take(small, { body: '{"a":"longer than all"}' });
    expect([...small.kept()].map(({ number }) => number)).toEqual([3]);
  });

  it('removes all deliveries when it is emptied, but continues to count', () => {
    const receiver = createReceiver();
    take(receiver);
    receiver.setAnswering({ status: 500, times: null, retryAfter: null });
    receiver.clear();
    expect(receiver.counts()).toEqual({ kept: 0, dropped: 0 });
    expect(take(receiver).status).toBe(200);
    expect([...receiver.kept()].map(({ number }) => number)).toEqual([2]);
  });
});
