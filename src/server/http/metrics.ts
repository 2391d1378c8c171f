/**
 * `GET /metrics` in the format of Prometheus. Requests and deliveries are counted in plain numbers, which costs
 * almost nothing per request. Transactions are counted at the scrape, from the log of facts. The library prints the
 * metrics and is loaded at the first scrape. Labels are operations, rails, statuses and outcomes, never ids or keys,
 * so there are few series. Callers need the same token as for the control plane.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Metric, Registry as Printer } from 'prom-client';
import type { Send, SendResult } from '../../bank/delivery/sender.ts';
import { SECOND_MS } from '../../bank/kernel/time.ts';
import { RAILS } from '../../bank/model/rails/index.ts';
import type { DropReason } from '../../bank/outbox/deliveries.ts';
import type { Observers } from '../../sandboxes/registry/observers.ts';
import type { Registry } from '../../sandboxes/registry/registry.ts';
import type { Totals } from '../../sandboxes/registry/totals.ts';
import { JOBS } from '../../sandboxes/sandbox/background-jobs.ts';
import type { Counters } from '../../sandboxes/sandbox/instance.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { createGuard, type GuardOptions } from './guard.ts';

/** The buckets of the durations, in seconds. */
const DURATION_LIMITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** The buckets of the number of commands in a commit. */
const COMMIT_LIMITS = [1, 2, 4, 8, 16, 32, 64, 128];
const NOT_SERVED = 'none';
const PREFIX = 'sandbank_';
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

type Outcome = 'delivered' | 'refused' | 'unanswered';

/** A histogram: the number of observations, their sum, and their number per bucket. */
interface Distribution {
  readonly limits: readonly number[];
  count: number;
  sum: number;
  /** For each bucket, the number of values above the previous limit and up to its own. */
  readonly within: number[];
}

interface Value {
  value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** The counters of a process since its start. */
export interface Metrics extends Counters {
  /** Counts a request that was answered. */
  countRequest(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts the results of all outgoing requests except real-time authorizations. */
  countingSend(send: Send): Send;
  /** Counts the facts of a sandbox since the last scrape. */
  catchUp(sandbox: Sandbox): Promise<void>;
  /** Prints all metrics in the format of Prometheus. */
  print(registry: Registry, observers: Observers): Promise<{ text: string; contentType: string }>;
}

/** The counters of one process. */
export function createMetrics({ ofProcess = true }: { ofProcess?: boolean } = {}): Metrics {
  const requests = new Map<string, Map<string, Distribution>>();
  const commits = distribution(COMMIT_LIMITS);
  const deliveries: Record<Outcome, number> = { delivered: 0, refused: 0, unanswered: 0 };
  const dropped: Record<DropReason, number> = { too_many: 0, too_old: 0, webhook_ended: 0 };
  const transactions = new Map<string, Value>();
  let printer: Promise<Printer> | undefined;
  let bank: Registry | undefined;
  let streams: Observers | undefined;

  const totals = (): Totals => bank?.totals() ?? { waitingDeliveries: 0, plannedSteps: 0, longestWaitMs: 0 };
  const load = async (): Promise<Printer> => {
    const { made, add } = await createPrinter(ofProcess);
    add('histogram', 'request_duration_seconds', 'Requests by operation and class of status.', () =>
      [...requests].flatMap(([operation, byStatus]) =>
        [...byStatus].flatMap(([status, durations]) =>
          histogram(`${PREFIX}request_duration_seconds`, durations, { operation, status }),
        ),
      ),
    );
    add('histogram', 'commit_commands', 'Commits, by their number of commands.', () =>
      histogram(`${PREFIX}commit_commands`, commits, {}),
    );
    add('counter', 'delivery_attempts_total', 'Attempts to deliver an event, by outcome.', () =>
      Object.entries(deliveries).map(([outcome, value]) => ({ value, labels: { outcome } })),
    );
    add('counter', 'deliveries_dropped_total', 'Deliveries that were dropped, by reason.', () =>
      Object.entries(dropped).map(([reason, value]) => ({ value, labels: { reason } })),
    );
    add('counter', 'transactions_total', 'Transactions that reached a status, by rail.', () => [
      ...transactions.values(),
    ]);
    add('gauge', 'deliveries_waiting', 'Pending deliveries, in open sandboxes.', () => [
      { value: totals().waitingDeliveries, labels: {} },
    ]);
    add('gauge', 'delivery_oldest_seconds', 'Age of the oldest pending event, in open sandboxes.', () => [
      { value: totals().longestWaitMs / SECOND_MS, labels: {} },
    ]);
    add('gauge', 'steps_planned', 'Scheduled steps of payments, in open sandboxes.', () => [
      { value: totals().plannedSteps, labels: {} },
    ]);
    add('gauge', 'database_bytes', 'Size of all databases.', () => [
      { value: (bank?.list() ?? []).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0), labels: {} },
    ]);
    add('gauge', 'background_jobs_failing', 'Background jobs that are failing, by job.', () =>
      JOBS.map((job) => ({
        value: bank?.jobs.failing().filter((failing) => failing.job === job).length ?? 0,
        labels: { background_job: job },
      })),
    );
    add('counter', 'background_job_failures_total', 'Failed runs of background jobs, by job.', () =>
      JOBS.map((job) => ({ value: bank?.jobs.failures().get(job) ?? 0, labels: { background_job: job } })),
    );
    add('gauge', 'observers', 'Connected clients of streams.', () => [
      { value: streams?.counts().connected ?? 0, labels: {} },
    ]);
    add(
      'counter',
      'observers_ended_total',
      'Streams that were refused, or closed because the client was too slow.',
      () => [
        { value: streams?.counts().refused ?? 0, labels: { reason: 'refused' } },
        { value: streams?.counts().cutOff ?? 0, labels: { reason: 'too_slow' } },
      ],
    );
    add('gauge', 'sandboxes', 'Sandboxes, by whether their files are open.', () => sandboxValues(bank));
    return made;
  };

  const catchUp = async (sandbox: Sandbox): Promise<void> => {
    const opened = sandbox.opened();
    if (opened !== undefined) await sandbox.coverage.catchUp(opened.outbox);
  };

  return {
    countRequest(request, { statusCode, elapsedTime }) {
      const operation = operationOf(request);
      let byStatus = requests.get(operation);
      if (byStatus === undefined) {
        byStatus = new Map();
        requests.set(operation, byStatus);
      }
      const status = `${Math.floor(statusCode / 100)}xx`;
      let durations = byStatus.get(status);
      if (durations === undefined) {
        durations = distribution(DURATION_LIMITS);
        byStatus.set(status, durations);
      }
      observe(durations, elapsedTime / 1000);
    },

    countCommit: (commands) => observe(commits, commands),

    countDropped(reason, count) {
      dropped[reason] += count;
    },

    countingSend(send) {
      return async (outgoing) => {
        const result = await send(outgoing);
        if (outgoing.answerWithinMs === undefined) deliveries[outcomeOf(result)] += 1;
        return result;
      };
    },

    countState(rail, status) {
      if (!(rail in RAILS)) return;
      const key = `${rail} ${status}`;
      const counted = transactions.get(key);
      if (counted === undefined) transactions.set(key, { value: 1, labels: { rail, status } });
      else counted.value += 1;
    },

    catchUp,

    async print(registry, observers) {
      bank = registry;
      streams = observers;
      for (const sandbox of registry.open()) await catchUp(sandbox);
      printer ??= load();
      const loaded = await printer;
      // The mean of what was not measured yet is no number: the series begins with the next scrape.
      const text = (await loaded.metrics()).replace(/^\S+ NaN\n/gim, '');
      return { text, contentType: loaded.contentType };
    },
  };
}

/** Creates a printer, with the metrics of Node if `ofProcess`, and a function that adds a metric to it. */
async function createPrinter(ofProcess: boolean) {
  // A CommonJS module: in the bundle its exports are those of `default`.
  const { Registry: PrinterOf, collectDefaultMetrics } = (await import('prom-client')).default;
  const made: Printer = new PrinterOf();
  if (ofProcess) collectDefaultMetrics({ register: made });
  // These gauges are named like counters, which Prometheus' own checker refuses. Their values per type are also
  // printed.
  for (const name of MISNAMED) made.removeSingleMetric(name);
  const add = (
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    values: () => Value[],
  ): void => {
    const full = PREFIX + name;
    const get = async () => ({ name: full, help, type, values: values(), aggregator: 'sum' });
    made.registerMetric({ name: full, get, reset: () => {} } as unknown as Metric);
  };
  return { made, add };
}

/** Serves `/metrics`. */
export function registerMetrics(
  app: FastifyInstance,
  {
    metrics,
    registry,
    observers,
    guard: options,
  }: { metrics: Metrics; registry: Registry; observers: Observers; guard: GuardOptions },
): void {
  const guard = createGuard({ ...options, takesBearer: true });
  app.get('/metrics', async (request, reply) => {
    guard(request);
    const { text, contentType } = await metrics.print(registry, observers);
    return reply.header('content-type', contentType).send(text);
  });
}

/** The operation, or the path pattern if there is none. */
function operationOf(request: FastifyRequest): string {
  if (request.operationId !== '') return request.operationId;
  if (request.is404) return NOT_SERVED;
  const { config, url } = request.routeOptions;
  return config.operationId ?? url ?? NOT_SERVED;
}

function outcomeOf({ status }: SendResult): Outcome {
  if (status === null) return 'unanswered';
  return status >= 200 && status < 300 ? 'delivered' : 'refused';
}

function distribution(limits: readonly number[]): Distribution {
  return { limits, count: 0, sum: 0, within: limits.map(() => 0) };
}

function observe(into: Distribution, value: number): void {
  into.count += 1;
  into.sum += value;
  const at = into.limits.findIndex((limit) => value <= limit);
  if (at !== -1) into.within[at] = (into.within[at] ?? 0) + 1;
}

function histogram(name: string, of: Distribution, labels: Value['labels']): Value[] {
  let sum = 0;
  const buckets = of.limits.map((le, at) => {
    sum += of.within[at] ?? 0;
    return { value: sum, labels: { ...labels, le }, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { value: of.count, labels: { ...labels, le: '+Inf' }, metricName: `${name}_bucket` },
    { value: of.sum, labels, metricName: `${name}_sum` },
    { value: of.count, labels, metricName: `${name}_count` },
  ];
}

function sandboxValues(registry: Registry | undefined): Value[] {
  const all = registry?.list() ?? [];
  const open = all.filter((one) => one.open).length;
  return [
    { value: open, labels: { state: 'open' } },
    { value: all.length - open, labels: { state: 'resting' } },
  ];
}
