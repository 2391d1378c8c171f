/**
 * PATCH /v1/contact/{contactId}: changes what is sent and answers with the whole contact. The account that a client
 * may send with it says whose contact it is; it does not move the contact.
 * Source: "update a contact" of the platform's v1 reference; row 45d of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readContactChange } from '../../../dialects/v1/readers/contact.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Contact, ContactChangeBody } from '../../../dialects/v1/shapes/contact.ts';
import { viewContact } from '../../../dialects/v1/views/contact.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, BANK_ACCOUNT, WIRE } from '../examples.ts';

export const updateContact = operation({
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
    const id = readId('counterparty', params.contactId);
    const { accountId } = bank.counterparties.byId(id);
    if (body.accountId !== undefined && readId('account', body.accountId) !== accountId)
      throw refuse('counterparty_elsewhere', { field: 'accountId' });
    return viewContact(bank.counterparties.change(id, readContactChange(body)), bank.program);
  },
});
