/** The word that was probably meant: the most similar one, unless it is far from what was written. */
import { closest, distance } from 'fastest-levenshtein';

/** The most similar of the words, or `undefined` if more than half of its letters, or of the written ones, differ. */
export function similarTo(written: string, words: readonly string[]): string | undefined {
  const found = closest(written, words);
  return distance(written, found) <= Math.min(written.length, found.length) / 2 ? found : undefined;
}
