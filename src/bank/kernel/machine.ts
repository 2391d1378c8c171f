/**
 * A state machine is a table: state -> event -> next state. A state with an empty row is final. A step that is not in
 * the table is refused, and the refusal lists the legal events.
 */
import { refuse } from './refusal.ts';
import type { RefusalCode } from './refusals.ts';

/** A transition table: every state has a row, and every row maps its events to the next states. */
export interface Machine<State extends string = string, Event extends string = string> {
  readonly name: string;
  readonly first: readonly State[];
  readonly states: Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;
}

/** The state after `event` in `state`. Refuses: `code` if the table has no such step. */
export function step<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
  code: RefusalCode = 'illegal_step',
): State {
  const next = machine.states[state][event];
  if (next === undefined) throw illegalStep(machine.name, state, event, legalEvents(machine, state), code);
  return next;
}

/** The events that `state` accepts. */
export function legalEvents<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
): Event[] {
  return Object.keys(machine.states[state]) as Event[];
}

/** The refusal of a step that is not in the table. */
export function illegalStep(
  machine: string,
  state: string,
  event: string,
  legal: readonly string[],
  code: RefusalCode = 'illegal_step',
): Error {
  const choice = legal.length === 0 ? `${state} is final` : `legal from ${state}: ${legal.join(', ')}`;
  return refuse(code, {
    message: `this ${machine} is ${state} and cannot ${event}; ${choice}`,
    legal,
  });
}
