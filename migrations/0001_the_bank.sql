-- One bank. Amounts are cents, times are milliseconds since 1970 in UTC, ids are 32 hexadecimal digits in the order of
-- creation. The program checks every value first and refuses with a named error; these constraints are a second check.

CREATE TABLE meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value))
) STRICT, WITHOUT ROWID;

CREATE TABLE master_accounts (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  label TEXT NOT NULL,
  account_number TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked', 'locked')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE holders (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  type TEXT NOT NULL CHECK (type IN ('person', 'business')),
  name TEXT NOT NULL,
  person TEXT CHECK (person IS NULL OR json_valid(person)),
  business TEXT CHECK (business IS NULL OR json_valid(business)),
  id_number TEXT NOT NULL,
  verification TEXT NOT NULL CHECK (json_valid(verification)),
  idv TEXT CHECK (idv IS NULL OR json_valid(idv)),
  ofac_status TEXT NOT NULL CHECK (ofac_status IN ('pass', 'fail')),
  ofac_at INTEGER NOT NULL,
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('pending_activation', 'activated', 'suspended', 'deactivated', 'locked')),
  locked_from TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deactivated_at INTEGER,
  CHECK ((type = 'person') = (person IS NOT NULL)),
  CHECK ((type = 'business') = (business IS NOT NULL)),
  CHECK ((status = 'locked') = (locked_from IS NOT NULL)),
  CHECK (status <> 'deactivated' OR deactivated_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX holders_by_id_number ON holders (id_number, type) WHERE id_number <> '';

CREATE TABLE members (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT NOT NULL REFERENCES holders (id),
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
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX members_by_holder ON members (holder_id, id);

CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  holder_type TEXT NOT NULL CHECK (holder_type IN ('person', 'business')),
  holder_name TEXT NOT NULL,
  created_by TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('cash', 'prepaid', 'checking')),
  account_number TEXT NOT NULL UNIQUE,
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked', 'locked')),
  locked_from TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER,
  CHECK ((status = 'locked') = (locked_from IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE card_holders (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  person TEXT NOT NULL CHECK (json_valid(person)),
  ofac_status TEXT NOT NULL CHECK (ofac_status IN ('pass', 'fail')),
  ofac_at INTEGER NOT NULL,
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('pending_activation', 'activated', 'suspended', 'deactivated', 'locked')),
  locked_from TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deactivated_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE cards (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  holder_type TEXT NOT NULL CHECK (holder_type IN ('person', 'business')),
  card_holder_id TEXT NOT NULL REFERENCES card_holders (id),
  label TEXT NOT NULL,
  product TEXT NOT NULL,
  theme TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('physical', 'virtual')),
  number TEXT NOT NULL CHECK (length(number) = 16),
  cvv TEXT NOT NULL,
  last4 TEXT NOT NULL CHECK (last4 = substr(number, -4)),
  expiry_month TEXT NOT NULL,
  expiry_year TEXT NOT NULL,
  shipment TEXT CHECK (shipment IS NULL OR json_valid(shipment)),
  billing_address TEXT CHECK (billing_address IS NULL OR json_valid(billing_address)),
  controls TEXT NOT NULL CHECK (json_valid(controls)),
  external_reference_id TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('pending_activation', 'open', 'blocked', 'closed', 'locked')),
  locked_from TEXT,
  replaced_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  activated_at INTEGER,
  closed_at INTEGER,
  CHECK ((status = 'locked') = (locked_from IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- The usage of a card, one row for each UTC day on which it was used, so the sum of a period adds up at most its days.
CREATE TABLE card_usage (
  card_id TEXT NOT NULL REFERENCES cards (id),
  day TEXT NOT NULL,
  amount INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (card_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE counterparties (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  name TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('person', 'business')),
  relation TEXT NOT NULL CHECK (relation IN ('others', 'selfAch', 'selfIntrabank')),
  person TEXT CHECK (person IS NULL OR json_valid(person)),
  business TEXT CHECK (business IS NULL OR json_valid(business)),
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  rails TEXT NOT NULL CHECK (json_valid(rails)),
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  ofac_status TEXT NOT NULL CHECK (ofac_status IN ('pass', 'fail')),
  ofac_at INTEGER NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('pending_activation', 'activated', 'suspended', 'deactivated', 'locked')),
  locked_from TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deactivated_at INTEGER,
  deleted_at INTEGER
) STRICT, WITHOUT ROWID;

-- The ledger: four counters for each account, and the transfers that they add up. Only src/ledger writes these tables.
CREATE TABLE ledger_accounts (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('master_account', 'sub_account', 'suspense')),
  debits_pending INTEGER NOT NULL DEFAULT 0 CHECK (debits_pending BETWEEN 0 AND 9007199254740991),
  debits_posted INTEGER NOT NULL DEFAULT 0 CHECK (debits_posted BETWEEN 0 AND 9007199254740991),
  credits_pending INTEGER NOT NULL DEFAULT 0 CHECK (credits_pending BETWEEN 0 AND 9007199254740991),
  credits_posted INTEGER NOT NULL DEFAULT 0 CHECK (credits_posted BETWEEN 0 AND 9007199254740991),
  -- what is pending has room to be posted
  CHECK (debits_pending + debits_posted <= 9007199254740991),
  CHECK (credits_pending + credits_posted <= 9007199254740991)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('post', 'hold', 'settle', 'release')),
  debit_account TEXT NOT NULL REFERENCES ledger_accounts (id),
  credit_account TEXT NOT NULL REFERENCES ledger_accounts (id),
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- the hold that a settle or a release resolves
  hold_id INTEGER REFERENCES transfers (id),
  transaction_id TEXT NOT NULL CHECK (length(transaction_id) = 32),
  -- the two entries of the transfer: what each account has available after it
  debit_available_after INTEGER NOT NULL,
  credit_available_after INTEGER NOT NULL,
  at INTEGER NOT NULL,
  CHECK (debit_account <> credit_account),
  CHECK ((kind IN ('settle', 'release')) = (hold_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX a_hold_resolves_once ON transfers (hold_id) WHERE hold_id IS NOT NULL;

CREATE TRIGGER transfers_are_not_changed BEFORE UPDATE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;
CREATE TRIGGER transfers_are_not_deleted BEFORE DELETE ON transfers
BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;
CREATE TRIGGER only_a_hold_is_resolved BEFORE INSERT ON transfers
WHEN new.hold_id IS NOT NULL
  AND (SELECT kind FROM transfers WHERE id = new.hold_id) IS NOT 'hold'
BEGIN SELECT RAISE(ABORT, 'only a hold is resolved'); END;
CREATE TRIGGER ledger_accounts_are_not_deleted BEFORE DELETE ON ledger_accounts
BEGIN SELECT RAISE(ABORT, 'ledger accounts are kept'); END;

-- With a rowid, because its rows are wide: without one, they would fill the tree of the keys, and with it the log of a
-- file.
CREATE TABLE transactions (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  account_id TEXT REFERENCES accounts (id),
  holder_id TEXT,
  holder_type TEXT,
  -- its place among the account's transactions, from 1: a list's total and any page of it cost the same however many
  account_seq INTEGER NOT NULL CHECK (account_seq > 0),
  rail TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('originated', 'pending', 'clearing', 'cleared', 'settled', 'canceled',
    'in_review', 'returned', 'reversed', 'received', 'declined', 'refunded')),
  amount INTEGER NOT NULL CHECK (amount >= 0),
  direction TEXT NOT NULL CHECK (direction IN ('debit', 'credit')),
  method TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL CHECK (message IN ('incoming', 'outgoing')),
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  available_balance INTEGER NOT NULL,
  pending_credits INTEGER NOT NULL,
  pending_debits INTEGER NOT NULL,
  counterparty_id TEXT NOT NULL,
  other_side TEXT,
  details TEXT NOT NULL,
  card_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  metadata TEXT,
  reason TEXT,
  outcome TEXT,
  hold_id INTEGER REFERENCES transfers (id),
  master_id TEXT NOT NULL,
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  settled_at INTEGER
) STRICT;
CREATE UNIQUE INDEX transactions_of_account ON transactions (account_id, account_seq);
CREATE INDEX transactions_of_parent ON transactions (parent_id) WHERE parent_id <> '';

-- The scheduled steps of the bank.
CREATE TABLE agenda (
  due_at INTEGER NOT NULL,
  subject_id TEXT NOT NULL CHECK (length(subject_id) = 32),
  task TEXT NOT NULL CHECK (task IN ('transaction', 'verification')),
  event TEXT NOT NULL,
  PRIMARY KEY (due_at, subject_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE documents (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  doc_type TEXT NOT NULL,
  document_number TEXT NOT NULL,
  expiration_date TEXT NOT NULL,
  issuing_country TEXT NOT NULL,
  issuing_state TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status = 'active'),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  content_type TEXT NOT NULL,
  content BLOB NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE webhooks (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  dialect TEXT NOT NULL CHECK (dialect IN ('v1', 'v2')),
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  secret TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'deactivated', 'deleted')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT, WITHOUT ROWID;

-- The outbox: every fact, written in the transaction that caused it, and its deliveries to webhooks.
CREATE TABLE facts (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  resource TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  change TEXT NOT NULL,
  kinds_v1 TEXT NOT NULL,
  kinds_v2 TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  fact_seq INTEGER NOT NULL REFERENCES facts (seq),
  kind TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'exhausted', 'dropped')),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  due_at INTEGER NOT NULL,
  last_status INTEGER
) STRICT;
CREATE INDEX first_attempts ON deliveries (webhook_id, seq) WHERE state = 'waiting' AND attempts = 0;
CREATE INDEX retries ON deliveries (due_at, seq) WHERE state = 'waiting' AND attempts > 0;

CREATE TABLE delivery_attempts (
  delivery_seq INTEGER NOT NULL REFERENCES deliveries (seq),
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT NOT NULL,
  PRIMARY KEY (delivery_seq, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  key TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
