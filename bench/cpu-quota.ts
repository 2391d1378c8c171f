/**
 * Limits processes to a part of a core, so that one machine can simulate several small ones: with a control group of
 * Linux if one can be created, otherwise by stopping and continuing the process alternately.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Quota {
  readonly by: 'control group' | 'stopping it alternately';
  end(): void;
}

const PERIOD_US = 50_000;
const TURN_MS = 50;
/** The folders of control groups for processor time, in their first and second version. */
const FIRST = '/sys/fs/cgroup/cpu';
const SECOND = '/sys/fs/cgroup';

let made = 0;

/** Lets these processes together have this share of a core from now on. */
export function limitCpu(pids: readonly number[], share: number): Quota {
  return inGroup(pids, share) ?? inTurns(pids, share);
}

function inGroup(pids: readonly number[], share: number): Quota | undefined {
  const isFirst = existsSync(join(FIRST, 'cpu.cfs_quota_us'));
  const root = isFirst ? FIRST : SECOND;
  made += 1;
  const group = join(root, `sandbank-bench-${process.pid}-${made}`);
  const quota = Math.round(PERIOD_US * share);
  const end = (): void => {
    for (const pid of pids) {
      try {
        writeFileSync(join(root, 'cgroup.procs'), String(pid));
      } catch {
        // The process has ended.
      }
    }
    removeGroup(group);
  };
  try {
    mkdirSync(group);
    if (isFirst) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota));
    } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    for (const pid of pids) writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch {
    // Not permitted, or not available.
    end();
    return undefined;
  }
  return { by: 'control group', end };
}

function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // It was not made, or a process is still in it; the system removes nothing that is used.
  }
}

function inTurns(pids: readonly number[], share: number): Quota {
  let timer: NodeJS.Timeout | undefined;
  const signal = (by: 'SIGSTOP' | 'SIGCONT'): boolean => {
    try {
      return pids.every((pid) => process.kill(pid, by));
    } catch {
      return false;
    }
  };
  const run = (): void => {
    if (!signal('SIGCONT')) return;
    timer = setTimeout(rest, TURN_MS * share);
  };
  const rest = (): void => {
    if (!signal('SIGSTOP')) return;
    timer = setTimeout(run, TURN_MS * (1 - share));
  };
  run();
  return {
    by: 'stopping it alternately',
    end() {
      clearTimeout(timer);
      signal('SIGCONT');
    },
  };
}
