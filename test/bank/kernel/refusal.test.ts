// Refusals: a code of the table, the invalid field, a message, and for an illegal step the legal events.

import { describe, expect, test } from 'vitest';
import { legalEvents, type Machine, step } from '../../../src/bank/kernel/machine.ts';
import { Refusal, refuse } from '../../../src/bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode } from '../../../src/bank/kernel/refusals.ts';

describe('a refusal', () => {
  test('has the text of the table by default', () => {
    const refusal = refuse('card_closed');
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'card_closed', field: '', legal: [] });
    expect(refusal.message).toBe(REFUSALS.card_closed.message);
  });

  test('has a specific text if one is passed', () => {
    const refusal = refuse('field_invalid', { field: 'amount', message: 'too short', legal: ['a'] });
    expect(refusal).toMatchObject({ field: 'amount', message: 'too short', legal: ['a'] });
  });

  test.each(Object.keys(REFUSALS) as RefusalCode[])('%s has a text of our own', (code) => {
    expect(REFUSALS[code].message).toMatch(/\S/);
    expect(REFUSALS[code].message).not.toMatch(/qldb/i);
  });
});

describe('a step of a state machine', () => {
  const DOOR: Machine<'open' | 'shut' | 'walled', 'shut' | 'open' | 'wall_up'> = {
    name: 'door',
    first: ['open'],
    states: { open: { shut: 'shut' }, shut: { open: 'open', wall_up: 'walled' }, walled: {} },
  };

  test('leads to the state in the table', () => {
    expect(step(DOOR, 'shut', 'wall_up')).toBe('walled');
    expect(legalEvents(DOOR, 'shut')).toEqual(['open', 'wall_up']);
  });

  test('without a row is refused with the machine, the state, the event and the legal events', () => {
    const refused = () => step(DOOR, 'shut', 'shut');
    expect(refused).toThrow(Refusal);
    expect(refused).toThrow('this door is shut and cannot shut; legal from shut: open, wall_up');
  });

  test('from a final state is refused as final', () => {
    expect(() => step(DOOR, 'walled', 'open')).toThrow(
      'this door is walled and cannot open; walled is final',
    );
  });
});
