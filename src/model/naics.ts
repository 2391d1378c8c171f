/**
 * Codes of the North American Industry Classification System (2022): every sector, and some industries that small
 * businesses name often, each with the national industries of it that they name. A business may carry any code of the
 * system; this list is for a client's menu.
 * Source: the classification of the United States Census Bureau; decision `naics-codes` in docs/fidelity.md.
 */
import sectors from '../../data/naics.json' with { type: 'json' };

interface Named {
  readonly code: number;
  readonly name: string;
}

interface Industry extends Named {
  /** Codes of six digits. What is not divided further is one of the same name, with a 0 behind its code. */
  readonly nationalIndustries: readonly Named[];
}

/** A sector with its industries, whose codes have five digits. One that has several codes goes by its first. */
export interface Sector extends Named {
  readonly industries: readonly Industry[];
}

export const NAICS: readonly Sector[] = sectors;
