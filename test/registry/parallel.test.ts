// Many concurrent suites, each with its own sandbox and frozen clock: the same script gets the same bytes, whatever
// other suites do meanwhile, and no suite sees the data of another. `npm run test:long` has two hundred of them, and
// suites with every operation.

import { describe, expect, test } from 'vitest';
import { seededIds } from '../../src/control/summary.ts';
import type { Outgoing } from '../../src/delivery/sender.ts';
import { CASES, type Case, prepareExample } from '../http/cases.ts';
import { openServer, type Server } from '../http/control/server.ts';
import { FUZZ_RUNS } from '../support/runs.ts';
import { digestOf } from '../support/tables.ts';

const NOW = '2026-07-02T17:00:00.250Z';
const EVENTS = {
  url: 'http://hooks.example/all',
  events: ['transaction.created', 'transaction.status.settled'],
};

const IS_LONG = FUZZ_RUNS !== undefined;

type Method = Parameters<Server['call']>[0];
type Step = (
  call: (method: Method, url: string, body?: unknown) => Promise<void>,
  /** Carries out the example of an operation, after the one that comes before it. */
  callCase: (entry: Case) => Promise<void>,
) => Promise<void>;

/** Operations of both generations, and time that passes between them. */
const scriptOf =
  (cases: readonly Case[]): Step =>
  async (call, callCase) => {
    await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: NOW });
    await call('POST', '/v2/webhook', EVENTS);
    for (const entry of cases) await callCase(entry);
    await call('GET', '/_sandbox/timers');
    await call('PUT', '/_sandbox/snapshots/here');
    await call('POST', '/_sandbox/clock/advance', { business_days: 1 });
    for (const entry of cases) await callCase(entry);
    await call('POST', '/_sandbox/clock/settle', { deadline_ms: 60_000 });
    await call('POST', '/_sandbox/snapshots/here/restore');
    await call('POST', '/_sandbox/clock/settle', { deadline_ms: 60_000 });
    await call('GET', '/_sandbox/clock');
  };

/** What another suite does at the same time. */
const noiseOf =
  (cases: readonly Case[]): Step =>
  async (call, callCase) => {
    await call('PUT', '/_sandbox/clock', { mode: 'frozen', now: '2031-01-02T03:04:05Z' });
    for (const entry of cases.toReversed()) {
      await callCase(entry);
      await call('POST', '/_sandbox/clock/advance', { by: 'PT7H' });
    }
    await call('POST', '/_sandbox/reset');
  };

interface Ending {
  answers: string[];
  digest: string;
}

/** Runs a script in the sandbox of a name. */
async function run(server: Server, name: string, script: Step): Promise<Ending> {
  const key = `test_${name}`;
  const sandbox = server.registry.byKey(key);
  if (sandbox === undefined) throw new Error(`${key} opens no sandbox`);
  const seeded = seededIds(sandbox);
  const answers: string[] = [];
  const call = async (method: Method, url: string, body?: unknown, headers?: Record<string, string>) => {
    const reply = await server.call(method, url, body, key, headers);
    // Over a socket the next request comes a turn later, and what was due at once is done by then.
    await sandbox.agenda.runDue();
    // Else it depends on the load whether a delivery is made before a call that lists deliveries, or by it.
    await sandbox.courier?.idle();
    // An answer may name its sandbox; a link to a file does, and is signed with the name, which a token ends with.
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
      // What was closed by the first round may be refused in the second.
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
    'side by side answer as one alone, on rails %s',
    async (rails, suites, each) => {
      // Many suites do some of the operations, few do more of them, or all.
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
      // Each was told what it would have been told alone, as often as there were suites.
      const received = sentTo(alone.sent, EVENTS.url);
      expect(received.length).toBeGreaterThan(0);
      expect(sentTo(server.sent, EVENTS.url)).toEqual(
        received.flatMap((text) => same.map(() => text)).toSorted(),
      );
    },
    120_000,
  );
});
