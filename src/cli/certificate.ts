/**
 * `sandbank certificate`: makes a certificate for HTTPS on this machine, and says how to use it and how to trust it.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { CommandError } from './bank.ts';
import { withExamples } from './options.ts';
import type { Shell } from './shell.ts';

const USUAL_NAMES = ['localhost', '127.0.0.1', '::1'];
const USUAL_FOLDER = 'certificates';

/** Adds the command. */
export function addCertificate(program: Command, shell: Shell): void {
  withExamples(program.command('certificate'), 'certificate localhost api.example.com')
    .description('create a certificate for HTTPS in development, signed by your own authority')
    .argument('[names...]', `host names and addresses (default: ${USUAL_NAMES.join(' ')})`, collectName)
    .option(
      '--folder <folder>',
      'where the files go; an authority that is there already is used again',
      USUAL_FOLDER,
    )
    .option('--json', 'print the paths of the files as JSON and nothing else')
    .action(async (names: string[], { folder, json }: { folder: string; json?: boolean }) => {
      // Loaded only here: its library is large.
      const { writeCertificate } = await import('../process/certificates.ts');
      const all = names.length === 0 ? USUAL_NAMES : names;
      const files = await writeCertificate(resolve(folder), all, Date.now()).catch((error: Error) => {
        if ('syscall' in error) throw error;
        throw new CommandError(
          `the authority in ${folder} cannot be used (${error.message}): choose another folder with --folder, or delete that one`,
        );
      });
      if (json === true) {
        shell.answer(`${JSON.stringify(files)}\n`);
        return;
      }
      const { authority, certificate, key, isKnownAuthority } = files;
      shell.answer(`A certificate for ${all.join(', ')} is in ${certificate}

Start the bank with it:

  SANDBANK_TLS_CERT=${quote(certificate)} SANDBANK_TLS_KEY=${quote(key)} sandbank start

${isKnownAuthority ? 'The authority is the one that was there. If you do not trust it yet' : 'Programs must trust the authority that signed it'}:

  Node      NODE_EXTRA_CA_CERTS=${quote(authority)}
  curl      --cacert ${quote(authority)}
  macOS     sudo security add-trusted-cert -d -k /Library/Keychains/System.keychain ${quote(authority)}
  Debian    sudo cp ${quote(authority)} /usr/local/share/ca-certificates/sandbank.crt && sudo update-ca-certificates

Keep ${files.authorityKey} to yourself: anybody who has it can
make certificates that your programs trust.
`);
    });
}

/** A name that a certificate can have; `*.example.com` stands for the names right below. */
function collectName(text: string, before: string[] | undefined): string[] {
  const isName = /^(\*\.)?([a-z\d_](-*[a-z\d_])*\.)*[a-z\d](-*[a-z\d])*$/i.test(text);
  if (isIP(text) === 0 && !isName) {
    throw new InvalidArgumentError('Expected a host name or an IP address, without scheme and port.');
  }
  return [...(before ?? []), text];
}

/** A path as a shell takes it. */
function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
