/** Starting a bank in this process: the effects of its settings, and the errors for invalid ones. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { connectSandbank, type Sandbank, type StartOptions, startSandbank } from '../../src/kit/index.ts';
import { placeOf } from '../../src/kit/vitest-server.ts';
import { makeCertificate } from '../support/certificates.ts';
import { makeFolder } from '../support/folder.ts';
import { PATIENTLY } from '../support/patience.ts';

const seededAccount = async (bank: Sandbank): Promise<string> => (await bank.seeded()).sub_account_id;

describe('a bank', () => {
  it('is in memory, on a free port of this machine, and uses the real clock', async () => {
    await using bank = await startSandbank();
    expect(bank.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(bank.apiKey).toBe('test_default');
    expect((await bank.sandbox.retrieveClock()).mode).toBe('live');
  });

  it('is the same for the same seed at the same instant', async () => {
    const options: StartOptions = { randomSeed: 'mine', now: '2026-11-20T12:00:00Z' };
    await using first = await startSandbank(options);
    await using second = await startSandbank(options);
    await using other = await startSandbank({ ...options, randomSeed: 'yours' });
    const record = async (bank: Sandbank) => {
      const { master_account_id } = await bank.seeded();
      return bank.v2.createSubAccountHolder({
        body: {
          master_account_id,
          type: 'person',
          person: {
            first_name: 'Mara',
            last_name: 'Quill',
            id_type: 'ssn',
            id_number: '999999999',
            date_of_birth: '1988-03-14',
            phone: '+15035550142',
            email: 'mara@sandbank.example',
          },
        },
      });
    };
    const tail = ({ id }: { id: string }): string => id.slice(-16);
    expect(tail(await record(first))).toBe(tail(await record(second)));
    expect(await seededAccount(first)).not.toBe(await seededAccount(other));
  });

  it.each([
    ['random', undefined, false],
    ['the same for the same seed', 'seeded', true],
  ] as const)('has secrets that are %s with the setting %s', async (_, secrets, isSame) => {
    const options: StartOptions = { randomSeed: 'mine', now: '2026-11-20T12:00:00Z' };
    const secretOf = async (): Promise<string> => {
      await using bank = await startSandbank({ ...options, ...(secrets !== undefined && { secrets }) });
      const body = { url: 'https://hooks.example/v2', events: ['card.created' as const], description: '' };
      return (await bank.v2.createWebhook({ body })).secret;
    };
    const [first, second] = [await secretOf(), await secretOf()];
    expect(first === second).toBe(isSame);
  });

  it('is frozen at the given instant', async () => {
    await using bank = await startSandbank({ now: new Date('2030-02-01T08:00:00Z') });
    expect((await bank.clock.now()).toISOString()).toBe('2030-02-01T08:00:00.000Z');
  });

  it('is stored in a folder, and opened again from there', async () => {
    const data = makeFolder();
    const first = await startSandbank({ data });
    const sub_account_id = await seededAccount(first);
    await first.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Kept' } });
    await first.close();
    expect(readdirSync(data)).toContain('default.sqlite');
    await using second = await startSandbank({ data });
    expect((await second.v2.retrieveSubAccount({ params: { sub_account_id } })).label).toBe('Kept');
  });

  it('uses the given port, address and strictness', async () => {
    const first = await startSandbank();
    const port = Number(new URL(first.url).port);
    await first.close();
    await using bank = await startSandbank({
      port,
      webhookUrl: 'http://127.0.0.1:9/hook',
      rails: 'manual',
      strictFields: true,
      strictPersonHeader: true,
      rateLimits: 'sandbox',
    });
    expect(bank.url).toBe(`http://127.0.0.1:${port}`);
    const { data: webhooks } = await bank.v1.listWebhooks();
    expect(webhooks.map(({ url }) => url)).toContain('http://127.0.0.1:9/hook');
    await expect(bank.v1.listPersons()).rejects.toMatchObject({ status: 400 });
    const sub_account_id = await seededAccount(bank);
    const body = { label: 'Rent', colour: 'red' };
    await expect(bank.v2.updateSubAccount({ params: { sub_account_id }, body })).rejects.toMatchObject({
      status: 400,
      field: 'colour',
    });
    const many = await Promise.all(
      Array.from({ length: 100 }, () => bank.fetch(`/v2/accounts/sub_account/${sub_account_id}`)),
    );
    expect(many.some(({ status }) => status === 429)).toBe(true);
  });

  it('starts with the records of a seed file', async () => {
    const seedFile = new URL('../../examples/seed/shop.json', import.meta.url).pathname;
    await using bank = await startSandbank({ seedFile });
    const { names } = await bank.sandbox.retrieveSummary();
    const sub_account_id = names.alice_checking ?? '';
    const { label } = await bank.v2.retrieveSubAccount({ params: { sub_account_id } });
    expect(label).toBe('Checking');
    await using other = await bank.inSandbox('other');
    expect((await other.sandbox.retrieveSummary()).names).toHaveProperty('alice_checking');
  });

  it('ignores the environment', async () => {
    vi.stubEnv('SANDBANK_PORT', 'nonsense');
    vi.stubEnv('SANDBANK_RAILS', 'nonsense');
    try {
      await using bank = await startSandbank();
      expect((await bank.clock.now()).getTime()).toBeGreaterThan(0);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a bank with HTTPS', () => {
  function certificatesFor(...names: string[]) {
    const files = makeCertificate(makeFolder(), names);
    return { ...files, options: { tlsCert: files.certificate, tlsKey: files.key } satisfies StartOptions };
  }

  it('is called by its own client, which trusts the given certificate', async () => {
    const { options } = certificatesFor('localhost', '127.0.0.1');
    await using bank = await startSandbank({ ...options, now: '2030-02-01T08:00:00Z' });
    expect(bank.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect((await bank.fetch('/readyz')).status).toBe(200);
    expect(await seededAccount(bank)).toMatch(/^sub_/);
    await using other = await bank.inSandbox('other');
    expect(await seededAccount(other)).toMatch(/^sub_/);
    const receiver = await bank.receiver({ types: ['sub_account.updated'] });
    const sub_account_id = await seededAccount(bank);
    await bank.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Rent' } });
    expect((await receiver.next('sub_account.updated', PATIENTLY)).data.label).toBe('Rent');
  });

  it('needs no name of this machine in its certificate', async () => {
    const { options } = certificatesFor('api.bank.example');
    await using bank = await startSandbank(options);
    expect(await seededAccount(bank)).toMatch(/^sub_/);
    // Like a worker of vitest that calls the server of the whole run.
    expect(await seededAccount(connectSandbank(placeOf(bank)))).toMatch(/^sub_/);
  });

  it('is called by a client with the authority, if the certificate has the host', async () => {
    const local = certificatesFor('127.0.0.1');
    const named = certificatesFor('api.bank.example');
    const authorityOf = (files: { authority: string }): string => readFileSync(files.authority, 'utf8');
    await using bank = await startSandbank(local.options);
    await using other = await startSandbank(named.options);
    const { url } = bank;
    expect(await seededAccount(connectSandbank({ url, ca: authorityOf(local) }))).toMatch(/^sub_/);
    await expect(connectSandbank({ url, ca: authorityOf(named) }).clock.now()).rejects.toThrow('not trusted');
    const ca = authorityOf(named);
    await expect(connectSandbank({ url: other.url, ca }).clock.now()).rejects.toThrow('altnames');
  });

  it('is not trusted by a client without it, and the error has a solution', async () => {
    const { options } = certificatesFor('127.0.0.1');
    await using bank = await startSandbank(options);
    await expect(connectSandbank({ url: bank.url }).clock.now()).rejects.toThrow(
      /is not trusted .* NODE_EXTRA_CA_CERTS, or pass its text as `ca` to connectSandbank/,
    );
    expect(() => connectSandbank({ url: bank.url, ca: 'authority.pem' })).toThrow(
      'ca is not a certificate in PEM',
    );
  });
});

describe('an invalid setting', () => {
  it.each<[string, object, string]>([
    ['a pace', { rails: 'slow' }, 'rails in the options is "slow"; expected fast, calendar or manual.'],
    ['a port', { port: 99_999 }, 'port in the options is "99999"; expected a whole number from 0 to 65535.'],
    [
      'an address',
      { webhookUrl: 'here' },
      'webhookUrl in the options is "here"; expected an http or https URL.',
    ],
    [
      'a name',
      { webhookURL: 'http://127.0.0.1/' },
      'webhookURL in the options is not a setting; did you mean webhookUrl? The settings are ',
    ],
  ])('is named, with what was expected: %s', async (_, options, message) => {
    await expect(startSandbank(options)).rejects.toThrow(message);
  });

  it.each<[string, () => StartOptions, string]>([
    ['a certificate', () => ({ tlsCert: 'none.pem', tlsKey: 'none.pem' }), 'none.pem (tlsCert) cannot'],
    ['a certificate alone', () => ({ tlsCert: 'none.pem' }), 'tlsCert in the options is set without'],
    [
      'a seed',
      () => {
        const seedFile = join(makeFolder(), 'seed.json');
        writeFileSync(seedFile, '{"people": []}');
        return { seedFile };
      },
      'seed.json',
    ],
  ])('may be a file: %s', async (_, options, message) => {
    await expect(startSandbank(options())).rejects.toThrow(message);
  });

  it('is reported with the others', async () => {
    const started = startSandbank({ port: -1, rails: 'never' } as object);
    await expect(started).rejects.toThrow(/port in the options.*\n.*rails in the options/);
  });

  it('may be the instant, and no files remain', async () => {
    await expect(startSandbank({ now: 'noon' })).rejects.toMatchObject({
      code: 'field_invalid',
      hint: 'now',
    });
  });

  it('may be a port in use', async () => {
    await using bank = await startSandbank();
    const port = Number(new URL(bank.url).port);
    await expect(startSandbank({ port })).rejects.toThrow(
      /^port \d+ on 127\.0\.0\.1 is taken by .*: stop it, or choose another/,
    );
  });
});
