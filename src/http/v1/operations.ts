/**
 * The operations of v1 that are emulated. The plugin of the dialect makes a route of each, and the OpenAPI document is
 * printed from the same list; what the platform documents beyond them is in `documented.ts`.
 */
import type { AnyOperation } from '../operation.ts';
import { activateCard } from './routes/activate-card.ts';
import { cancelCard } from './routes/cancel-card.ts';
import { createAccount } from './routes/create-account.ts';
import { createBusiness } from './routes/create-business.ts';
import { createCard } from './routes/create-card.ts';
import { createContact } from './routes/create-contact.ts';
import { createDebitCardToken } from './routes/create-debit-card-token.ts';
import { createBusinessDocument, createPersonDocument } from './routes/create-document.ts';
import { createFamily } from './routes/create-family.ts';
import { createIntrabankBatch } from './routes/create-intrabank-batch.ts';
import { createMember, createOwner } from './routes/create-member.ts';
import { createPerson } from './routes/create-person.ts';
import { createPinToken } from './routes/create-pin-token.ts';
import { createShowToken, createShowTokenOlder } from './routes/create-show-token.ts';
import { createWebhook } from './routes/create-webhook.ts';
import { deleteContact } from './routes/delete-contact.ts';
import { deleteWebhook } from './routes/delete-webhook.ts';
import { generateDisclosure } from './routes/generate-disclosure.ts';
import { listAccounts } from './routes/list-accounts.ts';
import { listAtms } from './routes/list-atms.ts';
import { listBusinesses, listProgramBusinesses } from './routes/list-businesses.ts';
import { listCards, listProgramCards } from './routes/list-cards.ts';
import { listContacts, listProgramContacts } from './routes/list-contacts.ts';
import { listDeclined } from './routes/list-declined.ts';
import { listBusinessDocuments, listPersonDocuments } from './routes/list-documents.ts';
import { listFamilies, listProgramFamilies } from './routes/list-families.ts';
import { listMembers, listOwners, listProgramMembers } from './routes/list-members.ts';
import { listNaicsCodes } from './routes/list-naics-codes.ts';
import { listPersons } from './routes/list-persons.ts';
import { listProgramAccounts } from './routes/list-program-accounts.ts';
import { listProgramPersons } from './routes/list-program-persons.ts';
import { listProgramTransfers } from './routes/list-program-transfers.ts';
import { listStatements } from './routes/list-statements.ts';
import { listProgramTransactions, listTransactions } from './routes/list-transactions.ts';
import { listWebhookEvents } from './routes/list-webhook-events.ts';
import { listWebhooks } from './routes/list-webhooks.ts';
import { provisionCard } from './routes/provision-card.ts';
import { replaceCard } from './routes/replace-card.ts';
import { retrieveAccount } from './routes/retrieve-account.ts';
import { retrieveBank } from './routes/retrieve-bank.ts';
import { retrieveBusiness } from './routes/retrieve-business.ts';
import { retrieveCard } from './routes/retrieve-card.ts';
import { retrieveContact } from './routes/retrieve-contact.ts';
import { retrieveDisclosure } from './routes/retrieve-disclosure.ts';
import { retrieveBusinessDocument, retrievePersonDocument } from './routes/retrieve-document.ts';
import { retrieveFamily } from './routes/retrieve-family.ts';
import { retrieveKyb } from './routes/retrieve-kyb.ts';
import { retrieveMember, retrieveOwner } from './routes/retrieve-member.ts';
import { retrievePerson } from './routes/retrieve-person.ts';
import { retrievePersonKyc } from './routes/retrieve-person-kyc.ts';
import { retrieveProgram } from './routes/retrieve-program.ts';
import { retrieveProjection } from './routes/retrieve-projection.ts';
import { retrieveStatement } from './routes/retrieve-statement.ts';
import { retrieveTransaction } from './routes/retrieve-transaction.ts';
import { retrieveWebhook } from './routes/retrieve-webhook.ts';
import { retrieveWebhookSecret } from './routes/retrieve-webhook-secret.ts';
import { setDebitCard, updateDebitCard } from './routes/set-debit-card.ts';
import { setPin } from './routes/set-pin.ts';
import { showCard } from './routes/show-card.ts';
import { submitKyb } from './routes/submit-kyb.ts';
import { submitPersonIdv } from './routes/submit-person-idv.ts';
import { submitPersonKyc } from './routes/submit-person-kyc.ts';
import { testAch } from './routes/test-ach.ts';
import { testCard } from './routes/test-card.ts';
import { TRANSFERS } from './routes/transfers.ts';
import { updateAccount } from './routes/update-account.ts';
import { updateBusiness } from './routes/update-business.ts';
import { updateCard } from './routes/update-card.ts';
import { updateContact } from './routes/update-contact.ts';
import { updateBusinessDocument, updatePersonDocument } from './routes/update-document.ts';
import { updateFamily } from './routes/update-family.ts';
import { updateMember, updateOwner } from './routes/update-member.ts';
import { updatePerson } from './routes/update-person.ts';
import { updateProjection } from './routes/update-projection.ts';
import { updateWebhook } from './routes/update-webhook.ts';
import { uploadCheckImages } from './routes/upload-check-images.ts';

const LIST = [
  createPerson,
  listPersons,
  retrievePerson,
  updatePerson,
  submitPersonKyc,
  retrievePersonKyc,
  submitPersonIdv,
  listProgramPersons,
  createBusiness,
  listBusinesses,
  listNaicsCodes,
  retrieveBusiness,
  updateBusiness,
  submitKyb,
  retrieveKyb,
  retrieveProjection,
  updateProjection,
  retrieveDisclosure,
  generateDisclosure,
  listProgramBusinesses,
  createFamily,
  listFamilies,
  retrieveFamily,
  updateFamily,
  listProgramFamilies,
  createMember,
  listMembers,
  retrieveMember,
  updateMember,
  listProgramMembers,
  createOwner,
  listOwners,
  retrieveOwner,
  updateOwner,
  createPersonDocument,
  listPersonDocuments,
  retrievePersonDocument,
  updatePersonDocument,
  createBusinessDocument,
  listBusinessDocuments,
  retrieveBusinessDocument,
  updateBusinessDocument,
  createAccount,
  listAccounts,
  retrieveAccount,
  updateAccount,
  listStatements,
  retrieveStatement,
  listProgramAccounts,
  createContact,
  listContacts,
  retrieveBank,
  retrieveContact,
  updateContact,
  deleteContact,
  createDebitCardToken,
  updateDebitCard,
  setDebitCard,
  listProgramContacts,
  createCard,
  listCards,
  listAtms,
  retrieveCard,
  updateCard,
  cancelCard,
  activateCard,
  replaceCard,
  listDeclined,
  createShowToken,
  createShowTokenOlder,
  showCard,
  createPinToken,
  setPin,
  provisionCard,
  listProgramCards,
  testCard,
  ...TRANSFERS,
  uploadCheckImages,
  createIntrabankBatch,
  listTransactions,
  retrieveTransaction,
  testAch,
  listProgramTransactions,
  listProgramTransfers,
  createWebhook,
  listWebhooks,
  listWebhookEvents,
  retrieveWebhook,
  retrieveWebhookSecret,
  updateWebhook,
  deleteWebhook,
  retrieveProgram,
] as const;

export const OPERATIONS: readonly AnyOperation[] = LIST;
/** The operations with their own shapes, for the types of the client. */
export type V1Operations = typeof LIST;
