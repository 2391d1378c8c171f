/**
 * Texts with whole characters. JSON can escape half of a surrogate pair (`\ud83d`), which is no character: SQLite, HTTP
 * and signatures use UTF-8, which cannot store it and would store another text than the one that was answered.
 */
import { refuse } from './refusal.ts';

/** Only an escape can make a half, because decoded UTF-8 has none. */
const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** A value inside of another, by the name of its field. */
interface Step {
  readonly value: unknown;
  readonly name: string;
  readonly parent: Step | null;
}

/** Parses JSON. Throws `SyntaxError`. Refuses: `field_invalid` for a text with half of a surrogate pair. */
export function parseWholeJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const half = ESCAPED_SURROGATE.test(text) ? halfIn(value) : undefined;
  if (half === undefined) return value;
  const field = pathOf(half);
  const subject = field === '' ? 'the body' : field;
  const part = typeof half.value === 'string' ? '' : ' in the name of a field';
  throw refuse('field_invalid', {
    field,
    message: `${subject} has half of a surrogate pair${part} (a \\ud800 to \\udfff without its other half): send whole characters`,
  });
}

/** The first text that contains a half, or the first object with one in a name. No recursion: bodies nest deeply. */
function halfIn(value: unknown): Step | undefined {
  const left: Step[] = [{ value, name: '', parent: null }];
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    const found = step.value;
    if (typeof found === 'string' && !found.isWellFormed()) return step;
    if (typeof found !== 'object' || found === null) continue;
    if (Object.keys(found).some((name) => !name.isWellFormed())) return step;
    for (const [name, inner] of Object.entries(found).toReversed()) {
      left.push({ value: inner, name, parent: step });
    }
  }
  return undefined;
}

/** No shape is as deep; a longer path would leave no room for the message. */
const SHOWN_STEPS = 20;

function pathOf(step: Step): string {
  const names: string[] = [];
  for (let at = step; at.parent !== null; at = at.parent) names.push(at.name);
  return names.toReversed().slice(0, SHOWN_STEPS).join('.');
}
