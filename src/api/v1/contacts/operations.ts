/**
 * The operations on contacts and their debit cards, and the look-up of a bank by its number. The calls that set a debit
 * card take a token in place of an API key; v2 has them under its own paths as well.
 * Source: the contact pages of the platform's v1 reference and its public samples; decisions `v1-debit-card-token` and
 * `v2-vault-paths` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, BANK_ACCOUNT, WIRE } from '../examples.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import { formatBankInfo, formatContact, formatDebitCardToken, formatDeletedContact } from './format.ts';
import { parseContactChange, parseContactFilters, parseDebitCard, parseNewContact } from './parse.ts';
import {
  BankInfo,
  BankQuery,
  Contact,
  ContactChangeBody,
  ContactList,
  ContactQuery,
  DebitCardBody,
  DebitCardToken,
  DeletedContact,
  NewContactBody,
} from './shapes.ts';

const QUERY = { offset: '0', limit: '10', status: 'active', type: 'others' } as const;

function listContacts(
  { counterparties, program }: Bank,
  query: Static<typeof ContactQuery>,
): Static<typeof ContactList> {
  const page = counterparties.list(parseContactFilters(query), parseWindow(query));
  return formatList(page, (counterparty) => formatContact(counterparty, program));
}

const TOKEN_HEADER = 'sd-debitcard-token';

/**
 * PATCH /v1/contact/{contactId}/debitcard, the same by POST, and both under /v2: sets the contact's debit card, for the
 * holder of a token for it. No API key is needed. Of the card's number the last four digits are stored, and nothing of
 * its code.
 * Source: the debit card of the platform's public samples, which send PATCH; decisions `v1-debit-card-token` and
 * `v2-vault-paths` in docs/fidelity.md.
 */
export function debitCardOperation<const Name extends string>(
  id: Name,
  method: 'PATCH' | 'POST',
  path: string,
) {
  return operation({
    id,
    method,
    path,
    summary: 'Set the debit card of a contact',
    status: method === 'POST' ? 201 : 200,
    tokenHeader: TOKEN_HEADER,
    params: Type.Object({ contactId: Type.String() }),
    body: DebitCardBody,
    response: Contact,
    example: {
      params: ({ seed }) => ({ contactId: seed('vendor_contact_id') }),
      headers: ({ seed }) => ({ [TOKEN_HEADER]: seed('debit_card_token') }),
      body: {
        debitCard: {
          cardNumber: '4000056655665556',
          expiryMonth: '04',
          expiryYear: '2030',
          cvv: '123',
          address: ADDRESS,
        },
      },
    },
    run({ bank, token }, { params, body }) {
      const id = parseId('counterparty', params.contactId);
      const card = parseDebitCard(body);
      return formatContact(bank.counterparties.setDebitCard(id, token, card), bank.program);
    },
  });
}

const DEBIT_CARD_PATH = '/v1/contact/:contactId/debitcard';

export const CONTACT_OPERATIONS = [
  debitCardOperation('updateDebitCard', 'PATCH', DEBIT_CARD_PATH),
  debitCardOperation('setDebitCard', 'POST', DEBIT_CARD_PATH),

  /**
   * POST /v1/contact: creates a contact of an account. A debit card is set later, by a call of its own.
   * Source: "create a contact" of the platform's v1 reference; decisions `counterparty-in-bank`, `bank-numbers`,
   * `counterparty-needs`, `counterparty-name`, `counterparty-kept-fields` and `own-account-counterparty` in
   * docs/fidelity.md.
   */
  operation({
    id: 'createContact',
    method: 'POST',
    path: '/v1/contact',
    summary: 'Create a contact',
    status: 201,
    body: NewContactBody,
    response: Contact,
    example: {
      body: ({ seed }) => ({
        accountId: seed('account_id'),
        name: 'Pier Nine LLC',
        label: 'Pier Nine',
        type: 'others',
        email: 'office@piernine.example',
        phone: '+15035550190',
        intrabank: { accountId: seed('other_account_id') },
        ach: BANK_ACCOUNT,
        wire: WIRE,
        check: { address: ADDRESS },
        card: { address: ADDRESS },
        metadata: { externalId: '9' },
      }),
    },
    run: ({ bank }, { body }) =>
      formatContact(bank.counterparties.create(parseNewContact(body)), bank.program),
  }),

  /**
   * GET /v1/contact: contacts, newest first; deleted ones only with the filter `status`.
   * Source: "list all contacts" of the platform's v1 reference; decisions `list-paging` and `deleted-things` in
   * docs/fidelity.md.
   */
  operation({
    id: 'listContacts',
    method: 'GET',
    path: '/v1/contact',
    summary: 'List contacts',
    status: 200,
    query: ContactQuery,
    response: ContactList,
    example: {
      query: ({ seed }) => ({ accountId: seed('account_id'), achRoutingNumber: '121042882', ...QUERY }),
    },
    run: ({ bank }, { query }) => listContacts(bank, query),
  }),

  /**
   * GET /v1/program/{programId}/contact: the same list under the path of the program.
   * Source: "list all contacts in a program" of the platform's v1 reference; decision `list-paging` in
   * docs/fidelity.md.
   */
  operation({
    id: 'listProgramContacts',
    method: 'GET',
    path: '/v1/program/:programId/contact',
    summary: 'List the contacts of a program',
    status: 200,
    params: Type.Object({ programId: Type.String() }),
    query: ContactQuery,
    response: ContactList,
    example: {
      params: ({ seed }) => ({ programId: seed('program_id') }),
      query: QUERY,
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listContacts(bank, query);
    },
  }),

  /**
   * GET /v1/contact/bank: the bank of a routing number or a SWIFT code. One that is well formed and in no table has no
   * name.
   * Source: the bank look-up of the platform's public v1 clients; decision `bank-numbers` in docs/fidelity.md.
   */
  operation({
    id: 'retrieveBank',
    method: 'GET',
    path: '/v1/contact/bank',
    summary: 'Look up a bank',
    status: 200,
    query: BankQuery,
    response: BankInfo,
    example: {
      query: { type: 'aba', routingNumber: '121042882' },
    },
    run: ({ bank }, { query }) =>
      formatBankInfo(query, bank.counterparties.bankOf(query.type, query.routingNumber)),
  }),

  /**
   * GET /v1/contact/{contactId}: a contact, also one that was deleted.
   * Source: the contact object of the platform's v1 reference; decision `deleted-things` in docs/fidelity.md.
   */
  operation({
    id: 'retrieveContact',
    method: 'GET',
    path: '/v1/contact/:contactId',
    summary: 'Retrieve a contact',
    status: 200,
    params: Type.Object({ contactId: Type.String() }),
    response: Contact,
    example: {
      params: ({ seed }) => ({ contactId: seed('contact_id') }),
    },
    run: ({ bank }, { params }) =>
      formatContact(bank.counterparties.byId(parseId('counterparty', params.contactId)), bank.program),
  }),

  /**
   * PATCH /v1/contact/{contactId}: changes what is sent and answers with the whole contact. The account that a client
   * may send with it says whose contact it is; it does not move the contact.
   * Source: "update a contact" of the platform's v1 reference; decision `deleted-things` in docs/fidelity.md.
   */
  operation({
    id: 'updateContact',
    method: 'PATCH',
    path: '/v1/contact/:contactId',
    summary: 'Update a contact',
    status: 200,
    refuses: ['counterparty_elsewhere'],
    params: Type.Object({ contactId: Type.String() }),
    body: ContactChangeBody,
    response: Contact,
    example: {
      params: ({ seed }) => ({ contactId: seed('contact_id') }),
      body: ({ seed }) => ({
        accountId: seed('account_id'),
        name: 'Harbor Supply LLC',
        email: 'new@harbor.example',
        phone: '+15125550100',
        intrabank: { accountId: seed('other_account_id') },
        ach: BANK_ACCOUNT,
        wire: WIRE,
        check: { address: ADDRESS },
        card: { address: ADDRESS },
        metadata: { externalId: '7' },
      }),
    },
    run({ bank }, { params, body }) {
      const id = parseId('counterparty', params.contactId);
      const { accountId } = bank.counterparties.byId(id);
      if (body.accountId !== undefined && parseId('account', body.accountId) !== accountId)
        throw refuse('counterparty_elsewhere', { field: 'accountId' });
      return formatContact(bank.counterparties.change(id, parseContactChange(body)), bank.program);
    },
  }),

  /**
   * DELETE /v1/contact/{contactId}: the contact stays readable and takes no change any more.
   * Source: the paths of the platform's public v1 clients; decision `deleted-things` in docs/fidelity.md.
   */
  operation({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/v1/contact/:contactId',
    summary: 'Delete a contact',
    status: 200,
    params: Type.Object({ contactId: Type.String() }),
    response: DeletedContact,
    example: {
      params: ({ seed }) => ({ contactId: seed('contact_id') }),
    },
    run: ({ bank }, { params }) =>
      formatDeletedContact(bank.counterparties.remove(parseId('counterparty', params.contactId))),
  }),

  /**
   * POST /v1/contact/{contactId}/debitcard/token: creates a token that sets the contact's debit card, once and within
   * five minutes.
   * Source: the debit card of the platform's public v1 samples; decision `v1-debit-card-token` in docs/fidelity.md.
   */
  operation({
    id: 'createDebitCardToken',
    method: 'POST',
    path: '/v1/contact/:contactId/debitcard/token',
    summary: 'Create a debit card token',
    status: 201,
    params: Type.Object({ contactId: Type.String() }),
    response: DebitCardToken,
    example: {
      params: ({ seed }) => ({ contactId: seed('contact_id') }),
    },
    run: ({ bank, publicToken }, { params }) =>
      formatDebitCardToken(
        publicToken(bank.counterparties.issueDebitCardToken(parseId('counterparty', params.contactId))),
      ),
  }),
] as const;
