/** HTTPS: a certificate created as in the guide, a bank that uses it, every command of the guide, and invalid files. */
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../support/certificates.ts';
import { LAUNCHER, launch, makeFolder, type Settings, type Started, stop, until, within } from './support.ts';

const run = promisify(execFile);
const GUIDE = readFileSync(new URL('../../../docs/guides/tls.md', import.meta.url), 'utf8');
const BLOCKS = [...GUIDE.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(([, language, name, text]) => ({
  language,
  name,
  text: text ?? '',
}));
const FIXED_ADDRESS = readFileSync(new URL('../../../docs/guides/fixed-address.md', import.meta.url), 'utf8');
const [MAKE_FOR_PLATFORM = '', , CALL_PLATFORM = ''] = [
  ...FIXED_ADDRESS.matchAll(/^```sh[^\n]*\n([\s\S]*?)^```$/gm),
].map(([, text]) => text);
const [MAKE = { text: '' }, ...LINES] = BLOCKS.filter(
  ({ language, name }) => language === 'sh' && name === '',
);

let folder: string;
let environment: Settings;
let bank: Started;
let port: string;

/** Runs commands of the guide in its folder, with the port of the bank. */
async function sh(script: string, cwd = folder): Promise<string> {
  const { stdout } = await run('sh', ['-ec', script.replaceAll('4800', port)], {
    cwd,
    env: environment,
  });
  return stdout;
}

/** The ready file of a bank; `undefined` before. */
function readReady({ readyFile }: Started): string | undefined {
  try {
    return readFileSync(readyFile, 'utf8');
  } catch {
    return undefined;
  }
}

beforeAll(async () => {
  folder = makeFolder();
  const bin = makeFolder();
  writeFileSync(join(bin, 'sandbank'), `#!/bin/sh\nexec '${process.execPath}' '${LAUNCHER}' "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(bin, 'node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  environment = { PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: folder };
  for (const { language, name, text } of BLOCKS) {
    if (language === 'js') writeFileSync(join(folder, name ?? ''), text);
  }
  port = '4800';
  await sh(MAKE.text);
  const certificates = join(folder, 'certificates');
  bank = launch({
    SANDBANK_TLS_CERT: join(certificates, 'certificate.pem'),
    SANDBANK_TLS_KEY: join(certificates, 'key.pem'),
    SANDBANK_ALLOWED_HOSTS: 'api.bank.example',
  });
  const text = await until('the ready file', () => readReady(bank));
  const { url } = JSON.parse(text) as { url: string };
  expect(url).toMatch(/^https:/);
  port = new URL(url).port;
  writeFileSync(
    join(folder, 'call.mjs'),
    readFileSync(join(folder, 'call.mjs'), 'utf8').replaceAll('4800', port),
  );
});

it('the certificate of the guide has all names, and its key is readable only by its owner', () => {
  const certificates = join(folder, 'certificates');
  expect(readdirSync(certificates).toSorted()).toEqual(['certificate.pem', 'key.pem']);
  expect(statSync(join(certificates, 'key.pem')).mode & 0o777).toBe(0o600);
  const certificate = new X509Certificate(readFileSync(join(certificates, 'certificate.pem')));
  for (const name of ['localhost', 'api.bank.example']) expect(certificate.checkHost(name)).toBe(name);
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
});

describe('a bank with HTTPS', () => {
  it.each(LINES.map(({ text }) => [text]))('works as in the guide: %s', async (script) => {
    expect(await sh(script)).toMatch(/"status":"ready"|live|"data":\[|^200$/m);
  });

  it('works as in the guide on a fixed address', async () => {
    const own = makeFolder();
    await sh(MAKE_FOR_PLATFORM, own);
    const other = launch({
      SANDBANK_TLS_CERT: join(own, 'certificates', 'certificate.pem'),
      SANDBANK_TLS_KEY: join(own, 'certificates', 'key.pem'),
    });
    const { url } = JSON.parse(await until('the ready file', () => readReady(other))) as {
      url: string;
    };
    const { stdout } = await run('sh', ['-ec', CALL_PLATFORM.replaceAll('4800', new URL(url).port)], {
      cwd: own,
      env: environment,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ status: 'open' })]),
    });
    await stop(other);
  });

  it('has links with https, and its health check succeeds', async () => {
    const to = 'https://localhost:4800';
    const curl = `curl -s --cacert certificates/certificate.pem`;
    const { seeded } = JSON.parse(await sh(`${curl} ${to}/_sandbox`)) as { seeded: { person_id: string } };
    const document = JSON.stringify({
      name: 'Passport',
      docType: 'passport',
      documentNumber: 'P0012345',
      issuingCountry: 'US',
      expirationDate: '2031-05-01',
    });
    const made = await sh(
      `${curl} ${to}/v1/person/${seeded.person_id}/document -H 'sd-api-key: test_default' --json '${document}'`,
    );
    expect(JSON.parse(made).url).toMatch(new RegExp(`^https://localhost:${port}/`));
    const settings = { ...environment, SANDBANK_TLS_CERT: 'set', SANDBANK_PORT: port };
    await run(process.execPath, [LAUNCHER, 'healthcheck'], { env: settings });
    await run(process.execPath, [LAUNCHER, 'healthcheck'], {
      env: { ...environment, SANDBANK_READY_FILE: bank.readyFile },
    });
  });

  it('explains to a program that does not trust it what to do', async () => {
    await expect(sh('sandbank clock show --url https://localhost:4800')).rejects.toThrow(
      'NODE_EXTRA_CA_CERTS',
    );
  });

  it('is recognized by doctor and a second start, with and without a trusted certificate', async () => {
    const doctor = 'sandbank doctor --port 4800 --data "" 2>&1';
    const trusting = await sh(`NODE_EXTRA_CA_CERTS=certificates/certificate.pem ${doctor}`);
    expect(trusting).toMatch(new RegExp(`^ok +port +a Sandbank is open at https://127.0.0.1:${port}$`, 'm'));
    const doubting = await sh(`${doctor} || true`);
    expect(doubting).toContain(`a Sandbank is open at https://127.0.0.1:${port}`);
    expect(doubting).toMatch(/webhooks +the bank's certificate is not trusted .*NODE_EXTRA_CA_CERTS/);
    expect(await sh('sandbank start --port 4800 --data "" 2>&1 || true')).toContain(
      `a Sandbank that is already open at https://127.0.0.1:${port}: stop it`,
    );
  });

  it('survives a client that sends plain HTTP', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
    expect(await sh('curl -s --cacert certificates/certificate.pem https://localhost:4800/livez')).toContain(
      'alive',
    );
    expect((await stop(bank)).code).toBe(0);
  });
});

it('with an unusable certificate or key is refused with the file and the setting', async () => {
  const at = (name: string) => join(folder, 'certificates', name);
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'not a key');
  const { key: otherKey } = makeCertificate(makeFolder(), ['localhost']);
  const cases: [Settings, string][] = [
    [{ SANDBANK_TLS_CERT: at('certificate.pem') }, 'SANDBANK_TLS_CERT is set without SANDBANK_TLS_KEY'],
    [{ SANDBANK_TLS_KEY: at('key.pem') }, 'SANDBANK_TLS_KEY is set without SANDBANK_TLS_CERT'],
    [
      { SANDBANK_TLS_CERT: at('none.pem'), SANDBANK_TLS_KEY: at('key.pem') },
      'none.pem (SANDBANK_TLS_CERT) cannot be read',
    ],
    [
      { SANDBANK_TLS_CERT: text, SANDBANK_TLS_KEY: at('key.pem') },
      'text.pem (SANDBANK_TLS_CERT) has no certificate',
    ],
    [
      { SANDBANK_TLS_CERT: at('certificate.pem'), SANDBANK_TLS_KEY: text },
      'text.pem (SANDBANK_TLS_KEY) has no private key',
    ],
    [{ SANDBANK_TLS_CERT: at('certificate.pem'), SANDBANK_TLS_KEY: otherKey }, 'use both files of one pair'],
  ];
  const ends = await Promise.all(
    cases.map(
      async ([settings, words]) =>
        [await within(30_000, 'the refusal', launch(settings).ended), words] as const,
    ),
  );
  for (const [{ code, stderr }, words] of ends) {
    expect(code).toBe(1);
    expect(stderr).toContain(words);
  }
});
