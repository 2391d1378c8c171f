/**
 * `sandbank fleet` against banks in this process and a proxy with only a map: its output, and its handling of
 * failures. test/long/fleet.test.ts uses a real proxy and real processes.
 */
import { describe, expect, it, vi } from 'vitest';
import { slotOf } from '../../src/kernel/slots.ts';
import { startBank } from '../process/support.ts';
import { listOf, start, startProxy } from './fleet-support.ts';
import { sandbank as run } from './support.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('fleet status and map', () => {
  it('say what each bank serves, and end with 0 only where each slot has one bank', async () => {
    // The default sandbox is in the first, which startBank asks.
    const [first, all] = await Promise.all([start('0-127'), start('0-255')]);
    const half = await run(['fleet', 'status'], { SANDBANK_BANKS: listOf(first) });
    expect(half).toMatchObject({ code: 1, stderr: '' });
    expect(half.stdout).toMatch(/^bank-0 {2}http:\/\/\S+ {2}\S+ {2}slots 0-127 {2}1 sandboxes\n/);
    expect(half.stdout).toContain('no bank serves slots 128-255\n');
    const both = await run(['fleet', 'status', '--json', '--banks', listOf(first, all)]);
    expect(both.code).toBe(1);
    expect(JSON.parse(both.stdout)).toMatchObject({
      banks: [
        { name: 'bank-0', problem: '', served: '0-127', sandboxes: 1 },
        { name: 'bank-1', problem: '', served: '0-255', sandboxes: 1 },
      ],
      unserved: 'none',
      served_twice: '0-127',
    });
    const twice = await run(['fleet', 'map', '--banks', listOf(first, all)]);
    expect([twice.code, twice.stdout]).toEqual([1, '']);
    expect(twice.stderr).toContain('slots 0-127 would be served by no bank or by several banks');
    const whole = await run(['fleet', 'map', '--banks', listOf(all)]);
    expect(whole.code).toBe(0);
    expect(whole.stdout.split('\n').slice(0, 3)).toEqual(['00 bank-0', '01 bank-0', '02 bank-0']);
    expect(whole.stdout.trim().split('\n').at(-1)).toBe('FF bank-0');
  });

  it('take a slot that one bank serves and another expects for served, and show both epochs', async () => {
    const [from, to] = await Promise.all([start('0-255'), start('none')]);
    const arriving = { state: 'arriving', epoch: 4 };
    expect((await to.v2('PUT', '/_sandbox/slots/3', arriving)).status).toBe(200);
    const banks = ['--banks', listOf(from, to)];
    const status = await run(['fleet', 'status', ...banks]);
    expect(status.stdout).toContain(
      'slot 3: served in bank-0 with epoch 0, arriving in bank-1 with epoch 4\n',
    );
    expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('each slot is served by one')]);
    const json = JSON.parse((await run(['fleet', 'status', '--json', ...banks])).stdout);
    expect(json.served_twice).toBe('none');
    expect(json.moving).toEqual([
      {
        slot: 3,
        held: [
          { bank: 'bank-0', state: 'served', epoch: 0 },
          { bank: 'bank-1', state: 'arriving', epoch: 4 },
        ],
      },
    ]);
    const map = await run(['fleet', 'map', ...banks]);
    expect([map.code, map.stdout.split('\n')[3]]).toEqual([0, '03 bank-0']);
  });

  it('name a bank that does not answer, and go on with the others', async () => {
    const bank = await start('0-255');
    const banks = `${listOf(bank)},gone=http://127.0.0.1:9`;
    const { code, stdout } = await run(['fleet', 'status', '--banks', banks]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^gone +http:\/\/127\.0\.0\.1:9 +.*(bad port|ECONNREFUSED|fetch blocks this port)/m,
    );
    expect(stdout).toContain('each slot is served by one bank');
  });

  it.each([
    [[], {}, 'the command requires the banks in --banks or SANDBANK_BANKS'],
    [['--banks', 'http://127.0.0.1:1'], {}, 'is not a bank; expected bank-0=http'],
    [['--banks', 'a=http://127.0.0.1:1,a=http://127.0.0.1:2'], {}, 'two banks have the name a'],
    [[], { SANDBANK_BANKS: 'a=somewhere' }, 'is not a bank; expected bank-0=http'],
  ])('refuse %j with %j', async (words, environment, message) => {
    const { code, stderr } = await run(['fleet', 'status', ...words], environment);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

describe('fleet move', () => {
  it('moves a sandbox and tells the proxy, and is done when it is done', async () => {
    const [from, other] = await Promise.all([start('0-255'), start('none')]);
    const slot = slotOf('ci-1');
    const { socket, routes } = await startProxy();
    const made = await from.v2('GET', '/v2/webhook', undefined, { 'api-key': 'test_ci-1' });
    expect(made.status).toBe(200);
    const words = ['--banks', listOf(from, other), '--proxy', socket, '--settle', '0'];
    const move = [
      'fleet',
      'move',
      '--slots',
      `${slot}-${slot + 2}`,
      '--from',
      'bank-0',
      '--to',
      other.url,
      ...words,
    ];
    const moved = await run([...move, '--json']);
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(moved.stdout)).toMatchObject({ slots: `${slot}-${slot + 2}`, sandboxes: 1 });
    const keys = [slot, slot + 1, slot + 2].map((one) => one.toString(16).toUpperCase().padStart(2, '0'));
    expect([...routes]).toEqual(keys.map((key) => [key, 'bank-1']));
    const key = { 'api-key': 'test_ci-1' };
    expect((await from.v2('GET', '/v2/webhook', undefined, key)).status).toBe(421);
    expect((await other.v2('GET', '/v2/webhook', undefined, key)).status).toBe(200);
    const again = await run(move);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain(`slot ${slot} is served by bank-1: 0 sandboxes`);
    expect(again.stdout).toContain('sandbank fleet map');
  });

  it('brings back no sandbox that was overtaken by a move which was nearly over', async () => {
    const [old, now, third] = await Promise.all([start('0-255'), start('none'), start('none')]);
    const { socket, routes } = await startProxy();
    const states = { [old.url]: ['leaving'], [now.url]: ['arriving', 'served'] };
    for (const bank of [old, now]) {
      for (const state of states[bank.url] ?? []) {
        expect((await bank.v2('PUT', '/_sandbox/slots/3', { state })).status).toBe(200);
      }
    }
    const move = (from: string) =>
      run([
        ...['fleet', 'move', '--slots', '3', '--from', from, '--to', 'bank-0', '--proxy', socket],
        ...['--banks', listOf(old, now, third)],
      ]);
    const back = await move('bank-1');
    expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('run that move again first')]);
    const wrong = await move('bank-2');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('slot 3 is served by bank-1')]);
    expect((await old.v2('GET', '/_sandbox/slots/3')).body.state).toBe('leaving');
    expect(routes.size).toBe(0);
  });

  it('refuses a slot that is leaving while a third bank serves it, and changes nothing', async () => {
    const [from, to, third] = await Promise.all([start('0-255'), start('none'), start('3')]);
    const { socket, routes } = await startProxy();
    expect((await from.v2('PUT', '/_sandbox/slots/3', { state: 'leaving' })).status).toBe(200);
    const refused = await run([
      ...['fleet', 'move', '--slots', '3', '--from', 'bank-0', '--to', 'bank-1', '--proxy', socket],
      ...['--banks', listOf(from, to, third)],
    ]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('slot 3 is served by bank-2: move'),
    ]);
    const states = [from, to, third].map(
      async (bank) => (await bank.v2('GET', '/_sandbox/slots/3')).body.state,
    );
    expect(await Promise.all(states)).toEqual(['leaving', 'elsewhere', 'served']);
    expect(routes.size).toBe(0);
  });

  it('refuses a slot that both banks serve, and tells the proxy nothing', async () => {
    const [from, to] = await Promise.all([start('0-255'), start('55')]);
    const { socket, routes } = await startProxy();
    const words = ['--from', 'bank-0', '--to', 'bank-1', '--banks', listOf(from, to), '--proxy', socket];
    const both = await run(['fleet', 'move', '--slots', '55', ...words]);
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('both have slot 55')]);
    expect(routes.size).toBe(0);
  });

  it.each([
    [['--slots', 'x', '--from', 'bank-0', '--to', 'bank-1'], '--slots is x: expected numbers and ranges'],
    [['--slots', '', '--from', 'bank-0', '--to', 'bank-1'], 'expected numbers and ranges'],
    [['--slots', '1', '--from', 'bank-0', '--to', 'bank-9'], 'there is no bank bank-9 in the fleet'],
    [['--slots', '1', '--from', 'bank-0', '--to', 'bank-0'], '--from and --to name the same bank'],
    [['--slots', '1', '--from', 'bank-0'], "required option '--to <bank>' not specified"],
  ])('refuses %j', async (words, message) => {
    const banks = 'bank-0=http://127.0.0.1:1,bank-1=http://127.0.0.1:2';
    const { code, stderr } = await run(['fleet', 'move', ...words, '--banks', banks, '--proxy', '/nowhere']);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('says what keeps two banks or a proxy from it', async () => {
    const [from, to, alone] = await Promise.all([
      start('0-255'),
      start('55', { SANDBANK_SECRETS: 'random' }),
      startBank({ SANDBANK_SECRETS: 'seeded' }),
    ]);
    const move = (banks: string, proxy: string) =>
      run([
        'fleet',
        'move',
        '--slots',
        '3',
        '--from',
        'bank-0',
        '--to',
        'bank-1',
        '--banks',
        banks,
        '--proxy',
        proxy,
      ]);
    const { socket } = await startProxy();
    const roots = await move(listOf(from, to), socket);
    expect([roots.code, roots.stderr]).toEqual([1, expect.stringContaining('SANDBANK_SECRET_ROOT')]);
    const single = await move(listOf(from, alone), socket);
    expect([single.code, single.stderr]).toEqual([
      1,
      expect.stringContaining('bank-1 is not part of a fleet'),
    ]);
    const other = await start('55');
    const nowhere = await move(listOf(from, other), '/nowhere/proxy.sock');
    expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining('does not respond')]);
    const unknown = await move(listOf(from, other), 'proxy.invalid:9999');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('cannot be found')]);
    const stubborn = await startProxy('No such map.');
    const refused = await move(listOf(from, other), stubborn.socket);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('did not accept slot 03')]);
    const states = [from, other].map(async (bank) => (await bank.v2('GET', '/_sandbox/slots/3')).body.state);
    expect(await Promise.all(states)).toEqual(['served', 'elsewhere']);
  });
});
