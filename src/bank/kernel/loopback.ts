/** Which hosts are this machine. */
import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True for 127.0.0.0/8, ::1, `localhost` and the names below it. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6');
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}
