/** The actions on the whole sandbox, available everywhere: as buttons at the top, and by name in the palette. */

import { client } from './bank.ts';
import { openClock, report, type Travel } from './clock.tsx';
import { ask } from './dialog.tsx';
import { say } from './parts.tsx';
import { reset } from './safety.ts';
import { touchAll } from './stream.ts';

export interface Action {
  /** The label of the button. */
  readonly label: string;
  /** The description for the palette. */
  readonly says: string;
  run(): Promise<void>;
}

async function travel(how: () => Promise<Travel>): Promise<void> {
  report(await how());
}

const advance = (body: Record<string, unknown>): Promise<void> =>
  travel(() => client.value.sandbox.advanceClock({ body }));

async function setMode(mode: 'live' | 'frozen'): Promise<void> {
  await client.value.sandbox.setClock({ body: { mode } });
  touchAll();
}

export const FREEZE: Action = {
  label: 'Freeze',
  says: 'Stop the clock',
  run: () => setMode('frozen'),
};
export const RUN: Action = {
  label: 'Run',
  says: 'Let the clock follow real time',
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
    label: 'Advance …',
    says: 'See what will happen until an instant, and advance the clock to it',
    run: async () => openClock(),
  },
  {
    label: 'Settle all',
    says: 'Advance the clock until no payment is pending',
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
