// Commands in one turn share a commit, and later commands see the waiting rows of earlier ones. Whatever the commands
// of a group are, their results and the stored rows equal those of a bank that writes its rows, empties its caches
// and rests at random points, and of one that writes each row immediately. SANDBANK_PROPERTY_RUNS=<runs> sets the
// number of runs.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/bank/kernel/refusal.ts';
import { HOUR_MS } from '../../../src/bank/kernel/time.ts';
import type { NodeDriver } from '../../../src/bank/store/node-driver.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { disturb, disturbances, readOf } from './disturbances.ts';
import { everyRail } from './parties.ts';

const WAYS = ['wait', 'wait in a bank that is disturbed', 'do not wait'] as const;
const FIRST = { kind: 'offset', offset: 0, limit: 3 } as const;

const command = fc.record({
  verb: fc.constantFrom(
    'ach_pull',
    'ach_pull',
    'ach_push',
    'intra_push',
    'intra_pull',
    'receive',
    'receive',
    'authorize',
    'authorize',
    'act on the latest',
    'list',
    'refuse late',
    'keep an answer',
    'batch',
  ),
  amount: fc.constantFrom(1, 500, 20_000, 900_000),
  side: fc.nat(1),
  event: fc.constantFrom('cancel', 'settle', 'return', 'clear', 'capture'),
});
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

interface Parties {
  accounts: readonly string[];
  counterparties: readonly string[];
}

async function open(): Promise<{ opened: TestSandbox; parties: Parties }> {
  const opened = openTestSandbox({ rails: 'calendar' });
  const accounts = [opened.id('account'), opened.id('other_account')];
  const [first = '', second = ''] = accounts;
  const counterparties = await opened.run((bank) => [
    bank.counterparties.create(everyRail(first, second)).id,
    bank.counterparties.create(everyRail(second, first)).id,
  ]);
  return { opened, parties: { accounts, counterparties } };
}

function carryOut(
  { opened, parties }: Awaited<ReturnType<typeof open>>,
  given: Command,
  number: number,
): unknown {
  const { bank, sandbox } = opened;
  const { verb, amount, side, event } = given;
  const accountId = parties.accounts[side] ?? '';
  const order = {
    accountId,
    counterpartyId: parties.counterparties[side] ?? '',
    amount,
    shortage: 'refuse',
  } as const;
  switch (verb) {
    case 'receive':
      return bank.payments.receive('ach_received_push', { accountId, amount, sender: {} });
    case 'authorize':
      return bank.cardPayments.authorize({ cardId: opened.id('virtual_card'), amount });
    case 'act on the latest': {
      const [latest] = bank.payments.list([], FIRST).items;
      return bank.payments.applyEvent(latest?.id ?? '', event as 'settle');
    }
    case 'list':
      return [bank.payments.ofAccount(accountId, FIRST), bank.accounts.byId(accountId)];
    case 'refuse late':
      bank.payments.originate('ach_pull', order);
      throw new Error('refused late');
    case 'keep an answer': {
      const key = `v2:${amount}`;
      const answer = {
        key,
        fingerprint: 'f'.repeat(40),
        status: 200,
        body: `${number}`,
        createdAt: opened.clock.now(),
        factSeq: null,
        view: '',
      } as const;
      const found = sandbox.store.answers.find(key, 0);
      if (found === undefined) sandbox.store.answers.keep(answer);
      return found;
    }
    case 'batch':
      return bank.batches.submit([
        { rail: 'intra_pull', order, label: 'one' },
        { rail: 'intra_push', order, label: 'two' },
        { rail: 'intra_pull', order: { ...order, amount: 900_000 }, label: 'three' },
      ]);
    default:
      return bank.payments.originate(verb, order);
  }
}

const outcomeOf = (settled: PromiseSettledResult<unknown>): unknown => {
  if (settled.status === 'fulfilled') return settled.value ?? null;
  const { reason } = settled;
  return reason instanceof Refusal ? reason.code : String(reason);
};

test('a group of commands has the same result with and without waiting rows, whatever happens between two groups', {
  timeout: propertyTimeout(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(command, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 5 }),
      disturbances(5, 50),
      async (groups, often) => {
        const outcomes: unknown[] = [];
        for (const way of WAYS) {
          const bank = await open();
          const { opened } = bank;
          const { waitingRows } = opened.sandbox.connection.sqlite as NodeDriver;
          if (way === 'do not wait') waitingRows.begin = () => {};
          const disturbNow = way === 'wait in a bank that is disturbed' ? disturb(opened, often) : undefined;
          const answers: unknown[] = [];
          let number = 0;
          for (const commands of groups) {
            answers.push(readOf(opened));
            disturbNow?.();
            const running = commands.map((given) => {
              number += 1;
              const own = number;
              return opened.run(() => carryOut(bank, given, own));
            });
            answers.push((await Promise.allSettled(running)).map(outcomeOf));
            answers.push(await opened.pass(7 * HOUR_MS), opened.sandbox.store.counts());
          }
          outcomes.push([answers, digestOf(opened.sandbox)]);
          // Includes an audit.
          await opened.end();
        }
        expect(outcomes[1]).toEqual(outcomes[0]);
        expect(outcomes[2]).toEqual(outcomes[0]);
      },
    ),
    propertyRuns(15),
  );
});
