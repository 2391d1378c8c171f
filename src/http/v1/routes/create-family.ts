/**
 * POST /v1/family: makes a family, on behalf of the person whom the call names; its members are added one by one.
 * Source: the family pages of the platform's v1 reference; row 143 of docs/fidelity.md.
 */
import { readNewFamily } from '../../../dialects/v1/readers/family.ts';
import { Family, NewFamilyBody } from '../../../dialects/v1/shapes/family.ts';
import { viewFamily } from '../../../dialects/v1/views/family.ts';
import { operation } from '../../operation.ts';
import { FAMILY } from '../examples.ts';

export const createFamily = operation({
  id: 'createFamily',
  method: 'POST',
  path: '/v1/family',
  summary: 'Create a family',
  status: 201,
  body: NewFamilyBody,
  response: Family,
  example: {
    headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
    body: FAMILY,
  },
  run: ({ bank, personId }, { body }) =>
    viewFamily(bank.families.create(readNewFamily(personId, body)), bank.program),
});
