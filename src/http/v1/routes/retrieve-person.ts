/**
 * GET /v1/person/{personId}: a person with its KYC.
 * Source: the paths of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Person } from '../../../dialects/v1/shapes/person.ts';
import { viewPersonHolder } from '../../../dialects/v1/views/person.ts';
import { operation } from '../../operation.ts';
import { personAt } from '../persons.ts';

export const retrievePerson = operation({
  id: 'retrievePerson',
  method: 'GET',
  path: '/v1/person/:personId',
  summary: 'Retrieve a person',
  status: 200,
  params: Type.Object({ personId: Type.String() }),
  response: Person,
  example: {
    params: ({ seed }) => ({ personId: seed('person_id') }),
  },
  run: ({ bank }, { params }) => viewPersonHolder(personAt(bank, params.personId), bank.program),
});
