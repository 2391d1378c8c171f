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
