// The clients of the torture record the responses of a bank, and the checker searches for an order that explains them. It finds a
// small bank that loses an update, reads an old balance or executes a key twice, and accepts the same bank without the mistake.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Client, createExcuses } from './client.ts';
import { readBalance, runActions } from './clients.ts';
import { createHistory } from './history.ts';
import { createModel } from './model.ts';
import type { Action, Rail } from './plan.ts';
import { OPENING } from './proofs.ts';
import type { Reply, Sent, Server } from './server.ts';

type Mistake = 'lost update' | 'old balance' | 'key carried out twice';

const SANDBOX = 'books';
const LANES = 6;
const RAILS: readonly Rail[] = ['v2_intra_pull', 'v2_intra_push', 'v1_intra_push', 'v2_ach_push'];
/** The mistake happens once, in the middle of the load. */
const WRONG_AT = 60;
/** Every 17th connection breaks after the request was executed. */
const BREAKS = 17;

/** A bank of two accounts. Each request takes a few turns of the event loop, so requests overlap. */
function fakeBank(mistake?: Mistake): Server {
  const balances = { first: OPENING.first, second: OPENING.second };
  const stored = new Map<string, string>();
  let count = 0;
  let isDone = false;

  const pay = async (path: string, text: string, isWrong: boolean): Promise<string> => {
    const cents = Math.round(Number((JSON.parse(text) as { amount: string }).amount) * 100);
    const sign = path.includes('pull') || path.includes('receive') ? 1 : -1;
    const before = balances.first;
    // Another request can change the balance between the reading and the writing.
    if (isWrong) for (let at = 0; at < 8; at += 1) await turn();
    balances.first = isWrong ? before + sign * cents : balances.first + sign * cents;
    if (path.includes('intra')) balances.second -= sign * cents;
    return JSON.stringify({ id: `tra-${count}`, available_balance: (balances.first / 100).toFixed(2) });
  };

  const answer = async ({ method, path, headers, body }: Sent): Promise<string> => {
    count += 1;
    if (method === 'GET') {
      const account = path.includes('other') ? 'second' : 'first';
      const isOld = mistake === 'old balance' && count >= WRONG_AT && account === 'first';
      const shown = ((isOld ? OPENING.first : balances[account]) / 100).toFixed(2);
      return JSON.stringify({ available_balance: shown, availableBalance: shown });
    }
    const key = headers['idempotency-key'] ?? headers['sd-idempotency-key'] ?? '';
    const isForgotten = mistake === 'key carried out twice' && count > WRONG_AT;
    const known = isForgotten ? undefined : stored.get(key);
    const isWrong = mistake === 'lost update' && known === undefined && count >= WRONG_AT && !isDone;
    isDone ||= isWrong;
    const text = known ?? (await pay(path, String(body), isWrong));
    stored.set(key, text);
    return text;
  };

  return {
    pid: 0,
    url: '',
    startedInMs: 0,
    most: { rssMb: 0, fds: 0 },
    ending: true,
    ended: () => null,
    gone: new Promise(() => {}),
    now: () => ({ rssMb: 0, fds: 0 }),
    log: () => '',
    pause: () => () => {},
    kill: () => Promise.resolve(),
    stop: () => Promise.resolve({ ms: 0, code: 0, signal: null }),
    async fetchReply(sent): Promise<Reply | null> {
      await turn();
      const text = await answer(sent);
      const isBroken = count % BREAKS === 0;
      await turn();
      return isBroken ? null : { status: 200, text, bytes: Buffer.from(text) };
    },
  };
}

function clientOf(server: Server): Client {
  const zeros = { lost: 0, doubled: 0, dropped: 0, explained: 0, cut: 0 };
  const ids = {
    sub_account_id: 'first',
    other_sub_account_id: 'other',
    account_id: 'first',
    other_account_id: 'other',
  };
  return {
    server,
    model: createModel(),
    seeded: ids,
    roles: new Map([[SANDBOX, 'steady' as const]]),
    findings: [],
    counts: { requests: 0, payments: 0, unavailable: 0, ...zeros },
    history: createHistory(OPENING),
    explained: new Set([SANDBOX]),
    excuses: createExcuses(),
    answered: () => {},
  };
}

const ACTIONS: readonly Action[] = Array.from({ length: 240 }, (_, at): Action => {
  const place = { lane: at % LANES, sandbox: SANDBOX };
  if (at % 4 === 3) {
    const of = at % 3 === 0 ? 'second' : 'first';
    return { ...place, do: 'balance', of, apiVersion: at % 8 === 3 ? 'v1' : 'v2' };
  }
  const rail = RAILS[at % RAILS.length] ?? 'v2_intra_pull';
  const twice = at % 10 === 0 ? { twice: at % 20 === 0 ? ('after' as const) : ('together' as const) } : {};
  return { ...place, do: 'pay', tag: `t-${at}`, rail, cents: 1 + ((at * 37) % 150), ...twice };
});

/** Sends requests to a bank, repeats those without a response, and checks the balances in the responses. */
async function check(mistake?: Mistake) {
  const client = clientOf(fakeBank(mistake));
  await runActions(client, ACTIONS);
  const lost = [...client.model.items.values()].filter(({ state }) => state === 'broken');
  for (const item of lost) await item.again?.();
  for (const account of ['first', 'second'] as const) await readBalance(client, SANDBOX, account, 'v2');
  return { ...client.history.check(SANDBOX), lost: lost.length };
}

it('every response of a correct bank is explained, with lost responses and repeated keys', async () => {
  const { anomalies, operations, accounts, cut, lost } = await check();
  expect({ anomalies, accounts, cut }).toEqual({ anomalies: [], accounts: 2, cut: 0 });
  expect(operations).toBeGreaterThan(ACTIONS.length);
  expect(lost).toBeGreaterThan(3);
});

it.each<Mistake>(['lost update', 'old balance', 'key carried out twice'])(
  'finds a planted mistake: %s',
  async (mistake) => {
    const { anomalies } = await check(mistake);
    expect(anomalies.map(({ account }) => account)).toContain('first');
  },
);

it('a search starts again after a proof, so a history stays short', async () => {
  const client = clientOf(fakeBank());
  await runActions(client, ACTIONS.slice(0, 60));
  const first = await readBalance(client, SANDBOX, 'first', 'v2');
  const second = await readBalance(client, SANDBOX, 'second', 'v1');
  client.history.begin(SANDBOX, { first: first ?? 0, second: second ?? 0 });
  expect(client.history.check(SANDBOX)).toMatchObject({ operations: 0, accounts: 0 });
  await readBalance(client, SANDBOX, 'first', 'v1');
  expect(client.history.check(SANDBOX)).toMatchObject({ anomalies: [], operations: 1 });
});
