/**
 * GET /v1/person: the person on whose behalf the call is made; where it is made on nobody's, the persons of the program,
 * newest first.
 * Source: the paths of the platform's v1 reference; rows 16, 45c and 137 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Person, PersonList, PersonQuery } from '../../../dialects/v1/shapes/person.ts';
import { viewPersonHolder } from '../../../dialects/v1/views/person.ts';
import { operation } from '../../operation.ts';
import { listPersonsOf } from '../persons.ts';

export const listPersons = operation({
  id: 'listPersons',
  method: 'GET',
  path: '/v1/person',
  summary: 'Retrieve the person of the call, or list persons',
  status: 200,
  query: PersonQuery,
  response: Type.Union([PersonList, Person]),
  example: {
    query: { offset: '0', limit: '10', status: 'active', kycstatus: 'approved', query: '' },
  },
  run: ({ bank, personId }, { query }) =>
    personId === ''
      ? listPersonsOf(bank, query)
      : viewPersonHolder(bank.holders.byId(personId), bank.program),
});
