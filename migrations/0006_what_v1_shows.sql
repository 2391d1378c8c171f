-- What v1 shows and nothing told so far: the person beside a business or a family, which title is the client's own, and
-- whether a card is said to be of debit or of credit.

-- Who opened an account: a person for whom it is, or who made the business. It is shown with everything on the account.
UPDATE accounts SET created_by = iif(
  holder_type = 'person', holder_id, (SELECT created_by FROM holders WHERE id = accounts.holder_id)
) WHERE created_by = '';
CREATE INDEX accounts_of_person ON accounts (created_by, id);
UPDATE facts
  SET record = json_set(record, '$.account.createdBy', (SELECT created_by FROM accounts WHERE id = facts.resource_id))
  WHERE resource = 'account' AND record ->> '$.account.createdBy' = '';

-- The person with whom a movement is shown: who uses the card, else who opened the account.
ALTER TABLE transactions ADD COLUMN person_id TEXT NOT NULL DEFAULT '';
UPDATE transactions SET person_id = coalesce(
  (SELECT nullif(user.person_id, '') FROM cards JOIN card_holders AS user ON user.id = cards.card_holder_id
    WHERE cards.id = transactions.card_id),
  (SELECT created_by FROM accounts WHERE id = transactions.account_id),
  ''
);
UPDATE facts
  SET record = json_set(
    record, '$.personId', coalesce((SELECT person_id FROM transactions WHERE id = facts.resource_id), '')
  )
  WHERE resource = 'transaction';

-- A title that the bank made was kept as if its client had given it. From here on the views make it.
UPDATE transactions SET title = '' WHERE title IN (
  'Account creation credit',
  json_extract(details, '$.merchant.name'),
  'Paid to ' || json_extract(other_side, '$.name'),
  'Received from ' || json_extract(other_side, '$.name'),
  'Check created for ' || json_extract(other_side, '$.name'),
  'Received check from ' || json_extract(other_side, '$.name'),
  'Card sent to ' || json_extract(other_side, '$.name')
);
UPDATE facts SET record = json_set(record, '$.title', '') WHERE resource = 'transaction' AND record ->> '$.title' IN (
  'Account creation credit',
  record ->> '$.details.merchant.name',
  'Paid to ' || (record ->> '$.otherSide.name'),
  'Received from ' || (record ->> '$.otherSide.name'),
  'Check created for ' || (record ->> '$.otherSide.name'),
  'Received check from ' || (record ->> '$.otherSide.name'),
  'Card sent to ' || (record ->> '$.otherSide.name')
);
-- The same of the description of a purchase: another than the merchant's name is the client's.
UPDATE transactions SET details = json_set(details, '$.described', json('true'))
  WHERE method = 'card_issuing' AND description <> json_extract(details, '$.merchant.name');
UPDATE facts SET record = json_set(record, '$.details.described', json('true'))
  WHERE resource = 'transaction' AND record ->> '$.description' <> record ->> '$.details.merchant.name';
UPDATE transactions SET description = 'Account Opened'
  WHERE rail = 'account_opening' AND description = 'Account creation credit';

ALTER TABLE cards ADD COLUMN bin TEXT NOT NULL DEFAULT 'debit' CHECK (bin IN ('debit', 'credit'));
UPDATE facts SET record = json_set(record, '$.card.bin', 'debit') WHERE resource = 'card';
