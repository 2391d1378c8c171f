/**
 * Measures the effect of an open inspector page on clients of the bank: payments at a fixed rate on a bank with a
 * long history, without a page and with each page open in Chromium on the same machine.
 */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { caseOf, requestOf } from './cases.ts';
import { startBank, startClient } from './children.ts';
import type { Job, Outcome } from './client.ts';
import { median } from './numbers.ts';
import { readBank } from './state.ts';

export interface PageFigures {
  /** The path below that of the sandbox; `''` for none. */
  readonly page: string;
  /** Medians of the rounds, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Relative to the measurement without a page in the same round. */
  readonly p50Share: number;
  readonly p99Share: number;
  /** The compressed kilobytes per second that the page received; `null` without a page. */
  readonly kilobytes: number | null;
  /** The time from the navigation to the first row of a table; `null` without a page. */
  readonly firstRowsMs: number | null;
}

export interface InspectorPace {
  readonly transactions: number;
  /** The seconds for each page in each round. */
  readonly seconds: number;
  readonly rounds: number;
}

interface Run extends Omit<PageFigures, 'p50Share' | 'p99Share'> {}

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
const PAYMENTS_A_SECOND = 50;
const CONNECTIONS = 16;
const FILL_CONNECTIONS = 64;
const FILL_SECONDS = 2;
const SETTLE_MS = 1_500;
const ROWS_LIMIT_MS = 10_000;
const ROW = '[role=row][data-at], tbody tr';

/** Measures the medians of several rounds on one bank in memory with a minimum number of transactions. */
export async function measureInspector(
  { transactions, seconds, rounds }: InspectorPace,
  build?: string,
): Promise<PageFigures[]> {
  if (!existsSync(CHROMIUM)) throw new Error(`needs ${CHROMIUM}: apt-get install chromium`);
  const bank = await startBank('memory', { build });
  const client = startClient();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  let paid = 0;
  const pay = async (payments: Partial<Job>): Promise<Outcome> => {
    paid += 1;
    const { seeded } = await readBank(bank.url);
    const what = requestOf(caseOf('perSecond' in payments ? 'ach' : 'intra'), seeded);
    const outcome = await client.run({
      ...what,
      port: bank.port,
      name: `pay${paid}`,
      connections: CONNECTIONS,
      seconds: FILL_SECONDS,
      ...payments,
    });
    if (outcome.problem !== '') throw new Error(outcome.problem);
    return outcome;
  };
  const measure = async (path: string): Promise<Run> => {
    const opened = path === '' ? null : await open(browser, `${bank.url}/_sandbox/ui/default${path}`);
    await sleep(SETTLE_MS);
    const before = opened?.received() ?? 0;
    const { p50, p99 } = await pay({ seconds, perSecond: PAYMENTS_A_SECOND });
    const kilobytes = opened === null ? null : (opened.received() - before) / 1000 / seconds;
    await opened?.close();
    return { page: path, p50Ms: p50, p99Ms: p99, kilobytes, firstRowsMs: opened?.firstRowsMs ?? null };
  };
  try {
    while ((await readBank(bank.url)).transactions < transactions)
      await pay({ connections: FILL_CONNECTIONS });
    const account = (await readBank(bank.url)).seeded.sub_account_id ?? '';
    const pages = ['', '/', `/accounts/${account}`, '/transactions', '/requests', '/webhooks'];
    const all: Run[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const runs: Run[] = [];
      for (const page of pages) runs.push(await measure(page));
      all.push(runs);
    }
    return pages.map((page, place) => figuresOf(page.replace(account, ':id'), place, all));
  } finally {
    await browser.close();
    await client.stop();
    await bank.stop();
  }
}

function figuresOf(page: string, place: number, all: readonly Run[][]): PageFigures {
  const pairs = all.map((round) => [round[place] as Run, round[0] as Run] as const);
  const of = (read: (run: Run, without: Run) => number): number =>
    median(pairs.map(([run, without]) => read(run, without)));
  const isNone = page === '';
  return {
    page,
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    p50Share: of((run, without) => run.p50Ms / without.p50Ms),
    p99Share: of((run, without) => run.p99Ms / without.p99Ms),
    kilobytes: isNone ? null : of(({ kilobytes }) => kilobytes ?? 0),
    firstRowsMs: isNone ? null : of(({ firstRowsMs }) => firstRowsMs ?? Number.POSITIVE_INFINITY),
  };
}

interface OpenPage {
  /**
   * The time from the navigation to the first row of a table; `null` if there is none, for example in an empty list.
   */
  readonly firstRowsMs: number | null;
  /** The transferred bytes so far. */
  received(): number;
  close(): Promise<void>;
}

async function open(browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const began = performance.now();
  await page.goto(url);
  const firstRowsMs = await page
    .locator(ROW)
    .first()
    .waitFor({ timeout: ROWS_LIMIT_MS })
    .then(
      () => performance.now() - began,
      () => null,
    );
  return { firstRowsMs, received: () => bytes, close: () => context.close() };
}
