/** Creates the bank of 106,000 transactions whose audit is measured. */
import { writeFileSync } from 'node:fs';
import type { Bank } from '../src/bank/verbs/bank.ts';
import { openSandbox } from '../src/sandboxes/sandbox/sandbox.ts';
import { SEEDED_SECRETS } from '../src/sandboxes/sandbox/secrets.ts';
import { defaultSeedDocument } from '../src/sandboxes/sandbox/seed-document.ts';
import { seededId } from '../src/sandboxes/sandbox/seeding.ts';

const AT_ONCE = 500;
/** A payment within the bank is two transactions. Some of the pulls settle. */
const [WITHIN, PULLS, SETTLED] = [16_000, 74_000, 8_000];
const STEPS = ['submit', 'send', 'clear', 'settle'] as const;
const AMOUNT = 10;

/** Creates the bank and writes it to a file. */
export async function makeBank(file: string): Promise<void> {
  const start = Date.parse('2026-03-04T18:00:00.000Z');
  const clock = { now: () => start };
  const sandbox = openSandbox({
    name: 'audit',
    place: { kind: 'memory' },
    rails: 'manual',
    clock,
    wallClock: clock,
    send: null,
    secrets: SEEDED_SECRETS,
    seedSource: { seed: 'audit', document: defaultSeedDocument(), webhookUrl: null },
    onError: (error) => {
      throw error;
    },
  });
  const { seeded } = sandbox;
  const order = {
    accountId: seededId(seeded, 'account'),
    amount: AMOUNT,
    shortage: 'record' as const,
  };
  const repeat = async (times: number, pay: (bank: Bank, number: number) => void): Promise<void> => {
    for (let done = 0; done < times; done += AT_ONCE) {
      await sandbox.commit(() => {
        for (let number = done; number < Math.min(times, done + AT_ONCE); number += 1)
          pay(sandbox.bank, number);
      });
    }
  };
  const ach = { ...order, counterpartyId: seededId(seeded, 'ach_counterparty') };
  await repeat(PULLS, ({ payments }, number) => {
    const { id } = payments.originate('ach_pull', ach);
    if (number < SETTLED) for (const step of STEPS) payments.applyEvent(id, step);
  });
  const intra = { ...order, counterpartyId: seededId(seeded, 'intra_counterparty') };
  await repeat(WITHIN, ({ payments }) => void payments.originate('intra_push', intra));
  writeFileSync(file, sandbox.connection.image());
  await sandbox.close();
}
