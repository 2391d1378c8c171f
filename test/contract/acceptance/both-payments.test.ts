/**
 * One payment, two generations: on each rail that both have it is ordered once in v1 and once in v2, goes its way, and is
 * read in both after every step, with the accounts on both sides. Decision `shared-records` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { useHttp } from '../../server/http/support.ts';
import { expectSame, type Pair, SUB_ACCOUNT, TRANSACTION, TRANSFER } from './pairs.ts';
import { expectSameEntries, payment, RAILS, type Statuses } from './rails.ts';
import { API_VERSIONS, both, counterparty, ok, simulate } from './things.ts';

const http = useHttp();

describe.each(API_VERSIONS)('a payment that is created in %s', (apiVersion) => {
  it.each(Object.entries(RAILS))(
    '%s: is the same payment in both versions, at every step',
    async (_, rail) => {
      const caller = http.caller();
      const contact = (await ok(counterparty.v2(caller))).id();
      const given = { amount: '12.50', description: 'Invoice 88' };
      const accounts = async (): Promise<Pair[]> => [
        await both(caller, 'account', caller.seed('account_id')),
        await both(caller, 'account', caller.seed('other_sub_account_id')),
      ];
      const request =
        apiVersion === 'v1'
          ? caller.v1('POST', `/v1/${rail.v1[0]}`, {
              ...given,
              ...rail.v1[1],
              accountId: caller.seed('account_id'),
              contactId: contact,
            })
          : caller.v2('POST', `/v2/payments/${rail.v2[0]}`, {
              ...given,
              ...rail.v2[1],
              sub_account_id: caller.seed('sub_account_id'),
              counterparty_id: contact,
            });
      const id = (await ok(request)).id().replace(/^tra-/, 'txn-');
      const files = rail.opened[0] === 'waitingForFiles' && apiVersion === 'v2';
      const opened: Statuses = files
        ? ['pending', ...(rail.opened.slice(1) as [string, string])]
        : rail.opened;
      for (const [event, expected] of [['', opened] as const, ...rail.course]) {
        if (event !== '') await simulate(caller, `transactions/${id}/${event}`);
        const { entry, order } = await payment(caller, rail, id);
        expectSame(entry, TRANSACTION);
        expectSame(order, TRANSFER);
        // v1 keeps the balance of the booking, v2 shows that of the last step: they agree when the row is made.
        if (event === '') expectSame(entry, [['balance', 'available_balance']]);
        expect([
          (order.v1 as { status: string }).status,
          (entry.v1 as { status: string }).status,
          (entry.v2 as { status: string }).status,
        ]).toEqual(expected);
        for (const pair of await accounts()) expectSame(pair, SUB_ACCOUNT);
      }
      await expectSameEntries(caller);
    },
  );

  it('a card purchase is the same transaction in both versions, on hold and after its reversal', async () => {
    const caller = http.caller();
    const bought =
      apiVersion === 'v1'
        ? caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, { amount: '14.90' })
        : caller.v2('POST', '/v2/simulate/incoming/card_issuing', {
            card_id: caller.seed('virtual_card_id'),
            amount: '14.90',
            type: 'auth',
            status: 'pending',
          });
    await ok(bought);
    const [purchase] = await expectSameEntries(caller);
    expect(purchase).toMatchObject({ amount: '-14.90', transferType: 'card', subType: 'auth' });
    const parent = String(purchase?.id);
    const reversed =
      apiVersion === 'v1'
        ? caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, {
            amount: '14.90',
            txnType: 'reversal',
            parentTxnId: parent,
          })
        : caller.v2('POST', '/v2/simulate/incoming/card_issuing', {
            card_id: caller.seed('virtual_card_id'),
            amount: '14.90',
            type: 'reverse',
            status: 'settled',
            parent_transaction_id: parent,
          });
    await ok(reversed);
    const [reversal] = await expectSameEntries(caller);
    expect(reversal).toMatchObject({ amount: '14.90', subType: 'reversal', parentTxnId: parent });
    expectSame(await both(caller, 'account', caller.seed('account_id')), SUB_ACCOUNT);
  });

  it('an incoming payment is the same transaction in both versions', async () => {
    const caller = http.caller();
    const sender = { name: 'Pat Rowe', routing: '021000021' };
    if (apiVersion === 'v1') {
      const path = `/v1/account/${caller.seed('account_id')}/test/ach`;
      for (const txnType of ['credit', 'debit']) {
        const request = {
          amount: '30.00',
          txnType,
          senderName: sender.name,
          senderRoutingNumber: sender.routing,
        };
        await ok(caller.v1('POST', path, request));
      }
    } else {
      for (const direction of ['push', 'pull']) {
        const made = caller.v2('POST', `/v2/simulate/incoming/ach/${direction}`, {
          sub_account_id: caller.seed('sub_account_id'),
          amount: '30.00',
          description: 'Dues',
          counterparty: { name: sender.name, routing_number: sender.routing },
        });
        await simulate(caller, `transactions/${(await ok(made)).id()}/settle`);
      }
    }
    const entries = await expectSameEntries(caller);
    expect(entries.slice(0, 2).map(({ amount, status }) => [amount, status])).toEqual([
      ['-30.00', 'settled'],
      ['30.00', 'settled'],
    ]);
    expectSame(await both(caller, 'account', caller.seed('account_id')), SUB_ACCOUNT);
  });
});
