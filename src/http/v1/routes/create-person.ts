/**
 * POST /v1/person: makes a person, whose KYC has not begun. It is the one call besides those on webhooks that is made on
 * nobody's behalf.
 * Source: "create a person" of the platform's v1 reference; rows 5, 20, 134 and 136 of docs/fidelity.md.
 */
import { readNewPerson } from '../../../dialects/v1/readers/person.ts';
import { NewPersonBody, Person } from '../../../dialects/v1/shapes/person.ts';
import { viewPersonHolder } from '../../../dialects/v1/views/person.ts';
import { operation } from '../../operation.ts';
import { PERSON } from '../examples.ts';

export const createPerson = operation({
  id: 'createPerson',
  method: 'POST',
  path: '/v1/person',
  summary: 'Create a person',
  status: 201,
  refuses: ['phone_taken'],
  body: NewPersonBody,
  response: Person,
  example: { body: PERSON },
  run: ({ bank }, { body }) => viewPersonHolder(bank.holders.create(readNewPerson(body)), bank.program),
});
