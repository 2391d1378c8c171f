/**
 * The lists of accounts with the filters of both versions, and the master account. Decisions `v2-sub-accounts`,
 * `v1-account-owner` and `master-account` of the decisions.
 */
import { describe, expect, it } from 'vitest';
import { MASTER_ACCOUNT } from '../../contract/v2/accounts.ts';
import { expectRecord, expectRefusedV1, expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true });

const bare = (id: string): string => id.slice(4).replaceAll('-', '');
const ids = (answer: Answer): string[] => (answer.at('data') as { id: string }[]).map(({ id }) => bare(id));

const forPerson = (caller: Caller) => ({ 'sd-person-id': caller.seed('person_id') });

/** Opens an account of the person in v1. */
const openV1 = (caller: Caller, body: object = {}) =>
  caller.v1('POST', '/v1/account', body, forPerson(caller));

describe('the lists (listAccounts, listProgramAccounts, v2_list_sub_accounts)', () => {
  it('of v2 are filtered by holder, master account, reference, and status of either version', async () => {
    const caller = http.caller();
    const holder = caller.seed('person_holder_id');
    const own = bare(caller.seed('sub_account_id'));
    const other = bare(caller.seed('other_sub_account_id'));
    await caller.v2('PATCH', `/v2/accounts/sub_account/sub_${own}`, {
      status: 'debit_blocked',
      external_reference_id: 'r-7',
    });
    const fresh = await caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: holder,
      type: 'cash',
    });
    await caller.v2('PATCH', `/v2/accounts/sub_account/${fresh.id()}`, { status: 'closed' });
    const gone = bare(fresh.id());
    const find = async (query: string) => {
      const answer = await caller.v2('GET', `/v2/accounts/sub_account?${query}`);
      expect(answer.at('total')).toBe(ids(answer).length);
      return ids(answer);
    };
    expect(await find('')).toEqual([gone, other, own]);
    expect(await find(`sub_account_holder_id=${holder}`)).toEqual([gone, own]);
    expect(await find(`sub_account_holder_id=sah_${own}`)).toEqual([]);
    expect(await find('sub_account_holder_id=nonsense')).toEqual([]);
    expect(await find(`master_account_id=${caller.seed('master_account_id')}`)).toEqual([gone, other, own]);
    expect(await find(`master_account_id=mas_${own}`)).toEqual([]);
    expect(await find('external_reference_id=r-7')).toEqual([own]);
    expect(await find('status=open')).toEqual([other]);
    expect(await find('status=activated')).toEqual([other]);
    expect(await find('status=debit_blocked')).toEqual([own]);
    expect(await find('status=suspended')).toEqual([own]);
    expect(await find('status=deactivated')).toEqual([gone]);
    expect(await find('status=pending_activation')).toEqual([]);
    expect((await caller.v2('GET', '/v2/accounts/sub_account?status=nonsense')).status).toBe(400);
  });

  it('of v2 use cursors', async () => {
    const caller = http.caller();
    const first = await caller.v2('GET', '/v2/accounts/sub_account?limit=1');
    expect([ids(first), first.at('total'), first.at('has_more')]).toEqual([
      [bare(caller.seed('other_sub_account_id'))],
      2,
      'true',
    ]);
    const next = await caller.v2(
      'GET',
      `/v2/accounts/sub_account?limit=1&starting_after=${first.id('starting_after')}`,
    );
    expect([ids(next), next.at('has_more')]).toEqual([[bare(caller.seed('sub_account_id'))], 'false']);
  });

  it('of v1 are filtered by owner, status, type, id, metadata and time', async () => {
    const caller = http.caller();
    const own = bare(caller.seed('account_id'));
    const other = bare(caller.seed('other_sub_account_id'));
    http.clock.advance(60_000);
    const fresh = await openV1(caller, { type: 'cardAccount', metadata: { externalId: 'e-1' } });
    const card = bare(fresh.id());
    const find = async (query: string) => {
      const answer = await caller.v1('GET', `/v1/account?${query}`);
      expectRecord(answer, 'listAccounts', ['total', 'data']);
      return ids(answer);
    };
    expect(await find('')).toEqual([card, other, own]);
    expect(await find('limit=1&offset=1')).toEqual([other]);
    expect(await find(`personId=${caller.seed('person_id')}`)).toEqual([card, own]);
    expect(await find(`businessId=${caller.seed('business_holder_id')}`)).toEqual([]);
    expect(await find('personId=nobody')).toEqual([]);
    expect(await find('familyId=nobody')).toEqual([]);
    expect(await find(`id=${caller.seed('account_id')}`)).toEqual([own]);
    expect(await find('type=cardAccount')).toEqual([card]);
    expect(await find('type=personalChecking')).toEqual([other, own]);
    expect(await find('type=businessChecking')).toEqual([]);
    expect(await find('type=fundingAccount')).toEqual([]);
    expect(await find('externalId=e-1')).toEqual([card]);
    expect(await find(`startTime=${fresh.id('createdAt')}`)).toEqual([card]);
    expect(await find('status=active')).toEqual([card, other, own]);
    await caller.sandbox.commit(() => caller.sandbox.bank.accounts.lock(own));
    await caller.v1('PATCH', `/v1/account/${fresh.id()}`, { status: 'blocked' });
    expect(await find('status=blocked')).toEqual([card, own]);
    expect((await caller.v1('GET', '/v1/account?limit=0')).status).toBe(400);
  });

  it('of a program contain its accounts', async () => {
    const caller = http.caller();
    const programId = caller.seed('program_id');
    const all = await caller.v1('GET', `/v1/program/${programId}/account`);
    expect(all.body).toEqual((await caller.v1('GET', '/v1/account')).body);
    const none = await caller.v1('GET', `/v1/program/${programId}/account?status=closed`);
    expect(none.body).toEqual({ total: 0, data: [] });
    const strange = await caller.v1('GET', `/v1/program/prg-${caller.seed('person_id').slice(4)}/account`);
    expectRefusedV1(strange, { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
  });
});

describe('the master account (v2_retrieve_master_account, v2_list_master_accounts)', () => {
  it('has the sum of all sub accounts', async () => {
    const caller = http.caller();
    const path = `/v2/accounts/master_account/${caller.seed('master_account_id')}`;
    const before = await caller.v2('GET', path);
    expectRecord(before, 'v2_retrieve_master_account', MASTER_ACCOUNT);
    expect(before.body).toMatchObject({
      id: caller.seed('master_account_id'),
      label: 'Operating FBO',
      available_balance: '7500.00',
      pending_credits: '0.00',
      pending_debits: '0.00',
      status: 'open',
    });
    await openV1(caller);
    await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '62.40',
      description: 'Dues',
    });
    const after = await caller.v2('GET', path);
    expect([after.at('available_balance'), after.at('pending_credits')]).toEqual(['8500.00', '62.40']);
  });

  it('is the only item of its list, if the filters match', async () => {
    const caller = http.caller();
    const id = caller.seed('master_account_id');
    const find = async (query: string) => ids(await caller.v2('GET', `/v2/accounts/master_account?${query}`));
    const holder = (await caller.v2('GET', `/v2/accounts/master_account/${id}`)).id(
      'master_account_holder_id',
    );
    expect(await find('')).toEqual([bare(id)]);
    expect(await find(`master_account_holder_id=${holder}&status=open&limit=1`)).toEqual([bare(id)]);
    expect(await find('status=closed')).toEqual([]);
    expect(await find(`master_account_holder_id=mah_${bare(id)}`)).toEqual([]);
    expect((await caller.v2('GET', '/v2/accounts/master_account?limit=0')).status).toBe(400);
    expectRefusedV2(await caller.v2('GET', `/v2/accounts/master_account/mas_${'0'.repeat(32)}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
      message: 'cannot find account by id in qldb',
    });
  });
});
