-- Fields of v1 that were not stored so far: the person of an account of a business or a family, whether a title is the
-- client's own, and whether a card is a debit or a credit card.

-- The person who opened an account: its owner, or the person who created the business. Every record of the account
-- shows this person.
UPDATE accounts SET created_by = iif(
  holder_type = 'person', holder_id, (SELECT created_by FROM holders WHERE id = accounts.holder_id)
) WHERE created_by = '';
CREATE INDEX accounts_of_person ON accounts (created_by, id);
UPDATE facts
  SET record = json_set(record, '$.account.createdBy', (SELECT created_by FROM accounts WHERE id = facts.resource_id))
  WHERE resource = 'account' AND record ->> '$.account.createdBy' = '';

-- The person of a transaction: the card holder, otherwise the person who opened the account.
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

-- A title that the bank generated was stored like a title of the client. From now on, the views generate it.
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
-- The same for the description of a purchase: if it differs from the merchant's name, it is the client's.
UPDATE transactions SET details = json_set(details, '$.described', json('true'))
  WHERE method = 'card_issuing' AND description <> json_extract(details, '$.merchant.name');
UPDATE facts SET record = json_set(record, '$.details.described', json('true'))
  WHERE resource = 'transaction' AND record ->> '$.description' <> record ->> '$.details.merchant.name';
UPDATE transactions SET description = 'Account Opened'
  WHERE rail = 'account_opening' AND description = 'Account creation credit';

ALTER TABLE cards ADD COLUMN bin TEXT NOT NULL DEFAULT 'debit' CHECK (bin IN ('debit', 'credit'));
UPDATE facts SET record = json_set(record, '$.card.bin', 'debit') WHERE resource = 'card';
