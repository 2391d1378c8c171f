// Asks the bank of this environment whether it is ready: what Docker runs every few seconds as its HEALTHCHECK.
// Starting is nearly all that it does, so it speaks HTTP over node:net (node:http doubles the time of the whole
// command) and reads its two settings itself: a value that makes no sense was refused or ignored by the server.
import { connect } from 'node:net';
import { readReadyFile } from './ready-file.ts';

const TIMEOUT_MS = 2_000;
const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** Null when `/readyz` answers 200 within two seconds, else one line that says why the bank is not ready. */
export async function healthcheck(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  // A server that was started with other words than these settings wrote down where it is.
  const ready = readReadyFile(environment);
  const place = ready === undefined ? settingsOf(environment) : new URL(ready.url);
  const isHttps =
    ready === undefined ? (environment.SANDBANK_TLS_CERT ?? '') !== '' : place.protocol === 'https:';
  const host = place.hostname.replace(/^\[|\]$/g, '');
  const address = ALL_ADDRESSES.includes(host) ? '127.0.0.1' : host;
  const port = Number(place.port || (isHttps ? 443 : 80));
  const notReady = (reason: string) => `sandbank: not ready at ${address} port ${port}: ${reason}`;
  if (port === 0 || port > 65_535) return notReady('SANDBANK_PORT is not a port number');
  const to = { host: address, port };
  // Loaded only where it is used. Nothing secret is sent, so it does not matter who signed the certificate.
  const tls = isHttps ? await import('node:tls') : null;
  return new Promise((resolve) => {
    let answer = '';
    const socket = tls === null ? connect(to) : tls.connect({ ...to, rejectUnauthorized: false });
    const timer = setTimeout(() => finish(notReady(`no response in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    function finish(problem: string | null): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(problem);
    }
    socket.setEncoding('latin1');
    socket.write('GET /readyz HTTP/1.1\r\nhost: healthcheck\r\nconnection: close\r\n\r\n');
    socket.on('data', (text) => {
      answer += text;
      const status = /^HTTP\/1\.[01] (\d{3}).*\r\n/.exec(answer)?.[1];
      if (status === '200') finish(null);
      else if (status !== undefined) finish(notReady(`/readyz answered ${status}`));
    });
    socket.on('end', () => finish(notReady('the connection ended without a response')));
    socket.on('error', (error) => finish(notReady(error.message)));
  });
}

function settingsOf({ SANDBANK_HOST, SANDBANK_PORT = '' }: Readonly<Record<string, string | undefined>>) {
  return {
    protocol: '',
    hostname: SANDBANK_HOST || '127.0.0.1',
    port: /^\d+$/.test(SANDBANK_PORT) ? SANDBANK_PORT : '4800',
  };
}
