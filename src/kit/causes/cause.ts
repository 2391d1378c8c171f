/**
 * What causes an event, in terms of the client: the last step, which happens to one record, and how such a record is made
 * when none is named. What is made is new, so that no record that somebody works with is spent, and a cause works as
 * often as it is asked for.
 */
import type { Client } from '../../client/client.ts';

/** A bank to cause something in, with the records that it was seeded with. */
export interface World extends Client {
  /** The id of one of them, under its name in `GET /_sandbox`. Throws `NotFounded` where this bank has none. */
  seed(name: string): string;
}

/** What a step happens to. */
export type Noun =
  | 'holder'
  | 'business'
  | 'person'
  | 'family'
  | 'member'
  | 'account'
  | 'card holder'
  | 'counterparty'
  | 'card'
  | 'payment';

/** What causes one kind of event. */
export interface Cause {
  /** What the last step happens to; `null` where it makes a record that belongs to no other. */
  readonly on: Noun | null;
  /** Makes one that it can happen to; answers its id. */
  readonly prepare: (world: World) => Promise<string>;
  /** The last step. */
  readonly act: (world: World, id: string) => Promise<unknown>;
}

/** The seed document of this bank has no such record. */
export class NotSeeded extends Error {}

type Act = Cause['act'];
type Make = Cause['prepare'];

/** One that is new. */
export const on = (noun: Noun, prepare: Make, act: Act): Cause => ({ on: noun, prepare, act });

/** One that the bank was seeded with, which the step leaves as it is. */
export const onSeeded = (noun: Noun, name: string, act: Act): Cause => ({
  on: noun,
  prepare: async ({ seed }) => seed(name),
  act,
});

/** Something that comes from nowhere. */
export const makes = (act: (world: World) => Promise<unknown>): Cause => ({
  on: null,
  prepare: async () => '',
  act,
});

const ADDRESS = { line1: '1 Quay Street', city: 'Astoria', state: 'OR', country: 'US', postal_code: '97103' };
const PERSON = {
  first_name: 'Mara',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: '999999999',
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
} as const;
const BUSINESS = {
  legal_name: 'Quill Press LLC',
  entity_type: 'limited_liability_company',
  id_type: 'ein',
  id_number: '999999999',
  phone: '+15035550124',
  email: 'desk@quill.example',
  formation_date: '2015-02-28',
  address: ADDRESS,
} as const;
const BANK_ACCOUNT = {
  account_number: '5500112244',
  routing_number: '121042882',
  account_type: 'business_checking',
} as const;

/** A person that waits for its check. */
export const newPerson: Make = async ({ v2, seed }) => {
  const body = { master_account_id: seed('master_account_id'), type: 'person', person: PERSON } as const;
  return (await v2.createSubAccountHolder({ body })).id;
};

/** A business that waits for its check. */
export const newBusiness: Make = async ({ v2, seed }) => {
  const body = {
    master_account_id: seed('master_account_id'),
    type: 'business',
    business: BUSINESS,
  } as const;
  return (await v2.createSubAccountHolder({ body })).id;
};

/** An account of a holder. */
export const openAccount = async ({ v2 }: World, holderId: string): Promise<string> =>
  (await v2.createSubAccount({ body: { sub_account_holder_id: holderId, type: 'checking' } })).id;

export const newAccount: Make = (world) => openAccount(world, world.seed('person_holder_id'));

/** Somebody who may hold cards of an account. */
export const nameCardHolder = async ({ v2 }: World, accountId: string): Promise<string> =>
  (await v2.createCardHolder({ body: { sub_account_id: accountId, person: PERSON } })).id;

export const newCardHolder: Make = (world) => nameCardHolder(world, world.seed('sub_account_id'));

/** A virtual card, which can be used at once. */
export const issueCard = async ({ v2 }: World, cardHolderId: string): Promise<string> =>
  (
    await v2.createCard({
      body: { card_holder_id: cardHolderId, type: 'virtual', product: 'consumer_debit' },
    })
  ).id;

export const newCard: Make = (world) => issueCard(world, world.seed('card_holder_id'));

/** Another party of an account, who can be paid in every way. */
export const nameCounterparty = async ({ v2, seed }: World, accountId: string): Promise<string> => {
  const body = {
    sub_account_id: accountId,
    type: 'business',
    business: BUSINESS,
    intra_account: { sub_account_id: seed('other_sub_account_id') },
    ach: { ...BANK_ACCOUNT, verification_status: 'pass' },
    domestic_wire: BANK_ACCOUNT,
    check: { address: ADDRESS },
  } as const;
  return (await v2.createCounterparty({ body })).id;
};

export const newCounterparty: Make = (world) => nameCounterparty(world, world.seed('sub_account_id'));

/** More than any account here has. */
export const TOO_MUCH = '9000000.00';
/** What is paid otherwise. */
export const AMOUNT = '20.00';

/** Orders money from somebody who is new, by ACH; answers the payment. */
export const pull = async (world: World, accountId: string): Promise<string> => {
  const counterparty_id = await nameCounterparty(world, accountId);
  const body = { sub_account_id: accountId, counterparty_id, amount: AMOUNT };
  return (await world.v2.originateAchPull({ body })).id;
};

export const newPayment: Make = (world) => pull(world, world.seed('sub_account_id'));

/** Has another bank send money, or ask for it; answers the payment. */
export const receive = async ({ sandbox }: World, accountId: string, rail: string): Promise<string> => {
  const body = { sub_account_id: accountId, amount: AMOUNT };
  return (await sandbox.simulateIncoming({ params: { rail }, body })).transaction.id;
};

/** Has a merchant ask whether a card may pay; answers the payment, which may be declined. */
export const authorize = async ({ sandbox }: World, card_id: string, amount = AMOUNT): Promise<string> =>
  (await sandbox.simulateCardAuthorization({ params: { card_id }, body: { amount } })).transaction.id;

/** Simulates an event of a payment. */
export const simulateEvent =
  (event: string): Act =>
  ({ sandbox }, id) =>
    sandbox.simulateTransaction({ params: { id, event }, body: {} });

/** A payment to which these events have happened. */
export const after =
  (make: Make, ...events: readonly string[]): Make =>
  async (world) => {
    const id = await make(world);
    for (const event of events) await simulateEvent(event)(world, id);
    return id;
  };
