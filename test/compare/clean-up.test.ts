// The clean-up after a run: it removes created records, lists the remaining ones, and limits the wait for pending
// money.

import { describe, expect, it } from 'vitest';
import { type Created, cleanUp } from '../../src/compare/clean-up.ts';
import type { Call, Side } from '../../src/compare/side.ts';

/** A platform on which money stays pending, and time passes only by waiting. */
function stuck() {
  let ms = 0;
  const calls: string[] = [];
  const side: Side = {
    url: 'https://platform.example',
    versions: ['v1', 'v2'],
    async send({ method, path }: Call) {
      calls.push(`${method} ${path}`);
      const body = { available_balance: '10.00', pending_credits: '5.00', pending_debits: '0.00' };
      return { answer: { status: 200, headers: {}, body } };
    },
  };
  const pause = async (by: number): Promise<void> => {
    ms += by;
  };
  return { side, calls, pause, now: () => ms };
}

const account = (id: string): Created => ({ operation: 'v2_create_sub_account', id, step: 'v2_account 1' });

describe('the clean-up', () => {
  it('waits half a minute in total for pending money, and checks every account', async () => {
    const { side, calls, pause, now } = stuck();
    const created = ['sub_1', 'sub_2', 'sub_3', 'sub_4'].map(account);
    const left = await cleanUp({ side, created, unanswered: [], run: 'cmp-1', pause, now });
    expect(left.map(({ id, reason }) => `${id}: ${reason}`)).toEqual(
      ['sub_4', 'sub_3', 'sub_2', 'sub_1'].map((id) => `${id}: 5.00 is pending`),
    );
    expect(now()).toBeLessThanOrEqual(31_000);
    for (const { id } of created) expect(calls).toContain(`GET /v2/accounts/sub_account/${id}`);
  });

  it('closes empty accounts in one call', async () => {
    const { side, pause, now } = stuck();
    const empty: Side = {
      ...side,
      send: async () => ({ answer: { status: 200, headers: {}, body: { available_balance: '0.00' } } }),
    };
    expect(
      await cleanUp({ side: empty, created: [account('sub_1')], unanswered: [], run: 'cmp-1', pause, now }),
    ).toEqual([]);
    expect(now()).toBe(0);
  });
});
