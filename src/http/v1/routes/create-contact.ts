/**
 * POST /v1/contact: makes a contact of an account. A debit card comes later, by a call of its own.
 * Source: "create a contact" of the platform's v1 reference; rows 94 and 160 to 164 of docs/fidelity.md.
 */
import { readNewContact } from '../../../dialects/v1/readers/contact.ts';
import { Contact, NewContactBody } from '../../../dialects/v1/shapes/contact.ts';
import { viewContact } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';
import { ADDRESS, BANK_ACCOUNT, WIRE } from '../examples.ts';

export const createContact = operation({
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
  run: ({ bank }, { body }) => viewContact(bank.counterparties.create(readNewContact(body)), bank.program),
});
