/**
 * A database of an older program has the same responses as before, and new columns of its rows are filled:
 * `migrations/0006_what_v1_shows.sql` and `0008_account_roles.sql`. `0010_ownership_unset.sql` keeps the rows of
 * members.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../../src/bank/store/migrate.ts';
import { NodeDriver } from '../../../src/bank/store/node-driver.ts';

const FOLDER = new URL('../../../migrations/', import.meta.url);
const OLDER = readdirSync(FOLDER)
  .filter((name) => name < '0005')
  .toSorted()
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'));

const id = (number: number): string => String(number).padStart(32, '0');
const [PERSON, BUSINESS, OWN, SHARED] = [id(1), id(2), id(3), id(4)];

type Row = Record<string, string | number | null>;

/** A bank of the older schema with a person, a business and three accounts. */
function openOlder() {
  const sqlite = new NodeDriver(':memory:');
  onTestFinished(() => void sqlite.close());
  migrate(sqlite, OLDER);
  const insert = (table: string, row: Row): void => {
    const names = Object.keys(row);
    sqlite
      .prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      )
      .run(row);
  };
  const made = { created_at: 1, updated_at: 1 };
  const holder = (holderId: string, type: 'person' | 'business', createdBy: string) =>
    insert('holders', {
      id: holderId,
      type,
      name: 'Ada',
      person: type === 'person' ? '{}' : null,
      business: type === 'person' ? null : '{}',
      id_number: '',
      verification: '{}',
      ofac_status: 'pass',
      ofac_at: 1,
      external_reference_id: '',
      purpose: '',
      status: 'activated',
      created_by: createdBy,
      ...made,
    });
  const account = (accountId: string, holderId: string, holderType: string, createdBy: string) =>
    insert('accounts', {
      id: accountId,
      holder_id: holderId,
      holder_type: holderType,
      holder_name: 'Ada',
      created_by: createdBy,
      label: '',
      type: 'checking',
      account_number: accountId,
      external_reference_id: '',
      purpose: '',
      status: 'open',
      ...made,
    });
  holder(PERSON, 'person', '');
  holder(BUSINESS, 'business', PERSON);
  account(OWN, PERSON, 'person', '');
  account(SHARED, BUSINESS, 'business', '');
  let places = 0;
  const transaction = (transactionId: string, row: Row) => {
    places += 1;
    const whole: Row = {
      id: transactionId,
      account_id: OWN,
      account_seq: places,
      rail: 'ach_push',
      status: 'settled',
      amount: 100,
      direction: 'debit',
      method: 'ach',
      type: 'push',
      message: 'outgoing',
      title: '',
      description: '',
      available_balance: 0,
      pending_credits: 0,
      pending_debits: 0,
      counterparty_id: '',
      other_side: JSON.stringify({ name: 'Cedar' }),
      details: JSON.stringify({ kind: 'none' }),
      card_id: '',
      parent_id: '',
      external_reference_id: '',
      purpose: '',
      master_id: '',
      ...made,
      ...row,
    };
    insert('transactions', whole);
    const record = {
      id: transactionId,
      title: whole.title,
      description: whole.description,
      otherSide: JSON.parse(String(whole.other_side)),
      details: JSON.parse(String(whole.details)),
    };
    insert('facts', {
      at: 1,
      resource: 'transaction',
      resource_id: transactionId,
      change: 'created',
      kinds_v1: '',
      kinds_v2: '',
      record: JSON.stringify(record),
    });
  };
  const valuesOf = (sql: string): unknown[] => sqlite.prepare(sql).pluck().all();
  return { sqlite, insert, account, transaction, valuesOf };
}

test('an account has the person who opened it, a transaction its person, and a card is a debit card', () => {
  const { sqlite, insert, transaction, valuesOf } = openOlder();
  const user = id(6);
  const shared = { account_id: SHARED, created_at: 1, updated_at: 1 };
  const holderOf = (holderId: string, personId: string) =>
    insert('card_holders', {
      ...shared,
      id: holderId,
      holder_id: BUSINESS,
      person_id: personId,
      person: '{}',
      ofac_status: 'pass',
      ofac_at: 1,
      external_reference_id: '',
      purpose: '',
      status: 'activated',
    });
  const cardOf = (cardId: string, cardHolderId: string) =>
    insert('cards', {
      ...shared,
      id: cardId,
      holder_id: BUSINESS,
      holder_type: 'business',
      card_holder_id: cardHolderId,
      label: '',
      product: 'business_spend',
      theme: '',
      type: 'virtual',
      number: '4000020000000002',
      cvv: '000',
      last4: '0002',
      expiry_month: '01',
      expiry_year: '2030',
      controls: '{}',
      external_reference_id: '',
      status: 'open',
      replaced_by: '',
    });
  holderOf(id(30), user);
  holderOf(id(31), '');
  cardOf(id(40), id(30));
  cardOf(id(41), id(31));
  transaction(id(10), {});
  transaction(id(11), { account_id: SHARED });
  transaction(id(12), { account_id: SHARED, card_id: id(40) });
  transaction(id(13), { account_id: SHARED, card_id: id(41) });
  transaction(id(14), { account_id: null });
  const opened = { holderId: PERSON, createdBy: '' };
  insert('facts', {
    at: 1,
    resource: 'account',
    resource_id: OWN,
    change: 'created',
    kinds_v1: '',
    kinds_v2: '',
    record: JSON.stringify({ account: opened, balance: { creditsPosted: 9007199254740991 } }),
  });
  insert('facts', {
    at: 1,
    resource: 'card',
    resource_id: id(40),
    change: 'created',
    kinds_v1: '',
    kinds_v2: '',
    record: JSON.stringify({ card: { id: id(40) }, cardHolder: {} }),
  });
  migrate(sqlite);
  expect(valuesOf('SELECT created_by FROM accounts ORDER BY id')).toEqual([PERSON, PERSON]);
  const persons = [PERSON, PERSON, user, PERSON, ''];
  expect(valuesOf('SELECT person_id FROM transactions ORDER BY id')).toEqual(persons);
  const ofTransactions = `FROM facts WHERE resource = 'transaction' ORDER BY resource_id`;
  expect(valuesOf(`SELECT record ->> '$.personId' ${ofTransactions}`)).toEqual(persons);
  const query = `SELECT record ->> '$.card.bin' FROM facts WHERE resource = 'card'`;
  expect([valuesOf('SELECT bin FROM cards'), valuesOf(query)]).toEqual([['debit', 'debit'], ['debit']]);
  expect(
    valuesOf(`SELECT record FROM facts WHERE resource = 'account'`).map((text) => JSON.parse(String(text))),
  ).toEqual([
    { account: { ...opened, createdBy: PERSON, role: '' }, balance: { creditsPosted: 9007199254740991 } },
  ]);
});

test('a generated title is removed, in the rows and in their facts', () => {
  const { sqlite, transaction, valuesOf } = openOlder();
  const titles = ['Paid to Cedar', 'Paid to Ash', 'Rent', 'Received check from Cedar', ''];
  for (const [place, title] of titles.entries()) transaction(id(10 + place), { title });
  const merchant = JSON.stringify({ kind: 'card', merchant: { name: 'Mill' } });
  transaction(id(20), { title: 'Mill', details: merchant, other_side: 'null' });
  const opening = 'Account creation credit';
  transaction(id(21), { title: opening, description: opening, rail: 'account_opening', other_side: 'null' });
  migrate(sqlite);
  const stored = ['', 'Paid to Ash', 'Rent', '', '', '', ''];
  expect(valuesOf('SELECT title FROM transactions ORDER BY id')).toEqual(stored);
  expect(valuesOf(`SELECT record ->> '$.title' FROM facts ORDER BY resource_id`)).toEqual(stored);
  expect(valuesOf(`SELECT description FROM transactions WHERE rail = 'account_opening'`)).toEqual([
    'Account Opened',
  ]);
});

test('a purchase described by its client keeps the description', () => {
  const { sqlite, transaction, valuesOf } = openOlder();
  const row = {
    method: 'card_issuing',
    details: JSON.stringify({ kind: 'card', merchant: { name: 'Mill' } }),
    other_side: 'null',
  };
  for (const [place, description] of ['Mill', 'Lunch', ''].entries()) {
    transaction(id(10 + place), { ...row, description });
  }
  transaction(id(20), { description: 'Rent' });
  migrate(sqlite);
  const described = [null, 1, 1, null];
  expect(valuesOf(`SELECT details ->> '$.described' FROM transactions ORDER BY id`)).toEqual(described);
  expect(valuesOf(`SELECT record ->> '$.details.described' FROM facts ORDER BY resource_id`)).toEqual(
    described,
  );
  expect(valuesOf("SELECT details FROM transactions WHERE description = 'Lunch'")).toEqual([
    '{"kind":"card","merchant":{"name":"Mill"},"described":true}',
  ]);
});

test('the transactions of an older bank are corrected so that they add up, without events', () => {
  const { sqlite, transaction, valuesOf } = openOlder();
  const card = { method: 'card_issuing', details: JSON.stringify({ kind: 'card' }), other_side: 'null' };
  // 10.00 of 40.00 on hold were reversed; a refund of 25.00 was pending, and was reversed.
  transaction(id(10), { ...card, rail: 'card_authorization', status: 'pending', amount: 3000 });
  transaction(id(11), { ...card, rail: 'card_reverse', amount: 1000, parent_id: id(10) });
  transaction(id(12), { ...card, rail: 'card_refund', status: 'reversed', amount: 2500 });
  migrate(sqlite);
  expect(valuesOf('SELECT amount FROM transactions ORDER BY id')).toEqual([4000, 1000, 2500]);
  expect(valuesOf("SELECT moved_nothing FROM transactions WHERE rail = 'card_refund'")).toEqual([1]);
  expect(valuesOf('SELECT count(*) FROM facts')).toEqual([3]);
});

test('a member owns the written part', () => {
  const { sqlite, insert, valuesOf } = openOlder();
  const member = {
    holder_id: BUSINESS,
    person: '{}',
    kyc: '{}',
    idv: '{}',
    title: 'CEO',
    designation: '',
    control_person: 1,
    person_id: PERSON,
    created_at: 1,
    updated_at: 1,
  };
  for (const [place, ownership] of [0, 6000].entries())
    insert('members', { id: id(10 + place), ...member, ownership });
  migrate(sqlite);
  expect(valuesOf('SELECT ownership FROM members ORDER BY id')).toEqual([0, 6000]);
  expect(valuesOf('SELECT title FROM members')).toEqual(['CEO', 'CEO']);
});

test('a stored response of an idempotency key keeps its text', () => {
  const { sqlite, insert, valuesOf } = openOlder();
  const body = '{"id":"txn_1"}';
  insert('idempotency_keys', { key: 'v2:k', fingerprint: 'f', status: 201, body, created_at: 1 });
  migrate(sqlite);
  expect(valuesOf('SELECT concat(key, status, body, fact_seq, view) FROM idempotency_keys')).toEqual([
    `v2:k201${body}`,
  ]);
  expect(() => sqlite.exec("UPDATE idempotency_keys SET view = 'transaction'")).toThrow('CHECK constraint');
  const toFact = "UPDATE idempotency_keys SET view = 'transaction', fact_seq = 1";
  expect(() => sqlite.exec(toFact)).toThrow('CHECK constraint');
  sqlite.pragma('foreign_keys = ON');
  expect(() => sqlite.exec(`${toFact}, body = ''`)).toThrow('FOREIGN KEY constraint');
});
