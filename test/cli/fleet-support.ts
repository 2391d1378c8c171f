/**
 * Banks for the tests of `sandbank fleet`, a runtime API with only a map, and a proxy that delays and repeats the
 * calls of a command.
 */
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeFolder, type Running, startBank } from '../process/support.ts';
import { type Between, openBetween } from '../support/between.ts';

/** A runtime API: what was set in its map, by slot. */
export async function startProxy(answer = ''): Promise<{ socket: string; routes: Map<string, string> }> {
  const socket = join(makeFolder(), 'proxy.sock');
  const routes = new Map<string, string>();
  const server = createNetServer({ allowHalfOpen: true }, (connection) => {
    connection.setEncoding('utf8').on('data', (text: string) => {
      const [, slot, bank] = /^set map #7 (\S+) (\S+)\n$/.exec(text) ?? [];
      if (slot !== undefined && bank !== undefined && answer === '') routes.set(slot, bank);
      connection.end(
        text === 'show map\n' ? '# id (file) description\n7 (slots.map) of a test\n\n' : `${answer}\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return { socket, routes };
}

export const start = (slots: string, settings = {}): Promise<Running> =>
  startBank({ SANDBANK_SLOTS: slots, SANDBANK_SECRETS: 'seeded', ...settings });
export const listOf = (...banks: { url: string }[]): string =>
  banks.map(({ url }, at) => `bank-${at}=${url}`).join(',');

/** `openBetween`, until the end of the test. */
export async function between(...given: Parameters<typeof openBetween>): Promise<Between> {
  const opened = await openBetween(...given);
  onTestFinished(() => opened.close());
  return opened;
}
