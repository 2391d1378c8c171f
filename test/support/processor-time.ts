/**
 * Measures work by processor time, because real time on a busy machine also contains the work of other programs.
 */

/** The processor time that this process has used, in milliseconds. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
