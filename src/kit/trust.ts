/**
 * Connections that trust an additional certificate. Loaded only for a bank with a certificate for development,
 * because of its library.
 */
import { X509Certificate } from 'node:crypto';
import { checkServerIdentity } from 'node:tls';
import Agent from '../bank/delivery/undici-agent.cjs';

/**
 * Creates a `dispatcher` for `fetch`. `ca` is one or more certificates in PEM: of an authority, or of the bank
 * itself. The bank's own certificate is accepted for any host name; any other certificate must contain the called
 * name.
 */
export function agentTrusting(ca: string): Agent {
  const input = new X509Certificate(ca);
  return new Agent({
    connect: {
      ca,
      // Otherwise only self-signed certificates could be trusted.
      allowPartialTrustChain: true,
      checkServerIdentity: (host, certificate) =>
        input.raw.equals(certificate.raw) ? undefined : checkServerIdentity(host, certificate),
    },
  });
}
