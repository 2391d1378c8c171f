/**
 * Causes of events, as calls of the client: the last step, which applies to one record, and the calls that create
 * such a record if none is named. Created records are new, so that a cause changes no record in use and can be
 * repeated.
 */
import type { Client } from '../client/client.ts';
import { SandbankError } from '../client/error.ts';

/** A bank and its seeded records. */
export interface World extends Client {
  /** The id of a seeded record, by its name in `GET /_sandbox`. Throws `NotSeeded` if this bank has none. */
  seed(name: string): string;
}

/** The kinds of records to which steps apply. */
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

/** The cause of one event type. */
export interface Cause {
  /** The kind of record to which the last step applies; `null` if the step creates an independent record. */
  readonly on: Noun | null;
  /** Creates a suitable record; returns its id. */
  readonly prepare: (world: World) => Promise<string>;
  /** The last step. */
  readonly act: (world: World, id: string) => Promise<unknown>;
}

/** The seed document of this bank has no such record. */
export class NotSeeded extends Error {}

type Act = Cause['act'];
type Make = Cause['prepare'];

/** A cause that applies to a new record. */
export const on = (noun: Noun, prepare: Make, act: Act): Cause => ({ on: noun, prepare, act });

/** A cause that uses a seeded record without changing it. */
export const onSeeded = (noun: Noun, name: string, act: Act): Cause => ({
  on: noun,
  prepare: async ({ seed }) => seed(name),
  act,
});

/** A cause that needs no existing record. */
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

/** Creates a person whose check is pending. */
export const newPerson: Make = async ({ v2, seed }) => {
  const body = { master_account_id: seed('master_account_id'), type: 'person', person: PERSON } as const;
  return (await v2.createSubAccountHolder({ body })).id;
};

/** Creates a business whose check is pending. */
export const newBusiness: Make = async ({ v2, seed }) => {
  const body = {
    master_account_id: seed('master_account_id'),
    type: 'business',
    business: BUSINESS,
  } as const;
  return (await v2.createSubAccountHolder({ body })).id;
};

/** Opens an account of a holder. */
export const openAccount = async ({ v2 }: World, holderId: string): Promise<string> =>
  (await v2.createSubAccount({ body: { sub_account_holder_id: holderId, type: 'checking' } })).id;

export const newAccount: Make = (world) => openAccount(world, world.seed('person_holder_id'));

/** Creates a card holder of an account. */
export const nameCardHolder = async ({ v2 }: World, accountId: string): Promise<string> =>
  (await v2.createCardHolder({ body: { sub_account_id: accountId, person: PERSON } })).id;

export const newCardHolder: Make = (world) => nameCardHolder(world, world.seed('sub_account_id'));

/** Issues a virtual card, which is active at once. */
export const issueCard = async ({ v2 }: World, cardHolderId: string): Promise<string> =>
  (
    await v2.createCard({
      body: { card_holder_id: cardHolderId, type: 'virtual', product: 'consumer_debit' },
    })
  ).id;

export const newCard: Make = (world) => issueCard(world, world.seed('card_holder_id'));

/** Creates a counterparty of an account that supports every payment method. */
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

/** An amount that exceeds every balance. */
export const TOO_MUCH = '9000000.00';
/** The amount of other payments. */
export const AMOUNT = '20.00';

/** Originates an ACH pull from a new counterparty; returns the payment. */
export const pull = async (world: World, accountId: string): Promise<string> => {
  const counterparty_id = await nameCounterparty(world, accountId);
  const body = { sub_account_id: accountId, counterparty_id, amount: AMOUNT };
  return (await world.v2.originateAchPull({ body })).id;
};

export const newPayment: Make = (world) => pull(world, world.seed('sub_account_id'));

/** Simulates an incoming payment or debit of another bank; returns the payment. */
export const receive = async ({ sandbox }: World, accountId: string, rail: string): Promise<string> => {
  const body = { sub_account_id: accountId, amount: AMOUNT };
  return (await sandbox.simulateIncoming({ params: { rail }, body })).transaction.id;
};

/** Simulates a card authorization; returns the payment, which may be declined. */
export const authorize = async ({ sandbox }: World, card_id: string, amount = AMOUNT): Promise<string> =>
  (await sandbox.simulateCardAuthorization({ params: { card_id }, body: { amount } })).transaction.id;

/** Simulates an event of a payment. */
export const simulateEvent =
  (event: string): Act =>
  ({ sandbox }, id) =>
    sandbox.simulateTransaction({ params: { id, event }, body: {} });

/**
 * Creates a payment and simulates these events on it. An event that the state no longer allows is left out: the bank
 * may have executed it itself a moment ago. If not, the bank refuses the last step of the cause.
 */
export const after =
  (make: Make, ...events: readonly string[]): Make =>
  async (world) => {
    const id = await make(world);
    for (const event of events) {
      try {
        await simulateEvent(event)(world, id);
      } catch (error) {
        if (!(error instanceof SandbankError) || error.code !== 'illegal_step') throw error;
      }
    }
    return id;
  };
