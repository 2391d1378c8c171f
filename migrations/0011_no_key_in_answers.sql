-- A response that contains the caller's key is no longer stored under an idempotency key.
DELETE FROM idempotency_keys WHERE body LIKE '{"accessToken":%';
