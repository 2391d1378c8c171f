/**
 * The command line as a whole: its help, how it refuses invalid arguments, and that every command prints JSON.
 */
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { commandLine } from '../../src/command.ts';
import { startSandbank } from '../../src/kit/start.ts';
import { freePort, memoryShell, sandbank } from './support.ts';

/** The commands of the interface. */
const NAMES = [
  'start',
  'exec',
  'env',
  'doctor',
  'get',
  'post',
  'patch',
  'put',
  'delete',
  'open',
  'logs',
  'explain',
  'trace',
  'compare',
  'proxy',
  'listen',
  'trigger',
  'events',
  'webhook',
  'resend',
  'replay',
  'clock',
  'simulate',
  'fault',
  'rule',
  'sandbox',
  'snapshot',
  'reset',
  'seed',
  'export',
  'import',
  'mcp',
  'skill',
  'cluster',
  'healthcheck',
];

/** Every command with an effect, by name. */
function leavesOf(command: Command, words: string): [words: string, command: Command][] {
  // Commands that shells call at each key are hidden, and a script for a shell is not a result.
  if (/^complet/.test(command.name())) return [];
  if (command.commands.length === 0) return [[words, command]];
  return command.commands.flatMap((inner) => leavesOf(inner, `${words} ${inner.name()}`.trim()));
}

const PROGRAM = commandLine(memoryShell());
const LEAVES = leavesOf(PROGRAM, '');

describe('the help', () => {
  it('lists every command', async () => {
    const { code, stdout, stderr } = await sandbank(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const listed = PROGRAM.createHelp().visibleCommands(PROGRAM);
    expect(listed.map((command) => command.name())).toEqual([...NAMES, 'help']);
    for (const name of NAMES) expect(stdout).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  });

  it.each([['-h'], ['-v'], ['clock', '-h']])('is printed for its short forms: %s', async (...words) => {
    expect(await sandbank(words)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [['help'], 'Usage: sandbank '],
    [['help', 'trigger'], 'Usage: sandbank trigger '],
    [['help', 'clock', 'advance'], 'Usage: sandbank clock advance '],
  ])('is printed for %j', async (words, text) => {
    const { code, stdout, stderr } = await sandbank(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${text}`));
  });

  it.each(LEAVES)('of "%s" has an example of this command', async (words) => {
    const { code, stdout } = await sandbank([...words.split(' '), '--help']);
    expect(code).toBe(0);
    const examples = [...stdout.matchAll(/^ {2}\$ sandbank (.+)$/gm)].map(([, line = '']) => line);
    expect(examples).not.toEqual([]);
    for (const example of examples) expect(example).toMatch(new RegExp(`^${words}( |$)`));
  });

  it('groups the commands, and has the address of the documentation', async () => {
    const { stdout } = await sandbank(['--help']);
    expect([...stdout.matchAll(/^(\w[\w ]+):$/gm)].map(([, group]) => group)).toEqual([
      'Options',
      'Run a bank',
      'Requests and inspection',
      'Compare with the platform',
      'Events and webhooks',
      'Simulation',
      'Data and sandboxes',
      'Coding agents',
      'Operate',
      'Examples',
    ]);
    expect(stdout).toContain('http://127.0.0.1:4800/docs');
  });
});

/** Output that is not a response of the bank. */
const WITHOUT_JSON = ['mcp', 'skill'];

test.each(LEAVES.filter(([words]) => !WITHOUT_JSON.includes(words)))(
  'of "sandbank %s" offers --json',
  (_, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  },
);

describe('invalid arguments exit with 2 and one line that says what is accepted', () => {
  test.each([
    [['strat'], 'unknown command \'strat\' (Did you mean start?); see "sandbank --help"'],
    [['toString'], 'unknown command'],
    [[''], 'unknown command'],
    [['start', '--prot', '1'], '(Did you mean --port?); see "sandbank start --help"'],
    [['start', 'fast'], 'too many arguments'],
    [['--prot', '1'], 'Did you mean --port?'],
    [['clock', 'advence', 'P1D'], '(Did you mean advance?)'],
    [['clock', 'advance', '--business-days', 'two'], 'Expected a whole number from 1 to 5000.'],
    [['clock', 'run', '--rate', '0'], 'Expected a number greater than 0.'],
    [['events', '--api-version', 'v3'], 'Allowed choices are v1, v2.'],
    [['events', '--limit', '0'], 'Expected a whole number from 1 to 1000.'],
    [['listen', '--forward-to', 'localhost:3000'], 'Expected an address like'],
    [['exec', '--min-coverage', '101', '--', 'true'], 'Expected a percentage from 0 to 100.'],
    [['exec'], "missing required argument 'command'"],
    [['reset', '--url', '4800'], 'Expected an address like'],
    [['clock', 'advance'], 'clock advance needs a duration like 2d'],
    [['clock', 'advance', '5 days'], 'Expected a duration like 2d, 90m, 1h30m or P2D.'],
    [['clock', 'advance', 'P'], 'Expected a duration like'],
    [['clock', 'advance', '--to', 'tomorrow'], 'Expected an instant with its offset'],
    [['clock', 'freeze', '2026-12-24'], 'Expected an instant with its offset'],
    [['fault', 'add', '--latency', '5', '--ttl', 'soon'], 'Expected a duration like'],
    [['get', 'https://127.0.0.1/v2/webhook'], 'Expected a path like'],
    [['post', 'v2/webhook', '--data', '{url}'], 'the body is not valid JSON'],
    [['get', 'v2/webhook', '--header', 'nothing'], 'Expected a header like'],
    [['events', '--type', 'card'], 'did you mean card.*?'],
    [['trigger'], 'trigger needs an event type; "sandbank trigger --list" prints all types'],
    [
      ['trigger', 'transaction.status.setled'],
      'did you mean transaction.status.settled?; "sandbank trigger --list" prints all types',
    ],
    [['listen', '--events', 'card.*,crad.updated'], 'did you mean card.updated?'],
    [['listen', '--api-version', 'v2', '--events', 'transfer.*'], 'not an event type of v2'],
    [
      ['reset', '--key', 'alice'],
      'A key is test_ and the name of a sandbox, like test_default or test_alice.',
    ],
    [
      ['fault', 'add'],
      'fault add needs --status 503, --code ERROR_CODE_DB_ERROR, --latency 2000, --connection reset, or --file',
    ],
    [['fault', 'add', '--status', '200'], 'Expected a whole number from 400 to 599.'],
    [['fault', 'ad'], '(Did you mean add?)'],
    [['webhook', 'add', 'localhost:3000'], 'Expected an address like'],
    [['webhook', 'add', 'http://127.0.0.1:1/', '--events', 'card.updatd'], 'did you mean card.updated?'],
    [['resend'], "missing required argument 'event'"],
    [['replay'], "missing required argument 'webhook'"],
    [['explain'], "missing required argument 'id'"],
    [['sandbox', 'create'], "missing required argument 'name'"],
    [['export'], "missing required argument 'file'"],
    [['rule', 'set'], "missing required argument 'file'"],
    [['help', 'strat'], 'unknown command'],
    [['simulate', 'incoming', 'ach_push'], "required option '--amount <amount>' not specified"],
  ])('%j', async (words, text) => {
    const { code, stdout, stderr } = await sandbank(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^sandbank: .+\n$/);
    expect(stderr).toContain(text);
  });

  test.each(['snapshot', 'simulate', 'webhook', 'fault', 'rule', 'sandbox'])(
    '%s without its last argument prints its help on stderr',
    async (name) => {
      const { code, stdout, stderr } = await sandbank([name]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(`Usage: sandbank ${name}`);
    },
  );
});

describe('a user and password in the address of the bank', () => {
  const words = [['clock'], ['get', 'v2/accounts/sub_account'], ['get', 'v1/account'], ['webhook', 'list']];

  it.each(words)('are sent as basic authorization: %s %s', async (...command) => {
    const bank = await startSandbank();
    const received: unknown[] = [];
    const gate = createServer((request, response) => {
      received.push(request.headers.authorization);
      const { url, method, headers } = request;
      forward(`${bank.url}${url}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      }).end();
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const url = `http://ada:hidden@127.0.0.1:${(gate.address() as AddressInfo).port}`;
    const { code, stderr } = await sandbank(command, { SANDBANK_URL: url });
    gate.close();
    await bank.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(new Set(received)).toEqual(new Set([`Basic ${Buffer.from('ada:hidden').toString('base64')}`]));
  });

  it.each([
    ['of a bank that does not respond', (port: number) => `http://ada:hidden@127.0.0.1:${port}`],
    ['of an invalid address', () => 'http://ada:hidden@:port'],
  ])('%s are not printed', async (_, addressAt) => {
    const url = addressAt(await freePort());
    const byVariable = await sandbank(['clock'], { SANDBANK_URL: url });
    const byOption = await sandbank(['clock', '--url', url]);
    for (const { code, stdout, stderr } of [byVariable, byOption]) {
      expect(code).toBeGreaterThan(0);
      expect(stderr).toMatch(/^sandbank: .*\n$/);
      expect(stdout + stderr).not.toContain('hidden');
    }
  });
});

describe('without a bank', () => {
  it('at a port that only the bank knows, the bank is asked for it', async () => {
    const { code, stderr } = await sandbank(['clock'], { SANDBANK_PORT: '0' });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'sandbank: the port is 0, a free port: set the address with --url or SANDBANK_URL\n',
    });
  });

  test.each([
    'clock',
    'clock advance P1D',
    'events',
    'logs --follow',
    'trigger card.spend',
    'reset',
    'snapshot list',
    'fault list',
    'rule clear',
    'webhook list',
    'resend evt_1',
    'replay whk_1',
    'explain txn_1',
    'sandbox list',
    'export never-written.sqlite',
    'simulate refund --amount 1.00',
  ])('"sandbank %s" exits with 1 and says how to start one', async (words) => {
    const nobody = { SANDBANK_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout, stderr } = await sandbank(words.split(' '), nobody);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: no bank responds .*sandbank start.*--url.*\n$/);
  });
});
