/**
 * The commands that call a bank, against a bank in this process: their effects, and their output with and without
 * `--json`. Each test has its own sandbox.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbank } from '../../src/kit/bank.ts';
import { startSandbank } from '../../src/kit/start.ts';
import { defaultSeedDocument } from '../../src/sandboxes/sandbox/seed-document.ts';
import { readConfig } from '../../src/server/process/config.ts';
import type { Config } from '../../src/server/process/settings.ts';
import { startServer } from '../../src/server/server.ts';
import { makeFolder } from '../support/folder.ts';
import { PATIENTLY } from '../support/patience.ts';
import { sandbank } from './support.ts';

let server: Sandbank;
let bank: Sandbank;
let made = 0;

beforeAll(async () => {
  server = await startSandbank({ rails: 'manual' });
});
afterAll(() => server.close());
beforeEach(async () => {
  made += 1;
  bank = await server.inSandbox(`cli_${made}`);
});

/** Runs a command on the sandbox of the test, which must succeed. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbank(words, bank.env);
  expect({ code, stderr }, words.join(' ')).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The output of a command as JSON. */
async function json(...words: string[]) {
  const stdout = await run(...words, '--json');
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

const seed = async (name: string): Promise<string> => (await bank.seeded())[name] ?? '';

describe('clock', () => {
  it("shows the sandbox's clock", async () => {
    await bank.clock.freeze('2026-12-24T12:00:00Z');
    expect(await run('clock')).toBe('2026-12-24T12:00:00.000Z  frozen\n');
    expect(await json('clock')).toEqual({ mode: 'frozen', now: '2026-12-24T12:00:00.000Z', rate: 0 });
  });

  it('freezes the clock, and runs it at a rate', async () => {
    expect(await run('clock', 'freeze', '2026-12-24T12:00:00Z')).toContain('frozen');
    expect(await json('clock', 'run', '--rate', '60')).toMatchObject({ mode: 'scaled', rate: 60 });
    expect(await json('clock', 'run', '2026-12-25T12:00:00Z')).toMatchObject({ mode: 'live' });
  });

  it('advances by a duration, by banking days and to an instant', async () => {
    await bank.clock.freeze('2026-12-24T12:00:00Z');
    expect(await run('clock', 'advance', 'P1D')).toBe(
      '2026-12-24T12:00:00.000Z -> 2026-12-25T12:00:00.000Z  steps: 0, events: 0, deliveries: 0\n',
    );
    const byDays = await json('clock', 'advance', '--business-days', '1');
    expect(byDays.clock.now).toBe('2026-12-28T12:00:00.000Z');
    const to = await json('clock', 'advance', '--to', '2026-12-29T00:00:00Z');
    expect(to.clock.now).toBe('2026-12-29T00:00:00.000Z');
  });

  it('names the step at which the clock stopped, which may be days later', async () => {
    const { sub_account_id, ach_counterparty_id } = await bank.seeded();
    const body = {
      ...{ sub_account_id, counterparty_id: ach_counterparty_id, amount: '1.00', currency: 'USD' },
      description: 'Rent',
    } as const;
    const { id } = await bank.v2.originateAchPull({ body });
    expect(await run('clock', 'settle')).toMatch(
      new RegExp(`\nthe last step: ${id} \\(ach_pull\\) is settled at 20`),
    );
  });

  it('settles pending payments, and names those that wait for an action', async () => {
    const events = await json('trigger', 'transaction.status.in_review');
    const id: string = events.events[0].resource_id;
    expect(await run('clock', 'settle')).toContain(`${id} is in_review and waits for a simulated event`);
  });
});

describe('a duration', () => {
  it.each([
    ['2d', '2026-12-26T12:00:00.000Z'],
    ['90m', '2026-12-24T13:30:00.000Z'],
    ['1h30m', '2026-12-24T13:30:00.000Z'],
    ['1w', '2026-12-31T12:00:00.000Z'],
    ['P1DT1S', '2026-12-25T12:00:01.000Z'],
  ])('of %s advances the clock from noon to %s', async (text, now) => {
    await bank.clock.freeze('2026-12-24T12:00:00Z');
    expect((await json('clock', 'advance', text)).clock.now).toBe(now);
  });

  it('is accepted by faults and rules too', async () => {
    expect(await json('fault', 'add', '--latency', '0', '--ttl', '30s')).toMatchObject({
      ttl: 'PT30S',
    });
    const { rules } = await json(
      'rule',
      'add',
      '--rail',
      'ach_pull',
      '--return-code',
      'R01',
      '--after',
      '2d',
    );
    expect(rules[0].outcome.after).toBe('P2D');
  });
});

describe('requests', () => {
  it('with every method send the key of their version, and print the response', async () => {
    const id = await seed('sub_account_id');
    expect(await json('get', `/v2/accounts/sub_account/${id}`)).toMatchObject({
      id,
      available_balance: '5000.00',
    });
    const [contact, person] = [await seed('contact_id'), await seed('person_id')];
    const spent = await json('post', `v1/card/${await seed('card_id')}/test`, '--data', '{"amount":"14.90"}');
    expect(spent).toMatchObject({ status: 'approved' });
    expect(
      await json(
        'patch',
        `v1/contact/${contact}`,
        '--header',
        `sd-person-id: ${person}`,
        '--data',
        '{"name":"Pat"}',
      ),
    ).toMatchObject({ name: 'Pat' });
    expect(await json('put', '_sandbox/clock', '--data', '{"mode":"frozen"}')).toMatchObject({
      mode: 'frozen',
    });
    const webhook = await json('webhook', 'add', '--receiver');
    expect(await run('delete', `v2/webhook/${webhook.id}`)).toBe('');
  });

  it.each([
    ['v1/receive/ach', 'accountId', 'contactId', 'account_id', 'contact_id'],
    ['v2/payments/ach/pull', 'sub_account_id', 'counterparty_id', 'sub_account_id', 'ach_counterparty_id'],
  ])(
    'with %s accept an idempotency key',
    async (path, account, counterparty, accountName, counterpartyName) => {
      const data = JSON.stringify({
        [account]: await seed(accountName),
        [counterparty]: await seed(counterpartyName),
        amount: '12.00',
        ...(path.startsWith('v1') && { type: 'sameDay' }),
      });
      const words = ['post', path, '--data', data, '--idempotency-key', 'twice'];
      expect((await json(...words)).id).toBe((await json(...words)).id);
    },
  );

  it('read a body from a file, and write one to a file', async () => {
    const folder = makeFolder();
    const body = join(folder, 'label.json');
    writeFileSync(body, '{"label":"Travel"}');
    const card = await seed('virtual_card_id');
    expect(await json('patch', `v2/issuing/card/${card}`, '--data', `@${body}`)).toMatchObject({
      label: 'Travel',
    });
    const written = join(folder, 'card.json');
    expect(await run('get', `v2/issuing/card/${card}`, '--output', written)).toBe('');
    expect(JSON.parse(readFileSync(written, 'utf8'))).toMatchObject({ label: 'Travel' });
  });

  it('that are refused print the body on stdout and the reason on stderr, and exit with 1, or with 2 after a 400', async () => {
    const unknown = await sandbank(['get', 'v2/webhook/whk_unknown', '--json'], bank.env);
    expect(unknown).toMatchObject({
      code: 1,
      stderr: 'sandbank: GET /v2/webhook/whk_unknown returned 404\n',
    });
    expect(JSON.parse(unknown.stdout)).toMatchObject({ status: 404 });
    const wrong = await sandbank(['get', 'v2/webhook?limit=none'], bank.env);
    expect(wrong).toMatchObject({ code: 2, stderr: 'sandbank: GET /v2/webhook returned 400\n' });
  });
});

describe('open', () => {
  it('prints the address of the inspector and of records in it', async () => {
    const base = `${bank.url}/_sandbox/ui/${bank.apiKey.replace('test_', '')}`;
    expect(await run('open', '--print')).toBe(`${base}/\n`);
    const account = await seed('sub_account_id');
    expect(await run('open', account, '--print')).toBe(`${base}/accounts/${account}\n`);
    const { events } = await json('trigger', 'card.status.blocked');
    expect(await json('open', events[0].id, '--print')).toEqual({ url: `${base}/events/${events[0].id}` });
  });

  it('reports an unknown record', async () => {
    const { code, stderr } = await sandbank(
      ['open', 'txn_0190aaaaaaaaaaaaaaaaaaaaaaaaaaaa', '--print'],
      bank.env,
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'sandbank: the sandbox has no record txn_0190aaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
    });
  });
});

describe('events', () => {
  it('are listed with the newest last', async () => {
    await run('trigger', 'card.status.blocked');
    await run('trigger', 'transaction.created');
    const { events } = await json('events', '--api-version', 'v2', '--limit', '2');
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'counterparty.status.activated',
      'transaction.created',
    ]);
    const lines = (await run('events', '--type', 'card.*', '--limit', '1')).split('\n');
    expect(lines[0]).toMatch(/^\S+ {2}evt_\w+ {2}card\.status\.blocked {2}crd_\w+$/);
  });

  it('are listed after a given one', async () => {
    const { events } = await json('trigger', 'card.status.blocked');
    await run('trigger', 'family.created');
    const since = await json('events', '--since', events[0].id, '--api-version', 'v1');
    expect(since.events.map(({ type }: { type: string }) => type)).toContain('family.created');
  });

  it('of an unknown kind are refused', async () => {
    const said = async (type: string) => (await sandbank(['events', '--type', type], bank.env)).stderr;
    expect(await said('transaction.lost')).toBe(
      'sandbank: transaction.lost is not an event type of v2 or v1; did you mean transaction.created?\n',
    );
    expect(await said('salary')).toBe('sandbank: salary is not an event type of v2 or v1\n');
  });
});

describe('snapshot, reset and seed', () => {
  const label = async (): Promise<string> =>
    (await bank.v2.retrieveSubAccount({ params: { sub_account_id: await seed('sub_account_id') } })).label;
  const rename = async (to: string): Promise<void> => {
    const sub_account_id = await seed('sub_account_id');
    await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: to } });
  };

  it('restore a sandbox', async () => {
    const before = await label();
    await rename('Before');
    expect(await run('snapshot', 'take', 'before')).toMatch(/^before {2}\d+ bytes\n$/);
    await rename('After');
    expect(await run('snapshot', 'restore', 'before')).toContain(`cli_${made}  as of `);
    expect(await label()).toBe('Before');
    expect((await json('snapshot', 'list')).snapshots).toHaveLength(1);
    expect(await run('snapshot', 'delete', 'before')).toBe('before is deleted\n');
    expect((await json('snapshot', 'list')).snapshots).toEqual([]);
    await json('reset');
    expect(await label()).toBe(before);
  });

  it('add the records of a seed document', async () => {
    const document = structuredClone(defaultSeedDocument()) as { accounts: { as: string; label: string }[] };
    for (const account of document.accounts) account.label = 'Seeded anew';
    const file = join(makeFolder(), 'seed.json');
    writeFileSync(file, JSON.stringify(document));
    expect(await run('seed', file)).toMatch(/^account +sub_\w+$/m);
    expect(await label()).toBe('Seeded anew');
  });

  it('report the errors of a seed document', async () => {
    const file = join(makeFolder(), 'seed.json');
    expect((await sandbank(['seed', file], bank.env)).stderr).toContain(
      `${file} cannot be read: ENOENT: no such file or directory`,
    );
    writeFileSync(file, '{');
    expect((await sandbank(['seed', file], bank.env)).stderr).toContain(`${file} is not valid JSON: `);
    writeFileSync(file, '{}');
    const { code, stderr } = await sandbank(['seed', file], bank.env);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^sandbank: field_missing: .+\n$/),
    });
  });
});

describe('simulate', () => {
  it('moves a payment from one event to the next', async () => {
    const { transaction } = await json(
      'simulate',
      'incoming',
      'ach_push',
      '--amount',
      '75.00',
      '--name',
      'Pat Rowe',
    );
    expect(transaction).toMatchObject({ amount: '75.00', status: 'received' });
    expect(await run('simulate', 'transaction', transaction.id, 'settle')).toBe(
      `${transaction.id}  settle -> settled\n`,
    );
    const returned = await json('simulate', 'transaction', transaction.id, 'return', '--return-code', 'R03');
    expect(returned.transaction.status).toBe('returned');
  });

  it('returns a payment late only with the option for it', async () => {
    await bank.clock.freeze('2026-11-20T18:00:00Z');
    const words = ['simulate', 'incoming', 'ach_push', '--amount', '75.00'];
    const { id } = (await json(...words)).transaction;
    await run('simulate', 'transaction', id, 'settle');
    await run('clock', 'advance', 'P400D');
    const refused = await sandbank(['simulate', 'transaction', id, 'return'], bank.env);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('2026-11-24T13:30:00Z');
    expect(await run('simulate', 'transaction', id, 'return', '--late')).toBe(`${id}  return -> returned\n`);
  });

  it('identifies an account by its number, as another bank does', async () => {
    const id = await seed('other_sub_account_id');
    const { account_number } = await bank.v2.retrieveSubAccount({ params: { sub_account_id: id } });
    const arrive = async (number: string) =>
      (await json('simulate', 'incoming', 'rtp', '--amount', '1.00', '--account-number', number)).transaction;
    expect((await arrive(account_number)).sub_account_id).toBe(id);
    expect((await arrive('9500000000000000')).sub_account_id).toBe('');
  });

  it('runs the steps of a purchase', async () => {
    const words = [
      'simulate',
      'authorize',
      '--amount',
      '20.00',
      '--merchant',
      'Harbor Books',
      '--mcc',
      '5942',
    ];
    const { transaction } = await json(...words);
    expect(transaction).toMatchObject({
      status: 'pending',
      card: { merchant: 'Harbor Books' },
    });
    const more = await json('simulate', 'authorization', transaction.id, 'increment', '--amount', '5.00');
    expect(more.authorization.amount).toBe('25.00');
    const part = await json(
      'simulate',
      'authorization',
      transaction.id,
      'capture',
      '--amount',
      '10.00',
      '--keep-rest',
    );
    expect(part.authorization.status).toBe('pending');
    expect(await run('simulate', 'authorization', transaction.id, 'capture')).toMatch(/settled\n$/);
    expect(await run('simulate', 'refund', '--amount', '1.00')).toMatch(/^txn_\w+ {2}refund 1\.00 \w+\n$/);
  });

  it('runs actions that only the platform has', async () => {
    const holder = await seed('person_holder_id');
    const account = await seed('sub_account_id');
    const card = await seed('virtual_card_id');
    expect(await run('simulate', 'holder', holder, 'lock')).toBe(`${holder}  lock -> locked\n`);
    expect(await run('simulate', 'account', account, 'lock')).toBe(`${account}  lock -> locked\n`);
    expect(await run('simulate', 'card', card, 'lock')).toBe(`${card}  lock -> locked\n`);
  });

  it('lists the possible events of a payment', async () => {
    const { transaction } = await json('simulate', 'incoming', 'ach_push', '--amount', '75.00');
    const { code, stderr } = await sandbank(['simulate', 'transaction', transaction.id, 'submit'], bank.env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .*received.*settle.*\n$/);
  });
});

describe('faults and rules', () => {
  it('from options and from a document make requests fail, until they are removed', async () => {
    const words = ['--route', '/v2/accounts/*', '--status', '503', '--code', 'maintenance', '--times', '1'];
    expect(await run('fault', 'add', ...words)).toBe(
      'flt_1  route /v2/accounts/*  status 503 maintenance  0 of 0 requests\n',
    );
    const sub_account_id = await seed('sub_account_id');
    const retrieve = () => bank.v2.retrieveSubAccount({ params: { sub_account_id } });
    await expect(retrieve()).rejects.toMatchObject({ status: 503 });
    expect((await retrieve()).id).toBe(sub_account_id);
    expect(await run('fault', 'list')).toContain('1 of 1 requests, over');
    const file = join(makeFolder(), 'fault.json');
    writeFileSync(file, '{"latency":{"min_ms":1,"max_ms":2},"match":{"method":"GET"}}');
    expect(await json('fault', 'add', '--file', file)).toMatchObject({ latency: { min_ms: 1, max_ms: 2 } });
    expect(await run('fault', 'delete', 'flt_1')).toBe('flt_1 is deleted\n');
    expect((await json('fault', 'list')).faults).toHaveLength(1);
    expect(await run('fault', 'clear')).toBe('');
    expect((await json('fault', 'list')).faults).toEqual([]);
  });

  it('decide the outcome of payments, in their order', async () => {
    await run('rule', 'add', '--rail', 'ach_pull', '--min', '500.00', '--return-code', 'R01');
    const { rules } = await json('rule', 'add', '--mcc', '7995', '--decline', 'categoryNotAllowed');
    expect(rules).toEqual([
      { match: { rail: 'ach_pull', amount: { min: '500.00' } }, outcome: { return_code: 'R01' } },
      { match: { mcc: '7995' }, outcome: { decline_reason: 'categoryNotAllowed' } },
    ]);
    const { transaction } = await json('simulate', 'authorize', '--amount', '5.00', '--mcc', '7995');
    expect(transaction.status).toBe('declined');
    expect(await run('explain', transaction.id)).toContain('rule 2');
    const file = join(makeFolder(), 'rules.json');
    writeFileSync(file, '{"rules":[{"match":{},"outcome":{"review":true}}]}');
    expect(await run('rule', 'set', file)).toBe('rule 1  every payment  -> review true\n');
    expect(await run('rule', 'clear')).toBe('');
    expect((await json('rule', 'list')).rules).toEqual([]);
  });
});

describe('webhooks', () => {
  it('can be created, redelivered to, caught up and deleted', async () => {
    const receiver = await bank.receiver({ types: ['sub_account.updated'] });
    const { webhooks } = await json('webhook', 'list');
    const { id } = webhooks.find(({ url }: { url: string }) => url === `${receiver.url}/v2`);
    const { events } = await json('trigger', 'sub_account.updated');
    await receiver.next('sub_account.updated', PATIENTLY);
    expect(await run('resend', events[0].id, '--webhook', id)).toBe(`${events[0].id}  to ${id}\n`);
    expect((await receiver.next('sub_account.updated', PATIENTLY)).id).toBe(events[0].id);
    await bank.sandbox.drain();
    const attempts = await run('webhook', 'attempts', events[0].id);
    expect(attempts.match(/attempt 1 {2}200/g)).toHaveLength(2);
    expect(await run('webhook', 'send-example', id, 'sub_account.updated')).toMatch(
      /^evt_\w+ {2}sub_account\.updated {2}200/,
    );
    expect(await run('replay', id, '--since', '2020-01-01T00:00:00Z')).toMatch(/^whk_\w+ {2}\d+ queued/);
    expect(await run('webhook', 'delete', id)).toBe(`${id} is deleted\n`);
    expect((await sandbank(['replay', id], bank.env)).stderr).toContain('webhook_not_found');
  });

  it('that refuse an example make the command exit with 1', async () => {
    const { id } = await json('webhook', 'add', 'http://127.0.0.1:9/');
    const { code, stdout, stderr } = await sandbank(
      ['webhook', 'send-example', id, 'sub_account.updated'],
      bank.env,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('sub_account.updated');
    expect(stderr).toMatch(/^sandbank: the receiver did not accept sub_account\.updated: .+\n$/);
  });
});

describe('sandboxes and files', () => {
  it('can be copied, listed and deleted', async () => {
    const name = `cli_${made}_copy`;
    expect(await run('sandbox', 'create', name, '--from', `cli_${made}`)).toBe(`${name}  test_${name}\n`);
    expect(await run('sandbox', 'list')).toMatch(new RegExp(`^${name} +test_${name} +in memory +open$`, 'm'));
    expect((await sandbank(['sandbox', 'create', name], bank.env)).stderr).toContain('sandbox_exists');
    expect(await run('sandbox', 'delete', name)).toBe(`${name} is deleted\n`);
  });

  it('can be transferred from one sandbox to another', async () => {
    const sub_account_id = await seed('sub_account_id');
    await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Carried' } });
    const file = join(makeFolder(), 'bank.sqlite');
    expect(await run('export', file)).toMatch(/bank\.sqlite {2}\d+ bytes\n$/);
    expect((await sandbank(['export', file], bank.env)).stderr).toMatch(/exists.*--force\n$/);
    expect((await sandbank(['export', join(file, 'in-a-file')], bank.env)).stderr).toMatch(/ENOTDIR/);
    await run('export', file, '--force');
    await run('reset');
    await run('import', file);
    expect((await bank.v2.retrieveSubAccount({ params: { sub_account_id } })).label).toBe('Carried');
    const rows = `${file}.rows`;
    await run('export', rows, '--rows');
    expect(readFileSync(rows).subarray(0, 4).toString('hex')).toBe('28b52ffd');
    expect(readFileSync(rows).length).toBeLessThan(readFileSync(file).length / 4);
    await run('reset');
    await run('import', rows);
    expect((await bank.v2.retrieveSubAccount({ params: { sub_account_id } })).label).toBe('Carried');
    writeFileSync(file, 'no bank');
    expect((await sandbank(['import', file], bank.env)).stderr).toContain('image_invalid');
    expect((await bank.v2.retrieveSubAccount({ params: { sub_account_id } })).label).toBe('Carried');
  });
});

describe('logs', () => {
  it('are listed with the newest last, filtered by status and operation, with bodies', async () => {
    const sub_account_id = await seed('sub_account_id');
    await bank.v2.retrieveSubAccount({ params: { sub_account_id } });
    await bank.v2
      .updateSubAccount({ params: { sub_account_id }, body: { status: 'nowhere' as 'open' } })
      .catch(() => {});
    const all = await json('logs');
    expect(all.requests.map(({ status }: { status: number }) => status)).toEqual([200, 400]);
    expect(await run('logs', '--status', '4xx', '--bodies')).toMatch(
      /^\S+ {2}400 {2}PATCH {3}\/v2\/accounts\/sub_account\/\S+ .*\n {4}sent {6}\{"status":"nowhere"\}\n {4}answered {2}\{.*"error".+\n$/,
    );
    expect(await run('logs', '--operation', 'v2_retrieve_sub_account')).toMatch(/^\S+ {2}200 {2}GET .*\n$/);
  });
});

function settings(environment: Record<string, string>): Config {
  const read = readConfig({ SANDBANK_PORT: '0', SANDBANK_DATA: '', ...environment });
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  return read.config;
}

it('a missing control token is reported with the name of its variable', async () => {
  const guarded = await startServer(
    settings({ SANDBANK_CONTROL_TOKEN: 'tiger-lily-and-rose' }),
    pino({ level: 'silent' }),
  );
  try {
    const url = { SANDBANK_URL: guarded.url };
    const { code, stderr } = await sandbank(['clock'], url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .*--control-token or SANDBANK_CONTROL_TOKEN.*\n$/);
    expect((await sandbank(['clock', '--control-token', 'tiger-lily-and-rose'], url)).code).toBe(0);
    expect((await sandbank(['clock'], { ...url, SANDBANK_CONTROL_TOKEN: 'tiger-lily-and-rose' })).code).toBe(
      0,
    );
  } finally {
    await guarded.stop();
  }
});

it('a bank without a control plane is distinguished from an unreachable one', async () => {
  const bare = await startServer(settings({ SANDBANK_CONTROL: 'off' }), pino({ level: 'silent' }));
  try {
    const { code, stderr } = await sandbank(['clock'], { SANDBANK_URL: bare.url });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sandbank: .*SANDBANK_CONTROL.*\n$/);
  } finally {
    await bare.stop();
  }
});

it('exec prints a result only with --json, and exits as its command does', async () => {
  const words = [process.execPath, '-e', "process.exit(process.env.SANDBANK_URL === 'http://x' ? 0 : 3)"];
  expect(await sandbank(['exec', '--', ...words], { SANDBANK_URL: 'http://x' })).toEqual({
    code: 3,
    stdout: '',
    stderr: '',
  });
  const { code, stdout } = await sandbank(['exec', '--json', '--', ...words]);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    exit_code: 3,
    command_exit_code: 3,
    coverage: { exercised: expect.any(Number) },
  });
});
