/**
 * The addresses to which the bank sends webhooks and real-time requests (SANDBANK_WEBHOOK_HOSTS). The address of the
 * connection decides, so a name is refused once it resolves to another address. Link-local addresses, where clouds
 * serve the credentials of a machine, are used only if the setting names them or is `*`.
 */
import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Every address; for a bank that only this machine can reach. */
export const EVERY_HOST: readonly string[] = ['*'];
/** All but link-local addresses; for a bank that others can reach. */
export const NOT_LINK_LOCAL: readonly string[] = ['public', 'private'];
export const HOST_WORDS: readonly string[] = ['*', 'public', 'private'];

const listOf = (...networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = address.includes(':') ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

// The third is 169.254.0.0/16 behind the well-known prefix of NAT64, the last the IPv6 address of a cloud's metadata.
const LINK_LOCAL = listOf('169.254.0.0/16', 'fe80::/10', '64:ff9b::a9fe:0/112', 'fd00:ec2::254');
const PRIVATE = listOf(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::',
  '::1',
  'fc00::/7',
);

/** Whether the bank may send to this address, which `name` resolved to. */
export type HostPolicy = (address: string, name: string) => boolean;

/** True for an address or a network, like `10.2.0.0/16`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return bits > 0 && more.length === 0 && (prefix === undefined || (/^\d+$/.test(prefix) && +prefix <= bits));
}

/** The policy of a list of names, addresses, networks and the words in `HOST_WORDS`. */
export function createHostPolicy(hosts: readonly string[]): HostPolicy {
  const named = listOf(...hosts.filter(isNetwork));
  const names = hosts.filter((host) => !isNetwork(host)).map((host) => host.toLowerCase());
  const isNamed = (name: string) =>
    names.some((host) => host === name || (host.startsWith('.') && `.${name}`.endsWith(host)));
  return (found, name) => {
    if (hosts.includes('*')) return true;
    const [address = ''] = found.split('%');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (named.check(address, family)) return true;
    if (LINK_LOCAL.check(address, family)) return false;
    return (
      hosts.includes(PRIVATE.check(address, family) ? 'private' : 'public') || isNamed(name.toLowerCase())
    );
  };
}

/** Refuses the host of a URL if it is an address that the policy refuses: no name is looked up for it. */
export function requireAllowed({ hostname }: URL, policy: HostPolicy): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) > 0 && !policy(address, '')) throw refusedAddress(address);
}

/** Looks names up, and finds only the addresses that the policy allows. */
export function lookupWithin(policy: HostPolicy, find: typeof lookup = lookup): LookupFunction {
  return (name, options, callback) => {
    find(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return callback(error, '', 0);
      const [first, ...more] = found.filter(({ address }) => policy(address, name));
      if (first === undefined) {
        callback(refusedAddress(`${name} (${found.map(({ address }) => address).join(', ')})`), '', 0);
      } else if (options.all === true) callback(null, [first, ...more]);
      else callback(null, first.address, first.family);
    });
  };
}

const refusedAddress = (what: string): Error =>
  new Error(`${what} is not among the hosts of SANDBANK_WEBHOOK_HOSTS, so nothing was sent`);
