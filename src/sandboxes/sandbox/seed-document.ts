/**
 * A seed document describes the records of a small bank: people, businesses, accounts with money, counterparties,
 * cards and payments. It is loaded with the commands that clients use, so a seeded bank contains only records that a
 * client could have created.
 */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { EmailText } from '../../bank/api/fields.ts';
import { parseMoney } from '../../bank/kernel/money.ts';
import { readProjectFile } from '../../bank/kernel/project.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { type Instant, parseInstant } from '../../bank/kernel/time.ts';
import { INCOMING_RAILS, ORDERED_RAILS } from '../../bank/model/rails/index.ts';
import type { Address, BankDetails, Person, Token } from '../../bank/model/records.ts';
import {
  ACCOUNT_TYPES,
  BANK_ACCOUNT_TYPES,
  CARD_TYPES,
  ENTITY_TYPES,
  WALLET_CURRENCIES,
} from '../../bank/model/vocabulary.ts';
import { frozen } from '../../bank/store/cache.ts';
import type { Bank } from '../../bank/verbs/bank.ts';
import type { RailsChange } from '../../bank/verbs/inputs.ts';
import type { TokenPurpose } from '../../bank/verbs/tokens.ts';

const TOKEN_PURPOSES = ['show_card', 'set_pin', 'set_debit_card'] as const satisfies readonly TokenPurpose[];

const oneOf = <T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>(Type.String({ enum: [...words] }));
const Text = Type.String();
/** The name of a record, in the rest of the seed document and in the list of seeded ids. */
const Name = Type.String({ minLength: 1 });

/** A list that a document may omit. */
const listOf = <T extends TSchema>(entry: T) => Type.Optional(Type.Array(entry));

const AddressShape = Type.Object({
  line1: Text,
  line2: Text,
  city: Text,
  state: Text,
  country: Text,
  postal_code: Text,
});

const BankAccountShape = Type.Object({
  account_number: Text,
  routing_number: Text,
  account_type: oneOf(BANK_ACCOUNT_TYPES),
});

const personFields = {
  first_name: Text,
  middle_name: Text,
  last_name: Text,
  id_number: Text,
  date_of_birth: Text,
  phone: Text,
  email: EmailText,
  address: AddressShape,
};

export const SeedDocumentShape = Type.Object({
  program: Type.Object({
    name: Text,
    sponsor_bank: Text,
    routing_number: Text,
    master_account: Type.Object({ label: Text, account_number: Text }),
  }),
  persons: Type.Array(
    Type.Object({
      as: Name,
      ...personFields,
      verified: Type.Optional(Type.Boolean({ description: 'False for a person who is not verified yet.' })),
    }),
  ),
  businesses: Type.Array(
    Type.Object({
      as: Name,
      legal_name: Text,
      dba: Text,
      entity_type: oneOf(ENTITY_TYPES),
      id_number: Text,
      phone: Text,
      email: EmailText,
      formation_date: Text,
      address: AddressShape,
      members: Type.Array(
        Type.Object({
          as: Type.Optional(Name),
          ...personFields,
          ownership: Text,
          title: Text,
          designation: Text,
          control_person: Type.Boolean(),
        }),
      ),
      ownership_disclosure: Type.Optional(
        Type.Object({ redirect_uri: Text }, { description: 'The signed ownership disclosure.' }),
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
      email: EmailText,
      phone: Text,
      ach: Type.Optional(BankAccountShape),
      domestic_wire: Type.Optional(BankAccountShape),
      international_wire: Type.Optional(
        Type.Object({ account_number: Text, identifier_code: Text, bank_name: Text }),
      ),
      rtp: Type.Optional(BankAccountShape),
      fednow: Type.Optional(BankAccountShape),
      check: Type.Optional(Type.Object({ address: AddressShape })),
      card: Type.Optional(Type.Object({ address: AddressShape })),
      debit_card: Type.Optional(
        Type.Object({ card_number: Text, expiry_month: Text, expiry_year: Text, address: AddressShape }),
      ),
      intra_account: Type.Optional(Name),
    }),
  ),
  card_holders: Type.Array(Type.Object({ as: Name, account: Name, person: Name })),
  cards: Type.Array(Type.Object({ as: Name, card_holder: Name, type: oneOf(CARD_TYPES), label: Text })),
  families: listOf(Type.Object({ as: Name, created_by: Name, name: Text })),
  memberships: listOf(
    Type.Object(
      {
        as: Name,
        of: Name,
        person: Name,
        ownership: Type.Optional(Text),
        title: Type.Optional(Text),
        control_person: Type.Optional(Type.Boolean()),
      },
      { description: 'A person who is a member of a family, or a further member of a business.' },
    ),
  ),
  documents: listOf(Type.Object({ as: Name, holder: Name, name: Text, doc_type: Text })),
  attachments: listOf(Type.Object({ as: Name, account: Name, label: Text })),
  transfers: listOf(
    Type.Object({
      as: Name,
      rail: oneOf(ORDERED_RAILS),
      account: Name,
      counterparty: Name,
      amount: Text,
      description: Text,
      settled: Type.Optional(
        Type.Boolean({
          description: 'True for a payment that is already settled; others settle by the clock.',
        }),
      ),
      awaits_images: Type.Optional(
        Type.Boolean({ description: 'For a check_deposit: true if its images are sent later.' }),
      ),
    }),
  ),
  incoming: listOf(
    Type.Object({
      as: Name,
      rail: oneOf(INCOMING_RAILS),
      account: Type.Optional(Name),
      amount: Text,
      description: Text,
      sender: Text,
      settled: Type.Optional(Type.Boolean()),
    }),
  ),
  wallets: listOf(Type.Object({ as: Name, account: Name, currency: oneOf(WALLET_CURRENCIES), label: Text })),
  tokens: listOf(
    Type.Object({
      as: Name,
      opens: oneOf(TOKEN_PURPOSES),
      of: Name,
      expires_at: Type.String({ description: 'ISO 8601, like 2099-12-31T00:00:00Z.' }),
    }),
  ),
});

export type SeedDocument = Static<typeof SeedDocumentShape>;

const DEFAULT = 'fixtures/default.json';
/** The number of the first link of a disclosure. */
const FIRST_LINK = 1;

let ofTheProject: SeedDocument | undefined;

/** The default seed document; the object must not be changed. */
export function defaultSeedDocument(): SeedDocument {
  ofTheProject ??= frozen(JSON.parse(String(readProjectFile(DEFAULT))) as SeedDocument);
  return ofTheProject;
}

/** The name of the transaction that funds a new account. */
export function openingTransactionOf(account: string): string {
  return `${account}.opening_transaction`;
}

/** The records of a loaded seed document, by their names. */
export interface Loaded {
  ids: Record<string, Id>;
  /** The tokens as the bank stores them, without the mark of a sandbox. */
  tokens: Record<string, string>;
}

/** The id of a record that was created before, by its name. */
function idIn(ids: ReadonlyMap<string, Id>): (name: string) => Id {
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`the seed document refers to ${name} before it is created`);
    return id;
  };
}

/**
 * Loads the people and businesses with their accounts, cards and counterparties. `openOrSeedBank` creates the
 * program, and `loadTransactions` loads the rest.
 */
export function loadParties(bank: Bank, document: SeedDocument): Map<string, Id> {
  const ids = new Map<string, Id>();
  const people = new Map<string, Person>();
  const idOf = idIn(ids);

  for (const entry of document.persons) {
    const person = readPerson(entry);
    const { holder } = bank.holders.create({ person });
    if (entry.verified !== false) bank.holders.submitKyc(holder.id);
    ids.set(entry.as, holder.id);
    people.set(entry.as, person);
  }
  for (const entry of document.businesses) {
    const { holder, members } = bank.holders.create({
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
    entry.members.forEach(({ as }, index) => {
      const member = members[index];
      if (as !== undefined && member !== undefined) ids.set(as, member.id);
    });
  }
  for (const entry of document.accounts) {
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
        sender: { name: 'First deposit', routingNumber: document.program.routing_number },
      });
      bank.payments.applyEvent(funding.id, 'settle');
      ids.set(openingTransactionOf(entry.as), funding.id);
    }
  }
  for (const entry of document.counterparties) {
    const { intra_account: intra } = entry;
    const counterparty = bank.counterparties.create({
      accountId: idOf(entry.account),
      name: entry.name,
      email: entry.email,
      phone: entry.phone,
      rails: {
        ...readRails(entry),
        ...(intra !== undefined && { intraAccount: { accountId: idOf(intra) } }),
      },
    });
    ids.set(entry.as, counterparty.id);
  }
  for (const entry of document.card_holders) {
    const person = people.get(entry.person);
    if (person === undefined) throw new Error(`the seed document has no person ${entry.person}`);
    ids.set(entry.as, bank.cardHolders.create({ accountId: idOf(entry.account), person }).id);
  }
  for (const entry of document.cards) {
    const { card } = bank.cards.issue({
      cardHolderId: idOf(entry.card_holder),
      type: entry.type,
      label: entry.label,
    });
    ids.set(entry.as, card.id);
  }
  for (const { as, created_by: createdBy, name } of document.families ?? []) {
    ids.set(as, bank.families.create({ name, createdBy: idOf(createdBy) }).id);
  }
  for (const entry of document.memberships ?? []) {
    const { ownership, title, control_person: controlPerson } = entry;
    const isFamily = document.families?.some(({ as }) => as === entry.of) === true;
    const { member } = bank.members.create({
      of: isFamily ? { familyId: idOf(entry.of) } : { businessId: idOf(entry.of) },
      person: idOf(entry.person),
      ...(ownership !== undefined && { ownership: readAmount(ownership) }),
      ...(title !== undefined && { title }),
      ...(controlPerson !== undefined && { controlPerson }),
    });
    ids.set(entry.as, member.id);
  }
  for (const { as, holder, name, doc_type: docType } of document.documents ?? []) {
    ids.set(as, bank.documents.create({ holderId: idOf(holder), name, docType }).id);
  }
  for (const { as, account, label } of document.attachments ?? []) {
    ids.set(as, bank.attachments.create({ kind: 'account', referenceId: idOf(account), label }).id);
  }
  return ids;
}

/** Loads the payments, disclosures, tokens and wallets of the document, after `loadParties`. */
export function loadTransactions(
  bank: Bank,
  document: SeedDocument,
  parties: ReadonlyMap<string, Id>,
): Loaded {
  const ids = new Map(parties);
  const tokens = new Map<string, string>();
  const idOf = idIn(ids);
  const settle = (id: Id, isSettled = false): void => {
    if (isSettled && bank.payments.byId(id).status !== 'settled') bank.simulation.transaction(id, 'settle');
  };
  for (const { as, rail, settled, awaits_images: awaitsImages, ...entry } of document.transfers ?? []) {
    const order = {
      accountId: idOf(entry.account),
      counterpartyId: idOf(entry.counterparty),
      amount: readAmount(entry.amount),
      description: entry.description,
      shortage: 'refuse',
      ...(awaitsImages === true && { awaitsImages }),
    } as const;
    const { id } =
      rail === 'solid_card_send' ? bank.solidCards.send(order) : bank.payments.originate(rail, order);
    ids.set(as, id);
    settle(id, settled);
  }
  for (const { as, rail, account, settled, ...entry } of document.incoming ?? []) {
    const { id } = bank.payments.receive(rail, {
      accountId: account === undefined ? null : idOf(account),
      amount: readAmount(entry.amount),
      description: entry.description,
      sender: { name: entry.sender, routingNumber: document.program.routing_number },
    });
    ids.set(as, id);
    settle(id, settled);
  }
  for (const { as, ownership_disclosure: disclosure } of document.businesses) {
    if (disclosure === undefined) continue;
    bank.businessProfiles.disclose(idOf(as), { redirectUri: disclosure.redirect_uri, regenerate: false });
    bank.businessProfiles.sign(idOf(as), FIRST_LINK);
  }
  for (const entry of document.tokens ?? []) {
    const { token } = issueToken(bank, entry.opens, idOf(entry.of), readInstant(entry.expires_at));
    tokens.set(entry.as, token);
  }
  for (const { as, account, currency, label } of document.wallets ?? []) {
    ids.set(as, bank.wallets.create({ accountId: idOf(account), currency, label }).id);
  }
  return { ids: Object.fromEntries(ids), tokens: Object.fromEntries(tokens) };
}

function issueToken(bank: Bank, opens: TokenPurpose, id: Id, expiresAt: Instant): Token {
  switch (opens) {
    case 'show_card':
      return bank.cardVault.showToken(id, expiresAt);
    case 'set_pin':
      return bank.cardVault.pinToken(id, expiresAt);
    case 'set_debit_card':
      return bank.counterparties.issueDebitCardToken(id, expiresAt);
  }
}

/** The rails of a counterparty to other banks. The rail within the bank has only the name of an account. */
function readRails(entry: SeedDocument['counterparties'][number]): RailsChange {
  const { ach, rtp, fednow, check, card } = entry;
  const { domestic_wire: domestic, international_wire: international, debit_card: debitCard } = entry;
  return {
    ...(ach !== undefined && { ach: { ...readBankAccount(ach), verified: true } }),
    ...(domestic !== undefined && { domesticWire: readBankAccount(domestic) }),
    ...(international !== undefined && {
      internationalWire: {
        accountNumber: international.account_number,
        beneficiaryBank: {
          identifierCode: international.identifier_code,
          name: international.bank_name,
          address: null,
        },
        correspondentBank: null,
      },
    }),
    ...(rtp !== undefined && { rtp: readBankAccount(rtp) }),
    ...(fednow !== undefined && { fednow: readBankAccount(fednow) }),
    ...(check !== undefined && { check: { address: readAddress(check.address) } }),
    ...(card !== undefined && { card: { address: readAddress(card.address) } }),
    ...(debitCard !== undefined && {
      debitCard: {
        cardNumber: debitCard.card_number,
        expiryMonth: debitCard.expiry_month,
        expiryYear: debitCard.expiry_year,
        address: readAddress(debitCard.address),
      },
    }),
  };
}

const readBankAccount = (account: Static<typeof BankAccountShape>): BankDetails => ({
  accountNumber: account.account_number,
  routingNumber: account.routing_number,
  accountType: account.account_type,
  bankName: '',
});

const readAddress = ({ postal_code: postalCode, ...rest }: Static<typeof AddressShape>): Address => ({
  ...rest,
  postalCode,
});

function readPerson(entry: Omit<SeedDocument['persons'][number], 'as'>): Person {
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

function readInstant(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === undefined) throw new Error(`the seed document has ${text} instead of a time`);
  return instant;
}

function readAmount(text: string): number {
  const amount = parseMoney(text);
  if (amount === undefined) throw new Error(`the seed document has ${text} instead of an amount like 12.50`);
  return amount;
}
