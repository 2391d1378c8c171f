-- Finds the facts of one record, except transactions: most facts are about transactions, and an index over them would
-- slow every payment.
CREATE INDEX facts_of_records ON facts (resource_id) WHERE resource <> 'transaction';
