// Replays the recordings of fixtures/recordings against this bank, and one with differences.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbank, startSandbank } from '../../src/kit/index.ts';
import { type Printed, sandbank } from '../cli/support.ts';

const RECORDING = fileURLToPath(new URL('../../fixtures/recordings/second-bank.json', import.meta.url));

let bank: Sandbank;

beforeAll(async () => {
  bank = await startSandbank({ randomSeed: 'replay' });
});
afterAll(() => bank.close());

/** In a separate sandbox: a number that identifies a person can be used once. */
async function compare(sandbox: string, file: string, ...more: string[]): Promise<Printed> {
  const { apiKey } = await bank.inSandbox(sandbox);
  return sandbank(['compare', file, ...more], { SANDBANK_URL: bank.url, SANDBANK_API_KEY: apiKey });
}

describe('a recording', () => {
  it('of the repository equals this bank', async () => {
    const { code, stdout } = await compare('first', RECORDING);
    expect(stdout).toContain('No difference was found.');
    expect(stdout).toContain('45 operations: 45 equal, 0 different, 0 not compared');
    expect(code).toBe(0);
  });

  it('with another value is a difference', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'recordings-')), 'other.json');
    writeFileSync(file, readFileSync(RECORDING, 'utf8').replaceAll('"currency": "usd"', '"currency": "USD"'));
    const { code, stdout } = await compare('second', file, '--json');
    const { differences } = JSON.parse(stdout);
    expect(code).toBe(1);
    const named = differences.map(({ cause, field }: Record<string, string>) => `${cause} ${field}`);
    expect(named).toEqual(['vocabulary currency']);
  });
});
