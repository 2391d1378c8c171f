-- Lists without scans, families, limits of accounts, attachments and tokens, which the complete APIs of both versions
-- need.

CREATE INDEX accounts_of_holder ON accounts (holder_id, id);
CREATE INDEX card_holders_of_account ON card_holders (account_id, id);
CREATE INDEX cards_of_account ON cards (account_id, id);
CREATE INDEX cards_of_card_holder ON cards (card_holder_id, id);
CREATE INDEX counterparties_of_account ON counterparties (account_id, id);
CREATE INDEX documents_of_holder ON documents (holder_id, id);
CREATE INDEX persons_by_phone ON holders (json_extract(person, '$.phone')) WHERE type = 'person';

CREATE INDEX transactions_of_card ON transactions (card_id, id) WHERE card_id <> '';
-- The declined authorizations of a card, which v1 does not list among the transactions of its account.
CREATE INDEX refused_by_card ON transactions (account_id) WHERE method = 'card_issuing' AND status = 'declined';
CREATE INDEX transactions_by_reference ON transactions (external_reference_id, id) WHERE external_reference_id <> '';
-- The balances of the master account after the transaction's entry in it, once there is one.
ALTER TABLE transactions ADD COLUMN master_totals TEXT CHECK (master_totals IS NULL OR json_valid(master_totals));
-- For an entry without a sub account: the parts that were sub-ledgered, each with its sub account.
ALTER TABLE transactions ADD COLUMN sub_ledger TEXT CHECK (sub_ledger IS NULL OR json_valid(sub_ledger));
ALTER TABLE transactions ADD COLUMN family_id TEXT NOT NULL DEFAULT '';

-- For existing entries, the last transfer has the balance of the master account; its pending amounts are unknown.
UPDATE transactions SET master_id = '' WHERE method = 'intra_account';
UPDATE transactions
  SET master_totals = json_object('availableBalance', last.available, 'pendingCredits', 0, 'pendingDebits', 0)
  FROM (
    SELECT
      t.transaction_id AS movement,
      max(t.id),
      iif(t.debit_account = m.id, t.debit_available_after, t.credit_available_after) AS available
    FROM transfers t JOIN master_accounts m ON m.id IN (t.debit_account, t.credit_account)
    GROUP BY t.transaction_id
  ) AS last
  WHERE last.movement = transactions.id AND transactions.master_id <> '';
UPDATE transactions SET master_totals = original.master_totals
  FROM transactions AS original
  WHERE original.id = transactions.parent_id AND transactions.master_id <> '' AND transactions.master_totals IS NULL;
CREATE INDEX transactions_in_master ON transactions (master_id) WHERE master_totals <> '';

-- The account of money that arrived for the program without a sub account, until it is sub-ledgered.
INSERT INTO ledger_accounts (id, kind) VALUES ('suspense', 'suspense');

-- v1: several persons who share accounts. v2 shows an account of a family as an account of the person who opened it.
CREATE TABLE families (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  name TEXT NOT NULL,
  phone TEXT NOT NULL,
  email TEXT NOT NULL,
  address TEXT CHECK (address IS NULL OR json_valid(address)),
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('activated', 'suspended', 'deactivated')),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A member belongs to a business or to a family.
CREATE TABLE members_of_either (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT REFERENCES holders (id),
  family_id TEXT REFERENCES families (id),
  person TEXT NOT NULL CHECK (json_valid(person)),
  kyc TEXT NOT NULL CHECK (json_valid(kyc)),
  idv TEXT NOT NULL CHECK (json_valid(idv)),
  ownership INTEGER NOT NULL CHECK (ownership BETWEEN 0 AND 10000),
  title TEXT NOT NULL,
  designation TEXT NOT NULL,
  control_person INTEGER NOT NULL CHECK (control_person IN (0, 1)),
  person_id TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((holder_id IS NULL) <> (family_id IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO members_of_either
  SELECT id, holder_id, NULL, person, kyc, idv, ownership, title, designation, control_person, person_id, metadata,
    created_at, updated_at FROM members;
DROP TABLE members;
ALTER TABLE members_of_either RENAME TO members;
CREATE INDEX members_by_holder ON members (holder_id, id) WHERE holder_id IS NOT NULL;
CREATE INDEX members_by_family ON members (family_id, id) WHERE family_id IS NOT NULL;
CREATE INDEX members_by_person ON members (person_id, id) WHERE person_id <> '';

ALTER TABLE accounts ADD COLUMN family_id TEXT NOT NULL DEFAULT '';
-- v1: what the account may do and how much; NULL is what the program allows, which is everything.
ALTER TABLE accounts ADD COLUMN config TEXT CHECK (config IS NULL OR json_valid(config));
ALTER TABLE cards ADD COLUMN family_id TEXT NOT NULL DEFAULT '';
ALTER TABLE cards ADD COLUMN pin_set_at INTEGER;
-- v1: the person record from which a card holder was created.
ALTER TABLE card_holders ADD COLUMN person_id TEXT NOT NULL DEFAULT '';

-- v1: the projections of a business, and its ownership disclosure.
CREATE TABLE business_profiles (
  holder_id TEXT NOT NULL PRIMARY KEY REFERENCES holders (id),
  projection TEXT CHECK (projection IS NULL OR json_valid(projection)),
  disclosure TEXT CHECK (disclosure IS NULL OR json_valid(disclosure))
) STRICT, WITHOUT ROWID;

CREATE TABLE attachments (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  -- what it is attached to: the kind of record, and its id
  kind TEXT NOT NULL,
  reference_id TEXT NOT NULL CHECK (length(reference_id) = 32),
  label TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX attachments_of_record ON attachments (reference_id, id) WHERE deleted_at IS NULL;

-- Tokens that authorize one action for a short time: to show the data of a card, or to set a PIN or the debit card of a
-- contact.
CREATE TABLE tokens (
  token TEXT NOT NULL PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('show_card', 'set_pin', 'set_debit_card')),
  subject_id TEXT NOT NULL CHECK (length(subject_id) = 32),
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
