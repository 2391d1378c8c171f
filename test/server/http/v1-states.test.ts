/**
 * The v1 names of the v2 states, in each record that both versions have. Decision `v1-words-for-states` in
 * docs/fidelity.md.
 */
import { expect, it } from 'vitest';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();

/**
 * The records, by their names in the seed: the path that changes them in v2, and the path that reads them in v1.
 */
const RECORDS = {
  account: ['/v2/accounts/sub_account', 'fresh', '/v1/account', 'status'],
  card: ['/v2/issuing/card', 'virtual_card_id', '/v1/card', 'cardStatus'],
  person: ['/v2/accounts/sub_account_holder', 'person_holder_id', '/v1/person', 'status'],
  business: ['/v2/accounts/sub_account_holder', 'business_holder_id', '/v1/business', 'status'],
  contact: ['/v2/payments/counterparty', 'ach_counterparty_id', '/v1/contact', 'status'],
} as const;

const freshAccount = async (caller: Caller): Promise<string> => {
  const body = { sub_account_holder_id: caller.seed('person_holder_id'), type: 'checking' };
  return (await caller.v2('POST', '/v2/accounts/sub_account', body)).id();
};

it.each([
  ['account', 'credit_blocked', 'creditBlocked'],
  ['account', 'debit_blocked', 'debitBlocked'],
  ['account', 'blocked', 'blocked'],
  ['account', 'lock', 'blocked'],
  ['account', 'closed', 'closed'],
  ['card', 'blocked', 'inactive'],
  ['card', 'lock', 'inactive'],
  ['card', 'closed', 'canceled'],
  ['person', 'suspended', 'inactive'],
  ['person', 'lock', 'inactive'],
  ['person', 'deactivated', 'deactivated'],
  // It waits for its KYB, which only that field shows in v1.
  ['business', 'pending_activation', 'active'],
  ['contact', 'suspended', 'active'],
  ['contact', 'deactivated', 'deleted'],
] as const)('a %s that is %s in v2 is %s in v1', async (record, state, word) => {
  const caller = http.caller();
  const [path, seeded, inV1, field] = RECORDS[record];
  const id = seeded === 'fresh' ? await freshAccount(caller) : caller.seed(seeded);
  const noun = { account: 'accounts', card: 'cards', person: 'holders' }[record as 'account'];
  const changed =
    state === 'lock'
      ? await caller.v2('POST', `/_sandbox/simulate/${noun}/${id}/lock`)
      : await caller.v2('PATCH', `${path}/${id}`, { status: state });
  expect(changed.status, changed.text).toBe(200);
  const shown = await caller.v1('GET', `${inV1}/${id}`);
  expect(shown.at(field), shown.text).toBe(word);
});
