/**
 * An update under load: a cluster gets a new version of the worker, one instance after the other, and the new version has a migration
 * more. A sandbox that a new instance opened belongs to new instances from then on, because its database is of the new version.
 */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorker } from '../../../build/worker.mjs';
import type { Verdict } from './checks.ts';
import { send } from './load.ts';
import { makeSandboxes, onStage, writeInstance } from './torture.ts';

/** Shows itself in each account of a sandbox that was migrated. */
const MIGRATION = { '9999_shown_by_a_test.sql': "UPDATE accounts SET label = 'migrated ' || label;\n" };
const LIMIT_MS = 120_000;

export interface Update extends Verdict {
  /** The longest gap of any sandbox. */
  readonly longestGapMs: number;
  /** How many sandboxes have the migration, and how many there are. */
  readonly migrated: number;
  readonly sandboxes: number;
}

/** Updates three instances under load. */
export function updateUnderLoad(seed: number): Promise<Update> {
  let next = '';
  const options = {
    seed: `update ${seed}`,
    members: 3,
    sandboxes: 6,
    restMs: 60,
    async folder(folder: string) {
      await writeInstance(folder);
      next = `${folder}-next`;
      mkdirSync(join(next, 'assets'), { recursive: true });
      copyFileSync(join(folder, 'instance.capnp'), join(next, 'instance.capnp'));
      await bundleWorker(join(next, 'worker.js'), MIGRATION);
    },
  };
  return onStage(options, async (stage) => {
    const { members, sandboxes, seeded, use } = stage;
    await makeSandboxes(stage);
    const load = stage.load();
    await load.allAnswer(LIMIT_MS);
    load.takeGaps();
    use(next);
    for (const member of members) {
      await member.stop();
      member.start();
      await member.ready();
      await load.allAnswer(LIMIT_MS);
    }
    const longestGapMs = Math.max(...load.takeGaps().map(({ ms }) => ms));
    const findings = (await load.finish(LIMIT_MS)) ? [] : ['silent: a client could not finish its payment'];
    const verdict = await stage.check(load);
    const labels = await Promise.all(
      sandboxes.map(async (name) => {
        const path = `/v2/accounts/sub_account/${seeded.get(name)?.sub_account_id}`;
        const { text } = await send(`${members[0]?.url}${path}`, { headers: { 'api-key': `test_${name}` } });
        return String((JSON.parse(text) as { label?: string }).label);
      }),
    );
    return {
      ...verdict,
      findings: [...findings, ...verdict.findings],
      longestGapMs,
      migrated: labels.filter((label) => label.startsWith('migrated ')).length,
      sandboxes: sandboxes.length,
    };
  });
}
