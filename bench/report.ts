/**
 * The output of the bench: the machine, the table, and each target with its result. A missed target is reported but
 * not a failure, because the result depends on the machine. A ratio is the median of its rounds, followed by the
 * lowest and the highest.
 */
import { cpus, loadavg, totalmem } from 'node:os';
import type { BytesFigures } from './bytes.ts';
import { isPayment } from './cases.ts';
import type { ClusterFigures } from './cluster.ts';
import type { Comparison } from './compare.ts';
import type { ControlFigures } from './control.ts';
import type { FleetFigures } from './fleet.ts';
import type { PageFigures } from './inspector.ts';
import type { ListFigures, ReadFigures } from './lists.ts';
import { median } from './numbers.ts';
import type { ObserverFigures } from './observers.ts';
import type { PeerFigures } from './peers.ts';
import type { ProcessFigures } from './process.ts';
import type { Line, Pace, Target } from './rounds.ts';
import type { SandboxFigures } from './sandboxes.ts';
import type { WebhookLoadFigures } from './webhook-load.ts';
import type { WebhookFigures } from './webhooks.ts';

/** The aims relative to the floor, by case, storage and connections; the default is `OTHER_PAYMENT_RATIO`. */
const PAYMENT_RATIO: Partial<Record<string, Partial<Record<Target, Partial<Record<number, number>>>>>> = {
  ach: { memory: { 16: 0.42, 64: 0.45 }, file: { 16: 0.33, 64: 0.37 } },
  card: { memory: { 64: 0.4 } },
  intra: { memory: { 64: 0.42 } },
};
const OTHER_PAYMENT_RATIO: Partial<Record<Target, number>> = { memory: 0.4, file: 0.35 };
/** The length of the longest bar of a curve, in characters. */
const CURVE_WIDTH = 40;
const RATIO_FROM_CONNECTIONS = 16;
/** Two runs of the same program differ by this much. */
const FULL_TO_NORMAL = 0.95;
const READ_RATIO = 0.6;
/** The time of a single payment without other load. */
const ONE_PAYMENT_MS = 0.3;
/** With one webhook for all kinds of v1, and nothing dropped. */
const WEBHOOK_RATIO = 0.25;
/** Relative to the time of bare Fastify's process. */
const FIRST_ANSWER_RATIO = 1.6;
const IDLE_MB = 100;
const OPEN_MB = 600;
/** The aim applies only to this number of sandboxes. */
const OPEN_SANDBOXES = 999;
const NEW_SANDBOX_MS: Partial<Record<Target, number>> = { memory: 1.8, file: 3 };
/** Above an empty process, when this number of sandboxes rests. */
const RESTING_MB: Readonly<Record<number, number>> = { 1000: 200, 10000: 600 };
const AFTER_REST_MS = 5;
const TRACE_MS = 300;
const SUMMARY_MS = 5;
const FILTERED_MS = 10;
const STATE_MS = {
  reset: { memory: 3, file: 3 },
  snapshot: { memory: 5, file: 5 },
  restore: { memory: 3, file: 5 },
  clone: { memory: 5, file: 5 },
};
/** The maximum ratio of a long history to a short one. */
const LONG_TO_SHORT = 1.5;

const LABELS: Record<Target, string> = {
  floor: 'floor: bare Fastify',
  memory: 'bank in memory',
  file: 'bank on a file',
  full: 'file, synchronous=full',
};

export function describeMachine(pace: Pace, directory: string): string {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg().map((value) => value.toFixed(2));
  return [
    `machine    ${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${gigabytes} GB, Node ${process.version}`,
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

const READS: Readonly<Record<keyof ReadFigures, string>> = {
  v2ListUs: 'v2, newest 50',
  v2LaterPageUs: 'v2, the 50 after',
  v1ListUs: 'v1, newest 50',
  balanceUs: 'balance',
};
const READ_NAMES = Object.keys(READS) as (keyof ReadFigures)[];

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

export function describeFleet(figures: FleetFigures | null): string {
  if (figures === null)
    return 'a fleet was not measured: HAProxy is not installed (Debian: apt-get install haproxy)';
  const rows = figures.runs.map(({ banks, isDirect, perSecond, bankCores, proxyCores }) => [
    isDirect
      ? 'one bank, no proxy'
      : banks === 1
        ? 'one bank behind HAProxy'
        : `${banks} banks behind HAProxy`,
    perSecond.toFixed(0),
    bankCores === null ? '-' : bankCores.toFixed(2),
    proxyCores === null ? '-' : proxyCores.toFixed(2),
  ]);
  const head = [
    `ACH pull in memory, ${figures.cores} cores for all`,
    'payments/s',
    'cores of banks',
    'of the proxy',
  ];
  return table(head, rows, 1);
}

export function describeCluster({ runtimes, instances }: ClusterFigures): string {
  const most = Math.max(...instances.map(({ payments }) => payments));
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
      [`instances, a tenth of a core each (${instances[0]?.by})`, 'payments/s', 'of one', ''],
      instances.map(({ instances: count, payments, toOne }) => [
        String(count),
        payments.toFixed(0),
        toOne.toFixed(2),
        '#'.repeat(Math.round((payments / most) * CURVE_WIDTH)),
      ]),
      1,
    ),
  ].join('\n\n');
}

export function describePeers(figures: readonly PeerFigures[]): string {
  const bank = figures.find(({ name }) => name === 'bank in memory');
  const rows = figures.map(({ name, perSecond }) => [
    name,
    perSecond.toFixed(0),
    bank === undefined ? '-' : (bank.perSecond / perSecond).toFixed(perSecond > bank.perSecond ? 2 : 1),
  ]);
  return table(['ACH pull, 16 connections', 'req/s', 'bank by this one'], rows, 1);
}

/** The aim of a line relative to the floor; `undefined` for none. */
export function aimOf({ measured, target, connections }: Line): number | undefined {
  if (target === 'floor' || connections < RATIO_FROM_CONNECTIONS) return undefined;
  if (!isPayment(measured)) return READ_RATIO;
  return PAYMENT_RATIO[measured.name]?.[target]?.[connections] ?? OTHER_PAYMENT_RATIO[target];
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

/** Formats milliseconds. */
const inMs = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

export function describeInspector(figures: readonly PageFigures[]): string {
  return table(
    ['50 payments a second, page open', 'p50 ms', 'of none', 'p99 ms', 'of none', 'kB/s', 'first rows ms'],
    figures.map(({ page, p50Ms, p50Share, p99Ms, p99Share, kilobytes, firstRowsMs }) => [
      page === '' ? 'none' : page,
      inMs(p50Ms),
      p50Share.toFixed(2),
      inMs(p99Ms),
      p99Share.toFixed(2),
      kilobytes === null ? '-' : kilobytes.toFixed(0),
      firstRowsMs === null || !Number.isFinite(firstRowsMs) ? '-' : inMs(firstRowsMs),
    ]),
    1,
  );
}

/** All figures of a run, as `--json` writes them. */
export interface Figures {
  readonly process: readonly ProcessFigures[];
  /** `null` where it was not measured. */
  readonly bytes: BytesFigures | null;
  readonly sandboxes: readonly SandboxFigures[];
  readonly control: readonly ControlFigures[];
  readonly lists: readonly ListFigures[];
  readonly webhooks: readonly WebhookFigures[];
  readonly lines: readonly Line[];
}

/** A target and its result. */
export interface Aim {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly met: boolean;
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

/** Each target that was measured. */
export function aimsOf(all: Figures): Aim[] {
  const { process: figures, sandboxes: resting, control: controls, lists, webhooks, lines } = all;
  const aims: Aim[] = [];
  const add = (what: string, target: string, measured: string, met: boolean): void => {
    aims.push({ what, target, measured, met });
  };
  const addMs = (what: string, target: number | undefined, ms: number): void => {
    if (target !== undefined) add(what, `<= ${target} ms`, `${ms.toFixed(2)} ms`, ms <= target);
  };
  for (const line of lines) {
    const { measured, connections, target, p50, toFloor, toFile, cpuToFloor } = line;
    const what = `${measured.title}, ${connections} connections, ${LABELS[target]}`;
    if (connections < RATIO_FROM_CONNECTIONS) {
      if (target === 'floor' || !isPayment(measured)) continue;
      add(what, `<= ${ONE_PAYMENT_MS.toFixed(2)} ms`, `${p50.toFixed(2)} ms`, p50 <= ONE_PAYMENT_MS);
      continue;
    }
    const ratio = aimOf(line);
    if (ratio !== undefined) {
      add(
        what,
        `>= ${ratio.toFixed(2)} of bare Fastify`,
        spread(toFloor) + byCpu(cpuToFloor),
        median(toFloor) >= ratio,
      );
    }
    if (target === 'full' && isPayment(measured)) {
      add(
        what,
        `>= ${FULL_TO_NORMAL.toFixed(2)} of normal`,
        spread(toFile),
        median(toFile) >= FULL_TO_NORMAL,
      );
    }
  }
  for (const { place, startMs, bareStartMs, idleMb, openMb, sandboxes, newSandboxMs } of figures) {
    const ratio = startMs / bareStartMs;
    add(
      `first answer, ${LABELS[place]}`,
      `<= ${FIRST_ANSWER_RATIO} of bare Fastify's`,
      ratio.toFixed(2),
      ratio <= FIRST_ANSWER_RATIO,
    );
    if (idleMb !== null) {
      add(`idle memory, ${LABELS[place]}`, `<= ${IDLE_MB} MB`, `${idleMb.toFixed(0)} MB`, idleMb <= IDLE_MB);
    }
    if (openMb !== null && sandboxes >= OPEN_SANDBOXES) {
      const what = `memory of ${sandboxes + 1} sandboxes, ${LABELS[place]}`;
      add(what, `<= ${OPEN_MB} MB`, `${openMb.toFixed(0)} MB`, openMb <= OPEN_MB);
    }
    addMs(`new sandbox, ${LABELS[place]}`, NEW_SANDBOX_MS[place], newSandboxMs);
  }
  for (const { sandboxes, restingMb, firstAnswerMs } of resting) {
    const target = RESTING_MB[sandboxes];
    if (restingMb !== null && target !== undefined) {
      const what = `memory of ${sandboxes} sandboxes at rest above an empty process`;
      add(what, `<= ${target} MB`, `${restingMb.toFixed(0)} MB`, restingMb <= target);
    }
    addMs(`first answer after a rest, one of ${sandboxes}`, AFTER_REST_MS, firstAnswerMs);
  }
  for (const { place, resetMs, snapshotMs, restoreMs, cloneMs, traceMs } of controls) {
    addMs(`trace of thousands of payments, ${LABELS[place]}`, TRACE_MS, traceMs);
    if (place === 'full') continue;
    const found = { reset: resetMs, snapshot: snapshotMs, restore: restoreMs, clone: cloneMs };
    for (const what of ['reset', 'snapshot', 'restore', 'clone'] as const) {
      addMs(`${what}, ${LABELS[place]}`, STATE_MS[what][place], found[what]);
    }
  }
  for (const { floor, full, half } of webhooks) {
    const ratio = full.payments / floor;
    add(
      'payments with a webhook, 16 connections, bank in memory',
      `>= ${WEBHOOK_RATIO.toFixed(2)} of bare Fastify`,
      ratio.toFixed(2),
      ratio >= WEBHOOK_RATIO,
    );
    add(
      'deliveries that were dropped',
      '0',
      `${full.dropped + half.dropped}`,
      full.dropped + half.dropped === 0,
    );
  }
  for (const { place, short, long, summaryMs, filters } of lists) {
    for (const { filter, laterMs } of filters) {
      addMs(`list by ${filter}, ${LABELS[place]}`, FILTERED_MS, laterMs);
    }
    addMs(`GET /_sandbox of a long history, ${LABELS[place]}`, SUMMARY_MS, summaryMs);
    for (const name of READ_NAMES) {
      const ratio = long[name] / short[name];
      add(
        `${READS[name]} of a long history, ${LABELS[place]}`,
        `<= ${LONG_TO_SHORT.toFixed(1)} of a short one`,
        ratio.toFixed(2),
        ratio <= LONG_TO_SHORT,
      );
    }
  }
  return aims;
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

/** The same ratio without the time in which other programs used the core. */
function byCpu(ratios: readonly number[]): string {
  return ratios.length === 0 ? '' : `, by CPU ${median(ratios).toFixed(2)}`;
}

function spread(values: readonly number[]): string {
  const middle = median(values).toFixed(2);
  if (values.length === 1) return middle;
  return `${middle} (${Math.min(...values).toFixed(2)}-${Math.max(...values).toFixed(2)})`;
}

/**
 * A table with columns as wide as their widest cell; the first `texts` columns are left-aligned, the figures
 * right-aligned.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => {
        const cell = cells[column] ?? '';
        return column < texts ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
}
