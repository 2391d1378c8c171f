/**
 * The error codes of v2 with their statuses. Most come from the platform's public list of errors; two are only on
 * its pages; the others are ours, for statuses that the list lacks. A code that no operation here causes says why; a
 * fault can answer with any of them.
 * Source: the public repository `solidfi/errors`; decision `v2-error-codes` in docs/fidelity.md.
 */

interface V2CodeRow {
  readonly status: number;
  readonly from: 'list' | 'page' | 'ours';
  /** Why only a fault causes it. */
  readonly unreached?: string;
}

const listed = (status: number, unreached?: string): V2CodeRow => ({
  status,
  from: 'list',
  ...(unreached !== undefined && { unreached }),
});
const onPage = (status: number, unreached?: string): V2CodeRow => ({
  ...listed(status, unreached),
  from: 'page',
});
const ours = (status: number): V2CodeRow => ({ status, from: 'ours' });

const NO_PROGRAMS = 'The API of v2 has no operation on card programs.';
const NO_STATE = 'The client and the master account holder are always active here.';
const UNDECIDED = 'The list does not say which request causes it.';
const INTERNAL = 'It reports a failure inside the platform.';

export const V2_CODES = {
  ERROR_CODE_AUTH_FORBIDDEN: listed(403, 'A key here has all permissions.'),
  ERROR_CODE_UNAUTHORIZED: listed(401),
  ERROR_CODE_RATE_LIMIT_EXCEEDED: listed(429),
  ERROR_CODE_RESOURCE_NOT_FOUND: listed(404),
  ERROR_CODE_RESOURCE_ALREADY_EXIST: listed(400),
  ERROR_CODE_RESOURCE_UPDATE_NOT_ALLOWED: listed(400),
  ERROR_CODE_INVALID_REQUEST_BODY: listed(400),
  ERROR_CODE_INVALID_FIELD: listed(400),
  ERROR_CODE_REQUIRED_FIELD_MISSING: listed(400),
  ERROR_CODE_MAX_ALLOWED_LENGTH_EXCEEDED: listed(400),
  ERROR_CODE_MIN_ALLOWED_LENGTH_NOT_MET: listed(400),
  ERROR_CODE_INVALID_AMOUNT: listed(400),
  ERROR_CODE_INVALID_ARGUMENT: listed(400, UNDECIDED),
  ERROR_CODE_INDEX_NOT_PRESENT_ON_FIELD: listed(400, 'Every documented filter works here.'),
  ERROR_CODE_MISSING_REQUIRED_FILTER: listed(400, 'No list here requires a filter.'),
  ERROR_CODE_INTERNAL_ERROR: listed(500),
  ERROR_CODE_DB_ERROR: listed(500, INTERNAL),
  ERROR_CODE_REDIS_ERROR: listed(500, INTERNAL),
  ERROR_CODE_IDEMPOTENCY_ERROR: listed(500, INTERNAL),
  ERROR_CODE_IDEMPOTENCY_BAD_REQUEST: listed(400),
  ERROR_CODE_IDEMPOTENCY_KEY_CONFLICT: listed(409),
  ERROR_CODE_IDEMPOTENCY_KEY_LENGTH_EXCEEDED: listed(400),

  ERROR_CODE_ACCOUNT_CREATION_NOT_ALLOWED: listed(400),
  ERROR_CODE_ACCOUNT_STATUS_NOT_OPEN: listed(400),
  ERROR_CODE_CLIENT_NOT_ACTIVE: listed(400, NO_STATE),
  ERROR_CODE_MASTER_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE: listed(400, NO_STATE),
  ERROR_CODE_SUB_ACCOUNT_HOLDER_STATUS_NOT_ACTIVE: listed(400),
  ERROR_CODE_INSUFFICIENT_BALANCE: listed(400),
  ERROR_CODE_TRANSFER_DAILY_LIMIT_EXCEEDED: listed(400),
  ERROR_CODE_TRANSFER_MONTHLY_LIMIT_EXCEEDED: listed(400),
  ERROR_CODE_FORM_FACTOR_NOT_ENABLED: listed(400),
  ERROR_CODE_HOLD_BALANCE_ERROR: listed(400, UNDECIDED),
  ERROR_CODE_TRANSACTION_RECONCILED: listed(400),
  ERROR_CODE_TRANSACTION_REVERSAL_NOT_ALLOWED: listed(400),
  ERROR_CODE_RECON_TRANSACTION_NOT_CAPTURED: listed(
    400,
    'The API of v2 has no operation on reconciliations.',
  ),

  ERROR_CODE_CARD_ISSUANCE_PRODUCT_DISABLED: listed(400),
  ERROR_CODE_CARD_ISSUANCE_PRODUCT_LIMIT_EXCEEDED: listed(400),
  ERROR_CODE_CARD_ISSUANCE_INVALID_THEME_FOR_PRODUCT: listed(
    400,
    'Every theme is accepted here with every product.',
  ),
  ERROR_CODE_CARD_ISSUANCE_CARDHOLDER_NOT_ACTIVE: listed(400),
  ERROR_CODE_INVALID_CARD_REPLACE_REASON: listed(400),
  ERROR_CODE_CARD_REPLACEMENT_NOT_ALLOWED_FOR_STATUS: listed(400),
  ERROR_CODE_CARD_REPLACEMENT_INTERVAL_VIOLATION: listed(400),
  ERROR_CODE_CARD_UPDATE_NOT_ALLOWED: listed(400),
  ERROR_CODE_CARD_UPDATE_NOT_ALLOWED_FOR_STATUS: listed(400),
  ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED: listed(400),
  ERROR_CODE_CARD_ACTIVATION_NOT_ALLOWED_FOR_STATUS: listed(400),
  ERROR_CODE_CARD_INCORRECT_DETAILS: listed(400),
  ERROR_CODE_CARD_SET_PIN_NOT_ALLOWED: listed(400),
  ERROR_CODE_CARD_PROVISIONING_NOT_ALLOWED: listed(400),
  ERROR_CODE_CARD_PROGRAM_DUPLICATE_THEME: listed(400, NO_PROGRAMS),
  ERROR_CODE_CARD_PROGRAM_SUBBIN_ALREADY_USED: listed(400, NO_PROGRAMS),
  ERROR_CODE_CARD_PROGRAM_IMAGE_ALREADY_USED: listed(400, NO_PROGRAMS),

  ERROR_CODE_INVALID_PHONE: onPage(400),
  EC_QLDB_OCC_ERROR_RETRY: onPage(409, 'Requests that change the same record run one after the other here.'),

  ERROR_CODE_FORBIDDEN: ours(403),
  ERROR_CODE_METHOD_NOT_ALLOWED: ours(405),
  ERROR_CODE_REQUEST_TIMEOUT: ours(408),
  ERROR_CODE_RESOURCE_GONE: ours(410),
  ERROR_CODE_REQUEST_TOO_LARGE: ours(413),
  ERROR_CODE_UNSUPPORTED_MEDIA_TYPE: ours(415),
  ERROR_CODE_HEADERS_TOO_LARGE: ours(431),
  ERROR_CODE_NOT_IMPLEMENTED: ours(501),
  ERROR_CODE_SERVICE_UNAVAILABLE: ours(503),
} as const satisfies Record<string, V2CodeRow>;

/** A code in the error body of v2. */
export type V2Code = keyof typeof V2_CODES;
