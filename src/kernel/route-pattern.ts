/**
 * Patterns of paths: `:name` or `{name}` stands for one step or a part of one, `*` for any rest, everything else for
 * itself. A client writes the pattern, so it is never made into a regular expression, whose time could grow without
 * end: all places at which the pattern may stand are followed at once, and a path takes at most its length times the
 * pattern's.
 */

/** One place of a pattern: a letter, a letter of a step, or any letters. */
type Part = { letter: string } | 'step' | 'rest';

const PARTS = /:\w+|\{\w+\}|\*+|./gs;

/** What tells whether a path fits the pattern as a whole. */
export function routePattern(pattern: string): (path: string) => boolean {
  const parts: Part[] = (pattern.match(PARTS) ?? []).map((text) =>
    text.startsWith('*') ? 'rest' : text.length > 1 ? 'step' : { letter: text },
  );
  const lastRest = parts.lastIndexOf('rest');

  return (path) => {
    // The parts before which the pattern may stand, and after which step it may go on with the same one.
    let places = startingAt([0], parts);
    for (let at = 0; at < path.length && places.size > 0; at += 1) {
      if (lastRest === parts.length - 1 && places.has(lastRest)) return true;
      places = startingAt(after(places, path.charAt(at), parts), parts);
    }
    return places.has(parts.length);
  };
}

/** Where the pattern may stand after one more letter of the path. */
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

/** The same with what a rest leaves open: it may be of no length. Whatever comes before a rest is behind the path then. */
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
