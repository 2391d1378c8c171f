-- Any number of accounts may have no account number; an existing number belongs to one account only. SQLite cannot drop
-- the constraint of a column, so the table is created again.
CREATE TABLE accounts_made_anew (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  holder_id TEXT NOT NULL REFERENCES holders (id),
  holder_type TEXT NOT NULL CHECK (holder_type IN ('person', 'business')),
  holder_name TEXT NOT NULL,
  created_by TEXT NOT NULL,
  label TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('cash', 'prepaid', 'checking')),
  -- '' for an account without one
  account_number TEXT NOT NULL,
  external_reference_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  status TEXT NOT NULL CHECK (status IN ('open', 'closed', 'credit_blocked', 'debit_blocked', 'blocked', 'locked')),
  locked_from TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  closed_at INTEGER,
  family_id TEXT NOT NULL DEFAULT '',
  -- v1: what the account may do and how much; NULL is what the program allows, which is everything.
  config TEXT CHECK (config IS NULL OR json_valid(config)),
  CHECK ((status = 'locked') = (locked_from IS NOT NULL)),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO accounts_made_anew
  SELECT id, holder_id, holder_type, holder_name, created_by, label, type, account_number, external_reference_id, purpose,
    metadata, status, locked_from, created_at, updated_at, closed_at, family_id, config FROM accounts;
DROP TABLE accounts;
ALTER TABLE accounts_made_anew RENAME TO accounts;
CREATE INDEX accounts_of_holder ON accounts (holder_id, id);
CREATE UNIQUE INDEX accounts_by_number ON accounts (account_number) WHERE account_number <> '';
