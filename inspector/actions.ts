/** What can be done with the whole sandbox from everywhere: by the buttons at the top, and by name in the palette. */

import { client } from './bank.ts';
import { ask } from './dialog.tsx';
import { say } from './parts.tsx';
import { reset } from './safety.ts';
import { touchAll } from './stream.ts';

export interface Action {
  /** As the button has it. */
  readonly label: string;
  /** What it does, for the palette. */
  readonly says: string;
  run(): Promise<void>;
}

async function travel(
  how: () => Promise<{ transitions: readonly unknown[]; events: readonly unknown[] }>,
): Promise<void> {
  const { transitions, events } = await how();
  say(`${transitions.length} steps of payments, ${events.length} events`);
  touchAll();
}

const advance = (body: Record<string, unknown>): Promise<void> =>
  travel(() => client.value.sandbox.advanceClock({ body }));

async function setMode(mode: 'live' | 'frozen'): Promise<void> {
  await client.value.sandbox.setClock({ body: { mode } });
  touchAll();
}

export const FREEZE: Action = {
  label: 'Freeze',
  says: 'The clock stands still',
  run: () => setMode('frozen'),
};
export const RUN: Action = {
  label: 'Run',
  says: 'The clock runs with the real time',
  run: () => setMode('live'),
};

export const CLOCK_ACTIONS: readonly Action[] = [
  { label: '+1 hour', says: 'Advance the clock by an hour', run: () => advance({ by: 'PT1H' }) },
  { label: '+1 day', says: 'Advance the clock by a day', run: () => advance({ by: 'P1D' }) },
  {
    label: 'Next banking day',
    says: 'Advance the clock to the next banking day',
    run: () => advance({ business_days: 1 }),
  },
  {
    label: 'To …',
    says: 'Advance the clock to an instant',
    async run() {
      const { now } = await client.value.sandbox.retrieveClock();
      const value = new Date(Date.parse(now) + 86_400_000).toISOString();
      const given = await ask({
        title: 'Advance the clock',
        fields: [{ name: 'to', label: 'To (ISO 8601 in UTC)', value }],
        action: 'Advance',
      });
      if (given !== null) await advance({ to: given.to });
    },
  },
  {
    label: 'Settle all',
    says: 'Advance the clock until no payment is on its way',
    run: () => travel(() => client.value.sandbox.settleClock({ body: {} })),
  },
];

export const SANDBOX_ACTIONS: readonly Action[] = [
  {
    label: 'Reset',
    says: 'Reset the sandbox to its seed',
    run: reset,
  },
  {
    label: 'Snapshot',
    says: 'Take a snapshot of the sandbox',
    async run() {
      const given = await ask({
        title: 'Take a snapshot',
        fields: [{ name: 'name', label: 'Name', value: 'before' }],
        action: 'Take snapshot',
      });
      const name = given?.name ?? '';
      if (name === '') return;
      await client.value.sandbox.takeSnapshot({ params: { name } });
      say(`Snapshot ${name} is taken.`);
    },
  },
];
