/**
 * Each value of docs/test-values.md, used like a client uses it. The page is generated from the same tables.
 */
import { describe, expect, it } from 'vitest';
import { ID_NUMBERS, V1_ACH } from '../../../build/print-test-values.ts';
import { UNKNOWN_ACCOUNT_NUMBER } from '../../../src/bank/model/test-values.ts';
import { useHttp } from './support.ts';

const http = useHttp({ small: true });

describe('an id number', () => {
  it.each(ID_NUMBERS)('that begins with $digits: $outcome, in v2', async ({ example, outcome }) => {
    const caller = http.caller();
    const holder = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: {
        first_name: 'Mara',
        last_name: 'Quill',
        email: 'mara@example.com',
        phone: '+14155550123',
        date_of_birth: '1990-04-01',
        id_type: 'ssn',
        id_number: example.replace(/\d{4}$/, '0199'),
        address: { line1: '1 Pier', city: 'Monterey', state: 'CA', country: 'US', postal_code: '93940' },
      },
    });
    expect(holder.status).toBe(201);
    const checked = await caller.v2('POST', `/v2/accounts/sub_account_holder/${holder.id('id')}/kyc`, {});
    expect(JSON.stringify(checked.body)).toContain(`"${outcome}"`);
  });
});

describe('an ACH of v1', () => {
  it.each(V1_ACH)('$direction, $what: $end', async ({ direction, amount, code, end }) => {
    const caller = http.caller();
    const isPull = direction === 'pull';
    const contact = amount === '' ? await unknownAccount(caller) : caller.seed('contact_id');
    const made = await caller.v1('POST', isPull ? '/v1/receive/ach' : '/v1/send/ach', {
      accountId: caller.seed('account_id'),
      contactId: contact,
      amount: amount === '' ? '10.00' : amount,
      description: 'test value',
    });
    expect(made.status).toBe(201);
    await caller.v2('POST', '/_sandbox/clock/settle', {});
    const explained = await caller.v2('GET', `/_sandbox/explain/${made.id('id').replace(/^tra-/, 'txn-')}`);
    expect(explained.body).toMatchObject({ status: end });
    if (code !== '') expect(explained.body).toMatchObject({ reason: { code } });
  });
});

async function unknownAccount(caller: ReturnType<typeof http.caller>): Promise<string> {
  const contact = await caller.v1('POST', '/v1/contact', {
    accountId: caller.seed('account_id'),
    name: 'Nobody Known',
    email: 'nobody@example.com',
    status: 'active',
    ach: {
      accountNumber: UNKNOWN_ACCOUNT_NUMBER,
      routingNumber: '021000021',
      accountType: 'personalChecking',
      bankName: 'Bank',
    },
  });
  return contact.id('id');
}
