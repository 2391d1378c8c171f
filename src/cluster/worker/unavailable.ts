/**
 * The functions that are unavailable in a Durable Object. `GET /_sandbox` and docs/guides/cluster.md list them, and
 * each is refused with 501.
 */
import type { Capability, Unavailable } from '../../sandboxes/registry/unavailable.ts';

type Missing = Capability | 'SQLite exports' | 'large images';

const WHY: Readonly<Record<Missing, string>> = {
  'connection faults':
    'the runtime owns the connections of clients; faults with latency or an error are available',
  'SQLite exports':
    'an object exports and imports its rows; `sandbank export` and `sandbank import` convert them from and to a SQLite database',
  'large images':
    'snapshots, copies and exports of more than 32 MB of rows are refused, because an image is in memory as a whole',
};

export const UNAVAILABLE: readonly Unavailable[] = Object.entries(WHY).map(([what, why]) => ({ what, why }));
