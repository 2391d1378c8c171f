/**
 * Certificates for development: an authority of one's own, kept in a folder, and a certificate that it signs for some
 * names. Loaded by `sandbank certificate` alone, for the sake of its library.
 */
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
/** Apple's programs take none that is valid for longer. */
const CERTIFICATE_DAYS = 825;
/** So that a clock that is a little slow takes the certificate too. */
const BEFORE_MS = 3_600_000;
const SERIAL_BYTES = 16;
const FOR_SERVERS = '1.3.6.1.5.5.7.3.1';
/** Readable by their owner alone. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The files of a folder of certificates. */
export interface CertificateFiles {
  readonly authority: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
  /** The authority was there before, so whoever trusts it need do nothing. */
  readonly isKnownAuthority: boolean;
}

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

/** Writes a certificate for these names, signed by the authority of the folder, which is made first if it is not there. */
export async function writeCertificate(
  folder: string,
  names: readonly string[],
  now: number,
): Promise<CertificateFiles> {
  x509.cryptoProvider.set(webcrypto as unknown as Parameters<typeof x509.cryptoProvider.set>[0]);
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  const files = {
    authority: join(folder, 'authority.pem'),
    authorityKey: join(folder, 'authority-key.pem'),
    certificate: join(folder, 'certificate.pem'),
    key: join(folder, 'key.pem'),
  };
  const isKnownAuthority = existsSync(files.authority) && existsSync(files.authorityKey);
  const authority = isKnownAuthority
    ? await readAuthority(files.authority, files.authorityKey)
    : await makeAuthority(now);
  if (!isKnownAuthority) {
    write(files.authority, authority.certificate.toString('pem'));
    write(files.authorityKey, await pemOf(authority.key));
  }
  const { publicKey, privateKey } = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(SERIAL_BYTES).toString('hex'),
    subject: [{ CN: [names[0] ?? 'localhost'] }],
    issuer: authority.certificate.subject,
    ...validFor(CERTIFICATE_DAYS, now),
    publicKey,
    signingKey: authority.key,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([FOR_SERVERS]),
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) > 0 ? 'ip' : 'dns', value: name })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  write(files.certificate, certificate.toString('pem'));
  write(files.key, await pemOf(privateKey));
  return { ...files, isKnownAuthority };
}

async function makeAuthority(now: number): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(SERIAL_BYTES).toString('hex'),
    name: [{ CN: [`Sandbank development ${randomBytes(4).toString('hex')}`] }],
    ...validFor(AUTHORITY_DAYS, now),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

async function readAuthority(path: string, keyPath: string): Promise<Authority> {
  const certificate = new x509.X509Certificate(readFileSync(path, 'utf8'));
  const der = x509.PemConverter.decodeFirst(readFileSync(keyPath, 'utf8'));
  const key = await webcrypto.subtle.importKey('pkcs8', der, ALGORITHM, true, ['sign']);
  return { certificate, key };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

function validFor(days: number, now: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(now - BEFORE_MS), notAfter: new Date(now + days * DAY_MS) };
}

/** A file that was there keeps its mode when it is written, so the mode is set too. */
function write(path: string, text: string): void {
  writeFileSync(path, text.endsWith('\n') ? text : `${text}\n`, { mode: FILE_MODE });
  chmodSync(path, FILE_MODE);
}
