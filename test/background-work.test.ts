// Background work that throws ends the process. This test counts every timer, message and handler of the bank, with
// the reason why it cannot throw. A new one runs as a job (src/sandbox/background-jobs.ts), or needs a row here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = new URL('../src/', import.meta.url).pathname;
const BY_ITSELF =
  /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|postMessage)\(|\.(?:on|once|prependListener|addEventListener)\('|process\.on\(|\.then\(/g;
/** The command line, with its comparison, the client and the kit run in processes of others. */
const ELSEWHERE = /^(?:cli|client|compare|kit)\//;

const ALLOWED: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'control/stream-hub.ts': [3, 'a turn catches; a heartbeat only pushes'],
  'control/stream.ts': [2, 'they only settle a promise or end a stream'],
  'control/trace/answers.ts': [
    1,
    'its result is waited for by every trace, and a rejection does not stop the next one',
  ],
  'delivery/courier.ts': [1, 'they only settle a promise'],
  'delivery/fetch-sender.ts': [4, 'they only settle promises that are never rejected, or abort a signal'],
  'delivery/sender-worker.ts': [5, 'a thread of its own, whose end fails the attempts'],
  'delivery/sender.ts': [5, 'a batch that cannot be sent fails; the others settle promises'],
  'process/idle-memory.ts': [1, 'a collection throws nothing'],
  'process/healthcheck.ts': [4, 'a process of its own'],
  'http/answers.ts': [2, 'they send answers, whose failure is answered, or continue a request'],
  'http/api.ts': [2, 'what they start settles the request, and so does its failure'],
  'http/control.ts': [1, 'it only aborts a signal'],
  'http/faults.ts': [2, 'they only settle a promise or forget a reply'],
  'http/parts.ts': [2, 'a part that cannot be made is logged, and answered with 500'],
  'http/silent-connections.ts': [6, 'they only change a map or destroy a socket'],
  'http/uploads.ts': [3, 'they only collect and continue a request'],
  'process/log.ts': [5, 'the destination reports its errors as an event'],
  'main.ts': [4, 'the stop catches; errors of the outputs are ignored'],
  'sandbox/agenda-runner.ts': [3, 'steps are promises whose failure is a job'],
  'sandbox/coverage.ts': [2, 'they only settle a promise that a request waits for'],
  'sandbox/event-log.ts': [2, 'they only settle a promise that a request waits for'],
  'sandbox/image-thread.ts': [3, 'they only settle a promise'],
  'sandbox/image-worker.ts': [2, 'a thread of its own, whose end fails the request'],
  'sandbox/instance.ts': [2, 'what they start runs as a job, or only logs'],
  'registry/images.ts': [1, 'the removal of a file catches'],
  'registry/open-files.ts': [4, 'looks run jobs'],
  'registry/open-limit.ts': [1, 'rests run as jobs'],
  'sandbox/surroundings.ts': [2, 'what they start catches; the other only settles a promise'],
  'sandbox/time-travel.ts': [4, 'they only settle promises that a request waits for'],
  'process/start-failures.ts': [2, 'a start that has failed'],
  'worker/bank.ts': [2, 'a report catches; requests wait for the setting of the alarm'],
  'worker/entry.ts': [1, 'it only settles a promise'],
  'worker/front.ts': [
    6,
    'they only tell the server that an answer has ended, and wait for the end of a body',
  ],
  'worker/starting.ts': [2, 'what the libraries give while the module starts, which fails with it'],
  'store/group-commit.ts': [
    2,
    'a flush answers its callers with what fails, and what they do with it catches',
  ],
};

/** Promises that are not awaited. None of them must ever be rejected. */
const DISCARDED = /(?:^|=>|[;{])\s*void (?=[\w(])/gm;
const NO_PROMISE = 'nothing of it is a promise';
const MAY_DISCARD: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'bank/simulation/payments.ts': [2, NO_PROMISE],
  'delivery/courier.ts': [2, '`start` reports a failure as a job; the other is no promise'],
  'delivery/first-attempts.ts': [3, '`start` reports a failure as a job; the other is no promise'],
  'delivery/fetch-sender.ts': [1, 'the promise of a request is never rejected'],
  'delivery/recorder.ts': [1, NO_PROMISE],
  'delivery/retries.ts': [1, '`start` reports a failure as a job'],
  'http/api.ts': [1, NO_PROMISE],
  'main.ts': [2, 'the stop catches'],
  'outbox/queue.ts': [1, NO_PROMISE],
  'registry/registry.ts': [1, NO_PROMISE],
  'sandbox/background-jobs.ts': [1, NO_PROMISE],
  'sandbox/drop-reports.ts': [1, NO_PROMISE],
  'sandbox/instance.ts': [2, NO_PROMISE],
  'sandbox/notices.ts': [1, NO_PROMISE],
  'sandbox/secrets.ts': [1, NO_PROMISE],
  'sandbox/seed-history.ts': [1, NO_PROMISE],
  'sandbox/seed-images.ts': [1, NO_PROMISE],
  'sandbox/snapshots.ts': [1, NO_PROMISE],
  'sandbox/surroundings.ts': [1, 'it catches'],
  'sandbox/time-travel.ts': [
    2,
    'one only adds to a set; the other is the result of a function that is waited for',
  ],
  'store/cache.ts': [1, NO_PROMISE],
  'store/open.ts': [1, NO_PROMISE],
  'store/resting.ts': [3, NO_PROMISE],
  'store/rows.ts': [2, NO_PROMISE],
  'store/store.ts': [1, NO_PROMISE],
  'store/surroundings.ts': [3, NO_PROMISE],
  'worker/front.ts': [
    4,
    'reading a body catches, and its end settles a promise; another is none, and one only tells that an answer has ended',
  ],
  'worker/bank.ts': [2, 'a report catches; the runtime keeps an alarm with the rows, or ends the object'],
};

function countInSources(pattern: RegExp): Record<string, number> {
  const found: Record<string, number> = {};
  for (const entry of readdirSync(SOURCES, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(SOURCES.length);
    if (!entry.isFile() || !path.endsWith('.ts') || ELSEWHERE.test(path)) continue;
    const code = readFileSync(SOURCES + path, 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\*|\/[/*])/.test(line))
      .join('\n');
    const count = code.match(pattern)?.length ?? 0;
    if (count > 0) found[path] = count;
  }
  return found;
}

const countsOf = (allowed: typeof ALLOWED): Record<string, number> =>
  Object.fromEntries(Object.entries(allowed).map(([path, [count]]) => [path, count]));

test('every timer, message and handler is listed with the reason why it cannot throw', () => {
  expect(countInSources(BY_ITSELF)).toEqual(countsOf(ALLOWED));
});

test('every promise that is not awaited is listed with the reason why it is never rejected', () => {
  expect(countInSources(DISCARDED)).toEqual(countsOf(MAY_DISCARD));
});
