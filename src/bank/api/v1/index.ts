/**
 * All operations of v1, by resource in the order of the platform's reference. The server serves them, and the OpenAPI
 * document is generated from them.
 */
import type { AnyOperation } from '../operation.ts';
import { ACCOUNT_OPERATIONS } from './accounts/operations.ts';
import { ATM_OPERATIONS } from './atms.ts';
import { AUTH_OPERATIONS } from './auth.ts';
import { BUSINESS_OPERATIONS } from './businesses/operations.ts';
import { DECLINED_OPERATIONS } from './cards/declined.ts';
import { CARD_OPERATIONS } from './cards/operations.ts';
import { CARD_VAULT_OPERATIONS } from './cards/vault.ts';
import { CONTACT_OPERATIONS } from './contacts/operations.ts';
import { DOCUMENT_OPERATIONS } from './documents.ts';
import { FAMILY_OPERATIONS } from './families.ts';
import { MEMBER_OPERATIONS } from './members.ts';
import { PERSON_OPERATIONS } from './persons.ts';
import { PLAID_OPERATIONS } from './plaid.ts';
import { PROGRAM_OPERATIONS } from './program.ts';
import { SIMULATION_OPERATIONS } from './simulations.ts';
import { STATEMENT_OPERATIONS } from './statements.ts';
import { TRANSACTION_OPERATIONS } from './transactions/operations.ts';
import { TRANSFER_OPERATIONS } from './transfers/operations.ts';
import { WALLET_OPERATIONS } from './wallets.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const LIST = [
  ...AUTH_OPERATIONS,
  ...PERSON_OPERATIONS,
  ...BUSINESS_OPERATIONS,
  ...FAMILY_OPERATIONS,
  ...MEMBER_OPERATIONS,
  ...DOCUMENT_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...STATEMENT_OPERATIONS,
  ...CONTACT_OPERATIONS,
  ...PLAID_OPERATIONS,
  ...WALLET_OPERATIONS,
  ...CARD_OPERATIONS,
  ...DECLINED_OPERATIONS,
  ...CARD_VAULT_OPERATIONS,
  ...ATM_OPERATIONS,
  ...TRANSFER_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...SIMULATION_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...PROGRAM_OPERATIONS,
] as const;

export const V1_OPERATIONS: readonly AnyOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type V1Operations = typeof LIST;
