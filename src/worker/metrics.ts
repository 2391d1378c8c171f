/** What this instance counts, of all objects that it has: they share this module. */
import { createMetrics } from '../http/metrics.ts';

// The runtime has no measures of the process.
export const METRICS = createMetrics({ ofProcess: false });
