/**
 * Path patterns: `:name` or `{name}` matches one segment or a part of one, `*` matches any rest, and all other
 * characters match themselves. Patterns come from clients, so they are not converted to regular expressions, whose
 * time is unbounded. Instead all possible positions in the pattern are tracked in parallel, so a match takes at most
 * the length of the path times the length of the pattern.
 */

/** One element of a pattern: a letter, a letter of a segment, or any letters. */
type Part = { letter: string } | 'step' | 'rest';

const PARTS = /:\w+|\{\w+\}|\*+|./gs;

/** Creates the function that tests whether a path matches the whole pattern. */
export function routePattern(pattern: string): (path: string) => boolean {
  const parts: Part[] = (pattern.match(PARTS) ?? []).map((text) =>
    text.startsWith('*') ? 'rest' : text.length > 1 ? 'step' : { letter: text },
  );
  const lastRest = parts.lastIndexOf('rest');

  return (path) => {
    // The current positions in the pattern. A segment may continue with the same element.
    let places = startingAt([0], parts);
    for (let at = 0; at < path.length && places.size > 0; at += 1) {
      if (lastRest === parts.length - 1 && places.has(lastRest)) return true;
      places = startingAt(after(places, path.charAt(at), parts), parts);
    }
    return places.has(parts.length);
  };
}

/** The positions after one more letter of the path. */
function after(places: ReadonlySet<number>, letter: string, parts: readonly Part[]): number[] {
  const next: number[] = [];
  for (const place of places) {
    const part = parts[place];
    if (part === 'rest') next.push(place);
    else if (part === 'step') {
      if (letter !== '/') next.push(place, place + 1);
    } else if (part?.letter === letter) next.push(place + 1);
  }
  return next;
}

/** Adds the positions after a rest, which may be empty. Positions before a rest can be dropped. */
function startingAt(places: readonly number[], parts: readonly Part[]): Set<number> {
  const all = new Set(places);
  let furthest = 0;
  for (const place of all) {
    if (parts[place] !== 'rest') continue;
    all.add(place + 1);
    furthest = Math.max(furthest, place);
  }
  for (const place of all) if (place < furthest) all.delete(place);
  return all;
}
