/**
 * Banks for tests of advances: the real clock is frozen, so a bank acts only by its own clock, and receivers fail as
 * often as their URL says, so that retries are due meanwhile.
 */
import { expect, onTestFinished } from 'vitest';
import type { Outgoing } from '../../../src/bank/delivery/sender.ts';
import type { Id } from '../../../src/bank/kernel/sequence.ts';
import { V1_KINDS, V2_KINDS } from '../../../src/bank/model/facts.ts';
import type { RailsProfile } from '../../../src/bank/model/timetable.ts';
import type { Bank } from '../../../src/bank/verbs/bank.ts';
import { openSandbox, type Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { SEEDED_SECRETS } from '../../../src/sandboxes/sandbox/secrets.ts';
import { seededId } from '../../../src/sandboxes/sandbox/seeding.ts';
import { createHandClock, type HandClock, START, seededImage, smallFixture } from '../../support/sandbox.ts';

export interface Traveller {
  sandbox: Sandbox;
  clock: HandClock;
  id(name: string): Id;
  run<T>(command: (bank: Bank) => T): Promise<T>;
  /**
   * Every kind of a version is sent to a receiver that fails `failures` times for each event before it accepts it.
   */
  listen(apiVersion: 'v1' | 'v2', failures: number): Promise<Id>;
  /** An action of a receiver before its response. */
  onDelivery: (outgoing: Outgoing) => Promise<void>;
}

export interface TravellerOptions {
  rails?: RailsProfile;
  at?: number;
}

/** Opens a bank that belongs to the running test. */
export function openTraveller({ rails = 'calendar', at = START }: TravellerOptions = {}): Traveller {
  const clock = createHandClock(at);
  const errors: unknown[] = [];
  const attempts = new Map<string, number>();
  const sandbox = openSandbox({
    name: 'traveller',
    place: { kind: 'image', image: seededImage('travel', at) },
    rails,
    clock,
    wallClock: clock,
    send: async (outgoing) => {
      await traveller.onDelivery(outgoing);
      const event = `${outgoing.url} ${outgoing.headers['webhook-id']}`;
      const made = (attempts.get(event) ?? 0) + 1;
      attempts.set(event, made);
      const fails = made <= Number(new URL(outgoing.url).searchParams.get('failures'));
      return { status: fails ? 503 : 200, durationMs: 1, error: '', retryAfter: null };
    },
    secrets: SEEDED_SECRETS,
    seedSource: { seed: 'travel', document: smallFixture(), webhookUrl: null },
    onError: (error) => {
      // A receiver that always fails is deactivated after some days.
      if (!String(error).includes('no delivery has succeeded for five days')) errors.push(error);
    },
  });
  const traveller: Traveller = {
    sandbox,
    clock,
    id: (name) => seededId(sandbox.seeded, name),
    run: (command) => sandbox.commit(() => command(sandbox.bank)),
    listen: async (apiVersion, failures) => {
      const { id } = await sandbox.commit(() =>
        sandbox.bank.webhooks.create({
          apiVersion,
          url: `http://receiver.example/?failures=${failures}`,
          events: [...(apiVersion === 'v1' ? V1_KINDS : V2_KINDS)],
        }),
      );
      return id;
    },
    onDelivery: async () => {},
  };
  onTestFinished(async () => {
    const { problems } = sandbox.audit();
    await sandbox.close();
    expect([problems, errors]).toEqual([[], []]);
  });
  return traveller;
}

/** A payment to or from another bank. */
export function pay(
  { run, id }: Traveller,
  rail: 'ach_push' | 'ach_pull' | 'domestic_wire' | 'check_deposit' | 'check_send',
  amount: number,
  sameDay = false,
) {
  return run(({ payments }) =>
    payments.originate(rail, {
      accountId: id('account'),
      counterpartyId: id('ach_counterparty'),
      amount,
      sameDay,
      shortage: 'record',
    }),
  );
}

/** A purchase, which holds the amount until it is captured or expires. */
export function spend({ run, id }: Traveller, amount: number) {
  return run(({ cardPayments }) => cardPayments.authorize({ cardId: id('virtual_card'), amount }));
}
