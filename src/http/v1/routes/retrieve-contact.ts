/**
 * GET /v1/contact/{contactId}: a contact, also one that was deleted.
 * Source: the contact object of the platform's v1 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Contact } from '../../../dialects/v1/shapes/contact.ts';
import { viewContact } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';

export const retrieveContact = operation({
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
    viewContact(bank.counterparties.byId(readId('counterparty', params.contactId)), bank.program),
});
