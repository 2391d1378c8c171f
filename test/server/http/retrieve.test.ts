/**
 * An id is accepted in the format of either version, and an unknown id gets 404. Decision `id-format` in
 * docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const uuidOf = (id: string) => id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

async function pull(caller: Caller) {
  return caller.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '7.00',
  });
}

const RECORDS: [string, string, string, string[]][] = [
  ['v2', '/v2/accounts/sub_account_holder', 'person_holder_id', ['per-']],
  ['v2', '/v2/accounts/sub_account_holder', 'business_holder_id', ['bus-']],
  ['v2', '/v2/accounts/sub_account', 'sub_account_id', ['acc-']],
  ['v2', '/v2/issuing/card', 'virtual_card_id', ['crd-']],
  ['v2', '/v2/payments/transaction', 'transaction', ['txn-', 'tra-']],
  ['v1', '/v1/account', 'account_id', []],
];

describe('an id', () => {
  it.each(RECORDS)(
    'of %s %s, the %s, is accepted in the format of the other version',
    async (apiVersion, path, name, prefixes) => {
      const caller = http.caller();
      const id = name === 'transaction' ? (await pull(caller)).id() : caller.seed(name);
      const get = apiVersion === 'v1' ? caller.v1 : caller.v2;
      const plain = await get('GET', `${path}/${id}`);
      const spellings =
        apiVersion === 'v1' ? [caller.seed('sub_account_id')] : prefixes.map((it) => it + uuidOf(id));
      for (const spelling of spellings) {
        expect((await get('GET', `${path}/${spelling}`)).body, spelling).toEqual(plain.body);
      }
    },
  );

  it.each(RECORDS)('of %s %s that is unknown is 404', async (apiVersion, path) => {
    const caller = http.caller();
    const nobody = ['x', '%00', '__proto__', 'constructor', 'x'.repeat(3000), `cli_${'0'.repeat(32)}`];
    const prefix =
      apiVersion === 'v1'
        ? 'acc'
        : caller.seed(path.includes('card') ? 'virtual_card_id' : 'sub_account_id').slice(0, 3);
    for (const id of [...nobody, `${prefix}_${'f'.repeat(32)}`, `${prefix}-${crypto.randomUUID()}`]) {
      if (apiVersion === 'v1') {
        expectRefusedV1(await caller.v1('GET', `${path}/${encodeURIComponent(id)}`), {
          status: 404,
          code: 'EC_ACCOUNT_NOT_FOUND',
        });
      } else {
        expectRefusedV2(await caller.v2('GET', `${path}/${encodeURIComponent(id)}`), {
          status: 404,
          code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
        });
      }
    }
  });

  it('in capitals is unknown', async () => {
    const caller = http.caller();
    const id = caller.seed('sub_account_id').toUpperCase();
    expect((await caller.v2('GET', `/v2/accounts/sub_account/${id}`)).status).toBe(404);
  });
});

describe('two sandboxes', () => {
  it('share no data', async () => {
    const [one, two] = [http.caller(), http.caller()];
    const made = await pull(one);
    expect((await one.v2('GET', `/v2/payments/transaction/${made.id()}`)).status).toBe(200);
    expect((await two.v2('GET', `/v2/payments/transaction/${made.id()}`)).status).toBe(404);
    const path = `/v2/accounts/sub_account/${one.seed('sub_account_id')}`;
    expect((await one.v2('GET', path)).at('pending_credits')).toBe('7.00');
    expect((await two.v2('GET', path)).at('pending_credits')).toBe('0.00');
  });
});
