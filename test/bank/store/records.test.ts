// The nouns and their rows: records are read as they were written, empty or complete, in any language; and the other
// queries of the bank.

import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type {
  Account,
  Address,
  Business,
  Card,
  CardHolder,
  Counterparty,
  Document,
  Holder,
  MasterAccount,
  Member,
  Person,
  Transaction,
  Verification,
  Webhook,
} from '../../../src/bank/model/records.ts';
import { inTransaction } from '../../../src/bank/store/group-commit.ts';
import { type Connection, openConnection } from '../../../src/bank/store/open.ts';
import type { Rows } from '../../../src/bank/store/rows.ts';
import { createStore, type Store, type StoredFile } from '../../../src/bank/store/store.ts';

const AT = Date.parse('2026-03-04T18:00:00.123Z');
const id = (n: number) => n.toString(16).padStart(32, '0');
/** Texts that break a store with manual quoting. */
const TRICKY = `Zoë’s “shop” -- '; DROP TABLE x; \\ \u0000 \n \u{1f3e6}`;

const ADDRESS: Address = {
  line1: TRICKY,
  line2: '',
  city: 'Portland',
  state: 'OR',
  country: 'US',
  postalCode: '97201',
};
const PERSON: Person = {
  firstName: TRICKY,
  middleName: '',
  lastName: 'Lovegood',
  idType: 'ssn',
  idNumber: '212345678',
  dateOfBirth: '1986-04-12',
  phone: '+15035550100',
  email: 'ada@sandbank.example',
  address: ADDRESS,
};
const BUSINESS: Business = {
  legalName: TRICKY,
  dba: '',
  entityType: 'estate',
  idType: 'ein',
  idNumber: '87',
  phone: '',
  email: '',
  formationDate: '2016-05-02',
  address: ADDRESS,
  website: '',
  about: '',
  industry: '',
  naicsCode: '',
};
const CHECK: Verification = {
  id: id(900),
  status: 'not_started',
  method: 'solid',
  url: '',
  createdAt: AT,
  updatedAt: AT,
};
const METADATA = { [TRICKY]: TRICKY, 'a.b': 'null' };

const masterAccount: MasterAccount = {
  id: id(1),
  label: TRICKY,
  accountNumber: '88',
  status: 'open',
  createdAt: AT,
  updatedAt: AT,
  closedAt: null,
};
const person: Holder = {
  id: id(2),
  type: 'person',
  name: 'Ada',
  person: { ...PERSON, address: null },
  business: null,
  idNumber: '212345678',
  verification: CHECK,
  idv: null,
  ofacStatus: 'pass',
  ofacAt: AT,
  externalReferenceId: '',
  purpose: '',
  metadata: null,
  status: 'pending_activation',
  lockedFrom: null,
  createdBy: '',
  createdAt: AT,
  updatedAt: AT,
  deactivatedAt: null,
};
const business: Holder = {
  ...person,
  id: id(3),
  type: 'business',
  person: null,
  business: BUSINESS,
  idNumber: '',
  verification: { ...CHECK, status: 'review' },
  idv: CHECK,
  ofacStatus: 'fail',
  externalReferenceId: TRICKY,
  purpose: TRICKY,
  metadata: METADATA,
  status: 'locked',
  lockedFrom: 'suspended',
  createdBy: id(2),
  deactivatedAt: AT,
};
const member: Member = {
  id: id(4),
  holderId: id(3),
  familyId: null,
  person: PERSON,
  kyc: CHECK,
  idv: CHECK,
  ownership: 6_000,
  title: '',
  designation: TRICKY,
  controlPerson: true,
  personId: '',
  metadata: null,
  createdAt: AT,
  updatedAt: AT,
};
const account: Account = {
  id: id(5),
  holderId: id(2),
  holderType: 'person',
  familyId: '',
  config: null,
  holderName: 'Ada',
  createdBy: '',
  label: '',
  type: 'cash',
  role: '',
  accountNumber: '9500000000000001',
  externalReferenceId: '',
  purpose: '',
  metadata: null,
  status: 'open',
  lockedFrom: null,
  createdAt: AT,
  updatedAt: AT,
  closedAt: null,
};
const cardHolder: CardHolder = {
  id: id(6),
  accountId: id(5),
  holderId: id(2),
  personId: '',
  person: PERSON,
  ofacStatus: 'pass',
  ofacAt: AT,
  externalReferenceId: '',
  purpose: '',
  metadata: null,
  status: 'activated',
  lockedFrom: null,
  createdAt: AT,
  updatedAt: AT,
  deactivatedAt: null,
};
const card: Card = {
  id: id(7),
  accountId: id(5),
  holderId: id(2),
  holderType: 'person',
  familyId: '',
  pinSetAt: null,
  cardHolderId: id(6),
  label: '',
  product: 'consumer_debit',
  theme: '',
  type: 'virtual',
  bin: 'credit',
  number: '4000020011112222',
  cvv: '007',
  last4: '2222',
  expiryMonth: '03',
  expiryYear: '2030',
  shipment: null,
  billingAddress: null,
  controls: {
    allowed: { merchants: [], categories: [], countries: [] },
    blocked: { merchants: [], categories: [], countries: [] },
    limit: { period: '', maxSpendAmount: null, maxSpendPerTransaction: null, maxSpendCount: null },
    atmEnabled: false,
  },
  externalReferenceId: '',
  metadata: null,
  status: 'open',
  lockedFrom: null,
  replacedBy: '',
  createdAt: AT,
  updatedAt: AT,
  activatedAt: null,
  closedAt: null,
};
const counterparty: Counterparty = {
  id: id(8),
  accountId: id(5),
  holderId: id(2),
  name: 'Harbor',
  label: '',
  type: 'business',
  relation: 'others',
  person: null,
  business: null,
  email: '',
  phone: '',
  rails: {
    intraAccount: null,
    ach: null,
    domesticWire: null,
    internationalWire: null,
    rtp: null,
    fednow: null,
    check: null,
    card: null,
    debitCard: null,
  },
  externalReferenceId: '',
  purpose: '',
  ofacStatus: 'pass',
  ofacAt: AT,
  metadata: null,
  status: 'activated',
  lockedFrom: null,
  createdAt: AT,
  updatedAt: AT,
  deactivatedAt: null,
  deletedAt: null,
};
const BANK = { accountNumber: '55', routingNumber: '121042882', accountType: '', bankName: TRICKY } as const;
const transaction: Transaction = {
  id: id(9),
  accountId: id(5),
  holderId: id(2),
  holderType: 'person',
  familyId: '',
  personId: id(2),
  masterTotals: null,
  subLedger: null,
  rail: 'ach_pull',
  status: 'originated',
  amount: 1_250,
  direction: 'credit',
  method: 'ach',
  type: 'pull',
  message: 'outgoing',
  title: '',
  description: TRICKY,
  availableBalance: -5,
  pendingCredits: Number.MAX_SAFE_INTEGER,
  pendingDebits: 0,
  counterpartyId: '',
  otherSide: null,
  details: { kind: 'none' },
  cardId: '',
  parentId: '',
  externalReferenceId: '',
  purpose: '',
  metadata: null,
  reason: null,
  outcome: null,
  holdId: null,
  masterId: '',
  dueAt: null,
  movedNothing: false,
  bookedAt: null,
  bookedBalance: 0,
  createdAt: AT,
  updatedAt: AT,
  settledAt: null,
};
const webhook: Webhook = {
  id: id(10),
  apiVersion: 'v2',
  url: 'http://127.0.0.1:9/',
  description: '',
  events: [],
  secret: 's',
  previousSecret: null,
  previousSecretUntil: null,
  madeAfterFact: 0,
  status: 'active',
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
};
const document: Document = {
  id: id(11),
  holderId: id(2),
  name: TRICKY,
  description: '',
  docType: 'ssnCard',
  documentNumber: '1',
  expirationDate: '',
  issuingCountry: 'US',
  issuingState: 'OR',
  status: 'active',
  createdAt: AT,
  updatedAt: AT,
};

let store: Store;
let sqlite: Connection['sqlite'];

beforeEach(() => {
  const connection = openConnection({ kind: 'memory' });
  onTestFinished(() => connection.close());
  sqlite = connection.sqlite;
  store = createStore(connection);
  store.holders.insert(person);
  store.holders.insert(business);
  store.accounts.insert(account);
  store.cardHolders.insert(cardHolder);
  store.cards.insert(card);
});

/** The contract of one noun: its rows, a record that does not exist yet, and every possible change of it. */
function noun<R extends { id: string }>(
  name: string,
  rowsOf: () => Pick<Rows<R>, 'byId' | 'insert' | 'replace'>,
  record: R,
  change: Partial<R>,
): [string, () => void] {
  return [
    name,
    () => {
      const rows = rowsOf();
      expect(rows.byId(record.id)).toBeUndefined();
      rows.insert(record);
      expect(rows.byId(record.id)).toEqual(record);
      const changed = { ...record, ...change };
      rows.replace(changed);
      expect(rows.byId(record.id)).toEqual(changed);
      rows.replace(record);
      expect(rows.byId(record.id)).toEqual(record);
    },
  ];
}

describe('a record is returned as it was inserted, and as it was changed', () => {
  const nouns = [
    noun('master account', () => store.masterAccounts, masterAccount, { status: 'closed', closedAt: AT }),
    noun(
      'person',
      () => store.holders,
      { ...person, id: id(50) },
      {
        person: PERSON,
        idv: CHECK,
        metadata: METADATA,
        status: 'deactivated',
        deactivatedAt: AT,
        createdBy: id(2),
      },
    ),
    noun(
      'business',
      () => store.holders,
      { ...business, id: id(50) },
      { metadata: {}, business: { ...BUSINESS, address: null } },
    ),
    noun('member', () => store.members, member, {
      controlPerson: false,
      metadata: METADATA,
      ownership: 0,
      personId: id(2),
    }),
    noun(
      'account',
      () => store.accounts,
      { ...account, id: id(50), accountNumber: '1' },
      { status: 'locked', lockedFrom: 'blocked', metadata: METADATA, label: TRICKY },
    ),
    noun(
      'card holder',
      () => store.cardHolders,
      { ...cardHolder, id: id(50) },
      { metadata: METADATA, status: 'locked', lockedFrom: 'activated' },
    ),
    noun(
      'card',
      () => store.cards,
      { ...card, id: id(50) },
      {
        shipment: {
          cardHolderName: TRICKY,
          businessName: '',
          shippingAddress: ADDRESS,
          trackingStatus: 'shipped',
          eta: '2026-03-14',
          number: '',
          url: '',
          provider: '',
        },
        billingAddress: ADDRESS,
        controls: {
          allowed: { merchants: [TRICKY], categories: [], countries: ['US', 'CA'] },
          blocked: { merchants: [], categories: ['5411'], countries: [] },
          limit: { period: 'weekly', maxSpendAmount: 0, maxSpendPerTransaction: 5, maxSpendCount: 1 },
          atmEnabled: true,
        },
        metadata: METADATA,
        status: 'closed',
        closedAt: AT,
        activatedAt: AT,
        replacedBy: id(7),
      },
    ),
    noun('counterparty', () => store.counterparties, counterparty, {
      person: PERSON,
      business: BUSINESS,
      rails: {
        intraAccount: { accountId: id(5), accountNumber: '1' },
        ach: { ...BANK, verified: true },
        domesticWire: { ...BANK, address: ADDRESS },
        internationalWire: {
          accountNumber: '1',
          accountType: '',
          identifierType: '',
          beneficiaryAddress: null,
          beneficiaryBank: { identifierCode: 'X', name: TRICKY, address: null },
          correspondentBank: null,
        },
        rtp: BANK,
        fednow: BANK,
        check: { address: ADDRESS },
        card: { address: null },
        debitCard: {
          cardNumber: '4',
          last4: '4',
          expiryMonth: '01',
          expiryYear: '2030',
          address: null,
          pullEnabled: true,
          pushEnabled: false,
        },
      },
      metadata: METADATA,
      status: 'deactivated',
      deactivatedAt: AT,
      deletedAt: AT,
    }),
    noun('webhook', () => store.webhooks, webhook, {
      events: ['card.created', 'card.updated'],
      previousSecret: TRICKY,
      previousSecretUntil: AT,
      madeAfterFact: 7,
      status: 'deleted',
      deletedAt: AT,
    }),
    noun('document', () => store.documents, document, { expirationDate: '2030-01-01', name: '' }),
    noun<StoredFile>(
      'file',
      () => store.files,
      { id: id(11), contentType: 'image/png', content: Buffer.from([0, 255, 1]), updatedAt: AT },
      { content: Buffer.alloc(0), contentType: '' },
    ),
  ];

  test.each(nouns)('%s', (_, comesBack) => comesBack());

  test('transaction', () => {
    store.transactions.append(transaction);
    expect(store.transactions.byId(transaction.id)).toEqual(transaction);
    const changed: Transaction = {
      ...transaction,
      status: 'returned',
      otherSide: {
        id: '',
        name: TRICKY,
        verificationStatus: 'pass',
        accountNumber: '',
        routingNumber: '',
        accountType: '',
        bankName: '',
        beneficiaryBank: null,
        correspondentBank: { identifierCode: '', name: '', address: ADDRESS },
        address: null,
      },
      details: { kind: 'wire', imad: 'A', omad: 'B' },
      metadata: METADATA,
      reason: { code: 'R01', message: TRICKY },
      outcome: { status: 'received', event: 'return', reason: { code: 'R01', message: '' } },
      dueAt: AT + 1,
      movedNothing: true,
      bookedAt: AT,
      bookedBalance: -5,
      settledAt: AT,
    };
    store.transactions.change(changed);
    expect(store.transactions.byId(transaction.id)).toEqual(changed);
    store.transactions.change(transaction);
    expect(store.transactions.byId(transaction.id)).toEqual(transaction);
  });

  test('with any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string()),
        (text, pairs) => {
          const changed = { ...account, label: text, metadata: { ...pairs } };
          store.accounts.replace(changed);
          expect(store.accounts.byId(account.id)).toEqual(changed);
        },
      ),
    );
  });
});

describe('SQL enforces a status and its fields', () => {
  test.each([
    ['a closed account without a time', () => store.accounts.replace({ ...account, status: 'closed' })],
    ['an open account with one', () => store.accounts.replace({ ...account, closedAt: AT })],
    ['a locked card without its previous status', () => store.cards.replace({ ...card, status: 'locked' })],
    ['a closed card without a time', () => store.cards.replace({ ...card, status: 'closed' })],
    [
      'a deactivated holder without a time',
      () => store.holders.replace({ ...person, status: 'deactivated' }),
    ],
    ['a person without details', () => store.holders.replace({ ...person, person: null })],
    ['a business with the details of a person', () => store.holders.replace({ ...business, person: PERSON })],
    ['a member who owns more than 100 %', () => store.members.insert({ ...member, ownership: 10_001 })],
    ['a card with other last digits than its number', () => store.cards.replace({ ...card, last4: '1111' })],
    ['an invalid id', () => store.documents.insert({ ...document, id: 'doc' })],
    ['an unknown status', () => store.webhooks.insert({ ...webhook, status: 'asleep' as never })],
  ])('and refuses %s', (_, write) => {
    expect(write).toThrow(/CHECK constraint failed/);
  });

  test('and refuses two accounts with one number', () => {
    expect(() => store.accounts.insert({ ...account, id: id(50) })).toThrow('UNIQUE constraint failed');
  });

  test('and accepts any number of accounts without one, none of which is found by it', () => {
    for (const row of [50, 51]) store.accounts.insert({ ...account, id: id(row), accountNumber: '' });
    expect(store.accounts.byId(id(51))?.accountNumber).toBe('');
    expect(store.accounts.idOfNumber('')).toBeUndefined();
  });
});

describe('the queries of the bank', () => {
  test('find a holder of a number by type, and none for the empty number', () => {
    store.holders.insert({ ...person, id: id(50) });
    store.holders.insert({ ...business, id: id(51), idNumber: '212345678' });
    expect(store.holders.withIdNumber('person', '212345678').toSorted()).toEqual([id(2), id(50)]);
    expect(store.holders.withIdNumber('business', '212345678')).toEqual([id(51)]);
    expect(store.holders.withIdNumber('business', '')).toEqual([]);
  });

  test('return the members of a business in the order of their creation', () => {
    store.members.insert({ ...member, id: id(31) });
    store.members.insert({ ...member, id: id(30) });
    store.members.insert({ ...member, id: id(32), holderId: id(2) });
    expect(store.members.ofHolder(id(3)).map((row) => row.id)).toEqual([id(30), id(31)]);
  });

  test('return later writes after a first read', () => {
    const found = () => [store.holders.statusOf(id(2)), store.accounts.byId(id(5))?.holderName];
    expect(found()).toEqual([person.status, account.holderName]);
    store.holders.replace({ ...person, status: 'suspended' });
    store.accounts.renameHolder(account.holderId, 'Ada Byron');
    expect(found()).toEqual(['suspended', 'Ada Byron']);
    store.accounts.replace({ ...account, holderName: 'Ada King' });
    expect(found()).toEqual(['suspended', 'Ada King']);
  });

  test('return values that a reader cannot change', () => {
    const read = store.accounts.byId(id(5)) as Account;
    expect(() => {
      read.label = 'mine';
    }).toThrow(TypeError);
    expect(store.accounts.byId(id(5))?.label).toBe(account.label);
  });

  test('find an account by its number', () => {
    expect(store.accounts.idOfNumber('9500000000000001')).toBe(id(5));
    expect(store.accounts.idOfNumber('')).toBeUndefined();
  });

  test('number transactions from 1 for each account, and for those without an account', () => {
    store.accounts.insert({ ...account, id: id(50), accountNumber: '2' });
    for (const [place, accountId] of [id(5), id(5), id(50), null, id(5), null].entries()) {
      store.transactions.append({ ...transaction, id: id(100 + place), accountId });
    }
    const places = sqlite.prepare('SELECT account_seq FROM transactions ORDER BY id').pluck().all();
    expect(places).toEqual([1, 2, 1, 1, 3, 2]);
  });

  test('return the children of a transaction in the order of their creation, and none for an empty parent', () => {
    for (const [n, parentId] of [
      [100, ''],
      [102, id(100)],
      [101, id(100)],
      [103, id(101)],
    ] as const) {
      store.transactions.append({ ...transaction, id: id(n), parentId });
    }
    expect(store.transactions.ofParent(id(100)).map((row) => row.id)).toEqual([id(101), id(102)]);
    expect(store.transactions.ofParent('')).toEqual([]);
  });

  test('sum the usage of a card from a day on, and restore it on its day', () => {
    store.cardUsage.add(card.id, '2026-03-01', 100, 1);
    store.cardUsage.add(card.id, '2026-03-02', 20, 1);
    store.cardUsage.add(card.id, '2026-03-02', 3, 1);
    store.cardUsage.add(card.id, '2026-03-01', -100, -1);
    store.cardUsage.add(card.id, '2026-03-03', 4_000, 1);
    expect(store.cardUsage.since(card.id, '2026-03-03')).toEqual({ amount: 4_000, count: 1 });
    expect(store.cardUsage.since(card.id, '2026-03-02')).toEqual({ amount: 4_023, count: 3 });
    expect(store.cardUsage.since(card.id, '')).toEqual({ amount: 4_023, count: 3 });
    expect(store.cardUsage.since(id(99), '')).toEqual({ amount: 0, count: 0 });
  });

  test('list webhooks newest first, without deleted ones', () => {
    store.webhooks.insert(webhook);
    store.webhooks.insert({ ...webhook, id: id(20), status: 'paused' });
    store.webhooks.insert({ ...webhook, id: id(21), status: 'deleted', deletedAt: AT });
    store.webhooks.insert({ ...webhook, id: id(22), status: 'deactivated' });
    expect(store.webhooks.present().map((row) => row.id)).toEqual([id(22), id(20), id(10)]);
  });

  test('return the last value written under a name', () => {
    expect(store.meta.read('rules')).toBeUndefined();
    store.meta.write('rules', { deep: [1, null, TRICKY] });
    store.meta.write('settings', null);
    store.meta.write('rules', 'other');
    expect([store.meta.read('rules'), store.meta.read('settings')]).toEqual(['other', null]);
  });

  test('count the records of each noun', () => {
    store.webhooks.insert(webhook);
    expect(store.counts()).toMatchObject({ holders: 2, accounts: 1, cards: 1, webhooks: 1, transactions: 0 });
  });
});

describe('the agenda', () => {
  const plan = (dueAt: number, subject: number) =>
    store.agenda.add({ dueAt, subjectId: id(subject), task: 'transaction', event: 'settle' });
  const due = (now: number, limit = 10) =>
    store.agenda.due(now, limit).map((item) => [item.dueAt, Number(item.subjectId)]);

  beforeEach(() => {
    plan(30, 1);
    plan(10, 2);
    plan(20, 4);
    plan(20, 3);
  });

  test('counts scheduled steps without those rolled back', () => {
    const planned = () => store.counts().planned_steps;
    const failed = () =>
      inTransaction(sqlite, () => {
        plan(40, 5);
        expect(planned()).toBe(5);
        throw new Error('taken back');
      });
    expect(failed).toThrow('taken back');
    expect(planned()).toBe(4);
    plan(40, 5);
    expect(planned()).toBe(5);
  });

  test('returns what is due at an instant in order', () => {
    expect(due(9)).toEqual([]);
    expect(due(20)).toEqual([
      [10, 2],
      [20, 3],
      [20, 4],
    ]);
    expect(due(30, 1)).toEqual([[10, 2]]);
    expect(store.agenda.nextDueAt()).toBe(10);
  });

  test('removes one step only', () => {
    store.agenda.remove(20, id(4));
    store.agenda.remove(20, id(1));
    expect(due(30)).toEqual([
      [10, 2],
      [20, 3],
      [30, 1],
    ]);
  });

  test('is empty at last', () => {
    for (const item of store.agenda.due(30, 10)) store.agenda.remove(item.dueAt, item.subjectId);
    expect([due(99), store.agenda.nextDueAt()]).toEqual([[], undefined]);
  });
});

describe('the stored responses', () => {
  const text = { factSeq: null, view: '' } as const;
  const answer = { key: 'k', fingerprint: 'f', status: 201, body: '{"a":1}', createdAt: 100, ...text };

  beforeEach(() => store.answers.keep(answer));

  test('are found while they are recent', () => {
    expect(store.answers.find('k', 99)).toEqual(answer);
    expect(store.answers.find('k', 100)).toBeUndefined();
    expect(store.answers.find('other', 0)).toBeUndefined();
  });

  test('are replaced by a newer one under their key', () => {
    const newer = { key: 'k', fingerprint: 'g', status: 400, body: '', createdAt: 200, ...text };
    store.answers.keep(newer);
    expect(store.answers.find('k', 0)).toEqual(newer);
  });

  test('are removed when they are old', () => {
    store.answers.keep({ ...answer, key: 'newer', createdAt: 101 });
    expect(store.answers.purge(100)).toBe(1);
    expect([store.answers.find('k', 0), store.answers.find('newer', 0)?.key]).toEqual([undefined, 'newer']);
  });
});
