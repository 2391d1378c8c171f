/**
 * The fields of every record, copied by hand from the tables of the platform's description and not from our shapes, so
 * that a shape which forgets a field is found out. A path goes through objects by dots and through every item of a list
 * by `[]`; what lies below an object that is `null` is not asked for.
 */

const prefixed = (prefix: string, fields: readonly string[]): string[] =>
  fields.map((field) => `${prefix}.${field}`);

const ADDRESS = ['line1', 'line2', 'city', 'state', 'country', 'postal_code'];
const DETAIL_OF_KYC = ['name', 'address', 'dob', 'ssn', 'phone', 'email', 'watchlist', 'fraud'].flatMap(
  (detail) => [`details.${detail}.status`, `details.${detail}.reasons`],
);
const DETAIL_OF_KYB = ['name', 'address', 'watchlist', 'fraud'].flatMap((detail) => [
  `details.${detail}.status`,
  `details.${detail}.reason`,
]);
const KYC = ['id', 'status', 'method', 'url', ...DETAIL_OF_KYC];
const KYB = ['id', 'status', 'method', 'url', ...DETAIL_OF_KYB];
const IDV = ['id', 'status', 'method', 'url', 'reasons'];

/** Sub account holder (v2), whatever its type. */
const HOLDER = [
  'id',
  'client_id',
  'master_account_holder_id',
  'master_account_id',
  'type',
  'person',
  'business',
  'ofac.status',
  'ofac.last_updated_at',
  'external_reference_id',
  'purpose',
  'attachments',
  'metadata',
  'status',
  'timestamps.created_at',
  'timestamps.updated_at',
  'timestamps.deactivated_at',
];

/** Sub account holder (v2) of type person. */
export const PERSON_HOLDER = [
  ...HOLDER,
  ...prefixed('person', [
    'first_name',
    'last_name',
    'id_type',
    'id_number',
    'date_of_birth',
    'phone',
    'email',
    ...prefixed('address', ADDRESS),
    ...prefixed('kyc', KYC),
    ...prefixed('idv', IDV),
  ]),
];

/** Sub account holder (v2) of type business, with its members. */
export const BUSINESS_HOLDER = [
  ...HOLDER,
  ...prefixed('business', [
    'legal_name',
    'dba',
    'entity_type',
    'id_type',
    'id_number',
    'phone',
    'email',
    'formation_date',
    ...prefixed('address', ADDRESS),
    ...prefixed('kyb', KYB),
    ...prefixed('members[]', [
      'id',
      'first_name',
      'middle_name',
      'last_name',
      'id_type',
      'id_number',
      'date_of_birth',
      'phone',
      'email',
      ...prefixed('address', ADDRESS),
      ...prefixed('kyc', KYC),
      ...prefixed('idv', IDV),
      'ownership',
      'designation',
      'title',
      'control_person',
    ]),
  ]),
];

/** Card (v2). Its holder's id has two spellings. */
export const CARD = [
  'id',
  'client_id',
  'master_account_holder_id',
  'master_account_id',
  'sub_account_holder_id',
  'sub_account_id',
  'cardholder_id',
  'card_holder_id',
  'label',
  'product',
  'theme',
  'type',
  'expiry_month',
  'expiry_year',
  'last4',
  'card_fulfilment',
  ...prefixed('card_fulfilment', [
    'embossing.card_holder_name',
    'embossing.business_name',
    ...prefixed('shipping_address', ADDRESS),
    ...prefixed('tracking', ['status', 'eta', 'number', 'url', 'provider']),
  ]),
  ...['allowed', 'blocked'].flatMap((list) =>
    prefixed(`controls.${list}`, ['merchants', 'categories', 'countries']),
  ),
  ...prefixed('controls.limit', [
    'period',
    'max_spend_amount',
    'max_spend_per_transaction',
    'max_spend_count',
  ]),
  'controls.atm_enabled',
  'external_reference_id',
  'attachments',
  'metadata',
  'status',
  'timestamps.created_at',
  'timestamps.updated_at',
  'timestamps.closed_at',
];

/** Transaction (v2). */
export const TRANSACTION = [
  'id',
  'client_id',
  'master_account_holder_id',
  'master_account_id',
  'sub_account_holder_id',
  'sub_account_id',
  'status',
  'amount',
  'currency',
  'direction',
  'method',
  'type',
  'message',
  'description',
  'available_balance',
  'pending_credits',
  'pending_debits',
  'counterparty',
  ...prefixed('counterparty', [
    'id',
    'name',
    'verification_status',
    'account_number',
    'routing_number',
    'account_type',
    'bank_name',
    'beneficiary_bank',
    'correspondent_bank',
    'shipping_address',
  ]),
  'ach',
  ...prefixed('ach', [
    'effective_date',
    'company_discretionary_data',
    'company_entry_description',
    'trace_number',
    'return_code',
    'rta_id',
  ]),
  'domestic_wire',
  'international_wire',
  'rtp',
  'fednow',
  'check',
  'card',
  ...prefixed('card', [
    'id',
    'cardholder_id',
    'merchant',
    'auth_method',
    'wallet',
    'rta_id',
    'local_transaction.amount',
    'local_transaction.currency',
    'local_transaction.conversion_rate',
    'available_limit',
    'available_limit.period',
    'available_limit.max_spend_amount',
  ]),
  'parent_transaction_id',
  'external_reference_id',
  'purpose',
  'ofac.status',
  'ofac.last_updated_at',
  'attachments',
  'metadata',
  'reconciliation.status',
  'reconciliation.master_account',
  'reconciliation.sub_account',
  ...prefixed('reconciliation.master_account[]', ['id', 'transaction_id', 'amount']),
  ...prefixed('reconciliation.sub_account[]', ['id', 'transaction_id', 'amount']),
  'timestamps.created_at',
  'timestamps.updated_at',
  'timestamps.settled_at',
];

/** Sub account (v2). */
export const SUB_ACCOUNT = [
  'id',
  'client_id',
  'master_account_holder_id',
  'master_account_id',
  'sub_account_holder_id',
  'sub_account_holder_name',
  'label',
  'type',
  'account_number',
  'routing_number',
  'sponsor_bank',
  'available_balance',
  'pending_credits',
  'pending_debits',
  'currency',
  'external_reference_id',
  'purpose',
  'attachments',
  'metadata',
  'status',
  'timestamps.created_at',
  'timestamps.updated_at',
  'timestamps.closed_at',
];

/** Webhook (v2), without the secret that only its creation shows. */
export const WEBHOOK_V2 = [
  'id',
  'client_id',
  'description',
  'url',
  'events',
  'status',
  'timestamps.created_at',
  'timestamps.updated_at',
  'timestamps.deleted_at',
];

const ADDRESS_V1 = ['addressType', 'line1', 'line2', 'city', 'state', 'country', 'postalCode'];
const BANK_ACCOUNT_V1 = ['accountNumber', 'accountType', 'bankName', 'last4', 'routingNumber'];

/** Contact (v1). */
export const CONTACT = [
  'id',
  'accountId',
  'programId',
  'name',
  'label',
  'email',
  'phone',
  'type',
  'status',
  'metadata',
  'createdAt',
  'modifiedAt',
  'ach',
  ...prefixed('ach', [...BANK_ACCOUNT_V1, 'verified']),
  'card',
  ...prefixed('card.address', ADDRESS_V1),
  'check',
  ...prefixed('check.address', ADDRESS_V1),
  'wire',
  'wire.domestic',
  ...prefixed('wire.domestic', [...BANK_ACCOUNT_V1, 'address']),
  'wire.international',
  ...prefixed('wire.international', [
    'accountNumber',
    'accountType',
    'bankIdentifierCode',
    'bankIdentifierType',
    'beneficiaryAddress',
    'beneficiaryBank',
    'beneficiaryBankAddress',
    'correspondentBank',
    'correspondentBankAddress',
    'correspondentBankIdentifierCode',
  ]),
  'intrabank',
  'intrabank.accountId',
  'intrabank.accountNumber',
  'crossBorder',
  'debitCard',
];

/** Transfer (v1). */
export const TRANSFER = [
  'id',
  'accountId',
  'contactId',
  'accountNumber',
  'accountType',
  'routingNumber',
  'bankName',
  'name',
  'amount',
  'description',
  'status',
  'transferType',
  'transferSubType',
  'txnType',
  'type',
  'title',
  'attachment',
  'bin',
  'iban',
  'destinationAmount',
  'destinationCurrency',
  'fallbackTransferId',
  'parentTransferId',
  'purposeCode',
  'reviewCode',
  'reviewMessage',
  'valid',
  'createdAt',
  'modifiedAt',
  'transferredAt',
  ...prefixed('address', ADDRESS_V1),
  'card',
  'metadata',
];

/** Document (v1). */
export const DOCUMENT = [
  'id',
  'personId',
  'name',
  'description',
  'docType',
  'documentNumber',
  'expirationDate',
  'issuingCountry',
  'issuingState',
  'status',
  'url',
  'createdAt',
  'modifiedAt',
];

/** Webhook (v1). */
export const WEBHOOK_V1 = [
  'id',
  'programId',
  'url',
  'description',
  'status',
  'events',
  'createdAt',
  'modifiedAt',
];

/** The answer of the card test (v1). */
export const CARD_TEST = ['declineReason', 'status'];

/** Account (v1). */
export const ACCOUNT_V1 = [
  'id',
  'businessId',
  'familyId',
  'label',
  'routingNumber',
  'accountNumber',
  'status',
  'type',
  'programId',
  'isVerified',
  'verifiedAt',
  'acceptedTerms',
  'interest',
  'fees',
  'currency',
  'availableBalance',
  'pendingDebit',
  'pendingCredit',
  'sponsorBankName',
  'createdPersonId',
  'accountInterestFrequency',
  'metadata',
  'config.card.virtual.enabled',
  'config.card.physical.enabled',
  'config.send.ach.sameDay',
  'config.receive.ach.sameDay',
  'config.limits.send.daily',
  'config.limits.receive.monthly',
  'config.fallback.received',
  'config.incoming.achPull.enabled',
  'createdAt',
  'modifiedAt',
];

/** Transaction (v1), as the events of payments carry it. */
export const TRANSACTION_V1 = [
  'id',
  'accountId',
  'businessId',
  'familyId',
  'personId',
  'programId',
  'txnType',
  'title',
  'amount',
  'currency',
  'transferType',
  'subType',
  'description',
  'balance',
  'status',
  'intrabank',
  'ach',
  ...prefixed('ach', [
    'transferId',
    'contactId',
    'name',
    'routingNumber',
    'type',
    'bankName',
    'traceNumber',
    'authId',
  ]),
  'card',
  ...prefixed('card', [
    'id',
    'transferId',
    'label',
    ...prefixed('merchant', [
      'merchantName',
      'merchantCity',
      'merchantState',
      'merchantCountry',
      'postalCode',
      'merchantCategory',
      'merchantCategoryCode',
      'merchantId',
    ]),
    'authMethod',
    'wallet',
    'authId',
    'localTransactionAmount',
    'localTransactionCurrency',
    'currencyConversionRate',
    'rewardAmount',
    'isCaptured',
    'capturedAt',
    'disputeStatus',
    'availableLimit',
    'pinVerified',
  ]),
  'domesticWire',
  'internationalWire',
  'physicalCheck',
  'digitalCheck',
  'debitCard',
  'solidCard',
  'crossBorder',
  'buy',
  'sell',
  'enrichedData',
  'initiatedByPersonName',
  'parentTxnId',
  'parentTransferId',
  'fallbackTxnId',
  'fallbackTransferId',
  'reviewCode',
  'reviewMessage',
  'metadata',
  'createdAt',
  'modifiedAt',
  'txnDate',
];

/** Of the named fields, those that a record has not. */
export function missingFields(record: unknown, fields: readonly string[]): string[] {
  return fields.filter((field) => !has(record, field.replaceAll('[]', '.[]').split('.')));
}

function has(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (value === null) return true;
  if (step === '[]') return Array.isArray(value) && value.every((item) => has(item, rest));
  if (typeof value !== 'object') return false;
  return Object.hasOwn(value, step) && has((value as Record<string, unknown>)[step], rest);
}
