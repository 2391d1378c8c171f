-- Finds every delivery of an event without a scan: for its summary, its attempts, and a replay of missed events.
CREATE INDEX deliveries_of_fact ON deliveries (fact_seq);

-- After a rotation, the previous secret also signs the standard signature until this time.
ALTER TABLE webhooks ADD COLUMN previous_secret TEXT;
ALTER TABLE webhooks ADD COLUMN previous_secret_until INTEGER;
-- The newest fact at the creation of the webhook, which gets only later ones.
ALTER TABLE webhooks ADD COLUMN made_after_fact INTEGER NOT NULL DEFAULT 0;
