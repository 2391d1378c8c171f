/** The account of the run, and the ways in which a payment of it is made. */
import type { Sandbank } from '../../src/kit/index.ts';
import * as rules from './rules.ts';

export interface World {
  readonly bank: Sandbank;
  readonly account: string;
  readonly counterparty: string;
  /** Its newest card. */
  card: string;
}

export const money = (cents: number): string => (cents / 100).toFixed(2);

const IMAGE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ADDRESS = { line1: '1 Quay Street', city: 'Astoria', state: 'OR', country: 'US', postal_code: '97103' };
const BANK = {
  account_number: '5500112244',
  routing_number: '121042882',
  account_type: 'personal_checking',
} as const;
const PERSON = { first_name: 'Mara', last_name: 'Quill', address: ADDRESS, phone: '+14155550123' } as const;

const newCounterparty = (account: string, other: string) =>
  ({
    sub_account_id: account,
    type: 'person',
    person: { ...PERSON, email: 'mara@quill.example' },
    intra_account: { sub_account_id: other },
    ach: { ...BANK, verification_status: 'pass' },
    domestic_wire: BANK,
    international_wire: { account_number: 'DE89370400440532013000', identifier_code: 'COBADEFF' },
    rtp: BANK,
    fednow: BANK,
    check: { address: ADDRESS },
  }) as const;

export async function openWorld(bank: Sandbank): Promise<World> {
  const { person_holder_id, other_sub_account_id } = await bank.seeded();
  const { id: account } = await bank.v2.createSubAccount({
    body: { sub_account_holder_id: person_holder_id, type: 'checking' },
  });
  const { id: counterparty } = await bank.v2.createCounterparty({
    body: newCounterparty(account, other_sub_account_id),
  });
  return { bank, account, counterparty, card: '' };
}

/** Issues a card. Returns the instant after its last month. */
export async function issueCard(world: World): Promise<number> {
  const { v2 } = world.bank;
  const person = { ...PERSON, id_type: 'ssn', id_number: '999999999', date_of_birth: '1988-03-14' } as const;
  const holder = await v2.createCardHolder({
    body: { sub_account_id: world.account, person: { ...person, email: 'mara@quill.example' } },
  });
  const card = await v2.createCard({
    body: { card_holder_id: holder.id, type: 'virtual', product: 'consumer_debit' },
  });
  world.card = card.id;
  return Date.UTC(Number(card.expiry_year), Number(card.expiry_month), 1);
}

export interface Terms {
  readonly amount: number;
  readonly sameDay: boolean;
  /** An effective date, or `''`. */
  readonly requested: string;
}

/** How a payment is made, and the steps that the rules expect after its first state. */
export interface Rail {
  readonly isDebit: boolean;
  readonly isBookedWhenMade: boolean;
  readonly make: (world: World, terms: Terms) => Promise<string>;
  readonly plan: (made: number, terms: Terms) => { readonly effective: string; readonly steps: rules.Step[] };
}

type Method =
  | 'originateDomesticWire'
  | 'originateInternationalWire'
  | 'originateRtpPush'
  | 'originateFednowPush'
  | 'sendCheck';

const orderOf = ({ account, counterparty }: World, { amount }: Terms) => ({
  sub_account_id: account,
  counterparty_id: counterparty,
  amount: money(amount),
});
const order =
  (method: Method): Rail['make'] =>
  async (world, terms) =>
    (await world.bank.v2[method]({ body: orderOf(world, terms) })).id;
const ach =
  (method: 'originateAchPush' | 'originateAchPull'): Rail['make'] =>
  async (world, terms) => {
    const { sameDay, requested } = terms;
    const dates = {
      same_day: sameDay ? 'true' : 'false',
      ...(requested !== '' && { effective_date: requested }),
    } as const;
    return (await world.bank.v2[method]({ body: { ...orderOf(world, terms), ...dates } })).id;
  };
const incoming =
  (rail: string): Rail['make'] =>
  async ({ bank, account }, { amount }) => {
    const body = { sub_account_id: account, amount: money(amount) };
    return (await bank.sandbox.simulateIncoming({ params: { rail }, body })).transaction.id;
  };

/** A payment without an effective date. */
const undated =
  (steps: (made: number) => rules.Step[]): Rail['plan'] =>
  (made) => ({ effective: '', steps: steps(made) });
const received: Rail['plan'] = (made) => ({
  effective: rules.receivedOn(made),
  steps: rules.atOnce(made),
});
const credit = { isDebit: false, isBookedWhenMade: false };
const debit = { isDebit: true, isBookedWhenMade: false };
const debitAtOnce = { isDebit: true, isBookedWhenMade: true };

export const RAILS: Readonly<Record<string, Rail>> = {
  ach_push: {
    ...debitAtOnce,
    make: ach('originateAchPush'),
    plan: (made, terms) => rules.achOf(made, { ...terms, isPull: false }),
  },
  ach_pull: {
    ...credit,
    make: ach('originateAchPull'),
    plan: (made, terms) => rules.achOf(made, { ...terms, isPull: true }),
  },
  domestic_wire: { ...debit, make: order('originateDomesticWire'), plan: undated(rules.wireOf) },
  international_wire: { ...debit, make: order('originateInternationalWire'), plan: undated(rules.wireOf) },
  rtp_push: { ...debit, make: order('originateRtpPush'), plan: undated(rules.atOnce) },
  fednow_push: { ...debit, make: order('originateFednowPush'), plan: undated(rules.atOnce) },
  check_send: { ...debitAtOnce, make: order('sendCheck'), plan: undated(rules.sentCheckOf) },
  check_deposit: {
    ...credit,
    make: async (world, terms) => {
      const body = { ...orderOf(world, terms), image: { front: IMAGE, back: IMAGE } };
      return (await world.bank.v2.depositCheck({ body })).id;
    },
    plan: undated(rules.depositedCheckOf),
  },
  ach_received_push: { ...credit, make: incoming('ach_push'), plan: received },
  ach_received_pull: { ...debitAtOnce, make: incoming('ach_pull'), plan: received },
  domestic_wire_received: { ...credit, make: incoming('domestic_wire'), plan: undated(rules.receivedWireOf) },
  rtp_received: { ...credit, make: incoming('rtp'), plan: undated(rules.atOnce) },
  card_authorization: {
    ...debitAtOnce,
    make: async ({ bank, card }, { amount }) => {
      const body = { amount: money(amount) };
      return (await bank.sandbox.simulateCardAuthorization({ params: { card_id: card }, body })).transaction
        .id;
    },
    plan: undated(rules.heldOf),
  },
  card_test_authorization: {
    ...debitAtOnce,
    make: async ({ bank, card }, { amount }) => {
      await bank.v1.testCard({ params: { cardId: card }, body: { amount: money(amount) } });
      const { transactions } = await bank.sandbox.listTransactions({ query: { limit: '1' } });
      return transactions[0]?.id ?? '';
    },
    plan: undated(rules.cardTestOf),
  },
};
