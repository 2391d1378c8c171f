/**
 * Commands of a fleet that meet: opposite moves whose calls are delayed, calls of a finished move that arrive once more, and two
 * banks that serve one slot. In the end one bank serves the slot, and it has every payment that was answered.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { slotOf } from '../../src/kernel/slots.ts';
import { makeFolder, type Running } from '../process/support.ts';
import { type Sent, send } from '../support/between.ts';
import { between, listOf, start, startProxy } from './fleet-support.ts';
import { sandbank as run } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

const NAME = 'ci-1';
const SLOT = slotOf(NAME);
const KEY = { 'api-key': `test_${NAME}` };

const stateIn = async (bank: Running) => (await bank.v2('GET', `/_sandbox/slots/${SLOT}`)).body.state;

async function pay(bank: Running): Promise<string> {
  const { seeded } = (await bank.v2('GET', '/_sandbox', undefined, KEY)).body;
  const { sub_account_id, ach_counterparty_id: counterparty_id } = seeded as Record<string, string>;
  const body = { sub_account_id, counterparty_id, amount: '1.00' };
  const paid = await bank.v2('POST', '/v2/payments/ach/pull', body, KEY);
  expect(paid.status).toBe(201);
  return String(paid.body.id);
}

const has = async (bank: Running, id: string) =>
  (await bank.v2('GET', `/v2/payments/transaction/${id}`, undefined, KEY)).status;

const move = (
  socket: string,
  banks: { url: string }[],
  from: string,
  to: string,
  words: readonly string[] = [],
) =>
  run([
    ...['fleet', 'move', '--slots', `${SLOT}`, '--from', from, '--to', to, '--proxy', socket],
    ...['--banks', listOf(...banks), '--settle', '0', ...words],
  ]);

const changesTo = ({ method, body }: Sent, state: string) =>
  method === 'PUT' && body.toString().includes(`"${state}"`);

describe('opposite moves', () => {
  it.each(['before', 'after'])(
    'whose last calls meet leave one bank, with the first one served %s the other gives up',
    async (when) => {
      const [a, b] = await Promise.all([start('0-255'), start('none')]);
      const { socket } = await startProxy();
      const paid = await pay(a);
      const held = Promise.withResolvers<void>();
      const reached = Promise.withResolvers<void>();
      const slow = await between(b, (sent) => {
        if (!changesTo(sent, 'served')) return undefined;
        reached.resolve();
        return held.promise;
      });
      const there = move(socket, [a, slow], 'bank-0', 'bank-1');
      await reached.promise;
      // The other command is about to give up the move: its call to the new bank waits until the first move is over.
      const late = await between(b, async (sent) => {
        if (when !== 'before' || !changesTo(sent, 'elsewhere')) return;
        held.resolve();
        await there;
      });
      await move(socket, [a, late], 'bank-1', 'bank-0');
      held.resolve();
      await there;
      const states = [await stateIn(a), await stateIn(b)];
      expect(states.filter((state) => state === 'served')).toHaveLength(1);
      expect(await has(states[0] === 'served' ? a : b, paid)).toBe(200);
    },
  );

  it('of one slot to two banks leave it in one of them', async () => {
    const [a, b, c] = await Promise.all([start('0-255'), start('none'), start('none')]);
    const { socket, routes } = await startProxy();
    const paid = await pay(a);
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = await between(b, (sent) => {
      if (!changesTo(sent, 'served')) return undefined;
      reached.resolve();
      return held.promise;
    });
    const first = move(socket, [a, slow, c], 'bank-0', 'bank-1');
    await reached.promise;
    const second = await move(socket, [a, b, c], 'bank-0', 'bank-2');
    expect([second.code, second.stderr]).toEqual([0, '']);
    held.resolve();
    const refused = await first;
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing was changed')]);
    expect([await stateIn(a), await stateIn(b), await stateIn(c)]).toEqual([
      'elsewhere',
      'elsewhere',
      'served',
    ]);
    expect([...routes.values()]).toEqual(['bank-2']);
    expect(await has(c, paid)).toBe(200);
  });
});

describe('calls of a finished move', () => {
  it('change nothing when they arrive once more', async () => {
    const [a, b] = await Promise.all([start('0-255'), start('none')]);
    const { socket } = await startProxy();
    const old = await pay(a);
    const [toA, toB] = await Promise.all([between(a), between(b)]);
    expect((await move(socket, [toA, toB], 'bank-0', 'bank-1')).code).toBe(0);
    const calls = [
      ...toA.calls.map((sent) => ({ bank: a, sent })),
      ...toB.calls.map((sent) => ({ bank: b, sent })),
    ].filter(({ sent }) => sent.method === 'PUT');
    expect(calls.length).toBeGreaterThanOrEqual(5);
    const repeat = async (): Promise<void> => {
      for (const { bank, sent } of calls) {
        const answer = await send(bank.url, sent);
        expect([sent.body.toString('latin1', 0, 60), answer.status]).toEqual([expect.anything(), 409]);
      }
    };
    await repeat();
    expect((await move(socket, [a, b], 'bank-1', 'bank-0')).code).toBe(0);
    const paid = await pay(a);
    await repeat();
    expect([await stateIn(a), await stateIn(b)]).toEqual(['served', 'elsewhere']);
    // Nor in the middle of the next move, when the states would allow them.
    const stepped = await b.v2('PUT', `/_sandbox/slots/${SLOT}`, { state: 'arriving' });
    expect(stepped.status).toBe(200);
    await repeat();
    expect((await move(socket, [a, b], 'bank-0', 'bank-1')).code).toBe(0);
    for (const id of [old, paid]) expect(await has(b, id)).toBe(200);
  });
});

describe('two banks that have one slot', () => {
  /** What a conflict leaves: one bank, to which the proxy sends, and a file with what the overtaken one had. */
  const expectResolved = async (
    [a, b]: readonly [Running, Running],
    { from, to, lost, kept }: { from: string; to: string; lost: string; kept: string },
    words: string[] = [],
  ): Promise<void> => {
    const { socket, routes } = await startProxy();
    const keep = makeFolder();
    const before = await run(['fleet', 'status', '--banks', listOf(a, b)]);
    expect([before.code, before.stdout]).toEqual([1, expect.stringContaining(`slot ${SLOT}: `)]);
    const moved = await move(socket, [a, b], from, to, ['--keep', keep, ...words]);
    expect([moved.code, moved.stderr]).toEqual([0, '']);
    const [file = '', ...more] = readdirSync(keep).map((name) => join(keep, name));
    expect([moved.stdout, more]).toEqual([expect.stringContaining(file), []]);
    const [old, now] = to === 'bank-1' ? [a, b] : [b, a];
    expect([await stateIn(old), await stateIn(now), [...routes.values()]]).toEqual([
      'elsewhere',
      'served',
      [to],
    ]);
    expect([await has(now, kept), await has(now, lost)]).toEqual([200, 404]);
    expect((await run(['fleet', 'status', '--banks', listOf(a, b)])).code).toBe(0);
    const imported = await run(['import', file, '--url', a.url, '--key', 'test_kept']);
    expect([imported.code, imported.stderr]).toEqual([0, '']);
    const found = await a.v2('GET', `/v2/payments/transaction/${lost}`, undefined, {
      'api-key': 'test_kept',
    });
    expect(found.status).toBe(200);
  };

  const startBoth = async () => {
    const [a, b] = await Promise.all([start('0-255'), start(`${SLOT}`)]);
    return { a, b, inA: await pay(a), inB: await pay(b) };
  };

  it('are one after one command: the bank with the older epoch gives it up, and what it had is in a file', async () => {
    const { a, b, inA, inB } = await startBoth();
    const served = { state: 'served', epoch: 5 };
    expect((await b.v2('PUT', `/_sandbox/slots/${SLOT}`, served)).body.epoch).toBe(5);
    await expectResolved([a, b], { from: 'bank-0', to: 'bank-1', lost: inA, kept: inB });
  });

  it('are one after one command that moves the slot to the bank that was overtaken', async () => {
    const { a, b, inA, inB } = await startBoth();
    const served = { state: 'served', epoch: 5 };
    expect((await a.v2('PUT', `/_sandbox/slots/${SLOT}`, served)).body.epoch).toBe(5);
    await expectResolved([a, b], { from: 'bank-0', to: 'bank-1', lost: inB, kept: inA });
  });

  it('with the same epoch are a choice for a person, and one command with it is enough', async () => {
    const { a, b, inA, inB } = await startBoth();
    const { socket } = await startProxy();
    const asked = await move(socket, [a, b], 'bank-1', 'bank-0');
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringContaining('--prefer bank-1 or --prefer bank-0'),
    ]);
    const choice = ['--prefer', 'bank-1'];
    await expectResolved([a, b], { from: 'bank-1', to: 'bank-0', lost: inA, kept: inB }, choice);
  });

  it('are found where the one that serves it was overtaken by one that has closed it', async () => {
    const { a, b, inA, inB } = await startBoth();
    const closed = { state: 'leaving', epoch: 5 };
    expect((await b.v2('PUT', `/_sandbox/slots/${SLOT}`, closed)).status).toBe(200);
    const status = await run(['fleet', 'status', '--banks', listOf(a, b), '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ served_twice: 'none', overtaken: `${SLOT}` });
    await expectResolved([a, b], { from: 'bank-1', to: 'bank-0', lost: inA, kept: inB });
  });

  it('keep what they have until it is in a file', async () => {
    const { a, b, inA } = await startBoth();
    const { socket } = await startProxy();
    const served = { state: 'served', epoch: 5 };
    expect((await b.v2('PUT', `/_sandbox/slots/${SLOT}`, served)).status).toBe(200);
    const nowhere = ['--keep', join('/dev/null', 'folder')];
    const refused = await move(socket, [a, b], 'bank-0', 'bank-1', nowhere);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing was removed')]);
    const keep = makeFolder();
    const again = await move(socket, [a, b], 'bank-0', 'bank-1', ['--keep', keep]);
    expect([again.code, readdirSync(keep).length, await stateIn(a)]).toEqual([0, 1, 'elsewhere']);
    const file = join(keep, readdirSync(keep)[0] ?? '');
    expect((await run(['import', file, '--url', a.url, '--key', 'test_kept'])).code).toBe(0);
    const found = await a.v2('GET', `/v2/payments/transaction/${inA}`, undefined, { 'api-key': 'test_kept' });
    expect(found.status).toBe(200);
  });
});
