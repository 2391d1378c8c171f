/**
 * GET /v1/contact and GET /v1/program/{programId}/contact: contacts, newest first; those that were deleted only when
 * they are asked for.
 * Source: "list all contacts" and "list all contacts in a program" of the platform's v1 reference; rows 16 and 45d of
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Bank } from '../../../bank/bank.ts';
import { readWindow, writeList } from '../../../dialects/v1/paging.ts';
import { readContactFilters } from '../../../dialects/v1/readers/contact.ts';
import { requireProgram } from '../../../dialects/v1/readers/ids.ts';
import { ContactList, ContactQuery } from '../../../dialects/v1/shapes/contact.ts';
import { viewContact } from '../../../dialects/v1/views/contact.ts';
import { operation } from '../../operation.ts';

const QUERY = { offset: '0', limit: '10', status: 'active', type: 'others' } as const;

export const listContacts = operation({
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
  run: ({ bank }, { query }) => contactsOf(bank, query),
});

export const listProgramContacts = operation({
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
    return contactsOf(bank, query);
  },
});

function contactsOf(
  { counterparties, program }: Bank,
  query: Static<typeof ContactQuery>,
): Static<typeof ContactList> {
  const page = counterparties.list(readContactFilters(query), readWindow(query));
  return writeList(page, (counterparty) => viewContact(counterparty, program));
}
