/**
 * Work that no request waits for: due settlements and retries, closing idle files, indexing closed files. A failure
 * must not end the process or stop another job, so each job runs here. A failure is kept, for `/readyz` and
 * `/metrics`, until the same job succeeds. The log gets one line when a job begins to fail and one when it works
 * again.
 */
import type { Clock, Instant } from '../../bank/kernel/time.ts';

/** The jobs, as the log and the metrics name them. */
export const JOBS = [
  'settle',
  'deliver',
  'record',
  'publish',
  'open',
  'close',
  'journal',
  'index',
  'log',
] as const;
export type Job = (typeof JOBS)[number];

/** A job that failed the last time that it ran. */
export interface FailingJob {
  job: Job;
  sandbox: string;
  /** The first failure since the last success, on the real clock. */
  since: Instant;
  failures: number;
  error: unknown;
}

export interface BackgroundJobs {
  of(sandbox: string): SandboxJobs;
  failing(): FailingJob[];
  /** How often each job has failed since the start of the process. */
  failures(): ReadonlyMap<Job, number>;
  /** Forgets a sandbox that was removed. */
  remove(sandbox: string): void;
}

export interface BackgroundJobsOptions {
  wallClock: Clock;
  /** A job begins to fail. */
  onFail(failing: FailingJob): void;
  /** A failing job works again. */
  onRecover(failing: FailingJob): void;
}

/** The background jobs of one process. */
export function createBackgroundJobs({
  wallClock,
  onFail,
  onRecover,
}: BackgroundJobsOptions): BackgroundJobs {
  const failing = new Map<string, Map<Job, FailingJob>>();
  const failures = new Map<Job, number>(JOBS.map((job) => [job, 0]));

  const failed = (sandbox: string, job: Job, error: unknown): void => {
    failures.set(job, (failures.get(job) ?? 0) + 1);
    const known = failing.get(sandbox)?.get(job);
    if (known !== undefined) {
      known.failures += 1;
      known.error = error;
      return;
    }
    const first: FailingJob = { job, sandbox, since: wallClock.now(), failures: 1, error };
    failing.set(sandbox, (failing.get(sandbox) ?? new Map()).set(job, first));
    onFail(first);
  };

  const succeeded = (sandbox: string, job: Job): void => {
    const jobs = failing.get(sandbox);
    const known = jobs?.get(job);
    if (jobs === undefined || known === undefined) return;
    jobs.delete(job);
    if (jobs.size === 0) failing.delete(sandbox);
    onRecover(known);
  };

  const all: AllJobs = { succeeded, failed };
  return {
    of: (sandbox) => new SandboxJobs(sandbox, all),
    failing: () => [...failing.values()].flatMap((jobs) => [...jobs.values()]),
    failures: () => failures,
    remove: (sandbox) => void failing.delete(sandbox),
  };
}

interface AllJobs {
  succeeded(sandbox: string, job: Job): void;
  failed(sandbox: string, job: Job, error: unknown): void;
}

/** The jobs of one sandbox. */
export class SandboxJobs {
  readonly #sandbox: string;
  readonly #all: AllJobs;

  constructor(sandbox: string, all: AllJobs) {
    this.#sandbox = sandbox;
    this.#all = all;
  }

  /** Runs a job; false if it failed. Never throws. */
  run(job: Job, work: () => void): boolean {
    try {
      work();
    } catch (error) {
      this.failed(job, error);
      return false;
    }
    this.succeeded(job);
    return true;
  }
  /** Records the end of a job that ran elsewhere. */
  succeeded(job: Job): void {
    this.#all.succeeded(this.#sandbox, job);
  }
  failed(job: Job, error: unknown): void {
    this.#all.failed(this.#sandbox, job, error);
  }
}

/** The jobs of a sandbox that belongs to no process with readiness and metrics: only their errors are reported. */
export function reportedJobs(onError: (error: unknown) => void): SandboxJobs {
  const jobs = createBackgroundJobs({
    wallClock: { now: () => 0 },
    onFail: ({ error }) => onError(error),
    onRecover() {},
  });
  return jobs.of('');
}
