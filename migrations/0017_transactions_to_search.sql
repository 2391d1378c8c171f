-- Lists of all transactions read this index and not the rows, which are five times as wide: a page and its total are
-- found in the order of the ids. The first columns decide most filters.
CREATE INDEX transactions_to_search ON transactions (id, status, rail, method, moved_nothing, account_id, settled_at,
  booked_at, created_at, updated_at, amount, direction, holder_type, counterparty_id, person_id, card_id, title,
  description, json_extract(other_side, '$.name'));
