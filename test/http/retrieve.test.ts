/**
 * The reading operations beside the ten: a holder, a sub account, a card and a transaction of v2, and the account of
 * v1, each in its own shape with every field, under either spelling of its id. Decisions `unset-values`, `id-format`,
 * `shared-records` and `opening-balance` of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { ACCOUNT_V1 } from '../contract/v1/account.ts';
import { SUB_ACCOUNT } from '../contract/v2/accounts.ts';
import { CARD } from '../contract/v2/card.ts';
import { SUB_ACCOUNT_HOLDER } from '../contract/v2/holders.ts';
import { TRANSACTION } from '../contract/v2/transaction.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2 } from './expectations.ts';
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

describe('a holder', () => {
  it('that is a person is shown with its checks', async () => {
    const caller = http.caller();
    const answer = await caller.v2(
      'GET',
      `/v2/accounts/sub_account_holder/${caller.seed('person_holder_id')}`,
    );
    expectRecord(answer, 'v2_retrieve_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.body).toMatchObject({
      id: caller.seed('person_holder_id'),
      type: 'person',
      status: 'activated',
      person: { first_name: 'Ada', last_name: 'Lovegood', id_number: '212345678', kyc: { status: 'pass' } },
      business: null,
    });
  });

  it('that is a business is shown with its members', async () => {
    const caller = http.caller();
    const id = caller.seed('business_holder_id');
    const answer = await caller.v2('GET', `/v2/accounts/sub_account_holder/${id}`);
    expectRecord(answer, 'v2_retrieve_sub_account_holder', SUB_ACCOUNT_HOLDER);
    expect(answer.body).toMatchObject({
      status: 'pending_activation',
      business: { legal_name: 'Birch Tools LLC', kyb: { status: 'not_started' }, members: [{}, {}] },
    });
  });
});

describe('a sub account', () => {
  it('is shown with its balance in v2', async () => {
    const caller = http.caller();
    const answer = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    expectRecord(answer, 'v2_retrieve_sub_account', SUB_ACCOUNT);
    expect(answer.body).toMatchObject({
      id: caller.seed('sub_account_id'),
      sub_account_holder_id: caller.seed('person_holder_id'),
      sub_account_holder_name: 'Ada Lovegood',
      label: 'Everyday',
      type: 'checking',
      account_number: expect.stringMatching(/^\d{16}$/),
      routing_number: '011000015',
      sponsor_bank: 'Sandbank Trust',
      available_balance: '5000.00',
      pending_credits: '0.00',
      pending_debits: '0.00',
      currency: 'usd',
      status: 'open',
      timestamps: { closed_at: '', deactivated_at: '' },
    });
  });

  it('is the same account in v1', async () => {
    const caller = http.caller();
    const inV2 = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
    const answer = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expectRecord(answer, 'retrieveAccount', ACCOUNT_V1);
    expect(answer.body).toMatchObject({
      id: `acc-${uuidOf(inV2.id())}`,
      businessId: '',
      familyId: '',
      label: 'Everyday',
      accountNumber: inV2.at('account_number'),
      routingNumber: '011000015',
      status: 'active',
      type: 'personalChecking',
      currency: 'USD',
      availableBalance: '5000.00',
      pendingDebit: '0.00',
      pendingCredit: '0.00',
      createdPersonId: caller.seed('person_id'),
      acceptedTerms: true,
      isVerified: false,
      verifiedAt: '',
    });
  });
});

describe('a card', () => {
  it.each([
    ['virtual', 'open'],
    ['physical', 'locked'],
  ])('that is %s is shown as %s, without its number', async (type, status) => {
    const caller = http.caller();
    const answer = await caller.v2('GET', `/v2/issuing/card/${caller.seed(`${type}_card_id`)}`);
    expectRecord(answer, 'v2_retrieve_card', CARD);
    expect(answer.body).toMatchObject({ type, status, controls: { atm_enabled: 'true' } });
    expect(answer.text).not.toMatch(/\b\d{16}\b|cvv|"number":"\d/);
  });
});

describe('a transaction', () => {
  it('is shown as it was made', async () => {
    const caller = http.caller();
    const made = await pull(caller);
    const answer = await caller.v2('GET', `/v2/payments/transaction/${made.id()}`);
    expectRecord(answer, 'v2_retrieve_transaction', TRANSACTION);
    expect(answer.body).toEqual(made.body);
  });
});

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
    'of %s %s, the %s, may be spelled as the other generation does',
    async (dialect, path, name, prefixes) => {
      const caller = http.caller();
      const id = name === 'transaction' ? (await pull(caller)).id() : caller.seed(name);
      const get = dialect === 'v1' ? caller.v1 : caller.v2;
      const plain = await get('GET', `${path}/${id}`);
      const spellings =
        dialect === 'v1' ? [caller.seed('sub_account_id')] : prefixes.map((it) => it + uuidOf(id));
      for (const spelling of spellings) {
        expect((await get('GET', `${path}/${spelling}`)).body, spelling).toEqual(plain.body);
      }
    },
  );

  it.each(RECORDS)('of %s %s that nobody has is 404', async (dialect, path) => {
    const caller = http.caller();
    const nobody = ['x', '%00', '__proto__', 'constructor', 'x'.repeat(3000), `cli_${'0'.repeat(32)}`];
    const prefix =
      dialect === 'v1'
        ? 'acc'
        : caller.seed(path.includes('card') ? 'virtual_card_id' : 'sub_account_id').slice(0, 3);
    for (const id of [...nobody, `${prefix}_${'f'.repeat(32)}`, `${prefix}-${crypto.randomUUID()}`]) {
      if (dialect === 'v1') {
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

  it('in capitals is nobody’s', async () => {
    const caller = http.caller();
    const id = caller.seed('sub_account_id').toUpperCase();
    expect((await caller.v2('GET', `/v2/accounts/sub_account/${id}`)).status).toBe(404);
  });
});

describe('sandboxes', () => {
  it('share nothing', async () => {
    const [one, two] = [http.caller(), http.caller()];
    const made = await pull(one);
    expect((await one.v2('GET', `/v2/payments/transaction/${made.id()}`)).status).toBe(200);
    expect((await two.v2('GET', `/v2/payments/transaction/${made.id()}`)).status).toBe(404);
    const path = `/v2/accounts/sub_account/${one.seed('sub_account_id')}`;
    expect((await one.v2('GET', path)).at('pending_credits')).toBe('7.00');
    expect((await two.v2('GET', path)).at('pending_credits')).toBe('0.00');
  });
});
