/**
 * Events on the wire: a fact is one happening and may be several kinds of event, each with an id of its own. The id is
 * made from the fact's time and number and the kind's place, so it is the same at every attempt and every resend, and
 * an event can be found again from its id alone.
 */
import type { Id } from '../kernel/sequence.ts';
import type { Fact } from '../model/facts.ts';
import type { Program } from '../model/records.ts';
import { spellV2 } from './identifiers.ts';
import { writeEvent as writeV1 } from './v1/envelope.ts';
import { writeEvent as writeV2 } from './v2/envelope.ts';

/** One kind of one fact, on its way to a webhook. */
export interface EventToWrite {
  fact: Fact;
  kind: string;
  /** The place of the kind among the fact's kinds of its generation, from 0. */
  ordinal: number;
  program: Program;
}

type Generation = 'v1' | 'v2';

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
/** Keeps the ids of the two generations apart. */
const GENERATION_DIGIT: Record<Generation, string> = { v1: '1', v2: '2' };

function eventId(generation: Generation, { at, seq }: Fact, ordinal: number): Id {
  return `${hex(at, 12)}7000${`8${GENERATION_DIGIT[generation]}`}${hex(ordinal, 2)}${hex(seq, 12)}`;
}

/** The id that the event carries in `webhook-id` and in the v2 envelope, `evt_` and 32 digits. */
export function spellEventId(generation: Generation, fact: Fact, ordinal: number): string {
  return spellV2('event', eventId(generation, fact, ordinal));
}

/** The JSON text of an event in the envelope of its generation. */
export function writeEventFor(generation: Generation, event: EventToWrite): string {
  const { fact, kind, ordinal, program } = event;
  return generation === 'v1'
    ? writeV1({ kind, fact, program })
    : writeV2({ id: eventId('v2', fact, ordinal), kind, at: fact.at, fact, program });
}
