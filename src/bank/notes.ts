/**
 * Notes down who decided something, in the transaction in which it was decided, so that nobody has to guess later.
 */
import type { Decision } from '../model/decisions.ts';
import type { Parts } from './parts.ts';

export type Note = Omit<Decision, 'number' | 'at' | 'numbers'> & { numbers?: Decision['numbers'] };

/** Keeps a decision with what it was about. */
export function note({ store, clock }: Parts, decision: Note): void {
  store.decisions.append({ numbers: {}, ...decision, at: clock.now() });
}

/** Keeps that something was made to happen, from one state to another. */
export function noteSimulated(
  parts: Parts,
  subjectId: Decision['subjectId'],
  name: string,
  [before, after]: readonly [string, string],
  numbers: Decision['numbers'] = {},
): void {
  note(parts, {
    subjectId,
    source: 'simulate',
    name,
    effect: before === after ? after : `${before} -> ${after}`,
    message: `${name} was asked for`,
    numbers,
  });
}
