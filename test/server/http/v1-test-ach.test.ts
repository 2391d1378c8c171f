/**
 * POST /v1/account/{accountId}/test/ach: another bank sends or pulls, and the payment is decided during the request.
 * Decisions `incoming-not-taken`, `v1-magic-amounts`, `v1-ach-test` and `v1-send-card` in docs/fidelity.md.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TRANSACTION_V1 } from '../../contract/v1/money.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';
import { available, entries, recordOf } from './v1-orders.ts';

const http = useHttp();
const test = (caller: Caller, body: object) =>
  caller.v1('POST', `/v1/account/${caller.seed('account_id')}/test/ach`, body);
const CREDIT = {
  amount: '10.00',
  txnType: 'credit',
  senderName: 'Maple Grove Dental LLC',
  senderRoutingNumber: '121042882',
  description: 'Payroll',
};
const DEBIT = { ...CREDIT, txnType: 'debit', amount: '25.00' };

/** Responds to every real-time request in this way, and counts them. */
async function receiver(status: string): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.end(JSON.stringify({ status })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests };
}

describe('a simulated ACH (testAch)', () => {
  it('that is a credit settles immediately', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await test(caller, CREDIT);
    expectRecord(answer, 'testAch', TRANSACTION_V1);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^txn-/),
      accountId: caller.seed('account_id'),
      personId: caller.seed('person_id'),
      txnType: 'credit',
      amount: '10.00',
      transferType: 'ach',
      subType: 'received',
      status: 'settled',
      title: 'Received from Maple Grove Dental LLC',
      description: 'Payroll',
      balance: '5010.00',
      ach: {
        transferId: answer.id().replace('txn', 'tra'),
        contactId: '',
        name: 'Maple Grove Dental LLC',
        routingNumber: '121042882',
        bankName: 'Wells Fargo',
        type: '',
        traceNumber: expect.stringMatching(/^121042882\d{5}$/),
      },
    });
    expect(await available(caller)).toBe('5010.00');
    expect((await entries(caller))[0]).toEqual(answer.body);
    const { v1, v2 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['ach.received.credit', 'account.credit']);
    expect(recordOf(v1, 'ach.received.credit')).toEqual(answer.body);
    expect(v2.map(({ kind }) => kind)).toEqual([
      'transaction.created',
      'transaction.status.received',
      'transaction.status.settled',
    ]);
    const read = await caller.v2('GET', `/v2/payments/transaction/${answer.id()}`);
    expect(read.body).toMatchObject({ status: 'settled', method: 'ach', type: 'push', message: 'incoming' });
  });

  it('that is a debit is paid immediately', async () => {
    const caller = http.caller();
    await caller.listen();
    const answer = await test(caller, DEBIT);
    expect(answer.body).toMatchObject({
      txnType: 'debit',
      amount: '-25.00',
      status: 'settled',
      title: 'Paid to Maple Grove Dental LLC',
      balance: '4975.00',
    });
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['ach.received.debit', 'account.debit']);
  });

  it('needs no sender', async () => {
    const answer = await test(http.caller(), { amount: '1.00', txnType: 'credit' });
    expect(answer.body).toMatchObject({
      title: 'Received from Test Sender',
      description: '',
      ach: { routingNumber: '', bankName: '' },
    });
  });

  const refuseDebit = async (caller: Caller, body: object, reviewCode: string) => {
    const before = await available(caller);
    await caller.listen();
    const answer = await test(caller, body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ status: 'declined', reviewCode });
    expect(await available(caller)).toBe(before);
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['ach.received.declined']);
    expect(recordOf(v1, 'ach.received.declined')).toEqual(answer.body);
    expect((await entries(caller, '?status=declined'))[0]).toEqual(answer.body);
    expect((await entries(caller, '?status=settled')).map(({ id }) => id)).not.toContain(answer.id());
  };

  it('beyond the available balance is declined', async () => {
    await refuseDebit(http.caller(), { ...DEBIT, amount: '5000.01' }, 'insufficientFunds');
  });

  it.each([
    ['debit_blocked', DEBIT],
    ['blocked', DEBIT],
    ['closed', DEBIT],
    ['credit_blocked', CREDIT],
    ['closed', CREDIT],
  ] as const)('to an account that is %s is declined', async (status, body) => {
    const caller = http.caller();
    const { commit, store, seeded } = caller.sandbox;
    const account = store.accounts.byId(seeded.ids.account ?? '');
    if (account === undefined) throw new Error('no account');
    await commit(() =>
      store.accounts.replace({ ...account, status, closedAt: status === 'closed' ? 1 : null }),
    );
    await refuseDebit(caller, body, 'accountClosed');
  });

  it('in review by a rule is pending', async () => {
    const caller = http.caller();
    const rule = { match: { rail: 'ach_received_push' }, outcome: { review: true } };
    await caller.v2('PUT', '/_sandbox/rules', { rules: [rule] });
    const answer = await test(caller, CREDIT);
    expect(answer.body).toMatchObject({ status: 'pending', balance: '5000.00' });
  });

  it('may be returned by a rule', async () => {
    const caller = http.caller();
    const rule = { match: { rail: 'ach_received_push' }, outcome: { return_code: 'R03' } };
    await caller.v2('PUT', '/_sandbox/rules', { rules: [rule] });
    expect((await test(caller, CREDIT)).body).toMatchObject({
      status: 'declined',
      reviewCode: 'accountNotFound',
    });
    expect(await available(caller)).toBe('5000.00');
  });

  it('that is a debit requires real-time authorization, and is declined without it', async () => {
    const caller = http.caller();
    const { url, requests } = await receiver('declined');
    await caller.v2('PUT', '/_sandbox/rta', { url, secret: 's', ach: true, timeout_ms: 30_000 });
    await test(caller, CREDIT);
    expect(requests()).toBe(0);
    await refuseDebit(caller, DEBIT, 'R10');
    expect(requests()).toBe(1);
    // A payment that is declined anyway sends no request.
    expect((await test(caller, { ...DEBIT, amount: '9999.00' })).at('status')).toBe('declined');
    expect(requests()).toBe(1);
  });

  it('that the client authorizes is paid, and contains the authorization', async () => {
    const caller = http.caller();
    const { url } = await receiver('approved');
    await caller.v2('PUT', '/_sandbox/rta', { url, secret: 's', ach: true, timeout_ms: 30_000 });
    const answer = await test(caller, DEBIT);
    expect(answer.body).toMatchObject({ status: 'settled', ach: { authId: expect.stringMatching(/^aar-/) } });
  });

  it.each([
    [{ amount: '10.00' }, 'txnType'],
    [{ ...CREDIT, txnType: 'both' }, 'txnType'],
    [{ ...CREDIT, amount: '0.00' }, 'amount'],
    [{ ...CREDIT, senderRoutingNumber: '12' }, 'senderRoutingNumber'],
    [{ ...CREDIT, senderName: 'x'.repeat(101) }, 'senderName'],
  ])('of %j is refused', async (body, field) => {
    const caller = http.caller();
    const before = digestOf(caller.sandbox);
    const answer = await test(caller, body);
    expect([answer.status, answer.at('message')]).toEqual([400, expect.stringContaining(field)]);
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it('requires an existing account', async () => {
    const answer = await http
      .caller()
      .v1('POST', '/v1/account/acc-00000000-0000-0000-0000-000000000000/test/ach', CREDIT);
    expectRefusedV1(answer, { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' });
  });
});
