/** The digest that detects changes, and its shortcut for a bank without changes. */
import { expect, it } from 'vitest';
import { digestOf } from './digest.ts';
import { useHttp } from './support.ts';

const http = useHttp();

it('the digest changes with every change, even back to an old value, but not with bookkeeping', async () => {
  const caller = http.caller();
  const path = `/v2/issuing/card/${caller.seed('virtual_card_id')}`;
  const label = async (text: string): Promise<string> => {
    expect((await caller.v2('PATCH', path, { label: text })).status).toBe(200);
    return digestOf(caller.sandbox);
  };
  const before = digestOf(caller.sandbox);
  // It uses an id for its request, changes nothing, and is stored under its key.
  const refused = await caller.v2('POST', '/v2/payments/ach/pull', {}, { 'idempotency-key': 'once' });
  expect(refused.status).toBe(400);
  expect(digestOf(caller.sandbox)).toBe(before);
  const digests = [before, await label('Rent'), await label('Bent'), await label('Rent')];
  expect(new Set(digests).size).toBe(digests.length);
});

it('the digest depends only on the rows: equal banks have equal digests, whenever they are computed', async () => {
  const callers = [http.caller(), http.caller()] as const;
  const often: string[] = [];
  for (const caller of callers) {
    for (const text of ['a', 'b', 'c']) {
      await caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { label: text });
      if (caller === callers[0]) often.push(digestOf(caller.sandbox));
    }
  }
  expect(often.at(-1)).toBe(digestOf(callers[1].sandbox));
});
