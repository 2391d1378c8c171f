-- Facts of one record, for everything but transactions: most facts are about those, and an index over them would cost every payment.
CREATE INDEX facts_of_records ON facts (resource_id) WHERE resource <> 'transaction';
