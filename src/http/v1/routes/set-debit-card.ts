/**
 * PATCH /v1/contact/{contactId}/debitcard, the same by POST, and both below /v2: sets the contact's debit card, for whoever
 * has a token for it; a key is not needed. Of the card's number the last four digits are kept, of its code nothing.
 * Source: the debit card of the platform's public samples, which send PATCH; rows 166 and 251 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readDebitCard } from '../../../dialects/v1/readers/contact.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Contact, DebitCardBody } from '../../../dialects/v1/shapes/contact.ts';
import { viewContact } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';

const TOKEN_HEADER = 'sd-debitcard-token';

/** The operation at a path, by one of its two methods. */
export function debitCardAt<const Name extends string>(id: Name, method: 'PATCH' | 'POST', path: string) {
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
      const id = readId('counterparty', params.contactId);
      const card = readDebitCard(body);
      return viewContact(bank.counterparties.setDebitCard(id, token, card), bank.program);
    },
  });
}

const PATH = '/v1/contact/:contactId/debitcard';

export const updateDebitCard = debitCardAt('updateDebitCard', 'PATCH', PATH);
export const setDebitCard = debitCardAt('setDebitCard', 'POST', PATH);
