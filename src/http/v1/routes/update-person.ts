/**
 * PATCH /v1/person/{personId}: changes what is sent and answers with the whole person. First and last name stay once the
 * KYC was approved.
 * Source: "update a person" of the platform's v1 reference; rows 21, 133, 134 and 136 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readPersonChange } from '../../../dialects/v1/readers/person.ts';
import { Person, PersonChangeBody } from '../../../dialects/v1/shapes/person.ts';
import { viewPersonHolder } from '../../../dialects/v1/views/person.ts';
import { operation } from '../../operation.ts';
import { PERSON } from '../examples.ts';
import { personAt } from '../persons.ts';

export const updatePerson = operation({
  id: 'updatePerson',
  method: 'PATCH',
  path: '/v1/person/:personId',
  summary: 'Update a person',
  status: 200,
  refuses: ['phone_taken', 'name_locked', 'holder_not_verified', 'illegal_step'],
  params: Type.Object({ personId: Type.String() }),
  body: PersonChangeBody,
  response: Person,
  example: {
    params: ({ seed }) => ({ personId: seed('new_person_id') }),
    body: { ...PERSON, email: 'mara.quill@quill.example', status: 'active' },
  },
  run({ bank }, { params, body }) {
    const { holder } = personAt(bank, params.personId);
    return viewPersonHolder(bank.holders.change(holder.id, readPersonChange(body, holder)), bank.program);
  },
});
