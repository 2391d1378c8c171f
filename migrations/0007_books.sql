-- The rows of an account add up to its available balance and pending credits, and a booking does not change.

-- Nothing was ever held or posted for it.
ALTER TABLE transactions ADD COLUMN moved_nothing INTEGER NOT NULL DEFAULT 0 CHECK (moved_nothing IN (0, 1));
-- When it was booked, and the available balance of its account right after that; until then, right after its creation.
ALTER TABLE transactions ADD COLUMN booked_at INTEGER;
ALTER TABLE transactions ADD COLUMN booked_balance INTEGER NOT NULL DEFAULT 0;
-- The change of the available balance by a fact of a payment; NULL if it was not recorded.
ALTER TABLE facts ADD COLUMN moved INTEGER;

-- Existing rows: a row without a transfer moved no money, unless the transfer belongs to another row. A pending refund
-- that was reversed was only a pending credit.
UPDATE transactions SET moved_nothing = 1
  WHERE (rail = 'card_refund' AND status = 'reversed')
    OR (id NOT IN (SELECT transaction_id FROM transfers) AND rail NOT IN ('intra_received_push', 'intra_received_pull',
      'solid_card_load', 'solid_card_back', 'card_reverse', 'reversal_credit', 'reversal_debit'));

-- An expired authorization returned its money without a row, so a row is added at the end of the account's list. Only
-- the fact of an expiry contains the moved money of the authorization itself.
INSERT INTO transactions (id, account_id, holder_id, holder_type, family_id, person_id, account_seq, rail, status, amount, direction,
    method, type, message, title, description, available_balance, pending_credits, pending_debits, counterparty_id,
    other_side, details, card_id, parent_id, external_reference_id, purpose, metadata, reason, outcome, hold_id, master_id,
    master_totals, sub_ledger, due_at, created_at, updated_at, settled_at, booked_at, booked_balance)
  SELECT printf('%012x', ended.at) || '7fff' || substr(a.id, 17), a.account_id, a.holder_id, a.holder_type, a.family_id, a.person_id,
    (SELECT max(o.account_seq) FROM transactions AS o WHERE o.account_id = a.account_id)
      + row_number() OVER (PARTITION BY a.account_id ORDER BY a.account_seq),
    'card_reverse', 'settled', a.amount, 'credit', a.method, 'reverse', a.message, a.title, a.description,
    a.available_balance, a.pending_credits, a.pending_debits, '', NULL, a.details, a.card_id, a.id, '', '', NULL, NULL, NULL,
    NULL, printf('%012x', ended.at) || '7fff' || substr(a.master_id, 17),
    json_object('availableBalance', ended.master_available, 'pendingCredits', 0, 'pendingDebits', 0), NULL, NULL, ended.at,
    ended.at, ended.at, ended.at, a.available_balance
  FROM transactions AS a
  JOIN (
    SELECT transaction_id, max(id), at, credit_available_after AS master_available FROM transfers WHERE kind = 'release'
    GROUP BY transaction_id
  ) AS ended ON ended.transaction_id = a.id
  WHERE a.rail = 'card_authorization' AND a.status = 'reversed' AND a.id IN (
    SELECT resource_id FROM facts WHERE resource = 'transaction' AND change = 'status' AND kinds_v1 = 'account.credit'
      AND json_extract(record, '$.rail') = 'card_authorization' AND json_extract(record, '$.status') = 'reversed');

-- A partial reversal was also subtracted from the row of its authorization. From now on, only its own row has the
-- amount.
UPDATE transactions SET amount = iif(transactions.status = 'reversed', 0, transactions.amount) + reversed.total
  FROM (
    SELECT parent_id AS id, sum(amount) AS total FROM transactions WHERE rail = 'card_reverse' GROUP BY parent_id
  ) AS reversed
  WHERE reversed.id = transactions.id AND transactions.rail = 'card_authorization';

-- The money of a pending refund is available at once: its holds are posted, one after the other.
INSERT INTO transfers (kind, debit_account, credit_account, amount, hold_id, transaction_id, debit_available_after,
    credit_available_after, at)
  SELECT 'settle', hold.debit_account, hold.credit_account, hold.amount, hold.id, promised.id,
    m.debits_posted - m.credits_posted - m.credits_pending + sum(hold.amount) OVER (ORDER BY hold.id),
    s.credits_posted - s.debits_posted - s.debits_pending
      + sum(hold.amount) OVER (PARTITION BY hold.credit_account ORDER BY hold.id),
    (SELECT max(at) FROM transfers)
  FROM transactions AS promised
  JOIN transfers AS hold ON hold.id = promised.hold_id
  JOIN ledger_accounts AS m ON m.id = hold.debit_account
  JOIN ledger_accounts AS s ON s.id = hold.credit_account
  WHERE promised.rail = 'card_refund'
  ORDER BY hold.id;
UPDATE ledger_accounts
  SET debits_pending = debits_pending - posted.amount, debits_posted = debits_posted + posted.amount
  FROM (
    SELECT t.debit_account AS id, sum(t.amount) AS amount FROM transfers AS t
    JOIN transactions AS p ON p.hold_id = t.hold_id WHERE p.rail = 'card_refund' GROUP BY t.debit_account
  ) AS posted
  WHERE posted.id = ledger_accounts.id;
UPDATE ledger_accounts
  SET credits_pending = credits_pending - posted.amount, credits_posted = credits_posted + posted.amount
  FROM (
    SELECT t.credit_account AS id, sum(t.amount) AS amount FROM transfers AS t
    JOIN transactions AS p ON p.hold_id = t.hold_id WHERE p.rail = 'card_refund' GROUP BY t.credit_account
  ) AS posted
  WHERE posted.id = ledger_accounts.id;
UPDATE transactions
  SET hold_id = NULL, available_balance = posted.credit_available_after,
    pending_credits = pending_credits - posted.amount,
    master_totals = json_set(master_totals, '$.availableBalance', posted.debit_available_after,
      '$.pendingCredits', json_extract(master_totals, '$.pendingCredits') - posted.amount)
  FROM (SELECT hold_id AS resolved, amount, debit_available_after, credit_available_after FROM transfers) AS posted
  WHERE posted.resolved = transactions.hold_id AND rail = 'card_refund';

-- A row was booked by its first transfer, or by its settlement if its rail books later; the transfer of a payment
-- within the bank may belong to the other row. The transfer has the balance of the account after it.
UPDATE transactions SET booked_balance = available_balance WHERE booked_at IS NULL;
UPDATE transactions SET booked_at = booking.at, booked_balance = booking.available
  FROM (
    WITH waiting (rail) AS (VALUES ('ach_pull'), ('ach_received_push'), ('domestic_wire'), ('international_wire'),
      ('domestic_wire_received'), ('international_wire_received'), ('rtp_push'), ('fednow_push'), ('rtp_received'),
      ('fednow_received'), ('debit_card_push'), ('debit_card_pull'), ('check_deposit'))
    SELECT m.id AS movement, min(t.id),
      iif(t.credit_account = m.account_id, t.credit_available_after, t.debit_available_after) AS available,
      iif(m.settled_at IS NULL AND m.rail IN (SELECT rail FROM waiting), NULL, t.at) AS at
    FROM transactions AS m
    JOIN transfers AS t ON t.transaction_id = iif(
      m.rail IN ('intra_received_push', 'intra_received_pull', 'solid_card_load', 'solid_card_back'),
      json_extract(m.details, '$.partnerId'), m.id)
    WHERE m.account_id IN (t.debit_account, t.credit_account) AND m.moved_nothing = 0 AND (
      t.kind IN ('settle', 'post')
      OR (m.rail <> 'card_refund' AND (m.settled_at IS NULL OR m.rail NOT IN (SELECT rail FROM waiting))))
    GROUP BY m.id
  ) AS booking
  WHERE booking.movement = transactions.id;
UPDATE transactions SET booked_at = created_at WHERE rail = 'card_reverse' AND booked_at IS NULL;
UPDATE transactions SET booked_at = transactions.created_at
  FROM transactions AS original
  WHERE original.id = transactions.parent_id AND original.booked_at IS NOT NULL
    AND transactions.rail IN ('reversal_credit', 'reversal_debit');

-- Published events stay as they are.
UPDATE facts
  SET record = json_set(record, '$.movedNothing', json(iif(t.moved_nothing = 1, 'true', 'false')),
    '$.bookedAt', coalesce(json_extract(record, '$.settledAt'), json_extract(record, '$.createdAt')),
    '$.bookedBalance', json_extract(record, '$.availableBalance'))
  FROM transactions AS t
  WHERE facts.resource = 'transaction' AND t.id = facts.resource_id;
