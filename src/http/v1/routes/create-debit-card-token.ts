/**
 * POST /v1/contact/{contactId}/debitcard/token: a token that lets whoever has it set the contact's debit card, once and
 * for five minutes.
 * Source: the debit card of the platform's public v1 samples; row 166 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { DebitCardToken } from '../../../dialects/v1/shapes/contact.ts';
import { viewDebitCardToken } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';

export const createDebitCardToken = operation({
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
  run: ({ bank, handOut }, { params }) =>
    viewDebitCardToken(
      handOut(bank.counterparties.issueDebitCardToken(readId('counterparty', params.contactId))),
    ),
});
