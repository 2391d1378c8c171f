// The rails for the diagram of a page: they match the behaviour of the bank, and contain every state.

import { describe, expect, it } from 'vitest';
import { RAIL_NAMES, railEvents } from '../../../../src/bank/model/rails/index.ts';
import { openBank } from './server.ts';

interface StepOfRail {
  from: string;
  event: string;
  to: string;
  books: string;
  row: string | null;
  caused_by: string;
  by_itself: boolean;
  time: string;
}
interface RailOfPage {
  name: string;
  label: string;
  states: string[];
  first_states: string[];
  final_states: string[];
  steps: StepOfRail[];
}

const railsOf = async (rails: 'fast' | 'calendar' | 'manual') => {
  const { body } = await (await openBank({ rails })).call('GET', '/_sandbox/rails');
  return { profile: body.profile as string, rails: body.rails as RailOfPage[] };
};
const named = (rails: RailOfPage[], name: string): RailOfPage => {
  const found = rails.find((rail) => rail.name === name);
  if (found === undefined) throw new Error(`no rail ${name}`);
  return found;
};

describe('the rails', () => {
  it('are complete, and each state lists the events that the bank accepts', async () => {
    const { rails, profile } = await railsOf('calendar');
    expect(profile).toBe('calendar');
    expect(rails.map(({ name }) => name)).toEqual(RAIL_NAMES);
    for (const name of RAIL_NAMES) {
      const { states, steps } = named(rails, name);
      for (const state of states) {
        const events = steps.filter(({ from }) => from === state).map(({ event }) => event);
        expect(events, `${name} ${state}`).toEqual(railEvents(name, state as never));
      }
    }
  });

  it.each(['fast', 'calendar', 'manual'] as const)('name only existing states, in %s', async (profile) => {
    const { rails } = await railsOf(profile);
    for (const { states, first_states, final_states, steps, name } of rails) {
      expect(new Set(states).size, name).toBe(states.length);
      const mentioned = [...first_states, ...final_states, ...steps.flatMap(({ from, to }) => [from, to])];
      expect(
        mentioned.filter((state) => !states.includes(state)),
        name,
      ).toEqual([]);
      expect(
        final_states.filter((state) => steps.some(({ from }) => from === state)),
        name,
      ).toEqual([]);
      expect(steps.every(({ by_itself, time }) => by_itself === (time !== ''))).toBe(true);
      expect(steps.some(({ by_itself }) => by_itself) && profile === 'manual').toBe(false);
    }
  });

  it('contain who causes a step, and when the bank runs it', async () => {
    const { rails } = await railsOf('fast');
    const push = named(rails, 'ach_push');
    expect([push.label, push.first_states]).toEqual(['ACH push', ['originated', 'declined']]);
    expect(push.steps).toContainEqual({
      from: 'originated',
      event: 'submit',
      to: 'pending',
      books: 'none',
      row: null,
      caused_by: 'bank',
      by_itself: true,
      time: 'after 1 s',
    });
    expect(push.steps).toContainEqual({
      from: 'settled',
      event: 'return',
      to: 'returned',
      books: 'undo',
      row: 'return',
      caused_by: 'other_side',
      by_itself: false,
      time: '',
    });
    expect(push.steps.filter(({ event }) => event === 'cancel').map((step) => step.caused_by)).toEqual([
      'client',
      'client',
      'client',
    ]);
    const authorization = named(rails, 'card_authorization');
    expect(authorization.states).toEqual(['pending', 'settled', 'reversed', 'refunded', 'declined']);
    expect(authorization.steps.map(({ event, caused_by }) => `${event} ${caused_by}`)).toEqual([
      'settle other_side',
      'reverse other_side',
      'expire bank',
      'refund other_side',
      'dispute client',
      'win_dispute other_side',
      'lose_dispute other_side',
    ]);
  });
});
