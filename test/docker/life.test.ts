/** The end of a container by signals at every moment, its next start, and an update: an acknowledged payment is never lost. */
import { describe, expect, it } from 'vitest';
import { openReceiver } from '../server/http/receiver.ts';
import { clientOf, expectPayments, makeLoad } from './client.ts';
import {
  containerOf,
  docker,
  freshName,
  IMAGE,
  LABEL,
  runBank,
  runContainer,
  TOKEN,
  tryDocker,
  until,
} from './engine.ts';

/** `docker stop` kills a container after ten seconds. The bank ends within one, and Docker needs its time too. */
const STOP_MS = 8_000;
/** A program begins within so many of these, also on a busy machine. */
const MOST_SIGNALS = 20;
const SIGNAL_MS = 500;
const CONCURRENT = 8;
const MANY = 50;

describe('SIGTERM', () => {
  it('ends a bank that is starting, once its program has begun', async () => {
    const bank = await runContainer([]);
    let end: number | 'still runs' = 'still runs';
    // The first process of a container ignores a signal until it handles it.
    for (let signals = 0; end === 'still runs' && signals < MOST_SIGNALS; signals += 1) {
      await tryDocker('kill', '--signal', 'TERM', bank.name);
      end = await bank.endedWithin(SIGNAL_MS);
    }
    expect([0, 143], `${MOST_SIGNALS} signals, and the container: ${end}`).toContain(end);
  });

  it('ends a bank that is ready', async () => {
    const bank = await runBank();
    await docker('kill', '--signal', 'TERM', bank.name);
    expect(await bank.endedWithin(STOP_MS), 'the exit code after SIGTERM').toBe(0);
  });
});

describe('docker stop', () => {
  it('keeps every acknowledged payment under load, and delivers the rest of its events after the next start', async () => {
    const receiver = await openReceiver(0, '0.0.0.0');
    try {
      const bank = await runBank('--add-host', 'host.docker.internal:host-gateway');
      const client = await clientOf(bank);
      const url = receiver.url.replace('127.0.0.1', 'host.docker.internal');
      await client.call('POST', '/v2/webhook', { url, events: ['transaction.created'] });
      // Deliveries are under way when the signal arrives.
      receiver.answer = () => new Promise(() => {});
      const load = makeLoad(client, CONCURRENT);
      await until('deliveries and payments', () => receiver.arrivals.length > 0 && load.ids.length > MANY);
      const { code, ms } = await bank.stop();
      await load.stop();
      expect(code, 'the exit code after SIGTERM; 137 if Docker had to kill it').toBe(0);
      expect(ms).toBeLessThan(STOP_MS);

      receiver.arrivals.length = 0;
      receiver.answer = () => 200;
      await docker('start', bank.name);
      await bank.ready();
      await expectPayments(await clientOf(bank), load.ids, CONCURRENT);
      const delivered = (): Set<unknown> =>
        new Set(receiver.arrivals.map(({ json }) => (json.data as { id: string }).id));
      await until('all deliveries', () => load.ids.every((id) => delivered().has(id)));
    } finally {
      await receiver.close();
    }
  });
});

describe('a volume', () => {
  it('keeps the payments of the image before an update, over kills and restarts', async () => {
    const data = freshName();
    await docker('volume', 'create', '--label', LABEL(), data);
    const options = [
      '--publish',
      '127.0.0.1::4800',
      '--volume',
      `${data}:/data`,
      '--env',
      `SANDBANK_CONTROL_TOKEN=${TOKEN}`,
    ];
    const ids: string[] = [];
    let extra = 0;
    for (const [image, end] of [
      ['sandbank:before', 'stop'],
      [IMAGE, 'kill'],
      [IMAGE, 'restart'],
    ] as const) {
      const bank = await runContainer(options, [image]);
      await bank.ready();
      const client = await clientOf(bank);
      await expectPayments(client, ids, extra);
      const load = makeLoad(client, CONCURRENT);
      await until('payments', () => load.ids.length > MANY);
      await docker(end, bank.name);
      await load.stop();
      ids.push(...load.ids);
      extra += CONCURRENT;
      if (end === 'restart') {
        await bank.ready();
        await expectPayments(await clientOf(bank), ids, extra);
      } else expect(Number(await bank.inspect('.State.ExitCode'))).toBe(end === 'kill' ? 137 : 0);
      await docker('rm', '--force', bank.name);
    }
  });

  it('that is full refuses payments with a clear error, keeps the acknowledged ones, and works again when there is room', async () => {
    const data = freshName();
    const size = ['--opt', 'type=tmpfs', '--opt', 'device=tmpfs', '--opt', 'o=size=24m,uid=1000'];
    await docker('volume', 'create', '--label', LABEL(), '--driver', 'local', ...size, data);
    const bank = await runBank('--volume', `${data}:/data`);
    const client = await clientOf(bank);
    const before = (await client.pull('1.00')).body.id as string;
    const fill = `const file = fs.openSync('/data/filler', 'w'); for (let size = 1 << 20; size > 0; ) try { fs.writeSync(file, Buffer.alloc(size)) } catch { size >>= 1 }`;
    await bank.exec('node', '-e', fill);
    const load = makeLoad(client, 1);
    await until('a refusal', () => load.refused.length > 0);
    await load.stop();
    expect(load.refused[0]).toMatchObject({ status: 503 });
    await expectPayments(client, [before, ...load.ids], 0);
    await bank.exec('node', '-e', 'fs.rmSync("/data/filler")');
    await until('a payment', async () => (await client.pull('1.00')).status === 201);
    await expectPayments(client, [before, ...load.ids], 1);
    expect((await bank.stop()).code).toBe(0);
  });
});

it('a bank with 128 MiB of memory loses no acknowledged payment under load', async () => {
  const bank = await runBank('--memory', '128m', '--memory-swap', '128m');
  const load = makeLoad(await clientOf(bank), CONCURRENT);
  await until(
    'payments or the end',
    async () => load.ids.length > 10 * MANY || (await bank.inspect('.State.Running')) === 'false',
  );
  await load.stop();
  if ((await bank.inspect('.State.Running')) === 'false') await docker('start', bank.name);
  await bank.ready();
  await expectPayments(await clientOf(containerOf(bank.name)), load.ids, CONCURRENT);
});
