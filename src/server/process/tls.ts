/**
 * HTTPS instead of HTTP, if SANDBANK_TLS_CERT and SANDBANK_TLS_KEY name a certificate and its key. Both are read and
 * checked before the server creates anything.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from './settings.ts';

const HOW_TO_MAKE = 'docs/guides/tls.md shows how to create a pair with mkcert or openssl';

/** Why a certificate or its key cannot be used, in a sentence that names the file and the setting. */
export class TlsFileError extends Error {}

/** A certificate, followed by those of its issuers, and its key, both in PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** The files of the settings; `null` for plain HTTP. Throws `TlsFileError`. */
export function readTlsFiles(
  { tlsCert, tlsKey }: Pick<Config, 'tlsCert' | 'tlsKey'>,
  now: number,
): TlsFiles | null {
  if (tlsCert === null || tlsKey === null) return null;
  const cert = textOf(tlsCert, 'SANDBANK_TLS_CERT');
  const key = textOf(tlsKey, 'SANDBANK_TLS_KEY');
  const certificate = parsing(tlsCert, 'SANDBANK_TLS_CERT', 'no certificate in PEM format', () => {
    return new X509Certificate(cert);
  });
  const privateKey = parsing(
    tlsKey,
    'SANDBANK_TLS_KEY',
    'no private key in PEM format without a passphrase',
    () => {
      return createPrivateKey(key);
    },
  );
  requireMatch(certificate, privateKey, tlsCert, tlsKey);
  if (Date.parse(certificate.validTo) <= now) {
    throw new TlsFileError(
      `the certificate in ${tlsCert} (SANDBANK_TLS_CERT) expired on ${certificate.validTo}: ${HOW_TO_MAKE}`,
    );
  }
  return { cert, key };
}

function requireMatch(
  certificate: X509Certificate,
  privateKey: KeyObject,
  certPath: string,
  keyPath: string,
): void {
  if (certificate.checkPrivateKey(privateKey)) return;
  throw new TlsFileError(
    `the key in ${keyPath} (SANDBANK_TLS_KEY) does not belong to the certificate in ${certPath} (SANDBANK_TLS_CERT): use both files of one pair`,
  );
}

function textOf(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new TlsFileError(
      `${path} (${setting}) cannot be read (${(error as Error).message}): ${HOW_TO_MAKE}`,
    );
  }
}

function parsing<T>(path: string, setting: string, expected: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new TlsFileError(
      `${path} (${setting}) has ${expected} (${(error as Error).message}): ${HOW_TO_MAKE}`,
    );
  }
}
