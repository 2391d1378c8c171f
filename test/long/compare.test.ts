// Two equal banks have no differences, with any seeds and rails. A platform that does not respond, is slow or limits
// the rate leads to a partial report, and all created records are removed.

import { describe, expect, it, test } from 'vitest';
import { OPERATIONS } from '../../src/compare/operations.ts';
import { DEFAULT_RATE } from '../../src/compare/pace.ts';
import type { Sandbank } from '../../src/kit/bank.ts';
import { type PassingAnswer, startPlatform } from '../compare/support.ts';
import { CATALOGUE, compareBanks, inSandboxes, linesOf, startWorld } from '../compare/world.ts';
import { IS_WHOLE, partOfToday } from '../support/runs.ts';

/** Seeds with which everything is compared. */
const WHOLE_SEEDS = Number(process.env.SANDBANK_COMPARE_SEEDS ?? '1');
/** Seeds that each compare a part of the scenarios: together they compare everything. */
const SEEDS = 50;
const TIMEOUT_MS = 900_000;

/** What no operation removes. */
const STAY = ['createFamily', 'createWallet'];

/** Records of a run that still exist: neither deleted nor closed. */
async function remains(bank: Sandbank): Promise<string[]> {
  const paths = [
    '/v2/webhook',
    '/v2/attachment',
    '/v2/issuing/card',
    '/v2/issuing/card_holder',
    '/v2/payments/counterparty',
    '/v2/accounts/sub_account',
    '/v2/accounts/sub_account_holder',
  ];
  const found: string[] = [];
  for (const path of paths) {
    const answer = await bank.fetch(`${path}?limit=100`);
    const { data } = (await answer.json()) as { data: { id: string; status?: string }[] };
    for (const record of data) {
      const isOver = ['closed', 'deactivated'].includes(record.status ?? '');
      if (JSON.stringify(record).includes('cmp-') && !isOver) found.push(`${path} ${record.id}`);
    }
  }
  return found;
}

describe('two equal banks', () => {
  test.each(partOfToday(['fast', 'calendar'] as const, 2))(
    'are equal with the rails %s, in all operations of both versions',
    async (rails) => {
      for (let seed = 0; seed < WHOLE_SEEDS; seed += 1) {
        await using world = await startWorld({ rails }, [`one ${seed}`, `other ${seed}`]);
        let calls = 0;
        const pace = async (): Promise<void> => {
          calls += 1;
        };
        const { report, result } = await compareBanks(world, { withEvents: true, there: { pace } });
        // At the rate of the command everything is compared in less than two minutes.
        expect(calls).toBeGreaterThan(OPERATIONS.length);
        expect(calls / DEFAULT_RATE).toBeLessThan(120);
        expect(linesOf(report), `seed ${seed}`).toEqual([]);
        expect(
          report.operations.filter((one) => one.result !== 'equal' || one.reason !== ''),
          `seed ${seed}`,
        ).toEqual([]);
        expect(report.operations).toHaveLength(OPERATIONS.length);
        expect(result.stopped).toBe('');
        expect(result.left.there.filter(({ operation }) => !STAY.includes(operation))).toEqual([]);
        expect(await remains(world.there)).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );

  if (IS_WHOLE) {
    test.each(['fast', 'calendar'] as const)(
      `are equal with the rails %s, over ${SEEDS} seeds`,
      async (rails) => {
        await using world = await startWorld({ rails });
        const compared = new Set<string>();
        for (let seed = 0; seed < SEEDS; seed += 1) {
          const names = CATALOGUE.runnable
            .map(({ name }) => name)
            .filter((_, index) => index % SEEDS === seed);
          const banks = await inSandboxes(world, `seed-${seed}`);
          const { report, result } = await compareBanks(banks, {
            only: (name) => names.includes(name),
            withEvents: true,
          });
          expect(linesOf(report), `seed ${seed}`).toEqual([]);
          expect(result.stopped).toBe('');
          for (const { operation, result: outcome } of report.operations) {
            if (outcome === 'equal') compared.add(operation);
          }
        }
        expect(OPERATIONS.filter(({ id }) => !compared.has(id))).toEqual([]);
      },
      TIMEOUT_MS,
    );
  }
});

describe('a platform', () => {
  const only = (name: string): boolean =>
    ['v2_create_webhook', 'v2_create_attachment', 'v2_life_webhook'].includes(name);

  it('that stops responding results in a report of what was compared until then', async () => {
    await using world = await startWorld();
    const platform = await startPlatform(world.there.url);
    let calls = 0;
    platform.mutate({
      answer() {
        calls += 1;
        if (calls > 8) throw new Error('gone');
      },
    });
    const { report, result } = await compareBanks(world, { only, url: platform.url });
    expect(result.stopped).toMatch(/does not answer/);
    expect(report.operations.some((one) => one.result === 'equal')).toBe(true);
    expect(report.operations.some((one) => one.result === 'not compared' && one.reason !== '')).toBe(true);
    expect(report.differences).toEqual([]);
    // Records that could not be removed are listed; here there are none.
    expect(result.left.there.length).toBeGreaterThan(0);
    expect(await remains(world.here)).toEqual([]);
    await platform.close();
  });

  it('that is slow results in a report, and records whose creation timed out are found and removed', async () => {
    await using world = await startWorld();
    const end = Promise.withResolvers<void>();
    const platform = await startPlatform(world.there.url, {
      // The record exists, but its response comes after everything else.
      answer: async ({ method, path }: PassingAnswer) => {
        if (method === 'POST' && path === '/v2/webhook') await end.promise;
      },
    });
    const { report, result } = await compareBanks(world, {
      only,
      url: platform.url,
      // Enough for the other requests on a busy machine.
      there: { timeoutMs: 2_000 },
    });
    end.resolve();
    const webhook = report.operations.find(({ operation }) => operation === 'v2_create_webhook');
    expect(webhook).toMatchObject({
      result: 'not compared',
      reason: expect.stringContaining('no answer in 2 s'),
    });
    expect(report.operations.find(({ operation }) => operation === 'v2_create_attachment')?.result).toBe(
      'equal',
    );
    expect(result.stopped).toBe('');
    expect(await remains(world.there)).toEqual([]);
    await platform.close();
  });

  it('with a rate limit is retried as it requests, and permanent refusals are named', async () => {
    await using world = await startWorld();
    let calls = 0;
    const pauses: number[] = [];
    const platform = await startPlatform(world.there.url, {
      refuse({ method, path }) {
        calls += 1;
        if (calls % 3 !== 0 && !(method === 'POST' && path === '/v2/attachment')) return undefined;
        return { status: 429, headers: { 'retry-after': '2' }, body: { error: { code: 'RATE' } } };
      },
    });
    const there = { pause: async (ms: number) => void pauses.push(ms) };
    const { report, result } = await compareBanks(world, { only, url: platform.url, there });
    const attachment = report.operations.find(({ operation }) => operation === 'v2_create_attachment');
    expect(attachment).toMatchObject({ result: 'not compared', reason: expect.stringContaining('(429)') });
    expect(report.operations.find(({ operation }) => operation === 'v2_create_webhook')?.result).toBe(
      'equal',
    );
    expect(report.differences).toEqual([]);
    expect(new Set(pauses)).toEqual(new Set([2_000]));
    expect(result.stopped).toBe('');
    expect(await remains(world.there)).toEqual([]);
    await platform.close();
  });
});
