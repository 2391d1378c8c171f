/**
 * Metadata is the client's own: free pairs, merged key by key, an empty value removes its key. The platform publishes
 * two bounds, 20 keys and 4 KB, and what exceeds them changes nothing.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Metadata } from '../model/records.ts';
import type { MetadataChange } from './inputs.ts';

const MAX_KEYS = 20;
const MAX_BYTES = 4096;

/** What `present` becomes by `change`; `null` while nothing was ever set. Refuses: `metadata_too_large`. */
export function mergeMetadata(present: Metadata, change: MetadataChange | undefined): Metadata {
  if (change === undefined) return present;
  const merged = { ...present };
  for (const [key, value] of Object.entries(change)) {
    if (value === '') delete merged[key];
    else merged[key] = value;
  }
  const keys = Object.keys(merged);
  if (keys.length === 0 && present === null) return null;
  if (keys.length > MAX_KEYS || Buffer.byteLength(JSON.stringify(merged)) > MAX_BYTES) {
    throw refuse('metadata_too_large', { field: 'metadata' });
  }
  return merged;
}
