/**
 * The table of refusals, in which each kind and each refusal has one row. The kind determines the HTTP status, the
 * usual code of v2, and the words of the OpenAPI documents. A refusal has its message, its code in v1 and, where it
 * differs from its kind, in v2, whose code has its own status. The comments group the refusals by subject.
 * Source: decisions `control-errors`, `v2-error-codes` and `v1-error-codes` in docs/fidelity.md.
 */
import { V2_CODES, type V2Code } from './v2-codes.ts';

const kind = (status: number, v2: V2Code, words: string) => ({ status, v2, words });

export const KINDS = {
  invalid: kind(400, 'ERROR_CODE_INVALID_FIELD', 'The request is invalid.'),
  /** The state of a record does not allow the request: 400 with a code of its own in v2, 409 elsewhere. */
  state: kind(
    409,
    'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
    'The current state of the record does not allow the operation.',
  ),
  unauthorized: kind(401, 'ERROR_CODE_UNAUTHORIZED', 'The key or token is missing or wrong.'),
  forbidden: kind(403, 'ERROR_CODE_FORBIDDEN', 'The origin or host of the request is not allowed.'),
  not_found: kind(404, 'ERROR_CODE_RESOURCE_NOT_FOUND', 'A record or path of the request does not exist.'),
  wrong_method: kind(405, 'ERROR_CODE_METHOD_NOT_ALLOWED', 'The path does not support this method.'),
  too_slow: kind(408, 'ERROR_CODE_REQUEST_TIMEOUT', 'The request did not arrive in time.'),
  conflict: kind(409, 'ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT', 'The request conflicts with another one.'),
  gone: kind(410, 'ERROR_CODE_RESOURCE_GONE', 'The link has expired.'),
  too_large: kind(413, 'ERROR_CODE_REQUEST_TOO_LARGE', 'The body is too large.'),
  unsupported_media: kind(
    415,
    'ERROR_CODE_UNSUPPORTED_MEDIA_TYPE',
    'The operation does not accept this media type.',
  ),
  rate_limited: kind(429, 'ERROR_CODE_RATE_LIMIT_EXCEEDED', 'Too many requests, or too many sandboxes.'),
  headers_too_large: kind(431, 'ERROR_CODE_HEADERS_TOO_LARGE', 'The headers are too large.'),
  failure: kind(500, 'ERROR_CODE_INTERNAL_ERROR', 'The server failed; nothing was changed.'),
  not_emulated: kind(501, 'ERROR_CODE_NOT_IMPLEMENTED', 'The function is not available here.'),
  unavailable: kind(
    503,
    'ERROR_CODE_SERVICE_UNAVAILABLE',
    'The sandbox cannot be used now, or nothing can be written.',
  ),
} as const;

type RefusalKind = keyof typeof KINDS;

interface Differences {
  /** Its code in v2. */
  readonly v2?: V2Code;
  /** The message that the platform publishes for it in v2. */
  readonly inV2?: string;
  /** The name of the field in v2 if the refusal has none. */
  readonly field?: string;
  /** The hint of the control plane. */
  readonly hint?: string;
}

interface Row extends Differences {
  readonly kind: RefusalKind;
  readonly message: string;
  /** `*` is the resource of the path; `%` is PERSON, or BUSINESS for the path of a business. */
  readonly v1: string;
}

const row = (kind: RefusalKind, message: string, v1: string, differences: Differences = {}): Row => ({
  kind,
  message,
  v1,
  ...differences,
});

export const REFUSALS = {
  // requests
  body_malformed: row('invalid', 'the body is not valid JSON', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_INVALID_REQUEST_BODY',
    inV2: 'invalid request body',
  }),
  body_missing: row('invalid', 'this operation needs a JSON object as its body', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_INVALID_REQUEST_BODY',
    inV2: 'invalid request body',
  }),
  body_unreadable: row('invalid', 'the request could not be read', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_INVALID_REQUEST_BODY',
    inV2: 'invalid request body',
  }),
  field_invalid: row('invalid', 'invalid field', 'EC_*_INVALID_REQUEST'),
  field_missing: row('invalid', 'a required field is missing', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_REQUIRED_FIELD_MISSING',
  }),
  field_too_long: row('invalid', 'the field is too long', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_MAX_ALLOWED_LENGTH_EXCEEDED',
  }),
  field_too_short: row('invalid', 'the field is too short', 'EC_*_INVALID_REQUEST', {
    v2: 'ERROR_CODE_MIN_ALLOWED_LENGTH_NOT_MET',
  }),
  field_unknown: row(
    'invalid',
    'the body has a field that this operation does not accept',
    'EC_*_UNKNOWN_FIELD',
  ),
  phone_invalid: row(
    'invalid',
    'invalid phone: E.164 with a leading +, at most 16 characters',
    'EC_*_INVALID_PHONE',
    { v2: 'ERROR_CODE_INVALID_PHONE', inV2: 'invalid phone', field: 'phone' },
  ),
  metadata_too_large: row(
    'invalid',
    'metadata can have at most 20 keys and 4 KB',
    'EC_*_METADATA_TOO_LARGE',
    { field: 'metadata' },
  ),
  cursor_invalid: row(
    'invalid',
    'the cursor does not come from a list of this resource',
    'EC_*_INVALID_PAGINATION',
  ),
  idempotency_key_reused: row(
    'invalid',
    'this idempotency key was used for another request',
    'EC_IDEMPOTENCY_BAD_REQUEST',
    { v2: 'ERROR_CODE_IDEMPOTENCY_BAD_REQUEST' },
  ),
  idempotency_key_in_use: row(
    'conflict',
    'the first request with this idempotency key is still in progress; try again when it has ended',
    'EC_IDEMPOTENCY_KEY_CONFLICT',
    { v2: 'ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT' },
  ),
  idempotency_key_too_long: row(
    'invalid',
    'an idempotency key can have at most 255 characters',
    'EC_IDEMPOTENCY_KEY_TOO_LONG',
    { v2: 'ERROR_CODE_IDEMPOTENCY_KEY_LENGTH_EXCEEDED' },
  ),
  key_missing: row('unauthorized', 'unauthorized', 'EC_UNAUTHORIZED'),
  key_unknown: row('unauthorized', 'unauthorized', 'EC_UNAUTHORIZED'),
  token_invalid: row('unauthorized', 'the token is unknown, was used, or has expired', 'EC_*_INVALID_TOKEN'),
  person_header_missing: row('invalid', 'person id missing in header', 'EC_PERSON_ID_HEADER_REQUIRED'),
  path_unknown: row('not_found', 'no such path', 'EC_PATH_NOT_FOUND'),
  method_wrong: row('wrong_method', 'this path does not accept this method', 'EC_METHOD_NOT_ALLOWED'),
  body_too_large: row('too_large', 'the body is larger than this server accepts', 'EC_REQUEST_TOO_LARGE'),
  trace_too_large: row('too_large', 'the trace would be larger than 25 MB', 'EC_REQUEST_TOO_LARGE'),
  media_unsupported: row(
    'unsupported_media',
    'send the body as application/json',
    'EC_UNSUPPORTED_MEDIA_TYPE',
  ),
  rate_limited: row('rate_limited', 'too many requests', 'EC_RATE_LIMITED'),
  request_timeout: row(
    'too_slow',
    'the request did not arrive in time; nothing was changed',
    'EC_REQUEST_TIMEOUT',
  ),
  headers_too_large: row(
    'headers_too_large',
    'the headers are larger than this server accepts',
    'EC_HEADERS_TOO_LARGE',
  ),
  write_conflict: row(
    'conflict',
    'another request changed the same record at the same time; send this one again',
    'EC_QLDB_OCC_ERROR_RETRY',
    { v2: 'EC_QLDB_OCC_ERROR_RETRY', inV2: 'qldb occ error please retry' },
  ),
  not_emulated: row('not_emulated', 'this function is not available here', 'EC_NOT_EMULATED'),
  failure: row('failure', 'the server failed; nothing was changed', 'EC_INTERNAL_ERROR'),
  link_expired: row('gone', 'the link has expired; request a new one', 'EC_*_LINK_EXPIRED'),
  link_unknown: row('not_found', 'no such link', 'EC_*_LINK_NOT_FOUND'),

  // unknown records
  program_not_found: row('not_found', 'cannot find program by id', 'EC_PROGRAM_NOT_FOUND'),
  master_account_not_found: row(
    'not_found',
    'cannot find master account by id',
    'EC_MASTER_ACCOUNT_NOT_FOUND',
    { inV2: 'cannot find account by id in qldb' },
  ),
  holder_not_found: row('not_found', 'cannot find account holder by id', 'EC_%_NOT_FOUND', {
    inV2: 'cannot find account holder by client id in qldb',
  }),
  family_not_found: row('not_found', 'cannot find family by id', 'EC_FAMILY_NOT_FOUND'),
  wallet_not_found: row('not_found', 'cannot find wallet by id', 'EC_WALLET_NOT_FOUND'),
  member_not_found: row('not_found', 'cannot find member by id', 'EC_MEMBER_NOT_FOUND'),
  account_not_found: row('not_found', 'cannot find account by id', 'EC_ACCOUNT_NOT_FOUND', {
    inV2: 'cannot find account by id in qldb',
  }),
  card_holder_not_found: row('not_found', 'cannot find card holder by id', 'EC_CARDHOLDER_NOT_FOUND', {
    inV2: 'cannot find card holder by id in qldb',
  }),
  card_not_found: row('not_found', 'cannot find card by id', 'EC_CARD_NOT_FOUND', {
    inV2: 'cannot find card holder by id in qldb',
  }),
  counterparty_not_found: row('not_found', 'cannot find counterparty by id', 'EC_CONTACT_NOT_FOUND', {
    inV2: 'cannot find counterparty by id in qldb',
  }),
  transaction_not_found: row('not_found', 'cannot find transaction by id', 'EC_TRANSACTION_NOT_FOUND', {
    inV2: 'cannot find transaction by id in qldb',
  }),
  statement_not_found: row('not_found', 'cannot find statement by id', 'EC_STATEMENT_NOT_FOUND'),
  batch_not_found: row('not_found', 'cannot find batch by id', 'EC_BATCH_NOT_FOUND'),
  transfer_not_found: row('not_found', 'cannot find transfer by id', 'EC_TRANSFER_NOT_FOUND'),
  disclosure_not_found: row(
    'not_found',
    'the ownership disclosure was not started: POST to the same path',
    'EC_BUSINESS_AGREEMENT_NOT_FOUND',
  ),
  document_not_found: row('not_found', 'cannot find document by id', 'EC_DOCUMENT_NOT_FOUND'),
  attachment_not_found: row('not_found', 'cannot find attachment by id', 'EC_ATTACHMENT_NOT_FOUND'),
  webhook_not_found: row('not_found', 'cannot find webhook by id', 'EC_WEBHOOK_NOT_FOUND'),
  event_not_found: row('not_found', 'cannot find event by id', 'EC_EVENT_NOT_FOUND'),
  sandbox_not_found: row('not_found', 'no such sandbox', 'EC_SANDBOX_NOT_FOUND'),
  snapshot_not_found: row('not_found', 'no such snapshot', 'EC_SNAPSHOT_NOT_FOUND'),
  fault_not_found: row('not_found', 'no such fault', 'EC_FAULT_NOT_FOUND'),
  request_not_found: row(
    'not_found',
    'no such request: the journal does not contain it, or no longer contains it',
    'EC_REQUEST_NOT_FOUND',
  ),

  // sandboxes
  sandbox_exists: row('conflict', 'a sandbox with this name exists already', 'EC_SANDBOX_EXISTS'),
  sandboxes_full: row(
    'rate_limited',
    'the maximum number of sandboxes exists already (SANDBANK_MAX_SANDBOXES)',
    'EC_SANDBOX_LIMIT_REACHED',
  ),
  sandbox_damaged: row('unavailable', 'the file of this sandbox cannot be used', 'EC_SANDBOX_DAMAGED'),
  data_not_written: row('unavailable', 'the data directory cannot be written', 'EC_SANDBOX_NOT_WRITTEN'),
  observers_full: row(
    'unavailable',
    'the maximum number of stream clients is connected (SANDBANK_MAX_OBSERVERS)',
    'EC_SANDBOX_LIMIT_REACHED',
  ),
  sandbox_unavailable: row(
    'unavailable',
    'the instance that owns this sandbox did not respond, and another one takes it over soon: send the request again, with the same idempotency key if it writes',
    'EC_SANDBOX_UNAVAILABLE',
  ),
  sandboxes_busy: row(
    'unavailable',
    'the maximum number of open files of this process is reached',
    'EC_SANDBOX_LIMIT_REACHED',
  ),
  image_invalid: row('invalid', 'the data is not the SQLite image of a bank', 'EC_SANDBOX_INVALID_IMAGE'),

  // access to the control plane
  control_token_wrong: row(
    'unauthorized',
    'the control plane of this server requires its token',
    'EC_UNAUTHORIZED',
    {
      hint: 'send it in the header x-control-token; it is SANDBANK_CONTROL_TOKEN, or was logged when the server started',
    },
  ),
  host_foreign: row(
    'forbidden',
    'the Host header does not name this machine: use 127.0.0.1, [::1] or localhost, or allow the name with SANDBANK_ALLOWED_HOSTS',
    'EC_FORBIDDEN',
    { hint: 'call it by 127.0.0.1, [::1] or localhost, or set SANDBANK_ALLOWED_HOSTS' },
  ),
  origin_foreign: row('forbidden', 'a page of another origin cannot use the control plane', 'EC_FORBIDDEN', {
    hint: 'call it from a program or from a page of this server',
  }),

  // states
  illegal_step: row('state', 'the current state does not allow this', 'EC_*_INVALID_STATE'),
  return_too_late: row(
    'state',
    'the return window of the payment is closed',
    'EC_TRANSACTION_RETURN_TOO_LATE',
  ),
  reversal_too_late: row(
    'state',
    'the time limit for a reversal of the payment has passed',
    'EC_TRANSACTION_REVERSAL_TOO_LATE',
  ),
  holder_type_wrong: row('invalid', 'no type specified!', 'EC_%_INVALID_TYPE', { field: 'type' }),
  holder_not_verified: row('invalid', 'the holder has not passed verification', 'EC_%_NOT_VERIFIED', {
    v2: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
    field: 'sub_account_holder_id',
  }),
  holder_not_active: row('invalid', 'the holder is not active', 'EC_%_NOT_ACTIVE', {
    v2: 'ERROR_CODE_SUB_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE',
    field: 'sub_account_holder_id',
  }),
  account_holder_not_verified: row(
    'invalid',
    'an account needs a holder who has passed verification',
    'EC_%_NOT_VERIFIED',
    { v2: 'ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED', field: 'sub_account_holder_id' },
  ),
  account_holder_not_active: row('invalid', 'an account needs an active holder', 'EC_%_NOT_ACTIVE', {
    v2: 'ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED',
    field: 'sub_account_holder_id',
  }),
  id_number_taken: row('invalid', 'this id number belongs to another holder', 'EC_%_ID_NUMBER_EXISTS', {
    v2: 'ERROR_CODE_RESOURCE_ALREADY_EXIST',
    field: 'id_number',
  }),
  phone_taken: row('invalid', 'this phone belongs to another person', 'EC_PERSON_PHONE_EXISTS', {
    v2: 'ERROR_CODE_RESOURCE_ALREADY_EXIST',
    field: 'phone',
  }),
  name_locked: row('invalid', 'cannot change after the verification has passed', 'EC_%_UPDATE_ERROR', {
    v2: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED',
  }),
  member_exists: row('invalid', 'this person is already a member', 'EC_MEMBER_EXISTS', {
    v2: 'ERROR_CODE_RESOURCE_ALREADY_EXIST',
  }),
  ownership_exceeded: row(
    'invalid',
    'the members would own more than 100.00 percent together',
    'EC_MEMBER_OWNERSHIP_EXCEEDED',
    { field: 'business.members.ownership' },
  ),
  projection_locked: row(
    'invalid',
    'projections cannot change after the verification was decided',
    'EC_BUSINESS_PROJECTION_LOCKED',
    { v2: 'ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED' },
  ),
  disclosure_missing: row(
    'invalid',
    'a KYB needs the ownership disclosure: get its link with POST .../ownershipDisclosure, have it signed there, then submit again',
    'EC_BUSINESS_DISCLOSURE_REQUIRED',
  ),
  details_missing: row(
    'invalid',
    'the verification requires a field that is not set',
    'EC_%_DETAILS_REQUIRED',
  ),
  not_account_holder: row(
    'forbidden',
    "only the holder of a family's account can move its money or change it",
    'EC_ACCOUNT_FORBIDDEN',
  ),
  account_not_active: row('invalid', 'the account is not open', 'EC_ACCOUNT_NOT_ACTIVE', {
    v2: 'ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN',
    field: 'sub_account_id',
  }),
  account_not_empty: row(
    'state',
    'the account still has a balance or pending payments',
    'EC_ACCOUNT_NOT_EMPTY',
  ),
  account_is_fallback: row(
    'state',
    'the account is the fallback account of another account',
    'EC_ACCOUNT_IS_FALLBACK',
  ),
  switched_off: row('invalid', 'this is switched off for the account', 'EC_*_NOT_ENABLED', {
    v2: 'ERROR_CODE_FORM_FACTOR_NOT_ENABLED',
  }),
  account_debit_blocked: row('invalid', 'the account does not allow debits', 'EC_ACCOUNT_DEBIT_BLOCKED', {
    v2: 'ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN',
    field: 'sub_account_id',
  }),
  account_credit_blocked: row('invalid', 'the account does not allow credits', 'EC_ACCOUNT_CREDIT_BLOCKED', {
    v2: 'ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN',
    field: 'sub_account_id',
  }),
  counterparty_not_active: row('invalid', 'the counterparty is not activated', 'EC_CONTACT_NOT_ACTIVE', {
    field: 'counterparty_id',
  }),
  counterparty_rail_missing: row(
    'invalid',
    'the counterparty has no details for this rail',
    'EC_CONTACT_TRANSFER_TYPE_MISSING',
    { field: 'counterparty_id' },
  ),
  counterparty_elsewhere: row(
    'invalid',
    'the counterparty belongs to another account',
    'EC_CONTACT_INVALID_ACCOUNT',
    { field: 'counterparty_id' },
  ),
  counterparty_ofac_failed: row('invalid', 'the counterparty did not pass OFAC', 'EC_CONTACT_OFAC_DECLINED', {
    field: 'counterparty_id',
  }),
  intra_account_unknown: row(
    'invalid',
    'no account has this number',
    'EC_CONTACT_INVALID_INTRABANK_ACCOUNT',
    { field: 'intra_account' },
  ),
  intra_account_own: row(
    'invalid',
    'Invalid self intrabank request',
    'EC_CONTACT_INVALID_SELF_INTRABANK_REQUEST',
    { field: 'intra_account' },
  ),
  entry_sub_ledgered: row(
    'invalid',
    'the entry of the master account is completely sub-ledgered already',
    'EC_*_INVALID_REQUEST',
    { v2: 'ERROR_CODE_TRANSACTION_RECONCILED', field: 'master_account_transaction_id' },
  ),
  card_closed: row('state', 'the card is closed', 'EC_CARD_CANCELED', {
    v2: 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS',
  }),
  card_closed_for_pin: row('state', 'the card is closed; it can no longer have a PIN', 'EC_CARD_CANCELED', {
    v2: 'ERROR_CODE_CARD_SET_PIN_NOT_ALLOWED',
  }),
  card_closed_for_wallet: row(
    'state',
    'the card is closed; a wallet accepts only an open one',
    'EC_CARD_CANCELED',
    { v2: 'ERROR_CODE_CARD_PROVISIONING_NOT_ALLOWED' },
  ),
  card_not_open: row('state', 'a wallet accepts only an open card', 'EC_*_INVALID_STATE', {
    v2: 'ERROR_CODE_CARD_PROVISIONING_NOT_ALLOWED',
  }),
  card_status_fixed: row('state', 'the status of the card cannot change to this one', 'EC_*_INVALID_STATE', {
    v2: 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS',
    field: 'status',
  }),
  card_unchanged: row('invalid', 'the update changes nothing', 'EC_CARD_UPDATE_ERROR', {
    v2: 'ERROR_CODE_CARD_UPDATE_NOT_ALLOWED',
  }),
  card_not_physical: row('state', 'only a physical card can be activated', 'EC_*_INVALID_STATE', {
    v2: 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED',
  }),
  card_not_inactive: row('state', 'the card does not wait for its activation', 'EC_*_INVALID_STATE', {
    v2: 'ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED_FOR_STATUS',
  }),
  card_not_replaceable: row(
    'state',
    'the status of the card does not allow a replacement',
    'EC_*_INVALID_STATE',
    { v2: 'ERROR_CODE_CARD_REPLACEMENT_NOT_ALLOWED_FOR_STATUS' },
  ),
  card_replaced_recently: row(
    'invalid',
    'a card can be replaced seven days after its previous replacement',
    'EC_CARD_REPLACEMENT_INTERVAL',
    { v2: 'ERROR_CODE_CARD_REPLACEMENT_INTERVAL_VIOLATION' },
  ),
  card_reason_wrong: row(
    'invalid',
    'a virtual card cannot be damaged: send lost or stolen',
    'EC_CARD_INVALID_REPLACE_REASON',
    { v2: 'ERROR_CODE_INVALID_CARD_REPLACE_REASON', field: 'reason' },
  ),
  card_holder_not_active: row('invalid', 'a card needs an activated card holder', 'EC_%_NOT_ACTIVE', {
    v2: 'ERROR_CODE_CARD_ISSUANCE_CARDHOLDER_NOT_ACTIVE',
    field: 'card_holder_id',
  }),
  card_type_off: row('invalid', 'the account does not allow cards of this type', 'EC_*_NOT_ENABLED', {
    v2: 'ERROR_CODE_CARD_ISSUANCE_PRODUCT_DISABLED',
    field: 'type',
  }),
  cards_full: row(
    'invalid',
    'the account has the maximum number of cards of this type',
    'EC_*_LIMIT_EXCEEDED',
    { v2: 'ERROR_CODE_CARD_ISSUANCE_PRODUCT_LIMIT_EXCEEDED', field: 'type' },
  ),
  card_not_virtual: row('invalid', 'only a virtual card can be tested', 'EC_CARD_NOT_VIRTUAL'),
  card_controls_both: row(
    'invalid',
    'set the allowed list or the blocked list, not both',
    'EC_CARD_INVALID_CONTROLS',
    { field: 'controls' },
  ),
  card_details_mismatch: row(
    'invalid',
    'the printed data do not match the card',
    'EC_CARD_DETAILS_MISMATCH',
    { v2: 'ERROR_CODE_CARD_INCORRECT_DETAILS' },
  ),
  parent_missing: row(
    'invalid',
    'this type of card transaction requires a parent',
    'EC_CARD_PARENT_TXN_REQUIRED',
    { field: 'parent_transaction_id' },
  ),
  parent_wrong: row(
    'invalid',
    'the parent is not an authorization that allows this',
    'EC_CARD_INVALID_PARENT_TXN',
    { field: 'parent_transaction_id' },
  ),
  reversal_not_allowed: row(
    'invalid',
    'the parent is not an authorization that can be reversed',
    'EC_CARD_INVALID_PARENT_TXN',
    { v2: 'ERROR_CODE_TRANSACTION_REVERSAL_NOT_ALLOWED', field: 'parent_transaction_id' },
  ),
  event_unknown: row('invalid', 'no such event kind', 'EC_WEBHOOK_INVALID_EVENT', { field: 'events' }),
  url_invalid: row(
    'invalid',
    'the URL must be absolute and begin with http:// or https://',
    'EC_WEBHOOK_INVALID_URL',
    { field: 'url' },
  ),
  webhooks_full: row(
    'invalid',
    'a sandbox can have at most 100 webhooks; delete one that you do not need',
    'EC_WEBHOOK_LIMIT_REACHED',
  ),
  webhook_deleted: row('state', 'the webhook was deleted', 'EC_WEBHOOK_DELETED'),
  webhook_not_active: row('state', 'the webhook is not active; activate it first', 'EC_WEBHOOK_NOT_ACTIVE'),

  // money
  amount_invalid: row(
    'invalid',
    'an amount is a string of dollars and cents greater than zero, like "12.50"',
    'EC_*_INVALID_AMOUNT',
    { v2: 'ERROR_CODE_INVALID_AMOUNT', field: 'amount' },
  ),
  amount_malformed: row(
    'invalid',
    'an amount is a string of dollars and cents, like "12.50"',
    'EC_*_INVALID_REQUEST',
    {
      v2: 'ERROR_CODE_INVALID_AMOUNT',
      field: 'amount',
    },
  ),
  amount_too_large: row(
    'invalid',
    'the amount would make a balance larger than the ledger can store',
    'EC_*_AMOUNT_TOO_LARGE',
    { v2: 'ERROR_CODE_INVALID_AMOUNT', field: 'amount' },
  ),
  insufficient_funds: row(
    'invalid',
    'the available balance of the account is not sufficient',
    'EC_ACCOUNT_INSUFFICIENT_FUNDS',
    { v2: 'ERROR_CODE_INSUFFICIENT_BALANCE', field: 'amount' },
  ),
  limit_exceeded: row('invalid', 'the amount exceeds a limit of the account', 'EC_*_LIMIT_EXCEEDED', {
    field: 'amount',
  }),
  daily_limit_exceeded: row(
    'invalid',
    'the amount exceeds a daily limit of the account',
    'EC_*_LIMIT_EXCEEDED',
    { v2: 'ERROR_CODE_TRANSFER_DAILY_LIMIT_EXCEEDED', field: 'amount' },
  ),
  monthly_limit_exceeded: row(
    'invalid',
    'the amount exceeds a monthly limit of the account',
    'EC_*_LIMIT_EXCEEDED',
    { v2: 'ERROR_CODE_TRANSFER_MONTHLY_LIMIT_EXCEEDED', field: 'amount' },
  ),
  hold_resolved: row('state', 'the hold was already resolved', 'EC_*_ALREADY_RESOLVED'),
} as const satisfies Record<string, Row>;

/** The name of a refusal. */
export type RefusalCode = keyof typeof REFUSALS;

/** The HTTP status of a refusal in v1 and in the control plane. */
export const statusOf = (code: RefusalCode): number => KINDS[REFUSALS[code].kind].status;

/** The code and the status of a refusal in v2. */
export function inV2(code: RefusalCode): { code: V2Code; status: number } {
  const { kind, v2 = KINDS[kind].v2 } = REFUSALS[code];
  return { code: v2, status: V2_CODES[v2].status };
}
