/**
 * Reads figures of other processes from Linux; `null` on other systems. Processor time per request is the most stable
 * figure on shared cores, because it excludes the time in which the server did not run.
 */
import { readFileSync } from 'node:fs';

/** `/proc` counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** The 12th and 13th field after the name in brackets, which may contain spaces. */
const USER_FIELD = 11;
const SYSTEM_FIELD = 12;

/** Processor time of all threads since the start of the process. */
export function cpuSeconds(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_FIELD]) + Number(fields[SYSTEM_FIELD])) / TICKS_PER_SECOND;
}

/** Resident memory in megabytes. */
export function residentMb(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
