/**
 * The records of v2 by their names: `V2.Transaction`. Printed by node build/print-records.ts.
 */
import type { V2Methods } from './types.ts';

type Answer<Name extends keyof V2Methods> = Awaited<ReturnType<V2Methods[Name]>>;

export type Attachment = Answer<'retrieveAttachment'>;
export type AttachmentList = Answer<'listAttachments'>;
export type BankInfo = Answer<'retrieveBankInfo'>;
export type Card = Answer<'retrieveCard'>;
export type CardHolder = Answer<'retrieveCardHolder'>;
export type CardHolderList = Answer<'listCardHolders'>;
export type CardList = Answer<'listCards'>;
export type Counterparty = Answer<'retrieveCounterparty'>;
export type CounterpartyList = Answer<'listCounterparties'>;
export type MasterAccount = Answer<'retrieveMasterAccount'>;
export type MasterAccountList = Answer<'listMasterAccounts'>;
export type Provisioned = Answer<'provisionCard'>;
export type SetPinToken = Answer<'createSetPinToken'>;
export type ShowToken = Answer<'createShowToken'>;
export type ShownCard = Answer<'showCard'>;
export type SubAccount = Answer<'retrieveSubAccount'>;
export type SubAccountHolder = Answer<'retrieveSubAccountHolder'>;
export type SubAccountHolderList = Answer<'listSubAccountHolders'>;
export type SubAccountList = Answer<'listSubAccounts'>;
export type Transaction = Answer<'retrieveTransaction'>;
export type TransactionList = Answer<'listTransactions'>;
export type Webhook = Answer<'retrieveWebhook'>;
export type WebhookEventList = Answer<'listWebhookEvents'>;
export type WebhookList = Answer<'listWebhooks'>;
export type WebhookWithSecret = Answer<'createWebhook'>;
