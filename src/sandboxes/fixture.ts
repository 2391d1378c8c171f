/**
 * A fixture is a small bank written down: persons, businesses, accounts with money, counterparties, cards. It is loaded
 * through the same verbs as a client would use, so a seeded bank holds nothing that a client could not have made.
 */
import { readFileSync } from 'node:fs';
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../bank/bank.ts';
import { parseMoney } from '../kernel/money.ts';
import { projectFile } from '../kernel/project.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Address, Person } from '../model/records.ts';
import { ACCOUNT_TYPES, BANK_ACCOUNT_TYPES, CARD_TYPES } from '../model/vocabulary.ts';

const oneOf = <T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...words] }));
const Text = Type.String();
/** The name under which the rest of the fixture, and the seeded ids, refer to a record. */
const Name = Type.String({ minLength: 1 });

const AddressShape = Type.Object({
  line1: Text,
  line2: Text,
  city: Text,
  state: Text,
  country: Text,
  postal_code: Text,
});

const personFields = {
  first_name: Text,
  middle_name: Text,
  last_name: Text,
  id_number: Text,
  date_of_birth: Text,
  phone: Text,
  email: Text,
  address: AddressShape,
};

export const FixtureShape = Type.Object({
  program: Type.Object({
    name: Text,
    sponsor_bank: Text,
    routing_number: Text,
    master_account: Type.Object({ label: Text, account_number: Text }),
  }),
  persons: Type.Array(Type.Object({ as: Name, ...personFields })),
  businesses: Type.Array(
    Type.Object({
      as: Name,
      legal_name: Text,
      dba: Text,
      entity_type: Text,
      id_number: Text,
      phone: Text,
      email: Text,
      formation_date: Text,
      address: AddressShape,
      members: Type.Array(
        Type.Object({
          ...personFields,
          ownership: Text,
          title: Text,
          designation: Text,
          control_person: Type.Boolean(),
        }),
      ),
    }),
  ),
  accounts: Type.Array(
    Type.Object({ as: Name, holder: Name, label: Text, type: oneOf(ACCOUNT_TYPES), funded: Text }),
  ),
  counterparties: Type.Array(
    Type.Object({
      as: Name,
      account: Name,
      name: Text,
      email: Text,
      phone: Text,
      ach: Type.Optional(
        Type.Object({
          account_number: Text,
          routing_number: Text,
          account_type: oneOf(BANK_ACCOUNT_TYPES),
        }),
      ),
      intra_account: Type.Optional(Name),
    }),
  ),
  card_holders: Type.Array(Type.Object({ as: Name, account: Name, person: Name })),
  cards: Type.Array(Type.Object({ as: Name, card_holder: Name, type: oneOf(CARD_TYPES), label: Text })),
});

export type Fixture = Static<typeof FixtureShape>;

const DEFAULT = projectFile('fixtures/default.json');

/** The fixture that every sandbox starts with. */
export function defaultFixture(): Fixture {
  return JSON.parse(readFileSync(DEFAULT, 'utf8')) as Fixture;
}

/** The name of the transaction that brought an account its first money. */
export function openingTransactionOf(account: string): string {
  return `${account}.opening_transaction`;
}

/** Loads everything but the program, which the bank was founded with; answers the ids by their names. */
export function loadFixture(bank: Bank, fixture: Fixture): Record<string, Id> {
  const ids = new Map<string, Id>();
  const people = new Map<string, Person>();
  const idOf = (name: string): Id => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the fixture names ${name} before it is made`);
    return id;
  };

  for (const entry of fixture.persons) {
    const person = readPerson(entry);
    const { holder } = bank.holders.create({ person });
    bank.holders.submitKyc(holder.id);
    ids.set(entry.as, holder.id);
    people.set(entry.as, person);
  }
  for (const entry of fixture.businesses) {
    const { holder } = bank.holders.create({
      business: {
        legalName: entry.legal_name,
        dba: entry.dba,
        entityType: entry.entity_type,
        idType: 'ein',
        idNumber: entry.id_number,
        phone: entry.phone,
        email: entry.email,
        formationDate: entry.formation_date,
        address: readAddress(entry.address),
        website: '',
        about: '',
        industry: '',
        naicsCode: '',
      },
      members: entry.members.map((member) => ({
        person: readPerson(member),
        ownership: readAmount(member.ownership),
        title: member.title,
        designation: member.designation,
        controlPerson: member.control_person,
      })),
    });
    ids.set(entry.as, holder.id);
  }
  for (const entry of fixture.accounts) {
    const { account } = bank.accounts.open({
      holderId: idOf(entry.holder),
      type: entry.type,
      label: entry.label,
    });
    ids.set(entry.as, account.id);
    const amount = readAmount(entry.funded);
    if (amount > 0) {
      const funding = bank.payments.receive('ach_received_push', {
        accountId: account.id,
        amount,
        description: 'Opening deposit',
        sender: { name: 'First deposit', routingNumber: fixture.program.routing_number },
      });
      bank.payments.happen(funding.id, 'settle');
      ids.set(openingTransactionOf(entry.as), funding.id);
    }
  }
  for (const entry of fixture.counterparties) {
    const { ach, intra_account: intra } = entry;
    const counterparty = bank.counterparties.create({
      accountId: idOf(entry.account),
      name: entry.name,
      email: entry.email,
      phone: entry.phone,
      rails: {
        ...(ach !== undefined && {
          ach: {
            accountNumber: ach.account_number,
            routingNumber: ach.routing_number,
            accountType: ach.account_type,
            bankName: '',
            verified: true,
          },
        }),
        ...(intra !== undefined && { intraAccount: { accountId: idOf(intra) } }),
      },
    });
    ids.set(entry.as, counterparty.id);
  }
  for (const entry of fixture.card_holders) {
    const person = people.get(entry.person);
    if (person === undefined) throw new Error(`the fixture names no person ${entry.person}`);
    ids.set(entry.as, bank.cardHolders.create({ accountId: idOf(entry.account), person }).id);
  }
  for (const entry of fixture.cards) {
    const { card } = bank.cards.issue({
      cardHolderId: idOf(entry.card_holder),
      type: entry.type,
      label: entry.label,
    });
    ids.set(entry.as, card.id);
  }
  return Object.fromEntries(ids);
}

const readAddress = ({ postal_code: postalCode, ...rest }: Static<typeof AddressShape>): Address => ({
  ...rest,
  postalCode,
});

function readPerson(entry: Omit<Fixture['persons'][number], 'as'>): Person {
  return {
    firstName: entry.first_name,
    middleName: entry.middle_name,
    lastName: entry.last_name,
    idType: 'ssn',
    idNumber: entry.id_number,
    dateOfBirth: entry.date_of_birth,
    phone: entry.phone,
    email: entry.email,
    address: readAddress(entry.address),
  };
}

function readAmount(text: string): number {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error(`the fixture has ${text} where an amount like 12.50 belongs`);
  return amount;
}
