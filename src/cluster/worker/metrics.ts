/** The counters of this instance for all its objects, which share this module. */
import { createMetrics } from '../../server/http/metrics.ts';

// The runtime has no measures of the process.
export const METRICS = createMetrics({ ofProcess: false });
