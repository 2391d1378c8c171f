/**
 * How many sandboxes may have their files open at once: a process may have so many files and sockets open, and no more.
 */
import { readFileSync } from 'node:fs';

/** What the process needs besides: its own files, its listener, connections of clients and to receivers. */
const OTHERS = 256;
/** A database and its log. */
const OF_A_SANDBOX = 2;
const FEWEST = 8;
/** More would be in nobody's interest: each takes a third of a megabyte. */
const MOST = 1000;
/** What most systems give at least. */
const USUAL = 1024;

/** As many as the limit of open files allows. */
export function sandboxesOpenAtOnce(limit: number = descriptorLimit()): number {
  return Math.max(FEWEST, Math.min(MOST, Math.floor((limit - OTHERS) / OF_A_SANDBOX)));
}

/** How many descriptors this process may have. Node raises the soft limit to the hard one when it starts. */
export function descriptorLimit(): number {
  try {
    const line = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    const limit = Number(line?.[1]);
    return Number.isNaN(limit) ? USUAL : limit;
  } catch {
    // Only Linux has such a file.
    return process.platform === 'linux' ? USUAL : reportedLimit();
  }
}

function reportedLimit(): number {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isNaN(limit) ? USUAL : limit;
}
