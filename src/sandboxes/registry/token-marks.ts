/**
 * Marks tokens with their sandbox. A call with only a token has no key that names a sandbox, and two sandboxes with the
 * same history generate the same digits. So an issued token ends with a mark that is computed from the sandbox's name.
 * The bank stores its tokens without the mark, because it does not store its name.
 * Source: decision `card-tokens` in docs/fidelity.md.
 */
import { hash } from 'node:crypto';

const MARK_LENGTH = 8;

/** The hexadecimal digits with which the tokens of this sandbox end. */
export function tokenMarkOf(name: string): string {
  return hash('sha256', name).slice(0, MARK_LENGTH);
}

/** The token for a client, with the mark of its sandbox. */
export function markToken(name: string, token: string): string {
  return token + tokenMarkOf(name);
}

/** The bank's token without the mark; `''` for a token of another sandbox. */
export function unmarkToken(name: string, marked: string): string {
  return marked.endsWith(tokenMarkOf(name)) ? marked.slice(0, -MARK_LENGTH) : '';
}

/** The mark of a token of any sandbox; for any other text, a value that is not a mark. */
export function tokenMarkIn(marked: string): string {
  return marked.slice(-MARK_LENGTH);
}
