-- v1: the wallets of accounts for other currencies. Nothing is behind them, so they have no balance.
CREATE TABLE wallets (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 32),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  label TEXT NOT NULL,
  currency TEXT NOT NULL CHECK (currency IN ('BTC', 'ETH', 'USDC')),
  status TEXT NOT NULL CHECK (status IN ('active')),
  metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
