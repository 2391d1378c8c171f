// Many concurrent suites, each with its own sandbox and frozen clock: the same script gets the same bytes, whatever
// other suites do meanwhile, and no suite sees the data of another. `npm run test:long` runs two hundred of them, and
// suites with every operation.

import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../../../src/bank/delivery/sender.ts';
import { seededIds } from '../../../src/sandboxes/control/summary.ts';
import { CASES, type Case, prepareExample } from '../../server/http/cases.ts';
import { openServer, type Server } from '../../server/http/control/server.ts';
import { FUZZ_RUNS } from '../../support/runs.ts';
import { digestOf } from '../../support/tables.ts';

const NOW = '2026-07-02T17:00:00.250Z';
const EVENTS = {
  url: 'http://hooks.example/all',
  events: ['transaction.created', 'transaction.status.settled'],
};

const IS_LONG = FUZZ_RUNS !== undefined;

type Method = Parameters<Server['call']>[0];
type Step = (
  call: (method: Method, url: string, body?: unknown) => Promise<void>,
  /** Runs the example of an operation, after its preparation. */
  callCase: (entry: Case) => Promise<void>,
) => Promise<void>;

/** Operations of both versions, and advances of the clock between them. */
const scriptOf =
  (cases: readonly Case[]): Step =>
  async (call, callCase) => {
    await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: NOW });
    await call('POST', '/v2/webhook', EVENTS);
    for (const entry of cases) await callCase(entry);
    await call('GET', '/_sandbox/timers');
    await call('PUT', '/_sandbox/snapshots/here');
    await call('POST', '/_sandbox/clock/advance', { business_days: 1, deadline_ms: 60_000 });
    for (const entry of cases) await callCase(entry);
    await call('POST', '/_sandbox/clock/settle', { deadline_ms: 60_000 });
    await call('POST', '/_sandbox/snapshots/here/restore');
    await call('POST', '/_sandbox/clock/settle', { deadline_ms: 60_000 });
    await call('GET', '/_sandbox/clock');
  };

/** The simultaneous actions of another suite. */
const noiseOf =
  (cases: readonly Case[]): Step =>
  async (call, callCase) => {
    await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2031-01-02T03:04:05Z' });
    for (const entry of cases.toReversed()) {
      await callCase(entry);
      await call('POST', '/_sandbox/clock/advance', { by: 'PT7H', deadline_ms: 60_000 });
    }
    await call('POST', '/_sandbox/reset');
  };

interface Ending {
  answers: string[];
  digest: string;
}

/** Runs a script in a named sandbox. */
async function run(server: Server, name: string, script: Step): Promise<Ending> {
  const key = `test_${name}`;
  const sandbox = server.registry.byKey(key);
  if (sandbox === undefined) throw new Error(`${key} opens no sandbox`);
  const seeded = seededIds(sandbox);
  const answers: string[] = [];
  const call = async (method: Method, url: string, body?: unknown, headers?: Record<string, string>) => {
    const reply = await server.call(method, url, body, key, headers);
    // Over a socket the next request arrives a turn later, and immediate work is done by then.
    await sandbox.agenda.runDue();
    // Otherwise it depends on the load whether a delivery is created before a call that lists deliveries, or by it.
    await sandbox.courier?.idle();
    // A response may contain the name of its sandbox: a link to a file does and is signed with it, and a token ends
    // with a mark of it.
    const text = reply.bytes
      .toString()
      .replaceAll(`"sandbox":"${name}"`, '"sandbox":"-"')
      .replaceAll(`/files/${name}/`, '/files/-/')
      .replaceAll(`/disclosures/${name}/`, '/disclosures/-/')
      .replaceAll(`/checks/${name}/`, '/checks/-/')
      .replaceAll(/signature=[0-9a-f]+/g, 'signature=-')
      .replaceAll(`"accessToken":"${key}`, '"accessToken":"-')
      .replaceAll(/(_test_[0-9a-f]{24})[0-9a-f]{8}/g, '$1');
    answers.push([method, url, reply.status, reply.headers['x-request-id'], text].join(' '));
    return reply.body;
  };
  await script(
    async (...request) => void (await call(...request)),
    async ({ operation }) => {
      const { path, body, form, headers } = prepareExample(operation, (record) => seeded[record] ?? '');
      // What the first round closed may be refused in the second.
      await call(operation.method, path, form ?? body, headers);
    },
  );
  await sandbox.courier?.idle();
  return { answers, digest: digestOf(sandbox) };
}

const sentTo = (sent: Outgoing[], url: string) =>
  sent
    .filter((outgoing) => outgoing.url === url)
    .map(({ headers, body }) => JSON.stringify([headers, body]))
    .toSorted();

describe('many sandboxes', () => {
  test.each([
    ['calendar', IS_LONG ? 200 : 40, 8],
    ['fast', 10, IS_LONG ? 1 : 3],
  ] as const)(
    'in parallel have the same responses as one alone, on the rails %s',
    async (rails, suites, each) => {
      // Many suites run some of the operations, few run more of them, or all.
      const cases = CASES.filter((_, place) => place % each === 0);
      const [script, noise] = [scriptOf(cases), noiseOf(cases)];
      const alone = await openServer({ rails });
      const expected = await run(alone, 'alone', script);
      expect(expected.answers.filter((answer) => / 5\d\d /.test(answer))).toEqual([]);

      const server = await openServer({ rails });
      const endings = await Promise.all(
        Array.from({ length: suites }, (_, place) =>
          place % 10 === 9 ? run(server, `noise-${place}`, noise) : run(server, `suite-${place}`, script),
        ),
      );
      const same = endings.filter((_, place) => place % 10 !== 9);
      for (const { answers, digest } of same) {
        expect(answers).toEqual(expected.answers);
        expect(digest).toBe(expected.digest);
      }
      // Each got the same responses as alone, as often as there were suites.
      const received = sentTo(alone.sent, EVENTS.url);
      expect(received.length).toBeGreaterThan(0);
      expect(sentTo(server.sent, EVENTS.url)).toEqual(
        received.flatMap((text) => same.map(() => text)).toSorted(),
      );
    },
    120_000,
  );
});
