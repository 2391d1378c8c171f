/**
 * The table of refusals: code, kind, and default message. The kind determines the HTTP status in each API version. The
 * comments group the codes by subject.
 * Source: decision `control-errors` in docs/fidelity.md.
 */

/** Determines the HTTP status: 400, 401, 403, 404, 409, 410, 413, 415, 429, 500, 501, 503, 405, 408, 431. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported_media'
  | 'rate_limited'
  | 'failure'
  | 'unavailable'
  | 'not_emulated'
  | 'wrong_method'
  | 'too_slow'
  | 'headers_too_large';

interface Row {
  readonly kind: RefusalKind;
  readonly message: string;
}

const row = (kind: RefusalKind, message: string): Row => ({ kind, message });

export const REFUSALS = {
  // requests
  body_malformed: row('invalid', 'the body is not valid JSON'),
  body_missing: row('invalid', 'this operation needs a JSON object as its body'),
  body_unreadable: row('invalid', 'the request could not be read'),
  field_invalid: row('invalid', 'invalid field'),
  field_unknown: row('invalid', 'the body has a field that this operation does not accept'),
  phone_invalid: row('invalid', 'invalid phone: E.164 with a leading +, at most 16 characters'),
  metadata_too_large: row('invalid', 'metadata can have at most 20 keys and 4 KB'),
  cursor_invalid: row('invalid', 'the cursor does not come from a list of this resource'),
  key_missing: row('unauthorized', 'unauthorized'),
  key_unknown: row('unauthorized', 'unauthorized'),
  token_invalid: row('unauthorized', 'the token is unknown, was used, or has expired'),
  person_header_missing: row('invalid', 'person id missing in header'),
  path_unknown: row('not_found', 'no such path'),
  method_wrong: row('wrong_method', 'this path does not accept this method'),
  body_too_large: row('too_large', 'the body is larger than this server accepts'),
  trace_too_large: row('too_large', 'the trace would be larger than 25 MB'),
  media_unsupported: row('unsupported_media', 'send the body as application/json'),
  rate_limited: row('rate_limited', 'too many requests'),
  request_timeout: row('too_slow', 'the request did not arrive in time; nothing was changed'),
  headers_too_large: row('headers_too_large', 'the headers are larger than this server accepts'),
  write_conflict: row(
    'conflict',
    'another request changed the same record at the same time; send this one again',
  ),
  not_emulated: row('not_emulated', 'this operation is documented by the platform but not emulated here'),
  failure: row('failure', 'the server failed; nothing was changed'),
  link_expired: row('gone', 'the link has expired; request a new one'),
  link_unknown: row('not_found', 'no such link'),

  // unknown records
  program_not_found: row('not_found', 'cannot find program by id'),
  master_account_not_found: row('not_found', 'cannot find master account by id'),
  holder_not_found: row('not_found', 'cannot find account holder by id'),
  family_not_found: row('not_found', 'cannot find family by id'),
  member_not_found: row('not_found', 'cannot find member by id'),
  account_not_found: row('not_found', 'cannot find account by id'),
  card_holder_not_found: row('not_found', 'cannot find card holder by id'),
  card_not_found: row('not_found', 'cannot find card by id'),
  counterparty_not_found: row('not_found', 'cannot find counterparty by id'),
  transaction_not_found: row('not_found', 'cannot find transaction by id'),
  statement_not_found: row('not_found', 'cannot find statement by id'),
  batch_not_found: row('not_found', 'cannot find batch by id'),
  transfer_not_found: row('not_found', 'cannot find transfer by id'),
  disclosure_not_found: row('not_found', 'the ownership disclosure was not started: POST to the same path'),
  document_not_found: row('not_found', 'cannot find document by id'),
  attachment_not_found: row('not_found', 'cannot find attachment by id'),
  webhook_not_found: row('not_found', 'cannot find webhook by id'),
  event_not_found: row('not_found', 'cannot find event by id'),
  sandbox_not_found: row('not_found', 'no such sandbox'),
  snapshot_not_found: row('not_found', 'no such snapshot'),
  fault_not_found: row('not_found', 'no such fault'),
  request_not_found: row(
    'not_found',
    'no such request: the journal does not contain it, or no longer contains it',
  ),

  // sandboxes
  sandbox_exists: row('conflict', 'a sandbox with this name exists already'),
  sandboxes_full: row(
    'rate_limited',
    'the maximum number of sandboxes exists already (SANDBANK_MAX_SANDBOXES)',
  ),
  sandbox_damaged: row('unavailable', 'the file of this sandbox cannot be used'),
  data_not_written: row('unavailable', 'the data directory cannot be written'),
  observers_full: row(
    'unavailable',
    'the maximum number of stream clients is connected (SANDBANK_MAX_OBSERVERS)',
  ),
  sandbox_unavailable: row(
    'unavailable',
    'the instance that owns this sandbox did not respond, and another one takes it over soon: send the request again, with the same idempotency key if it writes',
  ),
  sandboxes_busy: row('unavailable', 'the maximum number of open files of this process is reached'),
  image_invalid: row('invalid', 'the data is not the SQLite image of a bank'),

  // access to the control plane
  control_token_wrong: row('unauthorized', 'the control plane of this server requires its token'),
  host_foreign: row(
    'forbidden',
    'the Host header does not name this machine: use 127.0.0.1, [::1] or localhost, or allow the name with SANDBANK_ALLOWED_HOSTS',
  ),
  origin_foreign: row('forbidden', 'a page of another origin cannot use the control plane'),

  // states
  illegal_step: row('conflict', 'the current state does not allow this'),
  return_too_late: row('conflict', 'the return window of the payment is closed'),
  reversal_too_late: row('conflict', 'the time limit for a reversal of the payment has passed'),
  holder_type_wrong: row('invalid', 'no type specified!'),
  holder_not_verified: row('invalid', 'the holder has not passed verification'),
  holder_not_active: row('invalid', 'the holder is not active'),
  id_number_taken: row('invalid', 'this id number belongs to another holder'),
  phone_taken: row('invalid', 'this phone belongs to another person'),
  name_locked: row('invalid', 'cannot change after the verification has passed'),
  member_exists: row('invalid', 'this person is already a member'),
  ownership_exceeded: row('invalid', 'the members would own more than 100.00 percent together'),
  projection_locked: row('invalid', 'projections cannot change after the verification was decided'),
  disclosure_missing: row(
    'invalid',
    'a KYB needs the ownership disclosure: get its link with POST .../ownershipDisclosure, have it signed there, then submit again',
  ),
  details_missing: row('invalid', 'the verification requires a field that is not set'),
  not_account_holder: row(
    'forbidden',
    "only the holder of a family's account can move its money or change it",
  ),
  account_not_active: row('invalid', 'the account is not open'),
  account_not_empty: row('conflict', 'the account still has a balance or pending payments'),
  account_is_fallback: row('conflict', 'the account is the fallback account of another account'),
  switched_off: row('invalid', 'this is switched off for the account'),
  account_debit_blocked: row('invalid', 'the account does not allow debits'),
  account_credit_blocked: row('invalid', 'the account does not allow credits'),
  counterparty_not_active: row('invalid', 'the counterparty is not activated'),
  counterparty_rail_missing: row('invalid', 'the counterparty has no details for this rail'),
  counterparty_elsewhere: row('invalid', 'the counterparty belongs to another account'),
  counterparty_ofac_failed: row('invalid', 'the counterparty did not pass OFAC'),
  intra_account_unknown: row('invalid', 'no account has this number'),
  intra_account_own: row('invalid', 'Invalid self intrabank request'),
  card_closed: row('conflict', 'the card is closed'),
  card_not_virtual: row('invalid', 'only a virtual card can be tested'),
  card_controls_both: row('invalid', 'set the allowed list or the blocked list, not both'),
  card_details_mismatch: row('invalid', 'the printed data do not match the card'),
  parent_missing: row('invalid', 'this type of card transaction requires a parent'),
  parent_wrong: row('invalid', 'the parent is not an authorization that allows this'),
  event_unknown: row('invalid', 'no such event kind'),
  url_invalid: row('invalid', 'the URL must be absolute and begin with http:// or https://'),
  webhooks_full: row('invalid', 'a sandbox can have at most 100 webhooks; delete one that you do not need'),
  webhook_deleted: row('conflict', 'the webhook was deleted'),
  webhook_not_active: row('conflict', 'the webhook is not active; activate it first'),

  // money
  amount_invalid: row(
    'invalid',
    'an amount is a string of dollars and cents greater than zero, like "12.50"',
  ),
  amount_too_large: row('invalid', 'the amount would make a balance larger than the ledger can store'),
  insufficient_funds: row('invalid', 'the available balance of the account is not sufficient'),
  limit_exceeded: row('invalid', 'the amount exceeds a limit of the account'),
  hold_resolved: row('conflict', 'the hold was already resolved'),
} as const satisfies Record<string, Row>;

/** The name of a refusal. */
export type RefusalCode = keyof typeof REFUSALS;
