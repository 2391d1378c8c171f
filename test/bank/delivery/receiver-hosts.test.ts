/** The addresses to which the bank sends: loopback stands in for every other address that is used here. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createHostPolicy,
  EVERY_HOST,
  lookupWithin,
  NOT_LINK_LOCAL,
} from '../../../src/bank/delivery/receiver-hosts.ts';
import { createSender } from '../../../src/bank/delivery/sender.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the policy', () => {
  const LINK_LOCAL = [
    '169.254.0.1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fe80::1%eth0',
    '64:ff9b::a9fe:a9fe',
    'fd00:ec2::254',
  ];
  const PRIVATE = ['127.0.0.2', '10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1', '::1', 'fd12::1'];
  const PUBLIC = ['8.8.8.8', '169.253.255.255', '169.255.0.0', '172.32.0.1', '2001:4860::1', 'fec0::1'];
  const allows = (hosts: readonly string[], addresses: readonly string[], name = '') =>
    addresses.filter((address) => createHostPolicy(hosts)(address, name));

  it('of a bank on loopback allows every address', () => {
    const all = [...LINK_LOCAL, ...PRIVATE, ...PUBLIC];
    expect(allows(EVERY_HOST, all)).toEqual(all);
  });

  it('of a bank that others can reach allows all but link-local addresses', () => {
    expect(allows(NOT_LINK_LOCAL, LINK_LOCAL)).toEqual([]);
    expect(allows(NOT_LINK_LOCAL, [...PRIVATE, ...PUBLIC])).toEqual([...PRIVATE, ...PUBLIC]);
    expect(allows(['public'], [...LINK_LOCAL, ...PRIVATE, ...PUBLIC])).toEqual(PUBLIC);
    expect(allows(['private'], [...LINK_LOCAL, ...PRIVATE, ...PUBLIC])).toEqual(PRIVATE);
  });

  it('with addresses and networks allows those, also link-local ones', () => {
    const hosts = ['10.1.0.0/16', '192.168.1.1', 'fe80::/64'];
    expect(allows(hosts, [...LINK_LOCAL, ...PRIVATE, ...PUBLIC])).toEqual([
      'fe80::1',
      'fe80::1%eth0',
      '10.1.2.3',
      '192.168.1.1',
    ]);
  });

  it('with a name allows its addresses, but no link-local one', () => {
    const hosts = ['hooks.example', '.corp.example'];
    expect(allows(hosts, ['8.8.8.8', '10.0.0.1'], 'Hooks.example')).toHaveLength(2);
    expect(allows(hosts, ['10.0.0.1'], 'a.corp.example')).toHaveLength(1);
    expect(allows(hosts, ['10.0.0.1'], 'corp.example')).toHaveLength(1);
    expect(allows(hosts, ['10.0.0.1'], 'evilcorp.example')).toEqual([]);
    expect(allows(hosts, LINK_LOCAL, 'hooks.example')).toEqual([]);
  });
});

describe('the look-up of a connection', () => {
  /** Resolves names to these addresses, in turn. */
  const resolving = (...answers: string[][]) =>
    ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
      callback(
        null,
        (answers.shift() ?? []).map((address) => ({ address, family: 4 })),
      )) as never;
  const find = (look: ReturnType<typeof lookupWithin>, all: boolean) =>
    new Promise((resolve) =>
      look('hooks.example', { all }, (error, address) => resolve(error?.message ?? address)),
    );

  it('finds only allowed addresses, and refuses a name once it resolves to others', async () => {
    const look = lookupWithin(
      createHostPolicy(['127.0.0.1']),
      resolving(['127.0.0.2', '127.0.0.1'], ['127.0.0.1'], ['127.0.0.2']),
    );
    expect(await find(look, true)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(await find(look, false)).toBe('127.0.0.1');
    expect(await find(look, false)).toBe(
      'hooks.example (127.0.0.2) is not among the hosts of SANDBANK_WEBHOOK_HOSTS, so nothing was sent',
    );
  });
});

describe('the sender', () => {
  /** A receiver on every loopback address, and how many requests arrived. */
  const listen = async () => {
    let arrived = 0;
    const server = createServer((_request, response) => {
      arrived += 1;
      response.end('ok');
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    closers.push(() => server.close());
    return { port: (server.address() as AddressInfo).port, arrived: () => arrived };
  };
  const NOTHING = { headers: {}, body: '{}' };

  it('sends to allowed hosts, and says why it sends nothing to others', async () => {
    const { port, arrived } = await listen();
    const sender = createSender({ hosts: ['127.0.0.1'] });
    closers.push(() => sender.close());
    const to = (host: string, more: object = {}) =>
      sender.send({ url: `http://${host}:${port}/`, ...NOTHING, ...more });
    expect(await to('127.0.0.1')).toMatchObject({ status: 200 });
    expect(await to('localhost')).toMatchObject({ status: 200 });
    // Other spellings of 127.0.0.2, which the URL parser resolves.
    for (const host of ['127.0.0.2', '0x7f.0.0.2', '2130706434', '[::ffff:127.0.0.2]']) {
      const refused = await to(host);
      expect([host, refused.status]).toEqual([host, null]);
      expect(refused.error).toContain('is not among the hosts of SANDBANK_WEBHOOK_HOSTS');
    }
    // A real-time request.
    expect(await to('127.0.0.2', { answerWithinMs: 1000 })).toMatchObject({
      status: null,
      error: '127.0.0.2 is not among the hosts of SANDBANK_WEBHOOK_HOSTS, so nothing was sent',
    });
    expect(arrived()).toBe(2);
  });

  it('refuses a name whose address is not allowed', async () => {
    const { port, arrived } = await listen();
    const sender = createSender({ hosts: ['public'] });
    closers.push(() => sender.close());
    const refused = await sender.send({ url: `http://localhost:${port}/`, ...NOTHING });
    expect(refused.error).toMatch(/^localhost \(.*127\.0\.0\.1.*\) is not among the hosts/);
    expect(arrived()).toBe(0);
  });
});
