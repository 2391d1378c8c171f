/** Continuous output: followed requests, and the progress of long work on a terminal. */
import { describe, expect, it, vi } from 'vitest';
import { withProgress } from '../../src/cli/shell.ts';
import { launch, startBank, stop, until, within } from '../server/process/support.ts';
import { memoryShell } from './support.ts';

describe('logs --follow', () => {
  it('prints past and new requests, each once, and exits with 1 when the bank stops', async () => {
    const bank = await startBank();
    await bank.v2('GET', '/v2/webhook?limit=1');
    const following = launch({ SANDBANK_URL: bank.url }, [
      'logs',
      '--follow',
      '--json',
      '--operation',
      'v2_list_webhooks',
    ]);
    const printed = (): { id: string; status: number; path: string }[] =>
      following
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await until('the first', () => printed().length === 1);
    await bank.v2('GET', '/v2/webhook/events');
    await bank.v2('GET', '/v2/webhook?limit=none');
    await until('the next', () => printed().length === 2);
    expect(printed()).toMatchObject([
      { path: '/v2/webhook', status: 200, query: { limit: '1' } },
      { path: '/v2/webhook', status: 400, query: { limit: 'none' } },
    ]);
    await stop(bank);
    const { code, stderr } = await within(30_000, 'the end', following.ended);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: the bank has ended\n$/);
  });
});

describe('progress', () => {
  it('is printed every second on a terminal, and removed at the end', async () => {
    vi.useFakeTimers();
    try {
      const shell = { ...memoryShell(), isTerminal: true, notified: [] as string[] };
      shell.notify = (text) => void shell.notified.push(text);
      const work = Promise.withResolvers<string>();
      const start = Date.now();
      const seconds = (): string => `second ${(Date.now() - start) / 1_000}`;
      const progress = withProgress(shell, seconds, work.promise);
      await vi.advanceTimersByTimeAsync(2_500);
      work.resolve('done');
      expect(await progress).toBe('done');
      expect(shell.notified).toEqual(['\r\u001B[Ksecond 1', '\r\u001B[Ksecond 2', '\r\u001B[K']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is not printed elsewhere', async () => {
    const shell = memoryShell();
    expect(await withProgress(shell, () => 'never', Promise.resolve(1))).toBe(1);
    expect(shell.stderr).toBe('');
  });
});

it('a reader that closes the pipe ends a command without an error', async () => {
  const bank = await startBank();
  const listing = launch({ SANDBANK_URL: bank.url }, ['listen', '--since', 'beginning', '--json']);
  listing.child.stdout?.once('data', () => listing.child.stdout?.destroy());
  await until('its first line', () => listing.stdout() !== '');
  await bank.v2('POST', '/v2/webhook', { url: 'http://hooks.example', events: ['card.created'] });
  const { virtual_card_id: id } = bank.seeded;
  await until('its end', async () => {
    await bank.v2('PATCH', `/v2/issuing/card/${id}`, { label: String(Date.now()) });
    return listing.child.exitCode !== null;
  });
  expect(listing.child.exitCode).toBe(0);
});
