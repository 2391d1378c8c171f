/**
 * The transactions of an account in v1: which rows are included, every filter, the sort orders, the totals, and the
 * export. Decisions `v1-transactions`, `v1-transaction-filters` and `v1-transaction-export` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { TRANSACTION_V1 } from '../../contract/v1/money.ts';
import { expectRecord, expectRefusedV1, operationOf, problemsWith } from './expectations.ts';
import { setPin } from './pin.ts';
import { type Answer, type Caller, useHttp } from './support.ts';
import { entries, giveRails, ORDERS, order, orderOf } from './v1-orders.ts';

type Entry = Record<string, unknown>;

const http = useHttp({ small: true });
const pathOf = (caller: Caller) => `/v1/account/${caller.seed('account_id')}/transaction`;
const list = (caller: Caller, query = '') => caller.v1('GET', `${pathOf(caller)}${query}`);
const idsOf = (found: Entry[]) => found.map(({ id }) => id);
const testCard = (caller: Caller, body: object) =>
  caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body);
const testAch = (caller: Caller, body: object) =>
  caller.v1('POST', `/v1/account/${caller.seed('account_id')}/test/ach`, {
    senderRoutingNumber: '121042882',
    ...body,
  });
const time = (ms = 0) => new Date(http.clock.now() + ms).toISOString().replace(/\.\d+Z/, 'Z');

/** One transaction of each kind, a second apart; the ids of the transactions by kind, oldest first. */
async function story(caller: Caller): Promise<Record<string, string>> {
  await giveRails(caller);
  const ids: Record<string, string> = { opening: (await entries(caller))[0]?.id as string };
  const keep = async (name: string, act: () => Promise<Answer>) => {
    http.clock.advance(1000);
    const answer = await act();
    expect(answer.status, answer.text).toBeLessThan(300);
    ids[name] = (await entries(caller))[0]?.id as string;
  };
  for (const [place, row] of ORDERS.entries()) {
    const metadata = { externalId: row.path, place: String(place) };
    await keep(row.path, () => order(caller, row, { amount: `${place + 1}.00`, metadata }));
  }
  await keep('received', () => testAch(caller, { amount: '20.00', txnType: 'credit', senderName: 'Mill' }));
  await keep('refused', () => testAch(caller, { amount: '9999.00', txnType: 'debit' }));
  await keep('purchase', () => testCard(caller, { amount: '30.00' }));
  await keep('reversal', () =>
    testCard(caller, { amount: '30.00', txnType: 'reversal', parentTxnId: ids.purchase }),
  );
  return ids;
}

describe('the transactions of an account (listTransactions)', () => {
  it('are complete, newest first, with every field', async () => {
    const caller = http.caller();
    const ids = await story(caller);
    const answer = await list(caller);
    expect(problemsWith(operationOf('listTransactions').response as never, answer.body)).toEqual([]);
    expect([answer.at('total'), idsOf(answer.at('data') as Entry[])]).toEqual([
      Object.keys(ids).length,
      Object.values(ids).reverse(),
    ]);
    for (const id of Object.values(ids)) {
      const one = await caller.v1('GET', `${pathOf(caller)}/${id}`);
      expectRecord(one, 'retrieveTransaction', TRANSACTION_V1);
      expect(answer.at('data')).toContainEqual(one.body);
    }
  });

  it('exclude declined card authorizations, and have the correct total', async () => {
    const caller = http.caller();
    const before = (await list(caller)).at('total');
    expect((await testCard(caller, { amount: '9999.00' })).at('status')).toBe('declined');
    const spent = await testCard(caller, { amount: '10.00' });
    expect(spent.at('status')).toBe('approved');
    const [purchase] = await entries(caller);
    const more = await testCard(caller, {
      amount: '9999.00',
      txnType: 'authUpdate',
      parentTxnId: purchase?.id,
    });
    expect(more.at('status')).toBe('declined');
    expect((await list(caller)).at('total')).toBe((before as number) + 1);
    expect((await list(caller, '?status=declined')).at('total')).toBe(0);
    expect((await list(caller, `?cardId=${caller.seed('card_id')}`)).at('total')).toBe(1);
    const program = `/v1/program/${caller.seed('program_id')}/transaction`;
    // The seeded account and the other one have one opening credit each.
    expect((await caller.v1('GET', program)).at('total')).toBe(3);
    const inV2 = await caller.v2('GET', '/v2/payments/transaction?limit=100');
    const refused = (inV2.at('data') as { id: string; type: string }[]).find(
      ({ type }) => type === 'decline',
    );
    const answer = await caller.v1('GET', `${pathOf(caller)}/${refused?.id}`);
    expectRefusedV1(answer, { status: 404, code: 'EC_TRANSACTION_NOT_FOUND' });
  });

  it('of another or an unknown account are not listed', async () => {
    const caller = http.caller();
    const [own] = await entries(caller);
    const other = `/v1/account/${caller.seed('other_sub_account_id')}/transaction`;
    expectRefusedV1(await caller.v1('GET', `${other}/${own?.id}`), {
      status: 404,
      code: 'EC_TRANSACTION_NOT_FOUND',
    });
    const nobody = '/v1/account/acc-00000000-0000-0000-0000-000000000000/transaction';
    expectRefusedV1(await caller.v1('GET', nobody), { status: 404, code: 'EC_ACCOUNT_NOT_FOUND' });
    expectRefusedV1(await caller.v1('GET', `${nobody}/${own?.id}`), {
      status: 404,
      code: 'EC_ACCOUNT_NOT_FOUND',
    });
  });

  it('that are not declined add up to the balance and the pending credits, whatever their final status', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const expectSum = async () => {
      const cents = (await entries(caller)).reduce(
        (sum, { amount, status }) => (status === 'declined' ? sum : sum + Math.round(Number(amount) * 100)),
        0,
      );
      const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
      const there = Number(account.at('availableBalance')) + Number(account.at('pendingCredit'));
      expect((cents / 100).toFixed(2)).toBe(there.toFixed(2));
    };
    const simulate = (id: string, event: string) =>
      caller.v2('POST', `/_sandbox/simulate/transactions/${id.replace('tra-', 'txn-')}/${event}`);
    const made = new Map<string, string>();
    for (const row of ORDERS) {
      made.set(row.path, (await order(caller, row)).id());
      await expectSum();
    }
    for (const [path, event] of [
      ['/v1/send/ach', 'settle'],
      ['/v1/send/ach', 'return'],
      ['/v1/send/check', 'cancel'],
      ['/v1/send/wire', 'cancel'],
      ['/v1/receive/ach', 'settle'],
      ['/v1/receive/ach', 'return'],
      ['/v1/receive/check', 'decline'],
      ['/v1/send/intrabank', 'reverse'],
    ] as const) {
      expect((await simulate(made.get(path) ?? '', event)).status, `${path} ${event}`).toBe(200);
      await expectSum();
    }
    await testCard(caller, { amount: '30.00' });
    const [{ id: parentTxnId } = {}] = await entries(caller);
    for (const [txnType, amount] of [
      ['authUpdate', '40.00'],
      ['reversal', '15.00'],
      ['authUpdate', '20.00'],
      ['refund', '1.00'],
    ]) {
      expect((await testCard(caller, { amount, txnType, parentTxnId })).at('status')).toBe('approved');
      await expectSum();
    }
    const authorize = `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`;
    await simulate((await caller.v2('POST', authorize, { amount: '20.00' })).id('transaction.id'), 'expire');
    await expectSum();
  });

  it('say in retrieveTransaction the number of a sent check, and whether it was cashed', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const sent = await order(caller, orderOf('/v1/send/check'));
    const path = `${pathOf(caller)}/${sent.id().replace('tra-', 'txn-')}`;
    for (const [event, cashed] of [
      ['submit', false],
      ['send', false],
      ['clear', true],
      ['settle', true],
    ] as const) {
      await caller.v2('POST', `/_sandbox/simulate/transactions/${sent.id()}/${event}`);
      const check = (await caller.v1('GET', path)).at('physicalCheck');
      expect(check, event).toMatchObject({ checkNumber: expect.stringMatching(/^\d+$/), cashed });
    }
  });

  it('that will be sent back are declined from the start, in the list and in its filters', async () => {
    const caller = http.caller();
    const request = (rail: string, amount: string) =>
      caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, {
        sub_account_id: caller.seed('sub_account_id'),
        amount,
      });
    const beyond = (await request('ach_pull', '9999.00')).id('transaction.id');
    const entry = async () => (await caller.v1('GET', `${pathOf(caller)}/${beyond}`)).body as Entry;
    const under = async (status: string) => idsOf(await entries(caller, `?status=${status}`));
    const { id } = await entry();
    expect(await entry()).toMatchObject({ status: 'declined', amount: '-9999.00', balance: '5000.00' });
    expect(await under('declined')).toEqual([id]);
    expect(await under('settled')).not.toContain(id);
    expect(await under('pending')).not.toContain(id);
    // A simulation settles it nevertheless: the money is now available.
    http.clock.advance(1000);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${beyond}/settle`);
    expect(await entry()).toMatchObject({ status: 'settled', balance: '-4999.00', txnDate: time() });
    expect(await under('declined')).toEqual([]);
    expect(await under('settled')).toContain(id);
  });

  it('keep the balance and the date of their settlement', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const entry = async (id: string) =>
      (await caller.v1('GET', `${pathOf(caller)}/${id.replace('tra-', 'txn-')}`)).body as Entry;
    const simulate = async (id: string, event: string) => {
      http.clock.advance(1000);
      const path = `/_sandbox/simulate/transactions/${id.replace('tra-', 'txn-')}/${event}`;
      expect((await caller.v2('POST', path)).status).toBe(200);
    };
    const made = time();
    const pushed = (await order(caller, orderOf('/v1/send/ach'), { amount: '100.00' })).id();
    const pulled = (await order(caller, orderOf('/v1/receive/ach'), { amount: '40.00' })).id();
    expect(await entry(pushed)).toMatchObject({ status: 'settled', balance: '4900.00', txnDate: made });
    expect(await entry(pulled)).toMatchObject({ status: 'pending', balance: '4900.00', txnDate: made });
    await simulate(pulled, 'settle');
    const released = time();
    await simulate(pushed, 'settle');
    expect(await entry(pushed)).toMatchObject({ status: 'settled', balance: '4900.00', txnDate: made });
    expect(await entry(pulled)).toMatchObject({ status: 'settled', balance: '4940.00', txnDate: released });
    await simulate(pushed, 'return');
    await simulate(pulled, 'return');
    expect(await entry(pushed)).toMatchObject({ status: 'settled', balance: '4900.00', txnDate: made });
    expect(await entry(pulled)).toMatchObject({ status: 'settled', balance: '4940.00', txnDate: released });
    const byDate = (await entries(caller, '?orderBy=txnDate')).map(({ txnDate, amount }) => [
      txnDate,
      amount,
    ]);
    expect(byDate.slice(-4)).toEqual([
      [made, '-100.00'],
      [released, '40.00'],
      [time(-1000), '100.00'],
      [time(), '-40.00'],
    ]);
  });

  it('of a program include all of its accounts', async () => {
    const caller = http.caller();
    await giveRails(caller);
    await order(caller, orderOf('/v1/send/intrabank'));
    const path = `/v1/program/${caller.seed('program_id')}/transaction`;
    const answer = await caller.v1('GET', path);
    expect(problemsWith(operationOf('listProgramTransactions').response as never, answer.body)).toEqual([]);
    expect(answer.at('total')).toBe(4);
    const other = await caller.v1('GET', `${path}?accountId=${caller.seed('other_sub_account_id')}`);
    expect((other.at('data') as Entry[]).map(({ title }) => title)).toEqual([
      'Received from Ada Lovegood',
      'Received from First deposit',
    ]);
    const strange = '/v1/program/prg-00000000-0000-0000-0000-000000000000/transaction';
    for (const query of ['', '?export=csv']) {
      const refused = await caller.v1('GET', `${strange}${query}`);
      expectRefusedV1(refused, { status: 404, code: 'EC_PROGRAM_NOT_FOUND' });
    }
  });
});

/** The transfers whose money is not available yet. */
const WAITING = ORDERS.filter(({ status }) => status !== 'completed').map(({ path }) => path);

describe('a filter', () => {
  it('returns the matching transactions and their number', async () => {
    const caller = http.caller();
    const ids = await story(caller);
    const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const found = async (query: string) => {
      const answer = await list(caller, `?${query}`);
      expect(answer.status, `${query}: ${answer.text}`).toBe(200);
      const data = answer.at('data') as Entry[];
      expect(answer.at('total'), query).toBe(data.length);
      return data.map(({ id }) => nameOf.get(id as string)).toReversed();
    };
    const all = Object.keys(ids);
    const transfer = (name: string) => ids[name]?.replace('txn-', 'tra-');
    const CASES: [query: string, names: string[]][] = [
      [`id=${ids.purchase}`, ['purchase']],
      [`id=${ids.purchase?.slice(4)}`, []],
      [`transferId=${transfer('/v1/send/ach')}`, ['/v1/send/ach']],
      [`accountId=${caller.seed('account_id')}`, all],
      [`accountId=${caller.seed('other_sub_account_id')}`, []],
      [`cardId=${caller.seed('card_id')}`, ['purchase', 'reversal']],
      ['walletId=x', []],
      ['walletId=', all],
      [`contactId=${caller.seed('contact_id')}`, ORDERS.map(({ path }) => path)],
      [`personId=${caller.seed('person_id')}`, all],
      [`businessId=${caller.seed('business_holder_id')}`, []],
      [`businessId=${caller.seed('person_id').replace('per-', 'bus-')}`, []],
      [`parentTransactionId=${ids.purchase}`, ['reversal']],
      ['txnType=credit', ['opening', ...creditOrders(), 'received', 'reversal']],
      ['status=declined', ['refused']],
      ['status=pending', WAITING],
      ['status=canceled', []],
      ['status=returned', []],
      ['transferType=intrabank', ['/v1/send/intrabank', '/v1/receive/intrabank']],
      ['transferType=physicalCheck', ['/v1/send/check', '/v1/receive/check']],
      ['transferType=card', ['purchase', 'reversal']],
      ['transferType=debitCard', ['/v1/send/debitpush', '/v1/receive/debitpull']],
      ['transferType=crossBorder', []],
      [
        'subType=originated',
        ORDERS.map(({ path }) => path).filter((path) => !/debit(push|pull)$/.test(path)),
      ],
      ['subType=push', ['/v1/send/debitpush']],
      ['subType=pull', ['/v1/receive/debitpull']],
      ['subType=received', ['opening', 'received', 'refused']],
      ['subType=auth', ['purchase']],
      ['subType=atm', []],
      ['subType=reversal', ['reversal']],
      ['subType=overdraft', []],
      ['minAmount=20', ['opening', 'received', 'refused', 'purchase', 'reversal']],
      ['minAmount=20.00', ['opening', 'received', 'refused', 'purchase', 'reversal']],
      ['maxAmount=2', ['/v1/send/intrabank', '/v1/send/ach']],
      ['maxAmount=2.00', ['/v1/send/intrabank', '/v1/send/ach']],
      ['minAmount=2.00&maxAmount=3.00', ['/v1/send/ach', '/v1/send/wire']],
      [`startTime=${time()}`, ['reversal']],
      [`startTime=${time(-2000)}&endTime=${time(-1000)}`, ['refused', 'purchase']],
      ['externalId=/v1/send/ach', ['/v1/send/ach']],
      ['metadata.place=3', ['/v1/send/check']],
      ['metadata.place=3&metadata.externalId=/v1/send/check', ['/v1/send/check']],
      ['metadata.place=3&metadata.externalId=x', []],
      [`metadata.${encodeURIComponent(`pla"ce`)}=3`, []],
      ['metadata.query=receive/d', ['/v1/receive/debitpull']],
      ['txnType=debit&transferType=ach&status=settled', ['/v1/send/ach']],
    ];
    function creditOrders(): string[] {
      return ORDERS.filter(({ txnType }) => txnType === 'credit').map(({ path }) => path);
    }
    for (const [query, names] of CASES) expect(await found(query), query).toEqual(names);
    const settled = await found('status=settled');
    expect(settled).toEqual(all.filter((name) => name !== 'refused' && !WAITING.includes(name)));
    http.clock.advance(5000);
    await caller.v1('PATCH', `/v1/send/check/${transfer('/v1/send/check')}`, { title: 'x' });
    expect(await found(`modifiedStartTime=${time()}`)).toEqual(['/v1/send/check']);
  });

  it('has a sub type for cash withdrawals', async () => {
    const caller = http.caller();
    await setPin(caller);
    const authorize = `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`;
    expect((await caller.v2('POST', authorize, { amount: '20.00', atm: true })).status).toBe(201);
    expect((await caller.v2('POST', authorize, { amount: '5.00' })).status).toBe(201);
    expect((await entries(caller, '?subType=atm')).map(({ amount }) => amount)).toEqual(['-20.00']);
    expect((await entries(caller, '?subType=auth')).map(({ amount }) => amount)).toEqual(['-5.00']);
  });

  it.each([
    ['status=done', /status/],
    ['txnType=both', /txnType/],
    ['transferType=cash', /transferType/],
    ['subType=gift', /subType/],
    ['orderBy=amount', /orderBy/],
    ['export=xml', /export/],
    ['minAmount=1.5', /minAmount/],
    ['maxAmount=-1', /maxAmount/],
    ['maxAmount=-1.00', /maxAmount/],
    ['startTime=now', /startTime/],
    ['limit=0', /limit/],
    ['offset=x', /offset/],
    ['metadata.a=1&metadata.a=2', /metadata.a/],
    ['id=a&id=b', /id/],
  ])('with %s is refused', async (query, message) => {
    const answer = await list(http.caller(), `?${query}`);
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
  });
});

describe('the order', () => {
  it('is by creation or by settlement', async () => {
    const caller = http.caller();
    const pull = orderOf('/v1/receive/ach');
    const first = (await order(caller, pull)).id().replace('tra-', 'txn-');
    http.clock.advance(1000);
    const second = (await order(caller, pull)).id().replace('tra-', 'txn-');
    http.clock.advance(1000);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${first}/settle`);
    const [opening] = (await entries(caller)).slice(-1);
    const by = async (orderBy: string) => idsOf(await entries(caller, `?orderBy=${orderBy}`));
    const byMaking = [opening?.id, first, second];
    expect(await by('createdAt')).toEqual(byMaking);
    expect(await by('-createdAt')).toEqual(byMaking.toReversed());
    const byMoving = [opening?.id, second, first];
    expect(await by('txnDate')).toEqual(byMoving);
    expect(await by('-txnDate')).toEqual(byMoving.toReversed());
    expect(idsOf(await entries(caller, '?orderBy=txnDate&offset=1&limit=1'))).toEqual([second]);
  });

  it('is kept across pages', async () => {
    const caller = http.caller();
    const ids = await story(caller);
    for (const orderBy of ['createdAt', '-createdAt', 'txnDate', '-txnDate']) {
      const seen: unknown[] = [];
      for (let offset = 0; offset < 20; offset += 5) {
        const answer = await list(caller, `?orderBy=${orderBy}&offset=${offset}&limit=5`);
        expect(answer.at('total')).toBe(Object.keys(ids).length);
        seen.push(...idsOf(answer.at('data') as Entry[]));
      }
      expect(new Set(seen), orderBy).toEqual(new Set(Object.values(ids)));
      expect(seen).toHaveLength(Object.keys(ids).length);
    }
  });
});

describe('an export (listTransactions)', () => {
  const fetch = (caller: Caller, path: string) =>
    http.app.server.inject({ url: path, headers: { 'sd-api-key': caller.key } });

  it('in CSV has a line for each transaction of the page', async () => {
    const caller = http.caller();
    const ids = await story(caller);
    await caller.v1('PATCH', `/v1/send/ach/${ids['/v1/send/ach']}`, { title: 'a, "b"\nc' });
    const answer = await fetch(caller, `${pathOf(caller)}?export=csv&txnType=debit&transferType=ach`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
    });
    const [header, ...lines] = answer.body.trimEnd().split(/\n(?=id|txn-)/);
    expect(header).toContain('id,accountId,createdAt');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${ids['/v1/send/ach']},${caller.seed('account_id')},`);
    expect(lines[1]).toContain('"a, ""b""\nc"');
    expect(lines[1]).toContain('-2.00,USD,');
    const page = await fetch(caller, `${pathOf(caller)}?export=csv&limit=3`);
    expect(page.body.match(/^txn-/gm)).toHaveLength(3);
  });

  it('in PDF is available for one transaction and for a page', async () => {
    const caller = http.caller();
    const [opening] = await entries(caller);
    for (const path of [pathOf(caller), `${pathOf(caller)}/${opening?.id}`]) {
      const pdf = await fetch(caller, `${path}?export=pdf`);
      expect(pdf.headers['content-type']).toBe('application/pdf');
      expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    }
    const csv = await fetch(caller, `${pathOf(caller)}/${opening?.id}?export=csv`);
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="${opening?.id}.csv"`);
    const json = await caller.v1('GET', `${pathOf(caller)}/${opening?.id}?export=json`);
    expect(json.body).toEqual(opening);
    const nobody = await caller.v1('GET', `${pathOf(caller)}/txn-${'0'.repeat(8)}?export=csv`);
    expectRefusedV1(nobody, { status: 404, code: 'EC_TRANSACTION_NOT_FOUND' });
  });
});

describe('the description of a purchase', () => {
  it('contains card and merchant until its client sets any other text', async () => {
    const caller = http.caller();
    await testCard(caller, { amount: '10.00' });
    const [purchase] = await entries(caller);
    const merchant = purchase?.title as string;
    expect(purchase?.description).toMatch(new RegExp(`^Spent .+ at ${merchant}$`));
    const describeIt = async (description: string) => {
      await caller.v2('PATCH', `/v2/payments/transaction/${purchase?.id}`, { description });
      return (await entries(caller, `?id=${purchase?.id}`))[0]?.description;
    };
    expect(await describeIt('Lunch')).toBe('Lunch');
    expect(await describeIt(merchant)).toBe(merchant);
    expect(await describeIt('')).toBe('');
    // Its reversal has its own description.
    await testCard(caller, { amount: '10.00', txnType: 'reversal', parentTxnId: purchase?.id });
    expect((await entries(caller))[0]?.description).toBe(`Reversal for - ${purchase?.description}`);
  });
});

describe('an update of a purchase', () => {
  it('is published as an update, with the new amount', async () => {
    const caller = http.caller();
    await testCard(caller, { amount: '10.00' });
    const [purchase] = await entries(caller);
    await caller.listen();
    await testCard(caller, { amount: '3.00', txnType: 'authUpdate', parentTxnId: purchase?.id });
    const { v1 } = await caller.receivedEvents();
    const event = v1.find(({ kind }) => kind === 'card.spend.update')?.record;
    const [now] = await entries(caller);
    expect(now).toMatchObject({ id: purchase?.id, amount: '-3.00', subType: 'auth', parentTxnId: '' });
    expect(event).toMatchObject({
      id: purchase?.id,
      amount: '-3.00',
      subType: 'authUpdate',
      parentTxnId: purchase?.id,
      parentTransferId: String(purchase?.id).replace('txn-', 'tra-'),
      card: { localTransactionAmount: '-10.00' },
    });
  });
});
