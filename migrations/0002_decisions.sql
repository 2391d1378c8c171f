-- The decisions: one row for each decision of a control, a rule, a magic value, a simulate call or a client's real-time
-- answer, written in the transaction that it decided. A payment that takes its ordinary steps has none.
CREATE TABLE decisions (
  subject_id TEXT NOT NULL CHECK (length(subject_id) = 32),
  number INTEGER NOT NULL CHECK (number > 0),
  at INTEGER NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('simulate', 'rule', 'magic', 'control', 'real_time_authorization')),
  name TEXT NOT NULL,
  effect TEXT NOT NULL,
  message TEXT NOT NULL,
  numbers TEXT NOT NULL CHECK (json_valid(numbers)),
  PRIMARY KEY (subject_id, number)
) STRICT, WITHOUT ROWID;

-- The clients' answers to requests for real-time authorization of debits by cards and other banks.
CREATE TABLE rta_decisions (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  kind TEXT NOT NULL CHECK (kind IN ('card', 'ach')),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  card_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL CHECK (length(transaction_id) = 32),
  amount INTEGER NOT NULL CHECK (amount > 0),
  answer TEXT NOT NULL CHECK (answer IN ('approved', 'declined')),
  decided_by TEXT NOT NULL CHECK (decided_by IN ('receiver', 'stand_in')),
  http_status INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT NOT NULL,
  asked_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
