-- What v1 shows and nothing told so far: which title is the client's own.

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
UPDATE transactions SET description = 'Account Opened'
  WHERE rail = 'account_opening' AND description = 'Account creation credit';
