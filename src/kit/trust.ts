/**
 * Connections that trust one more certificate. Loaded only for a bank that speaks HTTPS with a certificate for development,
 * for the sake of its library.
 */
import { X509Certificate } from 'node:crypto';
import { checkServerIdentity } from 'node:tls';
import Agent from '../delivery/undici-agent.cjs';

/**
 * What `fetch` accepts as its `dispatcher`. `ca` is one or more certificates in PEM: of an authority, or of the bank itself.
 * The bank's own certificate is accepted whatever host names it holds; any other must hold the name that is called.
 */
export function agentTrusting(ca: string): Agent {
  const input = new X509Certificate(ca);
  return new Agent({
    connect: {
      ca,
      // Otherwise only a certificate that signed itself could be trusted.
      allowPartialTrustChain: true,
      checkServerIdentity: (host, certificate) =>
        input.raw.equals(certificate.raw) ? undefined : checkServerIdentity(host, certificate),
    },
  });
}
