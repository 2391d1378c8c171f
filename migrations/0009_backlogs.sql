-- The facts for which the deliveries to a webhook were not created yet: those after `after_fact`, up to `up_to_fact`
-- or, if that is NULL, up to the newest. An active webhook has a backlog without an end, which begins with the next
-- published fact, because existing facts have their deliveries.
CREATE TABLE backlogs (
  id INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL REFERENCES webhooks (id),
  after_fact INTEGER NOT NULL CHECK (after_fact >= 0),
  up_to_fact INTEGER CHECK (up_to_fact IS NULL OR up_to_fact >= after_fact),
  -- the kinds that the webhook had asked for when these facts were published
  events TEXT NOT NULL CHECK (json_valid(events)),
  -- 1: these deliveries are not made any more, because the webhook was deleted or deactivated
  dropped INTEGER NOT NULL CHECK (dropped IN (0, 1)),
  CHECK (dropped = 0 OR up_to_fact IS NOT NULL)
) STRICT;
