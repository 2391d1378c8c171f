/**
 * DELETE /v1/contact/{contactId}: the contact stays readable and takes no change any more.
 * Source: the paths of the platform's public v1 clients; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { DeletedContact } from '../../../dialects/v1/shapes/contact.ts';
import { viewDeletedContact } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';

export const deleteContact = operation({
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
    viewDeletedContact(bank.counterparties.remove(readId('counterparty', params.contactId))),
});
