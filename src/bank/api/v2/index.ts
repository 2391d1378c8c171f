/**
 * The table of contents of v2: its resources in the order of the platform's reference, each with the table of its
 * operations. The server serves them, and the OpenAPI document is generated from them.
 */
import type { AnyOperation } from '../operation.ts';
import { ACCOUNT_OPERATIONS } from './accounts.ts';
import { ATTACHMENT_OPERATIONS } from './attachments.ts';
import { CARD_HOLDER_OPERATIONS } from './card-holders.ts';
import { CARD_OPERATIONS } from './cards/operations.ts';
import { CARD_VAULT_OPERATIONS } from './cards/vault.ts';
import { COUNTERPARTY_OPERATIONS } from './counterparties/operations.ts';
import { HOLDER_OPERATIONS } from './holders.ts';
import { PAYMENT_OPERATIONS } from './payments.ts';
import { SIMULATION_OPERATIONS } from './simulations.ts';
import { TRANSACTION_OPERATIONS } from './transactions/operations.ts';
import { WEBHOOK_OPERATIONS } from './webhooks.ts';

const LIST = [
  ...ACCOUNT_OPERATIONS,
  ...HOLDER_OPERATIONS,
  ...COUNTERPARTY_OPERATIONS,
  ...CARD_HOLDER_OPERATIONS,
  ...CARD_OPERATIONS,
  ...CARD_VAULT_OPERATIONS,
  ...TRANSACTION_OPERATIONS,
  ...PAYMENT_OPERATIONS,
  ...ATTACHMENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...SIMULATION_OPERATIONS,
] as const;

export const V2_OPERATIONS: readonly AnyOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type V2Operations = typeof LIST;
