/**
 * The control plane of the real process: open on loopback, with a token elsewhere, and absent when it is switched
 * off; and a process that stops at once, even if faults and streams keep connections open.
 */
import { readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { welcome } from '../../../src/server/process/welcome.ts';
import { launch, makeFolder, type Settings, type Started, startBank, stop, until } from './support.ts';

const ANYWHERE = { SANDBANK_HOST: '0.0.0.0' };

interface Ready {
  url: string;
  control_token?: string;
}

/** A bank on all addresses requires a token even for its summary, so it is started without that request. */
async function start(
  settings: Settings,
): Promise<Started & Ready & { call(headers?: Settings, path?: string): Promise<number> }> {
  const started = launch({ ...settings, SANDBANK_READY_FILE: `${makeFolder()}/ready.json` });
  const ready = await until('the ready file', () => {
    try {
      return JSON.parse(readFileSync(started.readyFile, 'utf8')) as Ready;
    } catch {
      return undefined;
    }
  });
  const { port } = new URL(ready.url);
  const call = async (headers: Settings = {}, path = '/_sandbox') =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status;
  return { ...started, ...ready, call };
}

const tokensIn = (log: string): string[] =>
  [...log.matchAll(/"control_token":"([^"]+)"/g)].map(([, token]) => token ?? '');

describe('a bank on loopback', () => {
  it('is open to the machine and mentions no token', async () => {
    const bank = await start({});
    expect(bank.control_token).toBeUndefined();
    expect([await bank.call(), await bank.call({ origin: 'https://evil.example' })]).toEqual([200, 403]);
    const { stdout } = await stop(bank);
    expect(tokensIn(stdout)).toEqual([]);
  });

  it('refuses a host name that points to it', async () => {
    const bank = await start({});
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(bank.url).port), '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      socket.on('close', () => resolve(text));
      socket.write('GET /_sandbox HTTP/1.1\r\nhost: evil.example:4800\r\nconnection: close\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).toContain('host_foreign');
  });

  it('requires a token that is set', async () => {
    const bank = await start({ SANDBANK_CONTROL_TOKEN: 'chosen-by-ourselves' });
    expect([await bank.call(), await bank.call({ 'x-control-token': 'chosen-by-ourselves' })]).toEqual([
      401, 200,
    ]);
    expect(bank.control_token).toBe('chosen-by-ourselves');
    const { stdout } = await stop(bank);
    expect(stdout).not.toContain('chosen-by-ourselves');
  });
});

describe('a bank on other addresses', () => {
  it('creates a token, logs it once, and requires it', async () => {
    const bank = await start(ANYWHERE);
    expect(bank.control_token).toMatch(/^[\w-]{32}$/);
    expect(statSync(bank.readyFile).mode & 0o077).toBe(0);
    const token = { 'x-control-token': bank.control_token ?? '' };
    expect([await bank.call(), await bank.call({ 'x-control-token': 'x' }), await bank.call(token)]).toEqual([
      401, 401, 200,
    ]);
    expect(await bank.call({ 'api-key': 'test_default' }, '/v2/webhook')).toBe(200);
    const { stdout } = await stop(bank);
    expect(tokensIn(stdout)).toEqual([bank.control_token]);
  });

  it('prints its token if the log level hides it', async () => {
    const bank = await start({ ...ANYWHERE, SANDBANK_LOG_LEVEL: 'silent' });
    const { stdout, stderr } = await stop(bank);
    expect(stdout).toBe('');
    expect(stderr).toContain(bank.control_token);
  });

  it('creates a new one each time, and uses a configured one', async () => {
    const [one, other, given] = await Promise.all([
      start(ANYWHERE),
      start(ANYWHERE),
      start({ ...ANYWHERE, SANDBANK_CONTROL_TOKEN: 'given-from-outside' }),
    ]);
    expect(one.control_token).not.toBe(other.control_token);
    expect(given.control_token).toBe('given-from-outside');
    expect(await given.call({ 'x-control-token': 'given-from-outside' })).toBe(200);
    expect((await stop(given)).stdout).not.toContain('given-from-outside');
  });

  it('shows a person on a terminal the token that it created', () => {
    const output = {
      url: 'http://0.0.0.0:1',
      apiKey: 'test_default',
      seeded: { sub_account_id: 'sub_1' },
      version: '1.2.3',
    };
    const config = { control: true, data: null, rails: 'fast', secrets: 'random' } as const;
    expect(welcome({ ...output, config, madeToken: 'made' })).toContain('x-control-token: made');
    expect(welcome({ ...output, config })).not.toContain('x-control-token');
  });
});

describe('a bank without a control plane', () => {
  it('has no controls and no token', async () => {
    const bank = await start({ ...ANYWHERE, SANDBANK_CONTROL: 'off' });
    expect(bank.control_token).toBeUndefined();
    expect(await bank.call()).toBe(404);
    expect(await bank.call({ 'api-key': 'test_default' }, '/v2/webhook')).toBe(200);
    expect(tokensIn((await stop(bank)).stdout)).toEqual([]);
  });
});

describe('a process that is stopped', () => {
  it('does not wait for hanging or delayed responses, or for streams', async () => {
    const bank = await startBank();
    const read = (path: string) => fetch(bank.url + path, { headers: { 'api-key': bank.key } });
    for (const fault of [{ connection: 'hang' }, { latency: { fixed_ms: 60_000 } }]) {
      await bank.v2('POST', '/_sandbox/faults', { ...fault, times: 1 });
    }
    const stream = await read('/_sandbox/stream');
    const hanging = read('/v2/webhook').then(
      () => 'answered',
      () => 'broken',
    );
    const late = until('the faults to be met', async () => {
      const { body } = await bank.v2('GET', '/_sandbox/faults');
      return (body.faults as { hits: number }[])[0]?.hits === 1;
    }).then(() => read('/v2/webhook'));
    await until('both faults to be met', async () => {
      const { body } = await bank.v2('GET', '/_sandbox/faults');
      return (body.faults as { hits: number }[]).every(({ hits }) => hits === 1);
    });
    // `test/server/http/silent-connections.test.ts` shows that this needs no deadline.
    expect((await stop(bank)).code).toBe(0);
    expect(await hanging).toBe('broken');
    expect((await late).status).toBe(200);
    expect(await stream.text()).toContain('event: request');
  });
});
