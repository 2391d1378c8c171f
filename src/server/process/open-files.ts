/** The maximum number of sandboxes with open files, computed from the process's limit of file descriptors. */
import { readFileSync } from 'node:fs';

/** Reserved for the process itself: its own files, its listener, and connections to clients and receivers. */
const RESERVED = 256;
/** The database and its log. */
const PER_SANDBOX = 2;
const FEWEST = 8;
/** Each takes a third of a megabyte. */
const MAX = 1000;
/** The lowest limit of most systems. */
const DEFAULT_LIMIT = 1024;

/** The number that the limit of open files allows. */
export function sandboxesOpenAtOnce(limit: number = openFileLimit()): number {
  return Math.max(FEWEST, Math.min(MAX, Math.floor((limit - RESERVED) / PER_SANDBOX)));
}

/** The descriptor limit of this process. Node raises the soft limit to the hard one when it starts. */
export function openFileLimit(): number {
  try {
    const line = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    const limit = Number(line?.[1]);
    return Number.isNaN(limit) ? DEFAULT_LIMIT : limit;
  } catch {
    // Only Linux has such a file.
    return process.platform === 'linux' ? DEFAULT_LIMIT : reportedLimit();
  }
}

function reportedLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isNaN(limit) ? DEFAULT_LIMIT : limit;
}
