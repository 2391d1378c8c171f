/**
 * The operations of v2 that this bank has, in the order of the platform's reference. The plugin mounts them and the
 * OpenAPI document is printed from them; those that it has not are in `documented.ts`.
 */
import type { AnyOperation } from '../operation.ts';
import { createSubAccountHolder } from './routes/create-sub-account-holder.ts';
import { createWebhook } from './routes/create-webhook.ts';
import { deleteWebhook } from './routes/delete-webhook.ts';
import { listWebhooks } from './routes/list-webhooks.ts';
import { originateAchPull } from './routes/originate-ach-pull.ts';
import { originateIntraAccountPull } from './routes/originate-intra-account-pull.ts';
import { retrieveCard } from './routes/retrieve-card.ts';
import { retrieveSubAccount } from './routes/retrieve-sub-account.ts';
import { retrieveSubAccountHolder } from './routes/retrieve-sub-account-holder.ts';
import { retrieveTransaction } from './routes/retrieve-transaction.ts';
import { retrieveWebhook } from './routes/retrieve-webhook.ts';
import { submitKyb } from './routes/submit-kyb.ts';
import { submitKyc } from './routes/submit-kyc.ts';
import { updateCard } from './routes/update-card.ts';

export const V2_OPERATIONS: readonly AnyOperation[] = [
  createSubAccountHolder,
  retrieveSubAccountHolder,
  submitKyc,
  submitKyb,
  retrieveSubAccount,
  retrieveCard,
  updateCard,
  retrieveTransaction,
  originateIntraAccountPull,
  originateAchPull,
  createWebhook,
  listWebhooks,
  retrieveWebhook,
  deleteWebhook,
];
