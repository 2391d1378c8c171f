/**
 * The aims of the bench, and which of them a run met. A missed aim is reported but not a failure, because the result depends
 * on the machine.
 */
import type { BytesFigures } from './bytes.ts';
import { isPayment } from './cases.ts';
import type { ControlFigures } from './control.ts';
import { LABELS, READ_NAMES, READS, spread } from './format.ts';
import type { ListFigures } from './lists.ts';
import { median } from './numbers.ts';
import type { ProcessFigures } from './process.ts';
import type { Line, Target } from './rounds.ts';
import type { SandboxFigures } from './sandboxes.ts';
import type { WebhookFigures } from './webhooks.ts';

/** The aims relative to the floor, by case, storage and connections; the default is `OTHER_PAYMENT_RATIO`. */
const PAYMENT_RATIO: Partial<Record<string, Partial<Record<Target, Partial<Record<number, number>>>>>> = {
  ach: { memory: { 16: 0.42, 64: 0.45 }, file: { 16: 0.33, 64: 0.37 } },
  card: { memory: { 64: 0.4 } },
  intra: { memory: { 64: 0.42 } },
};
const OTHER_PAYMENT_RATIO: Partial<Record<Target, number>> = { memory: 0.4, file: 0.35 };
/** With fewer connections, the time of one payment has an aim instead. */
const RATIO_FROM_CONNECTIONS = 16;
/** Two runs of the same program differ by this much. */
const FULL_TO_NORMAL = 0.95;
const READ_RATIO = 0.6;
/** The time of a single payment without other load. */
const ONE_PAYMENT_MS = 0.3;
/** With one webhook for all kinds of v1, and nothing dropped. */
export const WEBHOOK_RATIO = 0.25;
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
/** The process's first list by a filter, in a bank of 200,000 transactions. */
const FIRST_LIST_MS = 60;
const LATER_LIST_MS = { field: 15, text: 60 };
const STATE_MS = {
  reset: { memory: 3, file: 3 },
  snapshot: { memory: 5, file: 5 },
  restore: { memory: 3, file: 5 },
  clone: { memory: 5, file: 5 },
};
/** The maximum ratio of a long history to a short one. */
const LONG_TO_SHORT = 1.5;

/** The aim of a line relative to the floor; `undefined` for none. */
export function aimOf({ measured, target, connections }: Line): number | undefined {
  if (target === 'floor' || connections < RATIO_FROM_CONNECTIONS) return undefined;
  if (!isPayment(measured)) return READ_RATIO;
  return PAYMENT_RATIO[measured.name]?.[target]?.[connections] ?? OTHER_PAYMENT_RATIO[target];
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
    for (const { filter, firstMs, laterMs } of filters) {
      addMs(`first list by ${filter}, ${LABELS[place]}`, FIRST_LIST_MS, firstMs);
      addMs(
        `list by ${filter}, ${LABELS[place]}`,
        LATER_LIST_MS[filter.includes('text') ? 'text' : 'field'],
        laterMs,
      );
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

/** The same ratio without the time in which other programs used the core. */
function byCpu(ratios: readonly number[]): string {
  return ratios.length === 0 ? '' : `, by CPU ${median(ratios).toFixed(2)}`;
}
