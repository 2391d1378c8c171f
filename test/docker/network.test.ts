/** Banks in networks: Compose, a service container as in GitHub Actions, and webhooks to other containers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Ran, ROOT, run } from '../package/support.ts';
import { makeFolder } from '../server/process/support.ts';
import { clientOf } from './client.ts';
import {
  BASE,
  containerOf,
  docker,
  freshName,
  IMAGE,
  LABEL,
  runBank,
  runContainer,
  tryDocker,
  until,
} from './engine.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Prints the body of each request that it receives. */
const RECEIVER = `require('http').createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => { body += chunk });
  request.on('end', () => { console.log(body); response.end() });
}).listen(3000, '0.0.0.0', () => console.log('listening'))`;

describe('two banks on one network', () => {
  it('are reached by their names, have their own data, and send webhooks to another container', async () => {
    const network = freshName();
    await docker('network', 'create', '--label', LABEL(), network);
    const receiver = await runContainer(
      ['--network', network, '--network-alias', 'receiver', '--entrypoint', 'node'],
      [IMAGE, '-e', RECEIVER],
    );
    await until('the receiver', async () => (await receiver.logs()).includes('listening'));
    const [one, two] = await Promise.all([
      runBank('--network', network, '--network-alias', 'bank-one'),
      runBank('--network', network, '--network-alias', 'bank-two'),
    ]);
    const [first, second] = [await clientOf(one), await clientOf(two)];
    const url = 'http://receiver:3000/webhooks';
    expect((await first.call('POST', '/v2/webhook', { url, events: ['transaction.created'] })).status).toBe(
      201,
    );
    const { status, body } = await first.pull('12.50');
    expect(status).toBe(201);
    expect((await second.call('GET', `/v2/payments/transaction/${body.id}`)).status).toBe(404);
    await until('the event', async () => (await receiver.logs()).includes(String(body.id)));
    for (const name of ['bank-one', 'bank-two']) {
      const script = `fetch('http://${name}:4800/readyz').then((response) => console.log(response.status))`;
      expect(await receiver.exec('node', '-e', script)).toBe('200\n');
    }
  });
});

it('a service container of the GitHub guide becomes healthy with its options, and answers at its port', async () => {
  const { services } = parse(read('examples/docker/github-workflow.yml')).jobs.test as {
    services: { bank: { env: Record<string, string>; options: string } };
  };
  const { env, options } = services.bank;
  const words = [...options.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
  const network = freshName();
  await docker('network', 'create', '--label', LABEL(), network);
  const bank = await runContainer([
    ...['--network', network, '--network-alias', 'bank', '--publish', '127.0.0.1::4800', ...words],
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ]);
  await until('healthy', async () => (await bank.inspect('.State.Health.Status')) === 'healthy');
  const headers = { 'api-key': 'test_default', 'x-control-token': env.SANDBANK_CONTROL_TOKEN ?? '' };
  const response = await fetch(`${await bank.url()}/_sandbox`, { headers });
  expect(response.status).toBe(200);
  expect(JSON.parse(await response.text())).toMatchObject({ rails: 'manual' });
});

describe('Compose', () => {
  const projects: string[][] = [];
  let command: Promise<readonly string[]> | undefined;
  /** `docker compose`, or `docker-compose` of version 1. */
  const composeCommand = async (): Promise<readonly string[]> =>
    (await tryDocker('compose', 'version')).code === 0 ? ['docker', 'compose'] : ['docker-compose'];

  /** Runs Compose with a file whose published ports are free ones. */
  async function compose(path: string): Promise<(...words: string[]) => Promise<Ran>> {
    command ??= composeCommand();
    const [program = '', ...first] = await command;
    const content = parse(read(path)) as {
      services: Record<string, { ports?: string[]; image?: string; build?: string }>;
    };
    for (const service of Object.values(content.services)) {
      service.ports = service.ports?.map((port) => `127.0.0.1::${port.split(':').at(-1)}`) ?? [];
      if (service.build !== undefined) {
        delete service.build;
        service.image = IMAGE;
      } else service.image = BASE;
    }
    const file = join(makeFolder(), 'compose.yml');
    // Version 1 requires the field.
    writeFileSync(file, stringify(content));
    const options = [
      '--file',
      file,
      '--project-directory',
      join(ROOT, path, '..'),
      '--project-name',
      freshName(),
    ];
    projects.push([program, ...first, ...options]);
    return (...words) => run(program, [...first, ...options, ...words], { cwd: ROOT });
  }

  afterAll(async () => {
    for (const [program = '', ...words] of projects) {
      await run(program, [...words, 'down', '--volumes', '--timeout', '5'], { cwd: ROOT });
    }
  });

  it('starts the bank of docker-compose.yml, which is healthy and keeps its data when it is made again', async () => {
    const call = await compose('docker-compose.yml');
    const started = await call('up', '--detach');
    expect(started).toMatchObject({ code: 0 });
    const find = async () => containerOf((await call('ps', '--quiet')).stdout.trim());
    const bank = await find();
    await until('healthy', async () => (await bank.inspect('.State.Health.Status')) === 'healthy');
    const { stdout: variables } = await call('exec', '-T', 'sandbank', 'sandbank', 'env');
    expect(variables).toContain('SANDBANK_CONTROL_TOKEN');
    const payment = { sub_account_id: '', counterparty_id: '', amount: '12.50' };
    payment.sub_account_id = /sub_account_id='?(\w[^'\n]*)/.exec(variables)?.[1] ?? '';
    payment.counterparty_id = /ach_counterparty_id='?(\w[^'\n]*)/.exec(variables)?.[1] ?? '';
    const post = ['sandbank', 'post', '/v2/payments/ach/pull', '--data', JSON.stringify(payment)];
    const { stdout: made } = await call('exec', '-T', 'sandbank', ...post);
    expect(made).toContain('"12.50"');
    expect(await call('up', '--detach', '--force-recreate')).toMatchObject({ code: 0 });
    const again = await find();
    expect(again.name).not.toBe(bank.name);
    await again.ready();
    expect(
      (await call('exec', '-T', 'sandbank', 'sandbank', 'get', '/v2/payments/transaction')).stdout,
    ).toContain('"12.50"');
  });

  it('starts the bank and the backend of the example, which pays through it', async () => {
    const call = await compose('examples/docker/compose.yml');
    expect(await call('up', '--detach')).toMatchObject({ code: 0 });
    const { stdout } = await call('port', 'backend', '3000');
    const response = await until('the payment', () =>
      fetch(`http://${stdout.trim()}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"amount":"12.50"}',
      }).catch(() => undefined),
    );
    expect(response.ok).toBe(true);
    expect(await response.text()).toContain('12.50');
  });
});
