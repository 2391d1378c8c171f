/**
 * With port 0 the system chooses the port, and links contain it even before the first call: those in the first
 * events.
 */
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/server/process/config.ts';
import { startServer } from '../../../src/server/server.ts';

test('a link that is created before the first call has the port that the system chose', async () => {
  const read = readConfig({ SANDBANK_PORT: '0' }, {});
  if ('problems' in read) expect.fail(read.problems.join());
  const { config } = read;
  const server = await startServer(config, pino({ level: 'silent' }));
  onTestFinished(server.stop);
  const { port } = new URL(server.url);
  const { bank } = server.registry.byKey(server.apiKey) ?? expect.fail('the default sandbox is there');
  const [file] = bank.holders.list([{ field: 'type', is: 'person' }], {
    kind: 'offset',
    limit: 1,
    offset: 0,
  }).items;
  const { holder } = file ?? expect.fail('somebody was seeded');
  const { id } = holder.verification;
  const url = bank.program.checkPage?.({ version: 'v1', holder, kind: 'kyc', id }) ?? '';
  expect(new URL(url).port).toBe(port);
  expect(Number(port)).toBeGreaterThan(0);
});
