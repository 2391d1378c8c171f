/**
 * Follows the guide to a cluster: two instances, the bucket of the command and Debian's HAProxy, with the blocks of the page in
 * their order and on other ports. Where workerd is not installed, the test in `cluster.test.ts` says so.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { freePort } from '../cli/support.ts';
import { isRunning, LAUNCHER, makeFolder, startBank } from '../server/process/support.ts';
import { examplesOf, runScript } from '../support/page-examples.ts';
import { WORKERD } from '../support/workerd-program.ts';

/** It waits for a lease of 20 seconds once, and needs half a minute on a quiet machine. */
const LIMIT_MS = 300_000;
const HAPROXY = '/usr/sbin/haproxy';
const PAGE = readFileSync(fileURLToPath(new URL('../../docs/guides/cluster.md', import.meta.url)), 'utf8');

function blocksOf(section: string): string[] {
  return examplesOf(PAGE)
    .filter(({ heading }) => heading === section)
    .map(({ script }) => script);
}

/** A folder for the PATH, with `sandbank`. */
function makePrograms(): string {
  const folder = makeFolder();
  const script = `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`;
  writeFileSync(join(folder, 'sandbank'), script, { mode: 0o755 });
  return folder;
}

const idsIn = (text: string): string[] => [...text.matchAll(/"id": "(txn_\w+)"/g)].map(([, id = '']) => id);

describe.runIf(WORKERD !== '')('the guide to a cluster', () => {
  it(
    'is followed as it is written: an instance is killed, and the other one has its payments',
    async () => {
      expect(existsSync(HAPROXY), 'HAProxy is installed').toBe(true);
      const oneMachine = await startBank();
      const [init = ''] = blocksOf('Write the files');
      const trial = blocksOf('Try several instances on this machine');
      const [save = '', bring = ''] = blocksOf('Back up and migrate');
      const kill = trial.findIndex((block) => block.includes('kill -9'));
      const ports = await Promise.all([4800, 4811, 4812, 9000].map(async (port) => [port, await freePort()]));
      const [, first, second] = ports.map(([, port]) => port);
      const script = [
        init,
        ...trial.slice(0, kill),
        'cat disk-1/processes.json\n',
        ...trial.slice(kill, -1),
        'echo; cat second.json\n',
        save,
        bring.replace('http://127.0.0.1:4800', oneMachine.url),
        ...trial.slice(-1),
      ]
        .join('')
        .replace('--port 481$n', `--port $((n == 1 ? ${first} : ${second}))`)
        .replaceAll(/\b(?:48\d\d|9000)\b/g, (port) =>
          String(new Map(ports as [number, number][]).get(Number(port))),
        );
      const { HOME = '', PATH = '' } = process.env;
      const ran = await runScript(
        script.replace('cluster bucket &', 'cluster bucket --port $BUCKET &'),
        {
          HOME,
          PATH: [makePrograms(), dirname(process.execPath), PATH, dirname(HAPROXY)].join(delimiter),
          SANDBANK_WORKERD: WORKERD,
          BUCKET: String(ports[3]?.[1]),
        },
        LIMIT_MS,
      );
      expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 });
      const [, workerd = ''] = /"workerd":(\d+)/.exec(ran.stdout) ?? [];
      expect(isRunning(Number(workerd)), 'it ended with its supervisor').toBe(false);
      const ids = idsIn(ran.stdout);
      const made = [...new Set(ids)];
      expect(ids.slice(0, 2), 'the repeated request made no second payment').toEqual([ids[0], ids[0]]);
      const headers = { 'api-key': 'test_payments-team' };
      const { text } = await oneMachine.v2('GET', '/v2/payments/transaction', undefined, headers);
      for (const id of made) expect(text).toContain(id);
      expect(idsIn(JSON.stringify(JSON.parse(text), null, 1)).toSorted()).toEqual(made.toSorted());
    },
    LIMIT_MS,
  );
});
