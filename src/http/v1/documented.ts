/**
 * The operations that the platform documents for v1 and this server does not emulate yet. A call of one is answered
 * 501 in v1's error body, so that a client can tell "not here" from "no such thing". An operation that gets a route
 * file leaves this list; a test holds the two apart.
 * Source: the navigation and pages of the platform's v1 reference, and the paths that its public clients call; row 19
 * of docs/fidelity.md.
 */
import type { AnyOperation } from '../operation.ts';

/** An operation that is known by name only. */
export type DocumentedOperation = Pick<AnyOperation, 'method' | 'path' | 'summary'>;

type Row = readonly [method: AnyOperation['method'], path: string, summary: string];

const ROWS: readonly Row[] = [
  ['POST', '/v1/auth/register', 'Register a user of a mobile app'],

  ['POST', '/v1/person', 'Create a person'],
  ['GET', '/v1/person', 'List persons'],
  ['GET', '/v1/person/:personId', 'Retrieve a person'],
  ['PATCH', '/v1/person/:personId', 'Update a person'],
  ['POST', '/v1/person/:personId/kyc', 'Submit a KYC'],
  ['GET', '/v1/person/:personId/kyc', 'Retrieve a KYC'],
  ['POST', '/v1/person/:personId/idv', 'Start an identity document verification'],
  ['GET', '/v1/person/:personId/document', 'List the documents of a person'],
  ['GET', '/v1/person/:personId/document/:documentId', 'Retrieve a document of a person'],
  ['PATCH', '/v1/person/:personId/document/:documentId', 'Update a document of a person'],

  ['POST', '/v1/business', 'Create a business'],
  ['GET', '/v1/business', 'List businesses'],
  ['GET', '/v1/business/naicscode', 'List the codes of industries'],
  ['GET', '/v1/business/:businessId', 'Retrieve a business'],
  ['PATCH', '/v1/business/:businessId', 'Update a business'],
  ['POST', '/v1/business/:businessId/kyb', 'Submit a KYB'],
  ['GET', '/v1/business/:businessId/kyb', 'Retrieve a KYB'],
  ['GET', '/v1/business/:businessId/projection', 'Retrieve the projections of a business'],
  ['PATCH', '/v1/business/:businessId/projection', 'Update the projections of a business'],
  ['GET', '/v1/business/:businessId/ownershipDisclosure', 'Retrieve the ownership disclosure'],
  ['POST', '/v1/business/:businessId/ownershipDisclosure', 'Generate the ownership disclosure'],
  ['POST', '/v1/business/:businessId/document', 'Create a document of a business'],
  ['GET', '/v1/business/:businessId/document', 'List the documents of a business'],
  ['GET', '/v1/business/:businessId/document/:documentId', 'Retrieve a document of a business'],
  ['PATCH', '/v1/business/:businessId/document/:documentId', 'Update a document of a business'],

  ['POST', '/v1/family', 'Create a family'],
  ['POST', '/v1/member', 'Create a member'],

  ['POST', '/v1/account', 'Create an account'],
  ['GET', '/v1/account', 'List accounts'],
  ['PATCH', '/v1/account/:accountId', 'Update an account'],
  ['GET', '/v1/account/:accountId/statement', 'List the statements of an account'],
  ['GET', '/v1/account/:accountId/statement/:statementId', 'Retrieve a statement'],
  ['GET', '/v1/account/:accountId/transaction', 'List the transactions of an account'],
  ['GET', '/v1/account/:accountId/transaction/:txnId', 'Retrieve a transaction'],
  ['POST', '/v1/account/:accountId/plaid-token', 'Create a Plaid token'],
  ['POST', '/v1/account/:accountId/plaid-account', 'Create a contact from a Plaid account'],
  ['POST', '/v1/account/:accountId/test/ach', 'Test an incoming ACH'],

  ['POST', '/v1/contact', 'Create a contact'],
  ['GET', '/v1/contact', 'List contacts'],
  ['GET', '/v1/contact/bank', 'Look up a bank'],
  ['GET', '/v1/contact/:contactId', 'Retrieve a contact'],
  ['DELETE', '/v1/contact/:contactId', 'Delete a contact'],
  ['POST', '/v1/contact/:contactId/debitcard/token', 'Create a debit card token'],

  ['POST', '/v1/card', 'Create a card'],
  ['GET', '/v1/card', 'List cards'],
  ['GET', '/v1/card/atm', 'List cash machines'],
  ['GET', '/v1/card/:cardId', 'Retrieve a card'],
  ['PATCH', '/v1/card/:cardId', 'Update a card'],
  ['DELETE', '/v1/card/:cardId', 'Cancel a card'],
  ['PATCH', '/v1/card/:cardId/activate', 'Activate a card'],
  ['POST', '/v1/card/:cardId/replace', 'Replace a card'],
  ['GET', '/v1/card/:cardId/declined', 'List the declined authorizations of a card'],
  ['POST', '/v1/card/:cardId/showtoken', 'Create a token that shows the card data'],
  ['GET', '/v1/card/:cardId/show', 'Show the card data'],
  ['POST', '/v1/card/:cardId/pintoken', 'Create a token that sets the PIN'],
  ['POST', '/v1/card/:cardId/provision', 'Add a card to a wallet'],

  ['POST', '/v1/send/intrabank', 'Push money to an account of this bank'],
  ['GET', '/v1/send/intrabank', 'List intrabank pushes'],
  ['GET', '/v1/send/intrabank/:transferId', 'Retrieve an intrabank push'],
  ['PATCH', '/v1/send/intrabank/:transferId', 'Update an intrabank push'],
  ['POST', '/v1/send/ach', 'Push money by ACH'],
  ['GET', '/v1/send/ach', 'List ACH pushes'],
  ['GET', '/v1/send/ach/:transferId', 'Retrieve an ACH push'],
  ['PATCH', '/v1/send/ach/:transferId', 'Update an ACH push'],
  ['POST', '/v1/send/wire', 'Send a wire'],
  ['GET', '/v1/send/wire', 'List wires'],
  ['GET', '/v1/send/wire/:transferId', 'Retrieve a wire'],
  ['PATCH', '/v1/send/wire/:transferId', 'Update a wire'],
  ['POST', '/v1/send/check', 'Send a check'],
  ['GET', '/v1/send/check', 'List the checks sent'],
  ['GET', '/v1/send/check/:transferId', 'Retrieve a check sent'],
  ['PATCH', '/v1/send/check/:transferId', 'Update a check sent'],
  ['POST', '/v1/send/card', 'Send a card'],

  ['POST', '/v1/receive/intrabank', 'Pull money from an account of this bank'],
  ['GET', '/v1/receive/intrabank', 'List intrabank pulls'],
  ['GET', '/v1/receive/intrabank/:transferId', 'Retrieve an intrabank pull'],
  ['PATCH', '/v1/receive/intrabank/:transferId', 'Update an intrabank pull'],
  ['GET', '/v1/receive/ach', 'List ACH pulls'],
  ['GET', '/v1/receive/ach/:transferId', 'Retrieve an ACH pull'],
  ['PATCH', '/v1/receive/ach/:transferId', 'Update an ACH pull'],
  ['POST', '/v1/receive/check', 'Deposit a check'],
  ['GET', '/v1/receive/check', 'List the checks deposited'],
  ['GET', '/v1/receive/check/:transferId', 'Retrieve a check deposit'],
  ['PATCH', '/v1/receive/check/:transferId', 'Update a check deposit'],
  ['PATCH', '/v1/receive/check/:transferId/files', 'Upload the images of a check'],
  ['POST', '/v1/receive/debitpull', 'Pull money from a debit card'],
  ['POST', '/v1/batch/intrabank', 'Make a batch of intrabank transfers'],

  ['GET', '/v1/webhook', 'List webhooks'],
  ['GET', '/v1/webhook/events', 'List the kinds of events'],
  ['DELETE', '/v1/webhook/:webhookId', 'Delete a webhook'],

  ['GET', '/v1/program/:programId', 'Retrieve a program'],
  ['GET', '/v1/program/:programId/person', 'List the persons of a program'],
  ['GET', '/v1/program/:programId/business', 'List the businesses of a program'],
  ['GET', '/v1/program/:programId/account', 'List the accounts of a program'],
  ['GET', '/v1/program/:programId/contact', 'List the contacts of a program'],
  ['GET', '/v1/program/:programId/card', 'List the cards of a program'],
  ['GET', '/v1/program/:programId/transaction', 'List the transactions of a program'],
  ['GET', '/v1/program/:programId/transfer', 'List the transfers of a program'],
];

export const DOCUMENTED: readonly DocumentedOperation[] = ROWS.map(([method, path, summary]) => ({
  method,
  path,
  summary,
}));
