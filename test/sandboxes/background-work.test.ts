// Background work that throws ends the process. This test counts every timer, message and handler of the bank, with
// the reason why it cannot throw. A new one runs as a job (src/sandboxes/sandbox/background-jobs.ts), or needs a row here.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = new URL('../../src/', import.meta.url).pathname;
const BY_ITSELF =
  /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|postMessage)\(|\.(?:on|once|prependListener|addEventListener)\('|process\.on\(|\.then\(/g;
/** The command line, with its comparison, the client and the kit run in processes of others. */
const ELSEWHERE = /^(?:cli|client|compare|kit)\//;

const ALLOWED: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'sandboxes/control/stream-hub.ts': [3, 'a turn catches; a heartbeat only pushes'],
  'sandboxes/control/stream.ts': [2, 'they only settle a promise or end a stream'],
  'sandboxes/control/trace/answers.ts': [
    1,
    'its result is waited for by every trace, and a rejection does not stop the next one',
  ],
  'bank/delivery/courier.ts': [1, 'they only settle a promise'],
  'cluster/worker/fetch-sender.ts': [
    4,
    'they only settle promises that are never rejected, or abort a signal',
  ],
  'bank/delivery/sender-worker.ts': [5, 'a thread of its own, whose end fails the attempts'],
  'bank/delivery/sender.ts': [5, 'a batch that cannot be sent fails; the others settle promises'],
  'server/process/idle-memory.ts': [1, 'a collection throws nothing'],
  'server/process/healthcheck.ts': [4, 'a process of its own'],
  'server/http/answers.ts': [2, 'they send answers, whose failure is answered, or continue a request'],
  'server/http/api.ts': [2, 'what they start settles the request, and so does its failure'],
  'server/http/control.ts': [1, 'it only aborts a signal'],
  'server/http/faults.ts': [2, 'they only settle a promise or forget a reply'],
  'server/http/parts.ts': [2, 'a part that cannot be made is logged, and answered with 500'],
  'server/http/silent-connections.ts': [6, 'they only change a map or destroy a socket'],
  'server/http/uploads.ts': [3, 'they only collect and continue a request'],
  'server/process/log.ts': [5, 'the destination reports its errors as an event'],
  'server/main.ts': [4, 'the stop catches; errors of the outputs are ignored'],
  'sandboxes/sandbox/agenda-runner.ts': [3, 'steps are promises whose failure is a job'],
  'sandboxes/sandbox/coverage.ts': [2, 'they only settle a promise that a request waits for'],
  'sandboxes/sandbox/event-log.ts': [2, 'they only settle a promise that a request waits for'],
  'sandboxes/sandbox/image-thread.ts': [3, 'they only settle a promise'],
  'sandboxes/sandbox/image-worker.ts': [2, 'a thread of its own, whose end fails the request'],
  'sandboxes/sandbox/instance.ts': [2, 'what they start runs as a job, or only logs'],
  'sandboxes/registry/images.ts': [1, 'the removal of a file catches'],
  'sandboxes/registry/open-files.ts': [4, 'looks run jobs'],
  'sandboxes/registry/open-limit.ts': [1, 'rests run as jobs'],
  'sandboxes/sandbox/surroundings.ts': [2, 'what they start catches; the other only settles a promise'],
  'sandboxes/sandbox/time-travel.ts': [4, 'they only settle promises that a request waits for'],
  'server/process/start-failures.ts': [2, 'a start that has failed'],
  'cluster/worker/bank.ts': [2, 'a report catches; requests wait for the setting of the alarm'],
  'cluster/worker/entry.ts': [1, 'it only settles a promise'],
  'cluster/worker/front.ts': [
    6,
    'they only tell the server that an answer has ended, and wait for the end of a body',
  ],
  'cluster/worker/starting.ts': [2, 'what the libraries give while the module starts, which fails with it'],
  'bank/store/group-commit.ts': [
    2,
    'a flush answers its callers with what fails, and what they do with it catches',
  ],
};

/** Promises that are not awaited. None of them must ever be rejected. */
const DISCARDED = /(?:^|=>|[;{])\s*void (?=[\w(])/gm;
const NO_PROMISE = 'nothing of it is a promise';
const MAY_DISCARD: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'bank/verbs/simulation/payments.ts': [2, NO_PROMISE],
  'bank/delivery/courier.ts': [2, '`start` reports a failure as a job; the other is no promise'],
  'bank/delivery/first-attempts.ts': [3, '`start` reports a failure as a job; the other is no promise'],
  'cluster/worker/fetch-sender.ts': [1, 'the promise of a request is never rejected'],
  'bank/delivery/recorder.ts': [1, NO_PROMISE],
  'bank/delivery/retries.ts': [1, '`start` reports a failure as a job'],
  'server/http/api.ts': [1, NO_PROMISE],
  'server/main.ts': [2, 'the stop catches'],
  'bank/outbox/queue.ts': [1, NO_PROMISE],
  'sandboxes/registry/registry.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/background-jobs.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/drop-reports.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/instance.ts': [2, NO_PROMISE],
  'sandboxes/sandbox/notices.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/secrets.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/seed-history.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/seed-images.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/snapshots.ts': [1, NO_PROMISE],
  'sandboxes/sandbox/surroundings.ts': [1, 'it catches'],
  'sandboxes/sandbox/time-travel.ts': [
    2,
    'one only adds to a set; the other is the result of a function that is waited for',
  ],
  'bank/store/cache.ts': [1, NO_PROMISE],
  'bank/store/open.ts': [1, NO_PROMISE],
  'bank/store/resting.ts': [3, NO_PROMISE],
  'bank/store/rows.ts': [2, NO_PROMISE],
  'bank/store/store.ts': [1, NO_PROMISE],
  'bank/store/surroundings.ts': [3, NO_PROMISE],
  'cluster/worker/front.ts': [
    4,
    'reading a body catches, and its end settles a promise; another is none, and one only tells that an answer has ended',
  ],
  'cluster/worker/bank.ts': [
    2,
    'a report catches; the runtime keeps an alarm with the rows, or ends the object',
  ],
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
