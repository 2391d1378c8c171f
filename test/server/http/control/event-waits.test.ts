/**
 * Why an event has not arrived: every reason, in a running bank. `GET /_sandbox/events/{id}/attempts` and `GET
 * /_sandbox/explain/evt_…` must return the same reason.
 */
import { describe, expect, it } from 'vitest';
import { tryParseId } from '../../../../src/bank/api/ids.ts';
import type { Outgoing, SendResult } from '../../../../src/bank/delivery/sender.ts';
import { WAIT_REASONS, type WaitReason } from '../../../../src/bank/delivery/waiting.ts';
import { sqliteError, watchSqlite } from '../../../support/failing-sqlite.ts';
import { openServer } from './server.ts';

const SECOND_MS = 1_000;

interface Why {
  reason: WaitReason;
  until: string;
  event_id: string;
  webhook_id: string;
  queued: boolean;
  message: string;
}

/** A bank with a webhook for the labels of cards, whose receiver responds under control of the test. */
async function openBank() {
  const open: ((status: number | null) => void)[] = [];
  /** The immediate response of the receiver; `null` for none. */
  const bank = { answer: 200 as number | null };
  const server = await openServer({
    send: (_: Outgoing) =>
      new Promise<SendResult>((resolve) => {
        const respond = (status: number | null): void =>
          resolve({ status, durationMs: 1, error: status === null ? 'refused' : '', retryAfter: null });
        if (bank.answer === null) open.push(respond);
        else respond(bank.answer);
      }),
    webhookConcurrency: 1,
    // The bank reports that it could not store a result.
    onError: () => {},
  });
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
    const answer = await server.call(method, url, body);
    expect([url, answer.status < 300, answer.body?.error?.message]).toEqual([url, true, undefined]);
    return answer.body;
  };
  const sandbox = server.registry.default();
  const { seeded } = await call('GET', '/_sandbox');
  const webhook = await call('POST', '/_sandbox/webhooks', {
    api_version: 'v2',
    url: 'http://hooks.example/',
    events: ['card.updated'],
  });
  const cards = [seeded.virtual_card_id, seeded.physical_card_id];
  return {
    bank,
    hanging: open,
    server,
    sandbox,
    call,
    webhookId: webhook.id as string,
    setStatus: (status: 'active' | 'paused') =>
      sandbox.commit(() => sandbox.bank.webhooks.change(tryParseId('webhook', webhook.id) ?? '', { status })),
    /** Changes a card, and returns the id of its event. */
    async label(text: string, card = 0): Promise<string> {
      await call('PATCH', `/v2/issuing/card/${cards[card]}`, { label: text });
      return (await call('GET', '/_sandbox/events?type=card.updated&api_version=v2&limit=1')).events[0].id;
    },
    async why(eventId: string): Promise<Why> {
      const { why } = await call('GET', `/_sandbox/events/${eventId}/attempts`);
      const explained = await call('GET', `/_sandbox/explain/${eventId}`);
      expect(explained.why).toEqual(why);
      expect(explained).toMatchObject({ id: eventId, kind: 'event', status: why.reason });
      return why;
    },
    /** Completes pending responses, so that the bank can stop. */
    async release(status: number | null = 200) {
      bank.answer = 200;
      while (open.length > 0) {
        open.shift()?.(status);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
type Bank = Awaited<ReturnType<typeof openBank>>;
const instant = ({ server }: Bank, ms: number): string => new Date(server.clock.now() + ms).toISOString();
const drain = (bank: Bank) => bank.call('POST', '/_sandbox/drain', {});

/** The cause of each reason; the result is the expected `why`. */
const CASES: Record<WaitReason, (bank: Bank) => Promise<[eventId: string, why: Partial<Why>]>> = {
  async no_webhook(bank) {
    await bank.call('DELETE', `/_sandbox/webhooks/${bank.webhookId}`);
    return [await bank.label('Fuel'), { webhook_id: '', queued: false, until: '' }];
  },
  async webhook_paused(bank) {
    bank.bank.answer = 500;
    const queued = await bank.label('Fuel');
    await drain(bank);
    await bank.setStatus('paused');
    return [queued, { webhook_id: bank.webhookId, queued: true, message: expect.stringContaining('queued') }];
  },
  async behind_event(bank) {
    bank.bank.answer = null;
    const first = await bank.label('Fuel');
    return [await bank.label('Food'), { event_id: first, webhook_id: bank.webhookId, queued: true }];
  },
  async in_flight(bank) {
    bank.bank.answer = null;
    return [await bank.label('Fuel'), { event_id: '', webhook_id: bank.webhookId, queued: true }];
  },
  async retry_due(bank) {
    bank.bank.answer = 500;
    const event = await bank.label('Fuel');
    await drain(bank);
    const { timers } = await bank.call('GET', '/_sandbox/timers');
    const retry = timers.find((timer: { kind: string }) => timer.kind === 'retry');
    expect(retry.subject).toBe(event);
    return [event, { until: retry.due_at, queued: true }];
  },
  async chaos_hold(bank) {
    await bank.call('PUT', `/_sandbox/webhooks/${bank.webhookId}/chaos`, {
      delay: { by: 'PT40S' },
    });
    const event = await bank.label('Fuel');
    await drain(bank);
    return [event, { until: instant(bank, 40 * SECOND_MS), queued: true }];
  },
  async receiver_busy(bank) {
    bank.bank.answer = null;
    // One at a time: the other card's event has to wait.
    await bank.label('Fuel');
    return [await bank.label('Food', 1), { webhook_id: bank.webhookId, event_id: '', queued: true }];
  },
  async commit_failed(bank) {
    bank.bank.answer = null;
    const event = await bank.label('Fuel');
    await expect.poll(() => bank.hanging.length).toBe(1);
    const end = watchSqlite(({ isCommit }) => {
      if (isCommit) throw sqliteError('SQLITE_FULL');
    });
    try {
      bank.hanging.shift()?.(200);
      await expect.poll(() => bank.sandbox.courier?.isPaused()).toBe(true);
    } finally {
      end();
    }
    return [event, { until: instant(bank, 5 * SECOND_MS), queued: true }];
  },
  async clock_stopped(bank) {
    bank.bank.answer = 500;
    await bank.call('PUT', '/_sandbox/clock', { mode: 'frozen' });
    const event = await bank.label('Fuel');
    await drain(bank);
    const { timers } = await bank.call('GET', '/_sandbox/timers');
    return [event, { until: timers.find((timer: { kind: string }) => timer.kind === 'retry').due_at }];
  },
  async dropped(bank) {
    bank.bank.answer = 410;
    const event = await bank.label('Fuel');
    await drain(bank);
    return [
      event,
      { webhook_id: bank.webhookId, queued: false, message: expect.stringContaining('deactivated') },
    ];
  },
  async delivered(bank) {
    const event = await bank.label('Fuel');
    await drain(bank);
    return [event, { webhook_id: bank.webhookId, queued: false, until: '', event_id: '' }];
  },
};

describe('the reason why an event waits', () => {
  it.each(WAIT_REASONS)('is %s', async (reason) => {
    const bank = await openBank();
    const [event, expected] = await CASES[reason](bank);
    expect(await bank.why(event)).toMatchObject({ reason, ...expected });
    await bank.release();
  });

  it('for a paused webhook is that it missed the event, until a replay queues it', async () => {
    const bank = await openBank();
    await bank.setStatus('paused');
    const event = await bank.label('Fuel');
    expect(await bank.why(event)).toMatchObject({
      reason: 'webhook_paused',
      queued: false,
      message: expect.stringContaining('missed'),
    });
    await bank.setStatus('active');
    expect(await bank.why(event)).toMatchObject({ reason: 'no_webhook', webhook_id: bank.webhookId });
    await bank.call('POST', `/_sandbox/webhooks/${bank.webhookId}/replay`, {});
    await drain(bank);
    expect(await bank.why(event)).toMatchObject({ reason: 'delivered' });
  });

  it('follows the courier from one reason to the next', async () => {
    const bank = await openBank();
    bank.bank.answer = null;
    const first = await bank.label('Fuel');
    const second = await bank.label('Food');
    const third = await bank.label('Toll');
    // It waits for the event in flight, and not for the one between.
    expect((await bank.why(third)).event_id).toBe(first);
    expect((await bank.why(second)).event_id).toBe(first);
    bank.hanging.shift()?.(200);
    await expect.poll(async () => (await bank.why(first)).reason).toBe('delivered');
    await expect.poll(async () => (await bank.why(second)).reason).toBe('in_flight');
    expect(await bank.why(third)).toMatchObject({ reason: 'behind_event', event_id: second });
    await bank.release();
  });

  it('precedes delivered ones, and every delivery is listed', async () => {
    const bank = await openBank();
    const event = await bank.label('Fuel');
    await drain(bank);
    bank.bank.answer = 503;
    await bank.call('POST', `/_sandbox/events/${event}/resend`, {});
    await drain(bank);
    expect(await bank.why(event)).toMatchObject({ reason: 'retry_due' });
    const { deliveries } = await bank.call('GET', `/_sandbox/events/${event}/attempts`);
    expect(
      deliveries.map(({ state, attempts, why }: { state: string; attempts: number; why: Why }) => [
        state,
        attempts,
        why.reason,
      ]),
    ).toEqual([
      ['delivered', 1, 'delivered'],
      ['waiting', 1, 'retry_due'],
    ]);
  });
});
