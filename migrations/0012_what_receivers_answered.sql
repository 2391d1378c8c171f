-- The response of a receiver to an attempt: its headers as a JSON object ('' without a response), and the first 4096
-- characters of its body.
ALTER TABLE delivery_attempts ADD COLUMN answer_headers TEXT NOT NULL DEFAULT '';
ALTER TABLE delivery_attempts ADD COLUMN answer_body TEXT NOT NULL DEFAULT '';
