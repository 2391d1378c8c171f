/**
 * Which id of this bank belongs to which id of the other side. A pair is learned where both sides answer the same field for
 * the first time; from then on, wherever one of the two stands, the other one has to stand on the other side.
 */

export interface Relation {
  /** Whether the two belong together; a pair of which neither is known is learned. */
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
