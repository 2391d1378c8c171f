/** The image: its user, files, size and layers, and where a bank writes. */
import { describe, expect, it } from 'vitest';
import { clientOf } from './client.ts';
import { BASE, docker, IMAGE, LABEL, runBank, runContainer, TOKEN } from './engine.ts';

/** What the bank adds to its base. */
const MOST_MB = 20;

async function inspect(image: string): Promise<{
  Size: number;
  RootFS: { Layers: string[] };
  Config: {
    User: string;
    Env: string[];
    Volumes: Record<string, object>;
    ExposedPorts: Record<string, object>;
    Healthcheck?: { Test: string[] };
  };
}> {
  return JSON.parse(await docker('image', 'inspect', image))[0];
}

const inImage = (script: string, ...options: string[]): Promise<string> =>
  docker('run', '--rm', '--label', LABEL(), '--entrypoint', 'node', ...options, IMAGE, '-e', script);

describe('the image', () => {
  it('runs as a user who is not root, and has a health check, one volume and one port', async () => {
    const { Config } = await inspect(IMAGE);
    expect(Config.Healthcheck?.Test).toEqual(['CMD', 'sandbank', 'healthcheck']);
    expect(Object.keys(Config.Volumes)).toEqual(['/data']);
    expect(Object.keys(Config.ExposedPorts)).toEqual(['4800/tcp']);
    expect(Config.Env.join('\n')).not.toMatch(/TOKEN|SECRET|PASSWORD/);
    expect(await inImage('console.log(process.getuid(), process.getgid())')).toBe('1000 1000\n');
  });

  it(`adds at most ${MOST_MB} MB to its base, in layers after those of the base`, async () => {
    const [image, base] = await Promise.all([inspect(IMAGE), inspect(BASE)]);
    expect(image.RootFS.Layers.slice(0, base.RootFS.Layers.length)).toEqual(base.RootFS.Layers);
    expect((image.Size - base.Size) / 1e6).toBeLessThan(MOST_MB);
  });
});

describe('a bank in a container', () => {
  it('writes only to its volume and to /tmp, and logs no secret', async () => {
    const secrets = { SANDBANK_CONTROL_TOKEN: TOKEN, SANDBANK_SECRET_ROOT: 'r'.repeat(50) };
    const bank = await runBank(
      ...Object.entries({
        ...secrets,
        SANDBANK_LOG_LEVEL: 'trace',
        SANDBANK_WEBHOOK_URL: 'http://somebody:a-password-of-ours@127.0.0.1:9/webhooks',
      }).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    );
    const client = await clientOf(bank);
    const { status } = await client.pull('12.50');
    expect(status).toBe(201);
    const webhook = await client.call('POST', '/v2/webhook', {
      url: 'http://127.0.0.1:9/',
      events: ['transaction.created'],
    });
    const variables = await bank.exec('sandbank', 'env');
    await bank.exec('sandbank', 'trigger', 'transaction.status.settled');
    expect(variables).toContain(TOKEN);
    expect((await bank.stop()).code).toBe(0);

    // Docker lists the changes of the container's own layer, which does not contain the volume.
    const changes = (await docker('diff', bank.name)).trim().split('\n');
    expect(changes.filter((line) => !/^([ACD] \/tmp(\/|$)|$)/.test(line))).toEqual([]);

    const logs = await bank.logs();
    const lines = logs.trim().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([]);
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('listening');
    const words = [...Object.values(secrets), 'a-password-of-ours', webhook.body.secret];
    expect(words.filter((word) => typeof word !== 'string' || logs.includes(word))).toEqual([]);
  });

  it('logs the control token that it made, once', async () => {
    const bank = await runContainer([]);
    await bank.ready();
    const token = /SANDBANK_CONTROL_TOKEN='?([^'\n]+)/.exec(await bank.exec('sandbank', 'env'))?.[1] ?? '';
    expect(token.length).toBeGreaterThanOrEqual(16);
    await bank.exec('sandbank', 'clock', 'advance', '1d');
    expect((await bank.logs()).split(token)).toHaveLength(2);
  });
});
