/**
 * Codes of the North American Industry Classification System (2022): every sector, and some industries that are
 * common for small businesses, with their common national industries. A business can have any code of the system;
 * this list is for selection lists of clients.
 * Source: the classification of the United States Census Bureau; decision `naics-codes` in docs/fidelity.md.
 */
import sectors from '../../../data/naics.json' with { type: 'json' };

interface Named {
  readonly code: number;
  readonly name: string;
}

interface Industry extends Named {
  /**
   * Codes of six digits. An industry without subdivisions has one national industry with the same name and a 0 after
   * its code.
   */
  readonly nationalIndustries: readonly Named[];
}

/** A sector with its industries, whose codes have five digits. A sector with several codes has the first one. */
export interface Sector extends Named {
  readonly industries: readonly Industry[];
}

export const NAICS: readonly Sector[] = sectors;
