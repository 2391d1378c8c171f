/**
 * The operations on contacts and their debit cards, and the look-up of a bank by its number. The calls that set a
 * debit card take a token instead of an API key; v2 has them under its own paths too.
 * Source: the contact pages of the platform's v1 reference and its public samples; decisions `v1-debit-card-token` and
 * `v2-vault-paths` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { refuse } from '../../../kernel/refusal.ts';
import type { Bank } from '../../../verbs/bank.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, BANK_ACCOUNT, WIRE } from '../examples.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList, parseWindow } from '../paging.ts';
import {
  CONTACT_VIEW,
  formatBankInfo,
  formatContact,
  formatDebitCardToken,
  formatDeletedContact,
} from './format.ts';
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
    description:
      'Sets the debit card of a contact with a token in `sd-debitcard-token`, which can be used once. The number of the card is stored masked. The request requires no API key, and pages of any origin can send it.',
    answer: 'The contact with its debit card.',
    decisions: ['v1-debit-card-token', 'v2-vault-paths'],
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
    run({ bank, show, token }, { params, body }) {
      const id = parseId('counterparty', params.contactId);
      const card = parseDebitCard(body);
      return show(CONTACT_VIEW, bank.counterparties.setDebitCard(id, token, card));
    },
  });
}

const DEBIT_CARD_PATH = '/v1/contact/:contactId/debitcard';

export const CONTACT_OPERATIONS = [
  debitCardOperation('updateDebitCard', 'PATCH', DEBIT_CARD_PATH),
  debitCardOperation('setDebitCard', 'POST', DEBIT_CARD_PATH),

  operation({
    id: 'createContact',
    method: 'POST',
    path: '/v1/contact',
    summary: 'Create a contact',
    description:
      'Creates a contact of an account: its identity, and its details for each rail. A debit card is set by a separate request with a token. A transfer is refused if the contact has no details for its rail.',
    answer: 'The new contact.',
    decisions: [
      'counterparty-in-bank',
      'bank-numbers',
      'counterparty-needs',
      'counterparty-name',
      'counterparty-kept-fields',
      'own-account-counterparty',
    ],
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
    run: ({ bank, show }, { body }) => show(CONTACT_VIEW, bank.counterparties.create(parseNewContact(body))),
  }),

  operation({
    id: 'listContacts',
    method: 'GET',
    path: '/v1/contact',
    summary: 'List contacts',
    description: 'Lists contacts, newest first. Deleted contacts are listed only with the filter `status`.',
    answer: 'A page of contacts, newest first.',
    decisions: ['list-paging', 'deleted-things'],
    status: 200,
    query: ContactQuery,
    response: ContactList,
    example: {
      query: ({ seed }) => ({ accountId: seed('account_id'), achRoutingNumber: '121042882', ...QUERY }),
    },
    run: ({ bank }, { query }) => listContacts(bank, query),
  }),

  operation({
    id: 'listProgramContacts',
    method: 'GET',
    path: '/v1/program/:programId/contact',
    summary: 'List the contacts of a program',
    description: 'Lists the contacts of the program, newest first, with the filters of the list of contacts.',
    answer: 'A page of contacts, newest first.',
    decisions: ['list-paging'],
    status: 200,
    query: ContactQuery,
    response: ContactList,
    example: {
      query: QUERY,
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listContacts(bank, query);
    },
  }),

  operation({
    id: 'retrieveBank',
    method: 'GET',
    path: '/v1/contact/bank',
    summary: 'Look up a bank',
    description:
      'Looks up the bank of a routing number or a SWIFT code. A number that is well formed but unknown here gets an empty name.',
    answer: 'The name of the bank, if known.',
    decisions: ['bank-numbers'],
    status: 200,
    query: BankQuery,
    response: BankInfo,
    example: {
      query: { type: 'aba', routingNumber: '121042882' },
    },
    run: ({ bank }, { query }) =>
      formatBankInfo(query, bank.counterparties.bankOf(query.type, query.routingNumber)),
  }),

  operation({
    id: 'retrieveContact',
    method: 'GET',
    path: '/v1/contact/:contactId',
    summary: 'Retrieve a contact',
    description:
      'Retrieves a contact with its details for every rail. A deleted contact can still be retrieved, with the status `deleted`.',
    answer: 'The contact.',
    decisions: ['deleted-things'],
    status: 200,
    response: Contact,
    run: ({ bank }, { params }) =>
      formatContact(bank.counterparties.byId(parseId('counterparty', params.contactId)), bank.program),
  }),

  operation({
    id: 'updateContact',
    method: 'PATCH',
    path: '/v1/contact/:contactId',
    summary: 'Update a contact',
    description:
      "Updates a contact; fields that are not sent keep their values. An `accountId` in the body must be the contact's own account; a contact cannot be moved.",
    answer: 'The contact after the change.',
    decisions: ['deleted-things'],
    status: 200,
    refuses: ['counterparty_elsewhere'],
    body: ContactChangeBody,
    response: Contact,
    example: {
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
    run({ bank, show }, { params, body }) {
      const id = parseId('counterparty', params.contactId);
      const { accountId } = bank.counterparties.byId(id);
      if (body.accountId !== undefined && parseId('account', body.accountId) !== accountId)
        throw refuse('counterparty_elsewhere', { field: 'accountId' });
      return show(CONTACT_VIEW, bank.counterparties.change(id, parseContactChange(body)));
    },
  }),

  operation({
    id: 'deleteContact',
    method: 'DELETE',
    path: '/v1/contact/:contactId',
    summary: 'Delete a contact',
    description: 'Deletes a contact. It stays readable, but cannot be updated or used in transfers any more.',
    answer: 'The deleted contact.',
    decisions: ['deleted-things'],
    status: 200,
    response: DeletedContact,
    run: ({ bank }, { params }) =>
      formatDeletedContact(bank.counterparties.remove(parseId('counterparty', params.contactId))),
  }),

  operation({
    id: 'createDebitCardToken',
    method: 'POST',
    path: '/v1/contact/:contactId/debitcard/token',
    summary: 'Create a debit card token',
    description:
      "Creates a token that sets the debit card of a contact once. It is valid for five minutes of the sandbox's clock, and a page can use it without the API key.",
    answer: 'The token.',
    decisions: ['v1-debit-card-token'],
    status: 201,
    response: DebitCardToken,
    run: ({ bank, publicToken }, { params }) =>
      formatDebitCardToken(
        publicToken(bank.counterparties.issueDebitCardToken(parseId('counterparty', params.contactId))),
      ),
  }),
] as const;
