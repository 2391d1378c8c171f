/**
 * How a bank is started in this process: what its settings do, and what is said of one that makes no sense.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { type Sandbank, type StartOptions, startSandbank } from '../../src/kit/index.ts';
import { makeFolder } from '../support/folder.ts';

const seededAccount = async (bank: Sandbank): Promise<string> => (await bank.seeded()).sub_account_id;

describe('a bank', () => {
  it('is in memory, on a free port of this machine, and goes with the real clock', async () => {
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

  it('stands at the instant that it is given', async () => {
    await using bank = await startSandbank({ now: new Date('2030-02-01T08:00:00Z') });
    expect((await bank.clock.now()).toISOString()).toBe('2030-02-01T08:00:00.000Z');
  });

  it('is kept in a folder, and found there again', async () => {
    const data = makeFolder();
    const first = await startSandbank({ data });
    const sub_account_id = await seededAccount(first);
    await first.v2.updateSubAccount({ params: { sub_account_id }, body: { label: 'Kept' } });
    await first.close();
    expect(readdirSync(data)).toContain('default.sqlite');
    await using second = await startSandbank({ data });
    expect((await second.v2.retrieveSubAccount({ params: { sub_account_id } })).label).toBe('Kept');
  });

  it('listens at the port, sends to the address, and is as strict as it was told', async () => {
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

  it('does not care for the environment', async () => {
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

describe('a setting that makes no sense', () => {
  it.each<[string, object, string]>([
    ['a pace', { rails: 'slow' }, 'rails in the options is "slow"; expected fast, calendar or manual.'],
    ['a port', { port: 99_999 }, 'port in the options is "99999"; expected a whole number from 0 to 65535.'],
    [
      'an address',
      { webhookUrl: 'here' },
      'webhookUrl in the options is "here"; expected an http or https URL.',
    ],
    ['a name', { webhookURL: 'http://127.0.0.1/' }, 'webhookURL in the options is not a setting; there are '],
  ])('is named, with what was expected: %s', async (_, options, message) => {
    await expect(startSandbank(options)).rejects.toThrow(message);
  });

  it('is named with the others', async () => {
    const started = startSandbank({ port: -1, rails: 'never' } as object);
    await expect(started).rejects.toThrow(/port in the options.*\n.*rails in the options/);
  });

  it('may be the instant, and nothing is left behind', async () => {
    await expect(startSandbank({ now: 'noon' })).rejects.toMatchObject({
      code: 'field_invalid',
      hint: 'now',
    });
  });

  it('may be a port that somebody has', async () => {
    await using bank = await startSandbank();
    const port = Number(new URL(bank.url).port);
    await expect(startSandbank({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
