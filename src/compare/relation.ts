/**
 * Relates the ids of this bank to the ids of the other side. A pair is learned when both sides return the same field
 * for the first time. From then on, wherever one of the two occurs, the other must occur on the other side.
 */

export interface Relation {
  /** Whether the two ids are related; a pair of unknown ids is learned. */
  relate(here: string, there: string): boolean;
  /** The id of the other side. */
  otherOf(here: string): string | undefined;
  /** The id of this bank. */
  ownOf(there: string): string | undefined;
}

export function createRelation(): Relation {
  const others = new Map<string, string>();
  const owns = new Map<string, string>();
  return {
    relate(here, there) {
      const other = others.get(here);
      if (other !== undefined) return other === there;
      if (owns.has(there)) return false;
      others.set(here, there);
      owns.set(there, here);
      return true;
    },
    otherOf: (here) => others.get(here),
    ownOf: (there) => owns.get(there),
  };
}
