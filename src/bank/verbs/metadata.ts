/**
 * Metadata: key-value pairs of the client, merged key by key; an empty value removes its key. The platform publishes
 * two limits, 20 keys and 4 KB; a change that exceeds them is refused.
 */
import { refuse } from '../kernel/refusal.ts';
import type { Metadata } from '../model/records.ts';
import type { MetadataChange } from './inputs.ts';

const MAX_KEYS = 20;
const MAX_BYTES = 4096;

/** `present` after `change`; `null` until the first key is set. Refuses: `metadata_too_large`. */
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
