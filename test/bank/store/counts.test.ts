// The cached counts equal the rows, even after rollbacks.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuse } from '../../../src/bank/kernel/refusal.ts';
import { propertyRuns, propertyTimeout } from '../../support/runs.ts';
import { openTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

const TABLES = {
  holders: 'holders',
  accounts: 'accounts',
  card_holders: 'card_holders',
  cards: 'cards',
  counterparties: 'counterparties',
  transactions: 'transactions',
  webhooks: 'webhooks',
  events: 'facts',
  planned_steps: 'agenda',
  waiting_deliveries: "deliveries WHERE state = 'waiting'",
};

function counted({ sandbox }: TestSandbox): Record<string, number> {
  const count = (from: string) =>
    sandbox.connection.sqlite.prepare(`SELECT count(*) FROM ${from}`).pluck().get() as number;
  return Object.fromEntries(Object.entries(TABLES).map(([name, from]) => [name, count(from)]));
}

const ACTIONS = [
  'pull',
  'account',
  'refused',
  'undone',
  'half',
  'pass',
  'look',
  'webhook',
  'contact',
] as const;

test(
  'after random commands, including refused ones, the counts equal those of the tables',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ACTIONS), { maxLength: 30 }), async (actions) => {
        const world = openTestSandbox({ rails: 'calendar' });
        const { sandbox, bank, id } = world;
        const pull = () =>
          bank.payments.originate('ach_pull', {
            accountId: id('account'),
            counterpartyId: id('ach_counterparty'),
            amount: 1,
            description: 'Dues',
            shortage: 'refuse',
          });
        const no = (): never => {
          throw refuse('illegal_step');
        };
        const does = {
          pull: () => void pull(),
          account: () => void bank.accounts.open({ holderId: id('person'), type: 'checking' } as never),
          refused: no,
          undone: () => {
            pull();
            no();
          },
          half: () => {
            try {
              sandbox.store.savepoint(() => {
                pull();
                no();
              });
            } catch {
              // The rest of the command is kept.
            }
            pull();
          },
          look: () => void sandbox.store.counts(),
          webhook: () =>
            void bank.webhooks.create({
              apiVersion: 'v2',
              url: 'http://receiver.example/',
              description: '',
              events: ['transaction.created'],
              status: 'active',
            }),
          contact: () => {
            bank.counterparties.create({
              ...(bank.counterparties.byId(id('ach_counterparty')) as object),
            } as never);
          },
        };
        const under: Promise<unknown>[] = [];
        for (const action of actions) {
          if (action !== 'pass') {
            under.push(world.run(() => does[action]()).catch(() => undefined));
            continue;
          }
          await Promise.all(under.splice(0));
          expect(sandbox.store.counts()).toEqual(counted(world));
          await world.pass(3_600_000 * 20);
          expect(sandbox.store.counts()).toEqual(counted(world));
        }
        await Promise.all(under);
        expect(sandbox.store.counts()).toEqual(counted(world));
        sandbox.replaceWith(sandbox.image());
        expect(sandbox.store.counts()).toEqual(counted(world));
        await world.end();
      }),
      propertyRuns(20),
    );
  },
  propertyTimeout(30_000),
);
