/**
 * Faults in a cluster of three instances lose and double nothing, and its sandboxes answer again. `npm run torture:cluster` runs more
 * of them. Weekly, a bucket that breaks its promises is caught by the same checks, and the cluster is updated under load. Where
 * workerd is not installed, the test in `worker.test.ts` says so.
 */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { endMembers, freePort } from '../cluster/torture/members.ts';
import { describeOutcome } from '../cluster/torture/table.ts';
import {
  askForLostSandbox,
  BROKEN,
  loseOwnerOfPayment,
  planFaults,
  tortureBroken,
  tortureCluster,
  writeInstance,
} from '../cluster/torture/torture.ts';
import { updateUnderLoad } from '../cluster/torture/update.ts';
import { launch, makeFolder, until } from '../server/process/support.ts';
import { IS_WHOLE } from '../support/runs.ts';
import { WORKERD } from '../support/workerd-program.ts';

const LIMIT_MS = 600_000;
const START_LIMIT_MS = 90_000;
const lines: string[] = [];
const line = (text: string): void => void lines.push(text);

afterAll(endMembers);

describe.runIf(WORKERD !== '')('a cluster', () => {
  it(
    'loses and duplicates nothing if an instance is killed, or its bucket loses responses',
    async () => {
      const outcome = await tortureCluster({
        seed: 1,
        faults: ['crash', 'bucket loses answers'],
        line,
      });
      // How long a takeover takes depends on the machine; the torture judges it.
      const findings = outcome.findings.filter((finding) => !finding.startsWith('slow: '));
      expect(findings, `${lines.join('\n')}\n${describeOutcome(outcome)}`).toEqual([]);
      expect(outcome.acknowledged).toBeGreaterThan(100);
    },
    LIMIT_MS,
  );

  // These wait most of the time for a lease to expire.
  it.concurrent(
    'settles a payment and delivers its events after its owner is lost, without a request',
    async ({ expect }) => {
      expect(await loseOwnerOfPayment(1)).toEqual({ wasOpen: true, isSettled: true });
    },
    LIMIT_MS,
  );

  it.concurrent(
    'responds with 503 in the format of the API version, with Retry-After, until a lost sandbox is taken over',
    async ({ expect }) => {
      const refused = await askForLostSandbox(1);
      const message = expect.stringContaining('another one takes it over soon: send the request again');
      const forms: Record<string, object> = {
        '/v2/webhook': { error: { code: 'ERROR_CODE_SERVICE_UNAVAILABLE', message } },
        '/v1/webhook': { code: 'EC_SANDBOX_UNAVAILABLE', message },
        '/_sandbox/clock': { error: { code: 'sandbox_unavailable', message, hint: '' } },
      };
      expect([...new Set(refused.map(({ path }) => path))]).toEqual(Object.keys(forms));
      for (const { path, status, retryAfter, body } of refused) {
        expect([path, status, retryAfter]).toEqual([path, 503, '1']);
        expect(body, path).toMatchObject(forms[path] ?? {});
      }
    },
    LIMIT_MS,
  );

  it.concurrent(
    'reports the address of a bucket that cannot be reached, with the cause',
    async ({ expect }) => {
      const folder = makeFolder();
      await writeInstance(folder);
      const endpoint = `http://127.0.0.1:${await freePort()}`;
      const where = ['--folder', folder, '--data', join(folder, 'disk'), '--endpoint', endpoint];
      const { child, stdout } = launch(
        {
          AWS_ACCESS_KEY_ID: 'key',
          AWS_SECRET_ACCESS_KEY: 'secret',
          SANDBANK_SECRET_ROOT: 'r'.repeat(64),
        },
        ['cluster', 'instance', '--json', '--bucket', 's3://bank/sandbank', ...where],
      );
      try {
        const line = await until(
          'an instance to end',
          () =>
            stdout()
              .split('\n')
              .find((one) => one.includes('"state":"ended"')),
          START_LIMIT_MS,
        );
        expect(JSON.parse(line).problem).toBe(
          `the bucket s3://bank/sandbank at ${endpoint} cannot be reached (connect ECONNREFUSED ${endpoint.slice(7)}): ` +
            'start it, or correct --endpoint (AWS_ENDPOINT_URL)',
        );
      } finally {
        child.kill('SIGTERM');
      }
    },
    LIMIT_MS,
  );

  if (IS_WHOLE) {
    it(
      'is updated under load, one instance after the other, to a version with an additional migration',
      async () => {
        const { findings, migrated, sandboxes, acknowledged } = await updateUnderLoad(1);
        expect(findings).toEqual([]);
        expect(acknowledged).toBeGreaterThan(100);
        // One that is on an instance of the new version was opened by it.
        expect(migrated).toBe(sandboxes);
      },
      LIMIT_MS,
    );

    it.concurrent.each(Object.keys(BROKEN) as (keyof typeof BROKEN)[])(
      'is detected as wrong on a bucket that %s',
      async (kind) => {
        // Two instances have to take the same sandbox at the same time, which not every loss of an owner causes.
        const found: string[] = [];
        for (let seed = 1; found.length === 0 && seed <= 4; seed += 1) {
          const { lost, doubled, findings } = await tortureBroken(kind, seed);
          if (lost + doubled > 0) found.push(...findings);
        }
        expect(found).not.toEqual([]);
      },
      LIMIT_MS,
    );
  }
});

it('a plan of faults has every kind before one is repeated, and is determined by its seed', () => {
  const plan = planFaults(7, 60);
  expect(plan).toEqual(planFaults(7, 60));
  expect(plan).not.toEqual(planFaults(8, 60));
  const kinds = new Set(plan);
  expect(new Set(plan.slice(0, kinds.size))).toEqual(kinds);
});
