// Pending work when a clock is set back: the clock of the sandbox, which a call set, or that of the machine.

import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../../../src/bank/delivery/sender.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../src/bank/kernel/time.ts';
import { openSandbox, type Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { SEEDED_SECRETS } from '../../../src/sandboxes/sandbox/secrets.ts';
import { waitUntilQuiet } from '../../../src/sandboxes/sandbox/time-travel.ts';
import { person } from '../../bank/verbs/parties.ts';
import { createHandClock, type HandClock, START, seededImage } from '../../support/sandbox.ts';

interface Scene {
  sandbox: Sandbox;
  wall: HandClock;
  sent: Outgoing[];
}

/** A bank with a receiver that fails, and a scheduled payment. */
async function scene(): Promise<Scene> {
  const wall = createHandClock();
  const sent: Outgoing[] = [];
  const sandbox = openSandbox({
    name: 'back',
    place: { kind: 'image', image: seededImage('back', START) },
    rails: 'fast',
    clock: wall,
    wallClock: wall,
    send: async (outgoing) => {
      sent.push(outgoing);
      return { status: 500, durationMs: 1, error: '', retryAfter: null };
    },
    secrets: SEEDED_SECRETS,
    seedSource: { seed: 'back', document: {} as never, webhookUrl: null },
    onError: (error) => {
      throw error;
    },
  });
  await sandbox.commit(() => {
    sandbox.bank.webhooks.create({
      apiVersion: 'v2',
      url: 'http://127.0.0.1/hook',
      events: ['sub_account_holder.created'],
    });
    sandbox.bank.holders.create({ person: person({ idNumber: '', phone: '' }) });
  });
  await waitUntilQuiet(sandbox, 5_000);
  return { sandbox, wall, sent };
}

const pay = ({ sandbox }: Scene) =>
  sandbox.commit(() =>
    sandbox.bank.payments.originate('ach_push', {
      accountId: String(sandbox.seeded.ids.account),
      counterpartyId: String(sandbox.seeded.ids.ach_counterparty),
      amount: 100,
      shortage: 'refuse',
    }),
  );

const look = async ({ sandbox }: Scene): Promise<void> => {
  await waitUntilQuiet(sandbox, 5_000);
};

describe('setting back the clock of a sandbox', () => {
  test('keeps the remaining delay of a retry', async () => {
    const it = await scene();
    const due = it.sandbox.courier?.nextDueAt() ?? 0;
    expect(due - START).toBeGreaterThan(4 * SECOND_MS);
    await it.sandbox.setClock((clock) => clock.set('frozen', START + SECOND_MS));
    expect(it.sandbox.courier?.nextDueAt()).toBe(due);
    await it.sandbox.setClock((clock) => clock.set('frozen', START - DAY_MS));
    expect(it.sandbox.courier?.nextDueAt()).toBe(due - DAY_MS - SECOND_MS);
    await it.sandbox.setClock((clock) => clock.moveTo(due - DAY_MS - SECOND_MS));
    await look(it);
    expect(it.sent).toHaveLength(2);
    await it.sandbox.close();
  });

  test('keeps the instant of a scheduled step', async () => {
    const it = await scene();
    await it.sandbox.setClock((clock) => clock.set('frozen', START));
    await pay(it);
    const planned = it.sandbox.store.agenda.nextDueAt();
    await it.sandbox.setClock((clock) => clock.moveTo(START - DAY_MS));
    expect(it.sandbox.store.agenda.nextDueAt()).toBe(planned);
    await it.sandbox.close();
  });

  test('does not delay the hourly removal of idempotency keys', async () => {
    const it = await scene();
    const { sandbox } = it;
    await sandbox.setClock((clock) => clock.set('frozen', START - 30 * DAY_MS));
    await sandbox.commit(() =>
      sandbox.store.answers.keep({
        key: 'old',
        fingerprint: '',
        status: 200,
        body: '',
        createdAt: sandbox.clock.now(),
        factSeq: null,
        view: '',
      }),
    );
    await sandbox.setClock((clock) => clock.moveTo(START - 28 * DAY_MS));
    await sandbox.commit(() => undefined);
    expect(sandbox.store.answers.find('old', START - 60 * DAY_MS)).toBeUndefined();
    await sandbox.close();
  });
});

describe('setting back the clock of the machine', () => {
  test('does not delay steps and retries of a live bank', async () => {
    const it = await scene();
    const { id } = await pay(it);
    it.wall.advance(500);
    expect(it.sandbox.clock.now()).toBe(START + 500);
    it.wall.advance(-HOUR_MS);
    expect(it.sandbox.clock.now()).toBe(START + 500);
    it.wall.advance(10 * SECOND_MS);
    await look(it);
    expect(it.sandbox.bank.payments.byId(id).status).toBe('settled');
    expect(it.sent).toHaveLength(2);
    // Signatures have the time of the machine.
    expect(Number(it.sent[1]?.headers['webhook-timestamp'])).toBe((START - HOUR_MS) / SECOND_MS + 10);
    await it.sandbox.close();
  });

  test('does not delay them while the process is down', async () => {
    const it = await scene();
    it.wall.advance(3 * DAY_MS);
    const { id } = await pay(it);
    it.wall.advance(-2 * DAY_MS);
    it.sandbox.replaceWith(it.sandbox.image());
    expect(it.sandbox.clock.now()).toBe(START + 3 * DAY_MS);
    it.wall.advance(10 * SECOND_MS);
    await look(it);
    expect(it.sandbox.bank.payments.byId(id).status).toBe('settled');
    await it.sandbox.close();
  });

  test('has no effect on a clock that was set, also after a restart', async () => {
    const it = await scene();
    await it.sandbox.setClock((clock) => clock.set('live', START + DAY_MS));
    it.wall.advance(HOUR_MS);
    expect(it.sandbox.clock.now()).toBe(START + DAY_MS + HOUR_MS);
    it.wall.advance(-2 * HOUR_MS);
    await pay(it);
    it.sandbox.replaceWith(it.sandbox.image());
    expect(it.sandbox.clock.now()).toBe(START + DAY_MS + HOUR_MS);
    await it.sandbox.close();
  });
});
