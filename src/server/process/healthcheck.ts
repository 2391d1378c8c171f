// Checks whether the bank of this environment is ready. Docker runs this every few seconds as its HEALTHCHECK. Most
// of its time is the start of the process, so it sends HTTP over node:net (node:http doubles the time of the command)
// and reads its two settings itself: the server has refused or ignored invalid values.
import { connect } from 'node:net';
import { readReadyFile } from './ready-file.ts';

const TIMEOUT_MS = 2_000;
const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** Returns null if `/readyz` answers 200 within two seconds, otherwise one line with the reason. */
export async function healthcheck(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  // A server that was started with other settings wrote its address to the ready file.
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
  // Loaded only for HTTPS. Nothing secret is sent, so the certificate is not verified.
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
