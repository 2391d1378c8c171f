-- An answer that shows the record of a fact is stored as the number of the fact and the name of the view, and its body
-- is ''. A repeated request is answered with that record, as it was then. Every other response is stored as text, and
-- existing responses stay text.
ALTER TABLE idempotency_keys ADD COLUMN fact_seq INTEGER REFERENCES facts (seq);
ALTER TABLE idempotency_keys ADD COLUMN view TEXT NOT NULL DEFAULT ''
  CHECK ((view = '') = (fact_seq IS NULL) AND (view = '' OR body = ''));
