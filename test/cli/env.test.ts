/** `sandbank env`: the variables in a shell, and finding a bank with a control token by its ready file. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectSandbank } from '../../src/kit/bank.ts';
import { healthcheck } from '../../src/server/process/healthcheck.ts';
import { type Running, startBank } from '../server/process/support.ts';
import { freePort, sandbank } from './support.ts';

const TOKEN = 'a-token-of-this-test';

let bank: Running;
let account = '';
beforeAll(async () => {
  bank = await startBank({ SANDBANK_HOST: '0.0.0.0', SANDBANK_CONTROL_TOKEN: TOKEN });
  account = (await connectSandbank({ url: urlHere(), controlToken: TOKEN }).seeded()).sub_account_id;
});

const urlHere = (): string => bank.url.replace('0.0.0.0', '127.0.0.1');

describe('sandbank env', () => {
  it('sets the address, the key, the token and the ids in a shell', async () => {
    const environment = { SANDBANK_URL: urlHere(), SANDBANK_CONTROL_TOKEN: TOKEN };
    const { code, stdout } = await sandbank(['env'], environment);
    expect(code).toBe(0);
    const script = `${stdout}\necho "$BANK $SANDBANK_URL $SANDBANK_API_KEY $SANDBANK_CONTROL_TOKEN $sub_account_id"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trim()).toBe(
      [urlHere(), urlHere(), 'test_default', TOKEN, account].join(' '),
    );
  });

  it('prints the same as JSON, for PowerShell and fish, and as a .env file', async () => {
    const environment = { SANDBANK_URL: urlHere(), SANDBANK_CONTROL_TOKEN: TOKEN };
    const json = JSON.parse((await sandbank(['env', '--json'], environment)).stdout);
    expect(json).toMatchObject({ BANK: urlHere(), sub_account_id: account });
    const dotenv = (await sandbank(['env', '--dotenv'], environment)).stdout;
    expect(
      Object.fromEntries(
        dotenv
          .trim()
          .split('\n')
          .map((line) => line.split('=')),
      ),
    ).toEqual(json);
    const { stdout } = await sandbank(['env', '--shell', 'powershell'], environment);
    expect(stdout).toContain(`$BANK = $env:BANK = '${urlHere()}'\n`);
    expect(stdout.trim().split('\n')).toHaveLength(Object.keys(json).length);
    const fish = (await sandbank(['env', '--shell', 'fish'], environment)).stdout;
    expect(fish).toContain(`set -gx BANK '${urlHere()}'\n`);
  });

  it('prints the public address, if it differs', async () => {
    const environment = { SANDBANK_URL: urlHere(), SANDBANK_CONTROL_TOKEN: TOKEN };
    const { stdout } = await sandbank(['env', '--as', 'http://127.0.0.1:5999/', '--json'], environment);
    expect(JSON.parse(stdout)).toMatchObject({
      BANK: 'http://127.0.0.1:5999',
      SANDBANK_URL: 'http://127.0.0.1:5999',
    });
  });

  it('reports what is missing if the control plane refuses', async () => {
    const { code, stdout, stderr } = await sandbank(['env'], { SANDBANK_URL: urlHere() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('SANDBANK_CONTROL_TOKEN');
  });
});

describe('the ready file', () => {
  it('contains the address and the token for commands in the same environment', async () => {
    const { code, stdout } = await sandbank(['env', '--json'], { SANDBANK_READY_FILE: bank.readyFile });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ BANK: urlHere(), SANDBANK_CONTROL_TOKEN: TOKEN });
    expect((await sandbank(['clock', 'show'], { SANDBANK_READY_FILE: bank.readyFile })).code).toBe(0);
    // It contains a token, so only its user can read it.
    expect(statSync(bank.readyFile).mode & 0o077).toBe(0);
  });

  it('provides its token for no other address', async () => {
    const environment = { SANDBANK_READY_FILE: bank.readyFile };
    const { code, stderr } = await sandbank(['env', '--url', urlHere()], environment);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('token') });
  });

  it('contains the address for the health check', async () => {
    expect(await healthcheck({ SANDBANK_READY_FILE: bank.readyFile, SANDBANK_PORT: '1' })).toBeNull();
    const port = String(await freePort());
    const missing = { SANDBANK_READY_FILE: `${bank.readyFile}.not-there`, SANDBANK_PORT: port };
    expect(await healthcheck(missing)).toContain(`not ready at 127.0.0.1 port ${port}`);
  });
});
