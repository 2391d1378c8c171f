/**
 * Payments on every rail and through every state, outgoing and incoming, and other operations: pages, attachments,
 * webhooks.
 */
import { IMAGE, type World } from '../world.ts';
import { COUNTERPARTY, contactRails, giveDebitCard, railsOf } from './accounts.ts';
import { person } from './people.ts';

const TRANSACTION = '/v2/payments/transaction';

/** A counterparty with every rail. */
async function payee({ v2, seed }: World, type: string): Promise<string> {
  return (
    await v2('POST', COUNTERPARTY, {
      sub_account_id: seed('sub_account_id'),
      type: 'person',
      person: person(),
      intra_account: { sub_account_id: seed('other_sub_account_id') },
      ...railsOf(type),
    })
  ).id();
}

const WAYS = [
  ['ach/push', {}],
  ['ach/pull', { same_day: 'true', company_discretionary_data: 'Batch 4' }],
  ['domestic_wire/push', {}],
  ['international_wire/push', {}],
  ['check/send', {}],
  ['check/deposit', { image: { front: IMAGE, back: IMAGE } }],
  ['rtp/push', { reference_number: 'INV-1' }],
  ['fednow/push', { reference_number: 'INV-2' }],
  ['debitcard/push', {}],
  ['debitcard/pull', {}],
  ['intra_account/push', {}],
  ['intra_account/pull', {}],
] as const;

/** The possible events of a payment; each starts with a new one. */
const COURSES = [
  ['submit', 'send', 'clear', 'settle', 'return'],
  ['settle', 'reverse'],
  ['settle', 'charge_back'],
  ['cancel'],
  ['review', 'approve', 'send', 'return'],
  ['decline'],
];

export async function payments(world: World): Promise<void> {
  const { v1, v2, seed, caller, control } = world;
  const account = seed('account_id');
  await control('PUT', 'settings', { shortfall: 'declined' });
  const look = async (id: string) => {
    await world.look(id, `${TRANSACTION}/*`, `/v1/account/${account}/transaction/*`);
    const { body } = await v2('GET', `${TRANSACTION}/${id}`);
    const entries = (body as { reconciliation: { master_account: { transaction_id: string }[] | null } })
      .reconciliation.master_account;
    for (const entry of entries ?? []) await world.look(entry.transaction_id, `${TRANSACTION}/*`);
  };
  const types = ['business_checking', 'business_savings', 'personal_checking', 'personal_savings'];
  for (const [at, [way, more]] of WAYS.entries()) {
    const counterparty_id = await payee(world, types[at % types.length] ?? '');
    const originate = (amount: string) =>
      v2('POST', `/v2/payments/${way}`, {
        sub_account_id: seed('sub_account_id'),
        counterparty_id,
        amount,
        description: 'Invoice 88',
        external_reference_id: 'inv-88',
        ...more,
      });
    for (const course of COURSES) {
      const id = (await originate('12.50')).id();
      for (const event of course) {
        // An event that a rail does not have is refused, and the payment continues from its state.
        const why = event === 'charge_back' ? { reason: '10.4', message: 'Other fraud' } : undefined;
        await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, why);
        await look(id);
      }
      await v2('PATCH', `${TRANSACTION}/${id}`, { metadata: { region: 'west' } });
    }
    await look((await originate('90000.00')).id());
  }
  await v1('GET', `/v1/account/${account}/transaction?limit=100`);
  await v1('GET', `/v1/program/${seed('program_id')}/transfer?limit=100`);
  await v2('GET', `${TRANSACTION}?limit=100`);
}

const ORDERS = [
  ['send/intrabank', {}],
  ['send/ach', { type: 'sameDay' }],
  ['send/wire', { type: 'domestic' }],
  ['send/wire', { type: 'international' }],
  ['send/check', { type: 'physical', attachment: 'https://files.example/letter.pdf' }],
  ['send/card', {}],
  ['receive/intrabank', {}],
  ['receive/ach', { type: 'nextDay' }],
  ['receive/check', {}],
  ['receive/debitpull', {}],
] as const;

export async function orders(world: World): Promise<void> {
  const { v1, seed, caller } = world;
  const account = seed('account_id');
  for (const [at, [rail, more]] of ORDERS.entries()) {
    const types = ['businessChecking', 'personalChecking', 'businessSavings', 'personalSavings'];
    const contact = await v1('POST', '/v1/contact', {
      accountId: account,
      name: 'Harbor Supply',
      intrabank: { accountId: seed('other_sub_account_id') },
      ...contactRails(types[at % types.length] ?? ''),
    });
    await giveDebitCard(world, contact.id());
    for (const course of COURSES) {
      const order = {
        accountId: account,
        contactId: contact.id(),
        amount: '12.50',
        description: 'Invoice 88',
      };
      const made = await v1('POST', `/v1/${rail}`, {
        ...order,
        title: 'Ink',
        metadata: { externalId: '88' },
        ...more,
      });
      const id = made.id().replace('tra-', 'txn-');
      for (const event of course) {
        await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`);
        await world.look(made.id(), `/v1/${rail}/*`);
        await world.look(id, `${TRANSACTION}/*`, `/v1/account/${account}/transaction/*`);
      }
      if (rail === 'send/card') await v1('DELETE', `/v1/card/${made.id('card.id')}`);
    }
    await v1('GET', `/v1/account/${account}/transaction?limit=100`);
  }
}

/** Incoming payments, by the platform's simulation and by its control plane. */
export async function incoming(world: World): Promise<void> {
  const { v1, v2, seed, control, caller } = world;
  const account = seed('account_id');
  for (const rail of ['ach_push', 'ach_pull', 'domestic_wire', 'international_wire', 'rtp', 'fednow']) {
    for (const event of ['settle', 'return']) {
      const made = await control('POST', `simulate/incoming/${rail}`, {
        sub_account_id: seed('sub_account_id'),
        amount: '20.00',
        description: 'Seed funds',
        sender: {
          name: 'Pat Rowe',
          account_number: '77',
          routing_number: '121042882',
          identifier_code: 'COBADEFFXXX',
          address: { line1: '1 Quay', city: 'Astoria', state: 'OR', country: 'US' },
        },
      });
      const id = made.id('transaction.id');
      await world.look(id, `${TRANSACTION}/*`, `/v1/account/${account}/transaction/*`);
      await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`);
      await world.look(id, `${TRANSACTION}/*`, `/v1/account/${account}/transaction/*`);
    }
  }
  for (const txnType of ['credit', 'debit']) {
    const request = { amount: '10.00', txnType, senderName: 'Mill', senderRoutingNumber: '121042882' };
    await v1('POST', `/v1/account/${account}/test/ach`, request);
  }
  await v1('POST', `/v1/account/${account}/test/ach`, { amount: '90000.00', txnType: 'debit' });
  await v1('POST', '/v1/account', {}, { 'sd-person-id': seed('person_id') });
  const waiting = await v2('POST', '/v2/simulate/incoming/ach/push', {
    master_account_id: seed('master_account_id'),
    amount: '30.00',
  });
  await v1('GET', `/v1/program/${seed('program_id')}/transaction?limit=100`);
  await control('POST', `simulate/transactions/${waiting.id()}/settle`);
  await v2('POST', TRANSACTION, {
    master_account_transaction_id: waiting.id(),
    sub_account_id: seed('sub_account_id'),
    amount: '10.00',
  });
  await world.look(waiting.id(), `${TRANSACTION}/*`);
}

/** Pages of a list, and an attachment for every kind of record. */
export async function besides(world: World): Promise<void> {
  const { v1, v2, seed } = world;
  const records = [
    ['/v2/accounts/master_account', seed('master_account_id')],
    ['/v2/accounts/sub_account_holder', seed('person_holder_id')],
    ['/v2/accounts/sub_account', seed('sub_account_id')],
    [COUNTERPARTY, seed('ach_counterparty_id')],
    ['/v2/issuing/card_holder', seed('card_holder_id')],
    ['/v2/issuing/card', seed('virtual_card_id')],
    [TRANSACTION, seed('transaction_id')],
  ] as const;
  for (const [path, id] of records) {
    await v2('POST', '/v2/attachment', { reference_id: id, label: 'lease' });
    await world.look(id, `${path}/*`);
  }
  const first = await v2('GET', '/v2/attachment?limit=2');
  const second = await v2('GET', `/v2/attachment?limit=2&starting_after=${first.id('starting_after')}`);
  await v2('GET', `/v2/attachment?limit=2&ending_before=${second.id('ending_before')}`);

  const webhook = { url: 'http://hooks.example/1', events: ['account.credit'], description: 'Ledger feed' };
  const id = (await v1('POST', '/v1/webhook', webhook)).id();
  for (const status of ['paused', 'active', 'deactivated']) {
    await v1('PATCH', `/v1/webhook/${id}`, { status });
    await world.look(id, '/v2/webhook/*', '/v1/webhook/*');
  }
  await v1('DELETE', `/v1/webhook/${id}`);
  await world.look(id, '/v1/webhook/*');
}
