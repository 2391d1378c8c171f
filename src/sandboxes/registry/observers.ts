/**
 * The clients of event streams. Each needs memory and writes, so their number is limited, and a client that reads too
 * slowly is disconnected. The counts are metrics.
 */
import { refuse } from '../../bank/kernel/refusal.ts';

export interface Observers {
  /** Counts an observer until the returned function is called. Refuses: `observers_full`. */
  admit(): () => void;
  /** Counts an observer that was disconnected because it read too slowly. */
  noteCutOff(): void;
  counts(): { readonly connected: number; readonly refused: number; readonly cutOff: number };
}

const MAX_OBSERVERS = 200;

/** The observers of one process. */
export function createObservers(maximum = MAX_OBSERVERS): Observers {
  let connected = 0;
  let refused = 0;
  let cutOff = 0;
  return {
    admit() {
      if (connected >= maximum) {
        refused += 1;
        throw refuse('observers_full', {
          message: `${connected} clients are connected to streams, the maximum of SANDBANK_MAX_OBSERVERS; close one of them (logs --follow, a tab of the inspector) or increase the setting`,
        });
      }
      connected += 1;
      let isCounted = true;
      return () => {
        if (isCounted) connected -= 1;
        isCounted = false;
      };
    },
    noteCutOff() {
      cutOff += 1;
    },
    counts: () => ({ connected, refused, cutOff }),
  };
}
