/**
 * One bank, two generations: each business act is done once in v1 and once in v2, and what it made is read in both, where
 * every pair of fields that tell the same must agree. Row 20 of docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from '../http/support.ts';
import {
  BUSINESS,
  COUNTERPARTY,
  dashed,
  expectSame,
  type Pair,
  PERSON,
  PHYSICAL_CARD,
  SUB_ACCOUNT,
  TRANSACTION,
  TRANSFER,
  VIRTUAL_CARD,
} from './pairs.ts';

const http = useHttp();
const GENERATIONS = ['v1', 'v2'] as const;
type Generation = (typeof GENERATIONS)[number];

const HOLDERS = '/v2/accounts/sub_account_holder';
const ADDRESS = { line1: '9 Pier Road', line2: 'Floor 2', city: 'Salem', state: 'OR', country: 'US' };
const V1_ADDRESS = { ...ADDRESS, postalCode: '97301' };
const V2_ADDRESS = { ...ADDRESS, postal_code: '97301' };
const METADATA = { region: 'west' };

/** Whatever is asked has to succeed. */
async function ok(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  expect(given.status, given.text).toBeLessThan(300);
  return given;
}
const simulate = (caller: Caller, path: string, body?: object) =>
  ok(caller.v2('POST', `/_sandbox/simulate/${path}`, body));

/** Where a thing is read in each generation. */
const PATHS = {
  person: ['/v1/person/', `${HOLDERS}/`],
  business: ['/v1/business/', `${HOLDERS}/`],
  account: ['/v1/account/', '/v2/accounts/sub_account/'],
  counterparty: ['/v1/contact/', '/v2/payments/counterparty/'],
  card: ['/v1/card/', '/v2/issuing/card/'],
} as const;

/** A thing by its id in either spelling, as each generation shows it. */
async function both(caller: Caller, thing: keyof typeof PATHS, id: string): Promise<Pair> {
  const [v1, v2] = PATHS[thing];
  return {
    v1: (await ok(caller.v1('GET', v1 + id))).body,
    v2: (await ok(caller.v2('GET', v2 + id))).body,
  };
}

/** How each generation makes a thing. The answer of the making is the record. */
type Make = Readonly<Record<Generation, (caller: Caller) => Promise<Answer>>>;

const person: Make = {
  v1: (caller) =>
    caller.v1('POST', '/v1/person', {
      firstName: 'Mara',
      middleName: 'Jo',
      lastName: 'Quill',
      phone: '+15035550123',
      email: 'mara@quill.example',
      dateOfBirth: '1988-03-14',
      idType: 'otherId',
      idNumber: '512345678',
      address: V1_ADDRESS,
      metadata: METADATA,
    }),
  v2: (caller) =>
    caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: {
        first_name: 'Mara',
        middle_name: 'Jo',
        last_name: 'Quill',
        phone: '+15035550123',
        email: 'mara@quill.example',
        date_of_birth: '1988-03-14',
        id_type: 'other',
        id_number: '512345678',
        address: V2_ADDRESS,
      },
      metadata: METADATA,
    }),
};

const business: Make = {
  v1: (caller) =>
    caller.v1('POST', '/v1/business', {
      legalName: 'Quill Press',
      dba: 'Quill',
      entityType: 'nonProfit',
      idType: 'ein',
      idNumber: '871230088',
      phone: '+15035550124',
      email: 'desk@quill.example',
      formationDate: '2015-02-28',
      address: V1_ADDRESS,
      metadata: METADATA,
    }),
  v2: (caller) =>
    caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'business',
      business: {
        legal_name: 'Quill Press',
        dba: 'Quill',
        entity_type: 'non_profit',
        id_type: 'ein',
        id_number: '871230088',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: V2_ADDRESS,
      },
      metadata: METADATA,
    }),
};

const account: Make = {
  v1: (caller) =>
    caller.v1(
      'POST',
      '/v1/account',
      { label: 'Travel', acceptedTerms: true, metadata: METADATA },
      { 'sd-person-id': caller.seed('person_id') },
    ),
  v2: (caller) =>
    caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      label: 'Travel',
      type: 'checking',
      metadata: METADATA,
    }),
};

const BANK = { number: '5500112233', routing: '121042882' };
const SWIFT = { number: 'DE89370400440532013000', code: 'COBADEFF' };

const counterparty: Make = {
  v1: (caller) => {
    const bank = { accountNumber: BANK.number, routingNumber: BANK.routing, accountType: 'personalSavings' };
    return caller.v1('POST', '/v1/contact', {
      accountId: caller.seed('account_id'),
      name: 'Harbor Supplies',
      label: 'Harbor',
      intrabank: { accountId: caller.seed('other_sub_account_id') },
      ach: bank,
      wire: {
        domestic: { ...bank, address: V1_ADDRESS },
        international: { accountNumber: SWIFT.number, bankIdentifierCode: SWIFT.code },
      },
      check: { address: V1_ADDRESS },
      metadata: METADATA,
    });
  },
  v2: (caller) => {
    const bank = {
      account_number: BANK.number,
      routing_number: BANK.routing,
      account_type: 'personal_savings',
    };
    return caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: caller.seed('sub_account_id'),
      label: 'Harbor',
      type: 'business',
      business: { legal_name: 'Harbor Supplies' },
      intra_account: { sub_account_id: caller.seed('other_sub_account_id') },
      ach: bank,
      domestic_wire: bank,
      international_wire: {
        account_number: SWIFT.number,
        beneficiary_bank: { identifier_code: SWIFT.code },
      },
      check: { address: V2_ADDRESS },
      debit_card: { card_number: '4000056655665556', expiry_month: '04', expiry_year: '2030' },
      metadata: METADATA,
    });
  },
};

const card = (type: 'virtual' | 'physical'): Make => ({
  v1: (caller) =>
    caller.v1(
      'POST',
      '/v1/card',
      {
        accountId: caller.seed('account_id'),
        cardType: type,
        label: 'Fuel',
        limitAmount: '400.00',
        limitInterval: 'allTime',
        blockedMerchants: ['Harbor Casino'],
        blockedCategories: ['7995'],
        atmAccess: false,
        metadata: METADATA,
        ...(type === 'physical' && {
          embossingPerson: 'MARA QUILL',
          shipping: { shippingAddress: V1_ADDRESS },
        }),
      },
      { 'sd-person-id': caller.seed('person_id') },
    ),
  v2: (caller) =>
    caller.v2('POST', '/v2/issuing/card', {
      card_holder_id: caller.seed('card_holder_id'),
      type,
      label: 'Fuel',
      controls: {
        limit: { period: 'all_time', max_spend_amount: '400.00' },
        blocked: { merchants: ['Harbor Casino'], categories: ['7995'] },
        atm_enabled: 'false',
      },
      metadata: METADATA,
      ...(type === 'physical' && {
        card_fulfilment: {
          embossing: { card_holder_name: 'MARA QUILL' },
          shipping_address: V2_ADDRESS,
        },
      }),
    }),
});

describe.each(GENERATIONS)('made in %s', (generation) => {
  const make = async (caller: Caller, thing: Make): Promise<string> =>
    (await ok(thing[generation](caller))).id();

  it('a person is the same in both, before and after each outcome of its check', async () => {
    const caller = http.caller();
    const id = await make(caller, person);
    expectSame(await both(caller, 'person', id), PERSON);
    for (const event of ['review', 'fail', 'pass', 'lock', 'unlock']) {
      await simulate(caller, `holders/${id}/${event}`);
      expectSame(await both(caller, 'person', id), PERSON);
    }
  });

  it('a person that is checked by either generation has passed in both', async () => {
    for (const checkedBy of GENERATIONS) {
      const caller = http.caller();
      const id = await make(caller, person);
      if (checkedBy === 'v2') await ok(caller.v2('POST', `${HOLDERS}/${id}/kyc`));
      else {
        await ok(caller.v1('POST', `/v1/person/${id}/kyc`));
        await simulate(caller, `holders/${id}/pass`);
      }
      const pair = await both(caller, 'person', id);
      expectSame(pair, PERSON);
      expect(pair).toMatchObject({ v1: { kyc: { status: 'approved' } }, v2: { status: 'activated' } });
    }
  });

  it('a person takes each status from either generation', async () => {
    const caller = http.caller();
    const id = await make(caller, person);
    await simulate(caller, `holders/${id}/pass`);
    for (const [v1, v2] of [
      ['inactive', 'suspended'],
      ['active', 'activated'],
      ['deactivated', 'deactivated'],
    ]) {
      const asked =
        generation === 'v1'
          ? caller.v1('PATCH', `/v1/person/${id}`, { status: v1 })
          : caller.v2('PATCH', `${HOLDERS}/${id}`, { status: v2 });
      await ok(asked);
      const pair = await both(caller, 'person', id);
      expectSame(pair, PERSON);
      expect(pair).toMatchObject({ v1: { status: v1 }, v2: { status: v2 } });
    }
  });

  it('a business is the same in both, before and after its check', async () => {
    const caller = http.caller();
    const id = await make(caller, business);
    expectSame(await both(caller, 'business', id), BUSINESS);
    for (const event of ['review', 'fail', 'pass']) {
      await simulate(caller, `holders/${id}/${event}`);
      expectSame(await both(caller, 'business', id), BUSINESS);
    }
  });

  it('an account is the same in both, through every status', async () => {
    const caller = http.caller();
    const id = await make(caller, account);
    expectSame(await both(caller, 'account', id), SUB_ACCOUNT);
    expect((await both(caller, 'account', id)).v1).toMatchObject({
      availableBalance: generation === 'v1' ? '1000.00' : '0.00',
    });
    for (const [v1, v2] of [
      ['debitBlocked', 'debit_blocked'],
      ['creditBlocked', 'credit_blocked'],
      ['blocked', 'blocked'],
      ['active', 'open'],
    ]) {
      const asked =
        generation === 'v1'
          ? caller.v1('PATCH', `/v1/account/${id}`, { status: v1 })
          : caller.v2('PATCH', `/v2/accounts/sub_account/${id}`, { status: v2 });
      await ok(asked);
      const pair = await both(caller, 'account', id);
      expectSame(pair, SUB_ACCOUNT);
      expect(pair).toMatchObject({ v1: { status: v1 }, v2: { status: v2 } });
    }
    await simulate(caller, `accounts/${id}/lock`);
    expectSame(await both(caller, 'account', id), SUB_ACCOUNT);
  });

  it('whom money is paid to is the same in both, and gone in both', async () => {
    const caller = http.caller();
    const id = await make(caller, counterparty);
    const pair = await both(caller, 'counterparty', id);
    expectSame(pair, COUNTERPARTY);
    expect(pair).toMatchObject({ v1: { name: 'Harbor Supplies', type: 'others' } });
    const gone =
      generation === 'v1'
        ? caller.v1('DELETE', `/v1/contact/${id}`)
        : caller.v2('PATCH', `/v2/payments/counterparty/${id}`, { status: 'deactivated' });
    await ok(gone);
    const after = await both(caller, 'counterparty', id);
    expectSame(after, COUNTERPARTY);
    expect(after).toMatchObject({ v1: { status: 'deleted' }, v2: { status: 'deactivated' } });
    const listed = await ok(caller.v1('GET', `/v1/contact?accountId=${caller.seed('account_id')}&id=${id}`));
    expect(listed.at('total')).toBe(0);
  });

  it('a virtual card is the same in both, from its first day to its last', async () => {
    const caller = http.caller();
    const id = await make(caller, card('virtual'));
    expectSame(await both(caller, 'card', id), VIRTUAL_CARD);
    for (const [v1, v2] of [
      ['inactive', 'blocked'],
      ['active', 'open'],
    ]) {
      const asked =
        generation === 'v1'
          ? caller.v1('PATCH', `/v1/card/${id}`, { cardStatus: v1 })
          : caller.v2('PATCH', `/v2/issuing/card/${id}`, { status: v2 });
      await ok(asked);
      const pair = await both(caller, 'card', id);
      expectSame(pair, VIRTUAL_CARD);
      expect(pair).toMatchObject({ v1: { cardStatus: v1 }, v2: { status: v2 } });
    }
    await simulate(caller, `cards/${id}/lock`);
    expectSame(await both(caller, 'card', id), VIRTUAL_CARD);
    await simulate(caller, `cards/${id}/unlock`);
    const closed =
      generation === 'v1'
        ? caller.v1('DELETE', `/v1/card/${id}`)
        : caller.v2('PATCH', `/v2/issuing/card/${id}`, { status: 'closed' });
    await ok(closed);
    const pair = await both(caller, 'card', id);
    expectSame(pair, VIRTUAL_CARD);
    expect(pair).toMatchObject({ v1: { cardStatus: 'canceled' }, v2: { status: 'closed' } });
  });

  it('a physical card is the same in both, on its way, and activated by the other', async () => {
    const caller = http.caller();
    const id = await make(caller, card('physical'));
    expectSame(await both(caller, 'card', id), PHYSICAL_CARD);
    for (const event of ['ship', 'deliver']) {
      await simulate(caller, `cards/${id}/${event}`);
      expectSame(await both(caller, 'card', id), PHYSICAL_CARD);
    }
    const { v2 } = (await both(caller, 'card', id)) as { v2: Record<string, string> };
    const printed = { month: v2.expiry_month, year: v2.expiry_year, last4: v2.last4 };
    const activated =
      generation === 'v2'
        ? caller.v1('PATCH', `/v1/card/${id}/activate`, {
            expiryMonth: printed.month,
            expiryYear: printed.year,
            last4: printed.last4,
          })
        : caller.v2('PATCH', `/v2/issuing/card/${id}/activate`, {
            expiry_month: printed.month,
            expiry_year: printed.year,
            last4: printed.last4,
          });
    await ok(activated);
    const pair = await both(caller, 'card', id);
    expectSame(pair, VIRTUAL_CARD);
    expect(pair).toMatchObject({ v1: { cardStatus: 'active' }, v2: { status: 'open' } });
  });
});

/** The statuses of one payment: as a transfer and as a transaction of v1, and in v2. */
type Statuses = readonly [transfer: string, transaction: string, v2: string];

interface Rail {
  /** The order in each generation. */
  readonly v1: readonly [path: string, more?: object];
  readonly v2: readonly [path: string, more?: object];
  readonly opened: Statuses;
  /** What happens then, and what it is called afterwards. */
  readonly course: readonly (readonly [event: string, Statuses])[];
}

const SETTLED: Statuses = ['completed', 'settled', 'settled'];
const IMAGE = 'aGFsZiBhIGNoZWNr';

/** The rails that both generations have, row by row. */
const RAILS: Readonly<Record<string, Rail>> = {
  'intra account push': {
    v1: ['send/intrabank'],
    v2: ['intra_account/push'],
    opened: SETTLED,
    course: [['reverse', ['completed', 'settled', 'reversed']]],
  },
  'intra account pull': {
    v1: ['receive/intrabank'],
    v2: ['intra_account/pull'],
    opened: SETTLED,
    course: [['reverse', ['completed', 'settled', 'reversed']]],
  },
  'ACH push': {
    v1: ['send/ach'],
    v2: ['ach/push'],
    opened: ['completed', 'settled', 'originated'],
    course: [
      ['submit', ['completed', 'settled', 'pending']],
      ['send', ['completed', 'settled', 'clearing']],
      ['clear', ['completed', 'settled', 'cleared']],
      ['settle', SETTLED],
      ['return', ['completed', 'settled', 'returned']],
    ],
  },
  'ACH pull': {
    v1: ['receive/ach'],
    v2: ['ach/pull'],
    opened: ['pending', 'pending', 'originated'],
    course: [
      ['submit', ['pending', 'pending', 'pending']],
      ['review', ['pending', 'pending', 'in_review']],
      ['approve', ['pending', 'pending', 'pending']],
      ['settle', SETTLED],
      ['return', ['declined', 'settled', 'returned']],
    ],
  },
  'domestic wire': {
    v1: ['send/wire', { type: 'domestic' }],
    v2: ['domestic_wire/push'],
    opened: ['pending', 'pending', 'originated'],
    course: [
      ['clear', ['pending', 'pending', 'cleared']],
      ['return', ['declined', 'canceled', 'returned']],
    ],
  },
  'international wire': {
    v1: ['send/wire', { type: 'international' }],
    v2: ['international_wire/push'],
    opened: ['pending', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
  'check that is sent': {
    v1: ['send/check'],
    v2: ['check/send'],
    opened: ['completed', 'settled', 'originated'],
    course: [['cancel', ['canceled', 'canceled', 'canceled']]],
  },
  'check that is deposited': {
    v1: ['receive/check'],
    v2: ['check/deposit', { image: { front: IMAGE, back: IMAGE } }],
    opened: ['waitingForFiles', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
  'debit card pull': {
    v1: ['receive/debitpull'],
    v2: ['debitcard/pull'],
    opened: ['pending', 'pending', 'originated'],
    course: [['settle', SETTLED]],
  },
};

/** A payment as each generation shows it: the entry, and what was ordered. */
async function payment(caller: Caller, rail: Rail, id: string): Promise<{ entry: Pair; order: Pair }> {
  const v2 = (await ok(caller.v2('GET', `/v2/payments/transaction/${id}`))).body;
  const account = `/v1/account/${caller.seed('account_id')}/transaction/${id}`;
  const transfer = `/v1/${rail.v1[0]}/tra-${dashed(id.slice(4))}`;
  return {
    entry: { v1: (await ok(caller.v1('GET', account))).body, v2 },
    order: { v1: (await ok(caller.v1('GET', transfer))).body, v2 },
  };
}

describe.each(GENERATIONS)('paid in %s', (generation) => {
  it.each(Object.entries(RAILS))('%s: is one payment in both, step by step', async (_, rail) => {
    const caller = http.caller();
    const contact = (await ok(counterparty.v2(caller))).id();
    const said = { amount: '12.50', description: 'Invoice 88' };
    const accounts = async (): Promise<Pair[]> => [
      await both(caller, 'account', caller.seed('account_id')),
      await both(caller, 'account', caller.seed('other_sub_account_id')),
    ];
    const asked =
      generation === 'v1'
        ? caller.v1('POST', `/v1/${rail.v1[0]}`, {
            ...said,
            ...rail.v1[1],
            accountId: caller.seed('account_id'),
            contactId: contact,
          })
        : caller.v2('POST', `/v2/payments/${rail.v2[0]}`, {
            ...said,
            ...rail.v2[1],
            sub_account_id: caller.seed('sub_account_id'),
            counterparty_id: contact,
          });
    const id = (await ok(asked)).id().replace(/^tra-/, 'txn-');
    const files = rail.opened[0] === 'waitingForFiles' && generation === 'v2';
    const opened: Statuses = files ? ['pending', ...(rail.opened.slice(1) as [string, string])] : rail.opened;
    for (const [event, expected] of [['', opened] as const, ...rail.course]) {
      if (event !== '') await simulate(caller, `transactions/${id}/${event}`);
      const { entry, order } = await payment(caller, rail, id);
      expectSame(entry, TRANSACTION);
      expectSame(order, TRANSFER);
      expect([
        (order.v1 as { status: string }).status,
        (entry.v1 as { status: string }).status,
        (entry.v2 as { status: string }).status,
      ]).toEqual(expected);
      for (const pair of await accounts()) expectSame(pair, SUB_ACCOUNT);
    }
    await expectSameEntries(caller);
  });

  it('a purchase by card is one entry in both, held, and given back', async () => {
    const caller = http.caller();
    const bought =
      generation === 'v1'
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
      generation === 'v1'
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

  it('money that comes from outside is one entry in both', async () => {
    const caller = http.caller();
    const sender = { name: 'Pat Rowe', routing: '021000021' };
    if (generation === 'v1') {
      const path = `/v1/account/${caller.seed('account_id')}/test/ach`;
      for (const txnType of ['credit', 'debit']) {
        const asked = {
          amount: '30.00',
          txnType,
          senderName: sender.name,
          senderRoutingNumber: sender.routing,
        };
        await ok(caller.v1('POST', path, asked));
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

describe('a webhook', () => {
  it('that v1 pauses, deactivates or deletes is inactive or gone in v2', async () => {
    const caller = http.caller();
    const made = { url: 'http://hooks.example/1', events: ['account.credit'] };
    const id = (await ok(caller.v1('POST', '/v1/webhook', made))).id();
    for (const [v1, v2] of [
      ['paused', 'inactive'],
      ['active', 'active'],
      ['deactivated', 'inactive'],
    ]) {
      await ok(caller.v1('PATCH', `/v1/webhook/${id}`, { status: v1 }));
      expect((await ok(caller.v2('GET', `/v2/webhook/${id}`))).at('status')).toBe(v2);
    }
    await ok(caller.v1('DELETE', `/v1/webhook/${id}`));
    expect((await caller.v2('GET', `/v2/webhook/${id}`)).status).toBe(404);
  });

  it('that v2 deletes is deleted in v1', async () => {
    const caller = http.caller();
    const made = { url: 'http://hooks.example/2', events: ['transaction.created'] };
    const id = (await ok(caller.v2('POST', '/v2/webhook', made))).id();
    expect((await ok(caller.v1('GET', `/v1/webhook/${id}`))).at('status')).toBe('active');
    await ok(caller.v2('DELETE', `/v2/webhook/${id}`));
    expect((await ok(caller.v1('GET', `/v1/webhook/${id}`))).at('status')).toBe('deleted');
  });
});

/** Every entry of the account is in both lists, in the same order and the same; answers v1's. */
async function expectSameEntries(caller: Caller): Promise<Record<string, unknown>[]> {
  const v1 = await ok(caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?limit=100`));
  const path = `/v2/payments/transaction?sub_account_id=${caller.seed('sub_account_id')}&limit=100`;
  const v2 = await ok(caller.v2('GET', path));
  expect(v1.at('total')).toBe(v2.at('total'));
  const entries = v1.at('data') as Record<string, unknown>[];
  for (const [at, entry] of entries.entries()) {
    const pair = { v1: entry, v2: v2.at(`data.${at}`) };
    // v1 describes a purchase and a reversal in words of its own.
    const own = entry.subType === 'originated';
    expectSame(
      pair,
      TRANSACTION.filter(([field]) => own || field !== 'description'),
    );
  }
  return entries;
}
