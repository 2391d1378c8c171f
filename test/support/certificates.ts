/** Certificates for tests, made with openssl: an authority, and a certificate that it signs for some names. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** The paths of the files. */
export interface CertificateFiles {
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
}

const NEW_KEY = ['-newkey', 'rsa:2048', '-nodes'];

/** Creates an authority and a certificate for these names in the folder. */
export function makeCertificate(folder: string, names: readonly string[]): CertificateFiles {
  const at = (name: string): string => join(folder, name);
  const openssl = (...words: string[]): unknown => execFileSync('openssl', words, { stdio: 'pipe' });
  const files = { authority: at('authority.pem'), certificate: at('certificate.pem'), key: at('key.pem') };
  const alternatives = names.map((name) => `${isIP(name) > 0 ? 'IP' : 'DNS'}:${name}`).join();
  writeFileSync(at('names'), `subjectAltName=${alternatives}\n`);
  const authorityKey = at('authority-key.pem');
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-subj',
    '/CN=authority',
    '-keyout',
    authorityKey,
    '-out',
    files.authority,
  );
  openssl('req', ...NEW_KEY, '-subj', '/CN=bank', '-keyout', files.key, '-out', at('request.pem'));
  const signing = ['-CA', files.authority, '-CAkey', authorityKey, '-set_serial', '1', '-days', '30'];
  const out = ['-extfile', at('names'), '-out', files.certificate];
  openssl('x509', '-req', '-in', at('request.pem'), ...signing, ...out);
  return files;
}
