/** The log of a worker: a prepared line is the same as one that is written from fields. */
import type { Logger } from 'pino';
import { expect, it, vi } from 'vitest';
import { createWorkerLog } from '../../../src/cluster/worker/log.ts';
import { writerOf } from '../../../src/server/process/log.ts';

it('accepts prepared lines, with its level and the time, above its minimum level only', () => {
  vi.useFakeTimers({ now: 0 });
  const lines: string[] = [];
  const fields = ',"status":200,"msg":"request"}';
  const log = createWorkerLog('info', (line) => lines.push(line)) as Logger;
  log.info({ status: 200 }, 'request');
  writerOf(log)?.('info', fields);
  writerOf(createWorkerLog('warn', (line) => lines.push(line)) as Logger)?.('info', fields);
  vi.useRealTimers();
  const line = '{"level":"info","time":"1970-01-01T00:00:00.000Z","status":200,"msg":"request"}';
  expect(lines).toEqual([line, line]);
});
