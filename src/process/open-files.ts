/**
 * How many sandboxes may have their files open at once, under the limit of open files and sockets of the process.
 */
import { readFileSync } from 'node:fs';

/** For the process itself: its own files, its listener, the connections of clients and to receivers. */
const RESERVED = 256;
/** A database and its log. */
const PER_SANDBOX = 2;
const FEWEST = 8;
/** Each takes a third of a megabyte. */
const MAX = 1000;
/** The lowest limit of most systems. */
const DEFAULT_LIMIT = 1024;

/** As many as the limit of open files allows. */
export function sandboxesOpenAtOnce(limit: number = openFileLimit()): number {
  return Math.max(FEWEST, Math.min(MAX, Math.floor((limit - RESERVED) / PER_SANDBOX)));
}

/** How many descriptors this process may have. Node raises the soft limit to the hard one when it starts. */
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
