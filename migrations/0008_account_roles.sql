-- The role of an account; '' for an ordinary account. No existing account has a role.
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT '' CHECK (role IN ('', 'clearing', 'fallback', 'funding'));
UPDATE facts SET record = json_set(record, '$.account.role', '') WHERE resource = 'account';
