/**
 * Determines which values are compared exactly, and which only by their form. A value that was sent in a request, an
 * enum value, a flag and an amount do not depend on the bank. A number or a name that a bank generates does.
 */

/** Fields whose values the bank generates, in any record. */
const OF_THE_BANK = new Set(
  `account_number accountNumber routing_number routingNumber sponsor_bank sponsorBank sponsorBankName bank_name bankName
  last4 expiry_month expiryMonth expiry_year expiryYear cvv card_number cardNumber pan pin trace_number traceNumber imad omad
  imadNumber omadNumber authorization_code authorizationCode retrieval_reference_number secret token access_token accessToken
  linkToken show_token showToken set_pin_token pintoken pinToken debitcardToken url uploadUrl downloadUrl file redirectUri
  signedAt trackingNumber trackingUrl number eta network_reference networkReference confirmation acquirerId transactionRef
  created_at createdAt updated_at updatedAt modifiedAt settledAt settled_at deactivated_at closed_at closedAt last_updated_at
  effective_date effectiveDate sub_account_number subAccountNumber check_number checkNumber payment_account_reference
  paymentAccountReference opaquePaymentCard activation_data activationData encrypted_pass_data encryptedPassData encryptedData
  ephemeral_public_key ephemeralPublicKey estimatedDeliveryDate expiresIn expiresAt expires_at`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Fields whose values depend on other records of the bank. */
const OF_THE_WHOLE: readonly { readonly operation: RegExp; readonly field: RegExp }[] = [
  { operation: /master_account/, field: /(available_balance|pending_(credits|debits)|label|purpose)$/ },
  { operation: /^retrieveProgram$/, field: /./ },
  { operation: /./, field: /(^|\.)(total|has_more|starting_after|ending_before)$/ },
];

/**
 * Fields whose values depend on the progress of payments for which the step has not waited. The platform settles at
 * its own pace, so these fields are compared only in the response that creates the record, and in scenarios with
 * `steady`.
 */
const OF_TIME: readonly { readonly operation: RegExp; readonly field: RegExp }[] = [
  {
    // A new account has no pending payments.
    operation: /^(?!createAccount$|v2_create_sub_account$)/,
    field:
      /(^|\.)(available_balance|availableBalance|pending_credits|pending_debits|pendingCredit|pendingDebit|balance)$/,
  },
  {
    operation:
      /^(v2_)?(list|retrieve|update|upload|originate|sub_ledger|simulate).*(transact|transfer|send|receive|check|originate)/i,
    field: /(^|\.)(status|transferredAt|txnDate|message|subType|transferSubType|title|tracking)(\.|$)/,
  },
  {
    operation: /^retrieveStatement$/,
    field: /^(transactions|closingBalance|totalCredit|totalDebit)(\.|\[|$)/,
  },
  {
    operation: /^(list|retrieve|update).*(person|business|member|owner|ky[bc])/i,
    field: /(^|\.)(status|results\..*|reviewCode|reviewMessage|reviewReasons\..*)$/,
  },
];

/** Whether a value depends on how much time has passed on a side. */
export function dependsOnTime(operation: string, field: string): boolean {
  return OF_TIME.some((row) => row.operation.test(operation) && row.field.test(field));
}

/** Whether two banks that behave the same may have different values here. */
export function dependsOnBank(operation: string, field: string): boolean {
  const name = field.split('.').at(-1)?.replaceAll('[]', '') ?? '';
  return (
    OF_THE_BANK.has(name) ||
    OF_THE_WHOLE.some((row) => row.operation.test(operation) && row.field.test(field))
  );
}

/** Fields with error codes; other fields of an error have texts that may differ between calls. */
const ERROR_CODES = /(^|\.)(code|sysMessage)$/;

/** Whether a field of a refusal is its code. */
export function isErrorCode(field: string): boolean {
  return ERROR_CODES.test(field);
}
