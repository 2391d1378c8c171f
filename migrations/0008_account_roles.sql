-- What a client opened an account for; '' is an account for everything. No account so far has a role.
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT '' CHECK (role IN ('', 'clearing', 'fallback', 'funding'));
UPDATE facts SET record = json_set(record, '$.account.role', '') WHERE resource = 'account';
