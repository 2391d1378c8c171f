-- An answer that has the caller's own key is not kept under an idempotency key any more.
DELETE FROM idempotency_keys WHERE body LIKE '{"accessToken":%';
