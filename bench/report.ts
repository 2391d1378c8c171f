/**
 * The output of the bench: the machine, the figures of each part, and each aim with its result. A ratio is the median of
 * its rounds, followed by the lowest and the highest.
 */
import { cpus, loadavg, totalmem } from 'node:os';
import { type Aim, aimOf, WEBHOOK_RATIO } from './aims.ts';
import type { BytesFigures } from './bytes.ts';
import type { ClusterFigures } from './cluster.ts';
import type { Comparison } from './compare.ts';
import type { ControlFigures } from './control.ts';
import { LABELS, READ_NAMES, READS, spread, table } from './format.ts';
import type { ListFigures } from './lists.ts';
import { median } from './numbers.ts';
import type { ObserverFigures } from './observers.ts';
import type { ProcessFigures } from './process.ts';
import type { Line, Pace } from './rounds.ts';
import type { WebhookLoadFigures } from './webhook-load.ts';
import type { WebhookFigures } from './webhooks.ts';

/** The length of the longest bar of a curve, in characters. */
const CURVE_WIDTH = 40;

/** The cores, the memory and Node. */
export function machineNow(): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Node ${process.version}`;
}

export function describeMachine(pace: Pace, directory: string): string {
  const load = loadavg().map((value) => value.toFixed(2));
  return [
    `machine    ${machineNow()}`,
    `load       ${load.join(' ')} before the run: the servers and the load share the cores with all other processes`,
    `runs       ${pace.rounds} x ${pace.seconds} s each, bare Fastify and the banks directly after one another; medians`,
    `banks      started as a user starts them, logging to a file, data in ${directory} or in memory`,
    'rails      calendar: the steps of a payment are planned and written, and none is due within the run',
    'client     raw sockets (client.ts), which are faster than autocannon',
  ].join('\n');
}

export function describeProcess(figures: readonly ProcessFigures[]): string {
  const mb = (value: number | null): string => (value === null ? '-' : value.toFixed(0));
  const rows = figures.map((found) => [
    LABELS[found.place],
    found.startMs.toFixed(0),
    found.bareStartMs.toFixed(0),
    found.coldStartMs.toFixed(0),
    mb(found.idleMb),
    `${mb(found.openMb)} with ${found.sandboxes}`,
    found.newSandboxMs.toFixed(2),
  ]);
  const head = [
    '',
    'first answer ms',
    'bare Fastify ms',
    'with cold cache ms',
    'idle RSS MB',
    'more sandboxes MB',
    'new sandbox ms',
  ];
  return table(head, rows, 1);
}

/** The bytes that a payment stores on the disk, and those that it writes. */
export function describeBytes({ payments, kept, tables, log }: BytesFigures): string {
  const rows = [
    [`kept for each of ${payments}`, kept.toFixed(0), ''],
    ...tables.map(({ table, bytes }) => [
      `  ${table}`,
      bytes.toFixed(0),
      `${((bytes / kept) * 100).toFixed(0)} %`,
    ]),
    ['written to the log for one alone', log.toFixed(0), ''],
  ];
  return table(['ACH pull with a fresh key, bank on a file', 'bytes', ''], rows, 1);
}

export function describeControl(figures: readonly ControlFigures[]): string {
  const rows = figures.map((found) => [
    LABELS[found.place],
    ...[found.resetMs, found.snapshotMs, found.restoreMs, found.cloneMs].map((ms) => ms.toFixed(2)),
    found.traceMs.toFixed(0),
    found.emptyUs.toFixed(0),
    found.unfittingUs.toFixed(0),
    `${found.settledPerSecond.toFixed(0)}/s of ${found.settled}`,
  ]);
  const head = [
    '',
    'reset ms',
    'snapshot ms',
    'restore ms',
    'clone ms',
    'trace ms',
    'payment, none us',
    'one of each us',
    'settled in a year',
  ];
  return table(head, rows, 1);
}

export function describeLists(figures: readonly ListFigures[]): string {
  const rows = figures.flatMap(({ place, transactions, short, long, summaryMs }) => [
    ...READ_NAMES.map((name, at) => [
      at === 0 ? `${LABELS[place]}, ${transactions} transactions` : '',
      READS[name],
      short[name].toFixed(0),
      long[name].toFixed(0),
      (long[name] / short[name]).toFixed(2),
    ]),
    ['', 'GET /_sandbox', '-', (summaryMs * 1000).toFixed(0), '-'],
  ]);
  const filtered = figures.flatMap(({ place, filters }) =>
    filters.map(({ filter, firstMs, laterMs }, at) => [
      at === 0 ? `${LABELS[place]}, all accounts` : '',
      filter,
      firstMs.toFixed(1),
      laterMs.toFixed(1),
    ]),
  );
  return [
    table(['', 'read', 'of 100 us', 'of all us', 'ratio'], rows, 2),
    table(['', 'list by', 'first ms', 'later ms'], filtered, 2),
  ].join('\n\n');
}

export function describeWebhooks(figures: readonly WebhookFigures[]): string {
  const rows = figures.flatMap(({ floor, without, full, half }) => [
    ['bare Fastify', floor.toFixed(0), '-', '-', '-'],
    ['without a webhook', without.toFixed(0), '-', '-', '-'],
    ...[full, half].map(({ payments, deliveries, backlog, busy }, at) => [
      at === 0 ? 'with one, full load' : 'with one, half of the load',
      payments.toFixed(0),
      deliveries.toFixed(0),
      backlog.toFixed(0),
      busy === null ? '-' : busy.toFixed(2),
    ]),
  ]);
  return table(
    ['intra-account pull, bank in memory', 'payments/s', 'deliveries/s', 'waiting at the end', 'bank cores'],
    rows,
    1,
  );
}

export function describeCluster({ runtimes, curve }: ClusterFigures): string {
  const { share, by, sandboxes, connections, points } = curve;
  const most = Math.max(...points.map(({ payments }) => payments));
  return [
    table(
      ['ACH pull, 16 connections, on disk', 'payments/s', 'of Node', 'CPU us/payment', 'MB/sandbox'],
      runtimes.map(({ name, payments, toNode, cpuMicros, sandboxMb }) => [
        name,
        payments.toFixed(0),
        toNode.toFixed(2),
        cpuMicros === null ? '-' : cpuMicros.toFixed(0),
        sandboxMb === null ? '-' : sandboxMb.toFixed(2),
      ]),
      1,
    ),
    table(
      [
        `instances, ${share} of a core each (${by}), ${sandboxes} sandboxes each with ${connections} connections`,
        'payments/s',
        'of one',
        'of linear',
        'CPU used',
        'p50 ms',
        '',
      ],
      points.map(({ instances, payments, toOne, used, p50 }) => [
        String(instances),
        payments.toFixed(0),
        toOne.toFixed(2),
        (toOne / instances).toFixed(2),
        used === null ? '-' : `${(used * 100).toFixed(0)} %`,
        p50.toFixed(0),
        '#'.repeat(Math.round((payments / most) * CURVE_WIDTH)),
      ]),
      1,
    ),
  ].join('\n\n');
}

export function describeLines(lines: readonly Line[]): string {
  const rows = lines.map((line, place) => {
    const previous = lines[place - 1];
    const isNew = previous?.measured !== line.measured || previous.connections !== line.connections;
    return [
      isNew ? line.measured.title : '',
      LABELS[line.target],
      String(line.connections),
      line.perSecond.toFixed(0),
      line.p50.toFixed(2),
      line.p99.toFixed(2),
      line.cpuMicros === null ? '-' : line.cpuMicros.toFixed(0),
      line.target === 'floor' ? '' : spread(line.toFloor),
      aimOf(line)?.toFixed(2) ?? '',
      line.target === 'floor' || line.cpuToFloor.length === 0 ? '' : median(line.cpuToFloor).toFixed(2),
      `${(line.clientBusy * 100).toFixed(0)} %`,
    ];
  });
  return table(
    ['', '', 'conn', 'req/s', 'p50 ms', 'p99 ms', 'CPU us/req', 'bank/floor', 'aim', 'by CPU', 'client core'],
    rows,
    2,
  );
}

/** A minute of payments with a webhook, and its targets. */
export function describeWebhookLoad(figures: WebhookLoadFigures): string {
  const { seconds, place, floors, without, with: run, arrived, waiting, dropped } = figures;
  const { caughtUpInSeconds, delivered, received } = figures;
  const floor = median(floors);
  const share = run.payments / floor;
  const row = (what: string, payments: number, cpuMicros: number | null): string[] => [
    what,
    payments.toFixed(0),
    (payments / floor).toFixed(2),
    cpuMicros === null ? '-' : cpuMicros.toFixed(0),
  ];
  const isMet = (is: boolean): string => (is ? 'met   ' : 'MISSED');
  return [
    table(
      [
        `intra-account pull, 16 connections, ${LABELS[place]}`,
        'payments/s',
        'of bare Fastify',
        'CPU us/payment',
      ],
      [
        row('bare Fastify, before', floors[0], null),
        row('without a webhook', without.payments, without.cpuMicros),
        row(`with one v1 webhook for all kinds, ${seconds} s`, run.payments, run.cpuMicros),
        row('bare Fastify, after', floors[1], null),
      ],
      1,
    ),
    '',
    `${isMet(share >= WEBHOOK_RATIO)}  payments with the webhook: ${share.toFixed(2)} of bare Fastify (>= ${WEBHOOK_RATIO})`,
    `${isMet(dropped === 0)}  dropped: ${dropped} (0)`,
    `${isMet(waiting === 0 || caughtUpInSeconds !== null)}  ${arrived.toFixed(0)} deliveries/s arrived meanwhile; ${waiting} waited at the end, for ${caughtUpInSeconds?.toFixed(0) ?? 'more than 1200'} s`,
    `${isMet(received === delivered)}  arrived: ${received} requests for ${delivered} deliveries (the same)`,
  ].join('\n');
}

export function describeObservers(figures: readonly ObserverFigures[]): string {
  return table(
    ['ACH pull, 16 connections, in memory', 'payments/s', 'of none', 'CPU us/payment', 'MB/s for each'],
    figures.map(({ observers, payments, share, cpuMicros, megabytes }) => [
      `${observers} observers`,
      payments.toFixed(0),
      share.toFixed(2),
      cpuMicros === null ? '-' : cpuMicros.toFixed(0),
      megabytes.toFixed(1),
    ]),
    1,
  );
}

export function describeAims(aims: readonly Aim[]): string {
  const rows = aims.map(({ what, target, measured, met }) => [
    met ? 'met' : 'MISSED',
    what,
    target,
    measured,
  ]);
  return table(['', 'target', '', 'measured'], rows, 4);
}

/** Compares this build with another one; a ratio above 1 means that this build is faster. */
export function describeComparison(commit: string, lines: readonly Comparison[]): string {
  const micros = (value: number | null): string => (value === null ? '-' : value.toFixed(0));
  const rows = lines.map(({ measured, place, connections, other, own, ratios, cpuRatios }) => [
    measured.title,
    LABELS[place],
    String(connections),
    other.perSecond.toFixed(0),
    own.perSecond.toFixed(0),
    spread(ratios),
    micros(other.cpuMicros),
    micros(own.cpuMicros),
    cpuRatios.length === 0 ? '-' : spread(cpuRatios),
  ]);
  const before = commit.slice(0, 7);
  return table(
    ['', '', 'conn', `${before} req/s`, 'now', 'ratio', `${before} CPU us/req`, 'now', 'ratio by CPU'],
    rows,
    2,
  );
}
