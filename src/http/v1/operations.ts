/**
 * The operations of v1 that are emulated. The plugin of the dialect makes a route of each, and the OpenAPI document is
 * printed from the same list; what the platform documents beyond them is in `documented.ts`.
 */
import type { AnyOperation } from '../operation.ts';
import { createPersonDocument } from './routes/create-person-document.ts';
import { createWebhook } from './routes/create-webhook.ts';
import { receiveAch } from './routes/receive-ach.ts';
import { retrieveAccount } from './routes/retrieve-account.ts';
import { retrieveWebhook } from './routes/retrieve-webhook.ts';
import { retrieveWebhookSecret } from './routes/retrieve-webhook-secret.ts';
import { testCard } from './routes/test-card.ts';
import { updateContact } from './routes/update-contact.ts';
import { updateWebhook } from './routes/update-webhook.ts';

export const OPERATIONS: readonly AnyOperation[] = [
  createPersonDocument,
  retrieveAccount,
  updateContact,
  testCard,
  receiveAch,
  createWebhook,
  retrieveWebhook,
  retrieveWebhookSecret,
  updateWebhook,
];
