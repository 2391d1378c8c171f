/**
 * The records of facts: the rows at that time, and the related data that readers need.
 */
import { type Static, type TObject, Type } from '@sinclair/typebox';
import { shapesOf } from './columns.ts';
import { Balance, Cents, OwnershipDisclosure, orNull } from './parts.ts';
import * as tables from './tables.ts';

const Holder = Type.Object(shapesOf(tables.holders));
const Member = Type.Object(shapesOf(tables.members));
const CardHolder = Type.Object(shapesOf(tables.cardHolders));
const Card = Type.Object({
  card: Type.Object(shapesOf(tables.cards)),
  cardHolder: CardHolder,
  /** The rest of an all-time limit, in cents; absent if the card has none. */
  left: Type.Optional(Cents),
});
const { accountSeq: _, ...transaction } = shapesOf(tables.transactions);

/** The shape of the record of a fact, by its resource. */
export const FACT_RECORDS = {
  holder: Type.Object({
    holder: Holder,
    members: Type.Array(Member),
    /** Absent until the ownership disclosure was requested. */
    disclosure: Type.Optional(OwnershipDisclosure.properties.status),
  }),
  family: Type.Object(shapesOf(tables.families)),
  wallet: Type.Object(shapesOf(tables.wallets)),
  member: Type.Object({
    member: Member,
    /** The person record that the member was made from. */
    person: orNull(Holder),
  }),
  account: Type.Object({ account: Type.Object(shapesOf(tables.accounts)), balance: Balance }),
  card_holder: CardHolder,
  counterparty: Type.Object(shapesOf(tables.counterparties)),
  card: Card,
  transaction: Type.Object({
    ...transaction,
    /** The card that was sent with the money, at that time; absent if none was. */
    sentCard: Type.Optional(Card),
  }),
} as const satisfies Record<string, TObject>;

export type FactRecords = { [R in keyof typeof FACT_RECORDS]: Static<(typeof FACT_RECORDS)[R]> };
