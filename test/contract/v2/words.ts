/**
 * The enum values that clients of v2 send. Source: the enums in the request fields of the platform's v2 reference.
 */
import { readSent, type SentRow } from '../words.ts';

const ENTITIES =
  'sole_proprietor|single_member_llc|limited_liability_company|general_partnership|unlisted_corporation|publicly_traded_corporation|association|non_profit|government_organization|revocable_trust|irrevocable_trust|estate|professional_association|limited_partnership|limited_liability_partnership|professional_corporation';
const BANK_ACCOUNTS = 'business_checking|business_savings|personal_checking|personal_savings';
const PERIODS = 'daily|weekly|monthly|yearly|all_time|per_transaction';
const HOLDER_REQUESTS =
  'open>activated|closed>deactivated|credit_blocked>suspended|debit_blocked>suspended|blocked>suspended|locked=400|activated|suspended|deactivated';
const NAMED = 'pending_activation=400|activated|suspended|deactivated';

export const SENT_V2: readonly SentRow[] = readSent(`
  POST  /v2/accounts/sub_account_holder                 type                          person|business =
  POST  /v2/accounts/sub_account_holder                 person.id_type                ssn|passport|other =
  POST  /v2/accounts/sub_account_holder                 verification.status           pass|fail person.kyc.status
  POST  /v2/accounts/sub_account_holder                 business.entity_type          ${ENTITIES} =
  POST  /v2/accounts/sub_account_holder                 business.id_type              ein|other =
  POST  /v2/accounts/sub_account_holder                 business.members.0.id_type    ssn|passport|other =
  POST  /v2/accounts/sub_account_holder                 business.members.0.control_person true|false =
  PATCH /v2/accounts/sub_account_holder/{sub_account_holder_id} status                ${HOLDER_REQUESTS} = : holder-status-changes
  PATCH /v2/accounts/sub_account_holder/{sub_account_holder_id} person.id_type        ssn|passport|other =
  POST  /v2/accounts/sub_account                        type                          cash|prepaid|checking =
  PATCH /v2/accounts/sub_account/{sub_account_id}       status                        open|closed|credit_blocked|debit_blocked|blocked =
  GET   /v2/accounts/sub_account                        status                        pending_activation|activated|suspended|deactivated|open|closed|credit_blocked|debit_blocked|blocked|locked -
  GET   /v2/accounts/master_account                     status                        open|closed|credit_blocked|debit_blocked|blocked|locked -
  POST  /v2/payments/counterparty                       type                          person|business =
  POST  /v2/payments/counterparty                       ach.account_type              ${BANK_ACCOUNTS} =
  POST  /v2/payments/counterparty                       ach.verification_status       pass|fail>review|review = : bank-account-verification
  POST  /v2/payments/counterparty                       domestic_wire.account_type    ${BANK_ACCOUNTS} =
  POST  /v2/payments/counterparty                       rtp.account_type              ${BANK_ACCOUNTS} =
  POST  /v2/payments/counterparty                       fednow.account_type           ${BANK_ACCOUNTS} =
  PATCH /v2/payments/counterparty/{counterparty_id}     status                        ${NAMED} = : card-holder-status
  GET   /v2/payments/counterparty                       status                        pending_activation|activated|suspended|deactivated -
  GET   /v2/payments/counterparty/bank                  type                          aba|swift =
  POST  /v2/issuing/card_holder                         person.id_type                ssn|passport|other =
  PATCH /v2/issuing/card_holder/{card_holder_id}        status                        ${NAMED} = : card-holder-status
  POST  /v2/issuing/card                                type                          physical|virtual =
  POST  /v2/issuing/card                                product                       business_spend|consumer_debit|business_debit|consumer_gpr|consumer_gpnr|consumer_payroll|consumer_hsa|consumer_fsa|consumer_govt_benefits =
  POST  /v2/issuing/card                                controls.limit.period         ${PERIODS} =
  POST  /v2/issuing/card                                controls.atm_enabled          true|false =
  PATCH /v2/issuing/card/{card_id}                      status                        open|closed|blocked =
  PATCH /v2/issuing/card/{card_id}                      controls.limit.period         ${PERIODS} =
  POST  /v2/issuing/card/{card_id}/replace              reason                        lost|stolen|damaged|expired -
  POST  /v2/issuing/card/{card_id}/provision            wallet                        apple_pay|google_pay|samsung_pay =
  GET   /v2/payments/transaction                        ledger_type                   master_account|sub_account -
  POST  /v2/payments/ach/push                           same_day                      true|false ach.same_day
  POST  /v2/payments/ach/pull                           same_day                      true|false ach.same_day
  POST  /v2/simulate/incoming/card_issuing              type                          auth|adjust=400|reverse=400|refund=400 = : they need a parent, and a status that goes with them
  POST  /v2/simulate/incoming/card_issuing              status                        pending|settled =
`);
