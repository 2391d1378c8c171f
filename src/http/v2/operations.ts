/**
 * The operations of v2 that this bank has, in the order of the platform's reference. The plugin mounts them and the
 * OpenAPI document is printed from them; those that it has not are in `documented.ts`.
 */
import type { AnyOperation } from '../operation.ts';
import { activateCard } from './routes/activate-card.ts';
import { createAttachment } from './routes/create-attachment.ts';
import { createCard } from './routes/create-card.ts';
import { createCardHolder } from './routes/create-card-holder.ts';
import { createCounterparty } from './routes/create-counterparty.ts';
import { createSetPinToken } from './routes/create-set-pin-token.ts';
import { createShowToken } from './routes/create-show-token.ts';
import { createSubAccount } from './routes/create-sub-account.ts';
import { createSubAccountHolder } from './routes/create-sub-account-holder.ts';
import { createWebhook } from './routes/create-webhook.ts';
import { deleteAttachment } from './routes/delete-attachment.ts';
import { deleteWebhook } from './routes/delete-webhook.ts';
import { depositCheck } from './routes/deposit-check.ts';
import { listAttachments } from './routes/list-attachments.ts';
import { listCardHolders } from './routes/list-card-holders.ts';
import { listCards } from './routes/list-cards.ts';
import { listCounterparties } from './routes/list-counterparties.ts';
import { listMasterAccounts } from './routes/list-master-accounts.ts';
import { listSubAccountHolders } from './routes/list-sub-account-holders.ts';
import { listSubAccounts } from './routes/list-sub-accounts.ts';
import { listTransactions } from './routes/list-transactions.ts';
import { listWebhookEvents } from './routes/list-webhook-events.ts';
import { listWebhooks } from './routes/list-webhooks.ts';
import { originateAchPull } from './routes/originate-ach-pull.ts';
import { originateAchPush } from './routes/originate-ach-push.ts';
import { originateDebitCardPull } from './routes/originate-debit-card-pull.ts';
import { originateDebitCardPush } from './routes/originate-debit-card-push.ts';
import { originateDomesticWire } from './routes/originate-domestic-wire.ts';
import { originateFednowPush } from './routes/originate-fednow-push.ts';
import { originateInternationalWire } from './routes/originate-international-wire.ts';
import { originateIntraAccountPull } from './routes/originate-intra-account-pull.ts';
import { originateIntraAccountPush } from './routes/originate-intra-account-push.ts';
import { originateRtpPush } from './routes/originate-rtp-push.ts';
import { provisionCard } from './routes/provision-card.ts';
import { replaceCard } from './routes/replace-card.ts';
import { retrieveAttachment } from './routes/retrieve-attachment.ts';
import { retrieveBankInfo } from './routes/retrieve-bank-info.ts';
import { retrieveCard } from './routes/retrieve-card.ts';
import { retrieveCardHolder } from './routes/retrieve-card-holder.ts';
import { retrieveCounterparty } from './routes/retrieve-counterparty.ts';
import { retrieveMasterAccount } from './routes/retrieve-master-account.ts';
import { retrieveSubAccount } from './routes/retrieve-sub-account.ts';
import { retrieveSubAccountHolder } from './routes/retrieve-sub-account-holder.ts';
import { retrieveTransaction } from './routes/retrieve-transaction.ts';
import { retrieveWebhook } from './routes/retrieve-webhook.ts';
import { sendCheck } from './routes/send-check.ts';
import { showCard } from './routes/show-card.ts';
import { simulateAchPull } from './routes/simulate-ach-pull.ts';
import { simulateAchPush } from './routes/simulate-ach-push.ts';
import { simulateCard } from './routes/simulate-card.ts';
import { simulateDomesticWire } from './routes/simulate-domestic-wire.ts';
import { simulateInternationalWire } from './routes/simulate-international-wire.ts';
import { subLedgerTransaction } from './routes/sub-ledger-transaction.ts';
import { submitIdv } from './routes/submit-idv.ts';
import { submitKyb } from './routes/submit-kyb.ts';
import { submitKyc } from './routes/submit-kyc.ts';
import { updateCard } from './routes/update-card.ts';
import { updateCardHolder } from './routes/update-card-holder.ts';
import { updateCounterparty } from './routes/update-counterparty.ts';
import { updateSubAccount } from './routes/update-sub-account.ts';
import { updateSubAccountHolder } from './routes/update-sub-account-holder.ts';
import { updateTransaction } from './routes/update-transaction.ts';
import { setDebitCard, setPin, showCardV1, updateDebitCard } from './routes/vault.ts';

const LIST = [
  listMasterAccounts,
  retrieveMasterAccount,
  createSubAccountHolder,
  listSubAccountHolders,
  retrieveSubAccountHolder,
  updateSubAccountHolder,
  submitKyc,
  submitKyb,
  submitIdv,
  createSubAccount,
  listSubAccounts,
  retrieveSubAccount,
  updateSubAccount,
  createCounterparty,
  listCounterparties,
  retrieveBankInfo,
  retrieveCounterparty,
  updateCounterparty,
  createCardHolder,
  listCardHolders,
  retrieveCardHolder,
  updateCardHolder,
  createCard,
  listCards,
  retrieveCard,
  updateCard,
  activateCard,
  provisionCard,
  replaceCard,
  createSetPinToken,
  createShowToken,
  showCard,
  showCardV1,
  setPin,
  updateDebitCard,
  setDebitCard,
  subLedgerTransaction,
  listTransactions,
  retrieveTransaction,
  updateTransaction,
  originateIntraAccountPush,
  originateIntraAccountPull,
  originateAchPush,
  originateAchPull,
  originateDomesticWire,
  originateInternationalWire,
  originateRtpPush,
  originateFednowPush,
  originateDebitCardPush,
  originateDebitCardPull,
  sendCheck,
  depositCheck,
  createAttachment,
  listAttachments,
  retrieveAttachment,
  deleteAttachment,
  createWebhook,
  listWebhooks,
  listWebhookEvents,
  retrieveWebhook,
  deleteWebhook,
  simulateAchPush,
  simulateAchPull,
  simulateDomesticWire,
  simulateInternationalWire,
  simulateCard,
] as const;

export const V2_OPERATIONS: readonly AnyOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type V2Operations = typeof LIST;
