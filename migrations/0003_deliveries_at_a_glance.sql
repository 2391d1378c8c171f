-- Every delivery of an event without a scan: for its summary, its attempts, and a replay of what was missed.
CREATE INDEX deliveries_of_fact ON deliveries (fact_seq);

-- A rotation overlaps: until then the standard signature is made with the secret before as well.
ALTER TABLE webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_secret_until INTEGER;
-- The newest fact when the webhook was made: what came before was never meant for it.
ALTER TABLE webhooks ADD COLUMN made_after_fact INTEGER NOT NULL DEFAULT 0;
