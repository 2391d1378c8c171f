/**
 * How a token says whose it is. Whoever comes with one alone has no key that would name a sandbox, and two sandboxes that
 * did the same at the same instant draw the same digits: so a token is handed out with a mark at its end that is made of
 * the sandbox's name. The mark begins with the slot of the sandbox, where a proxy can read it. The bank knows its tokens
 * without the mark, as it does not know its name.
 * Source: decisions `card-tokens` and `fleet-slots` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';
import { type Slot, slotOfDigest } from '../kernel/slots.ts';

const MARK_LENGTH = 8;

/** The hexadecimal digits with which the tokens of this sandbox end. */
export function tokenMarkOf(name: string): string {
  return hash('sha256', name).slice(0, MARK_LENGTH);
}

/** A token of the bank as a client gets it: with the mark of its sandbox. */
export function markToken(name: string, token: string): string {
  return token + tokenMarkOf(name);
}

/** The bank's own token of a marked one; `''` for one of another sandbox. */
export function unmarkToken(name: string, marked: string): string {
  return marked.endsWith(tokenMarkOf(name)) ? marked.slice(0, -MARK_LENGTH) : '';
}

/** The mark of a token, whosever it is; of a text that no sandbox handed out, something that is nobody's mark. */
export function tokenMarkIn(marked: string): string {
  return marked.slice(-MARK_LENGTH);
}

/** The slot of the sandbox that handed out a token; `undefined` for a text that no sandbox did. */
export function slotOfToken(marked: string): Slot | undefined {
  const mark = tokenMarkIn(marked);
  return /^[0-9a-f]{8}$/.test(mark) ? slotOfDigest(mark) : undefined;
}
