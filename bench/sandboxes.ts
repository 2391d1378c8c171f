/**
 * The memory of a process with many unused sandboxes in memory: its memory above that of an empty process after they
 * were opened one after the other, each with one request, and when all of them rest; and the time of the first answer
 * after a rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startBank } from './children.ts';
import { table } from './format.ts';
import { median } from './numbers.ts';
import { residentMb } from './proc.ts';
import { accountPath, getJson, readBank } from './state.ts';

export interface SandboxFigures {
  readonly sandboxes: number;
  /** Above an empty process; `null` where there is no /proc. */
  readonly openedMb: number | null;
  readonly restingMb: number | null;
  readonly firstAnswerMs: number;
}

const REST_AFTER_SECONDS = 5;
const LOOKED_AT = 200;
const LOOK_EVERY_MS = 500;
const LIMIT_MS = 120_000;
/** V8 returns memory to the system when the process has been idle for about eight seconds after a collection. */
const SETTLES_AFTER_MS = 25_000;

export async function measureSandboxes(sandboxes: number): Promise<SandboxFigures> {
  const bank = await startBank('memory', {
    settings: {
      SANDBANK_MAX_SANDBOXES: String(sandboxes + 1),
      SANDBANK_REST_AFTER: String(REST_AFTER_SECONDS),
    },
  });
  const path = accountPath((await readBank(bank.url)).seeded);
  const read = (number: number) => getJson(bank.url, path, `test_bench${number}`);
  const emptyMb = residentMb(bank.pid);
  for (let number = 0; number < sandboxes; number += 1) await read(number);
  const openedMb = residentMb(bank.pid);
  await allRest(bank.url);
  await sleep(SETTLES_AFTER_MS);
  const restingMb = residentMb(bank.pid);
  const answers: number[] = [];
  for (let at = 0; at < LOOKED_AT; at += 1) {
    const start = performance.now();
    await read(Math.floor((at * sandboxes) / LOOKED_AT));
    answers.push(performance.now() - start);
  }
  await bank.stop();
  const above = (mb: number | null): number | null => (mb === null || emptyMb === null ? null : mb - emptyMb);
  return {
    sandboxes,
    openedMb: above(openedMb),
    restingMb: above(restingMb),
    firstAnswerMs: median(answers),
  };
}

async function allRest(url: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { sandboxes } = await getJson<{ sandboxes: { name: string; open: boolean }[] }>(
      url,
      '/_sandbox/sandboxes',
    );
    if (sandboxes.every(({ name, open }) => !open || name === 'default')) return;
    if (performance.now() > deadline) throw new Error('unused sandboxes do not rest');
    await sleep(LOOK_EVERY_MS);
  }
}

export function describeSandboxes(figures: readonly SandboxFigures[]): string {
  const mb = (value: number | null): string => (value === null ? '-' : value.toFixed(0));
  return table(
    ['sandboxes in memory', 'MB above empty', 'MB when all rest', 'first answer after a rest ms'],
    figures.map(({ sandboxes, openedMb, restingMb, firstAnswerMs }) => [
      `${sandboxes}, each used once`,
      mb(openedMb),
      mb(restingMb),
      firstAnswerMs.toFixed(2),
    ]),
    1,
  );
}
