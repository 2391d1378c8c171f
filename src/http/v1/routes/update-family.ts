/**
 * PATCH /v1/family/{familyId}: changes what is sent.
 * Source: "update a family" of the platform's v1 reference; row 143 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readFamilyChange } from '../../../dialects/v1/readers/family.ts';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Family, FamilyChangeBody } from '../../../dialects/v1/shapes/family.ts';
import { viewFamily } from '../../../dialects/v1/views/family.ts';
import { operation } from '../../operation.ts';
import { FAMILY } from '../examples.ts';

export const updateFamily = operation({
  id: 'updateFamily',
  method: 'PATCH',
  path: '/v1/family/:familyId',
  summary: 'Update a family',
  status: 200,
  params: Type.Object({ familyId: Type.String() }),
  body: FamilyChangeBody,
  response: Family,
  example: {
    params: ({ seed }) => ({ familyId: seed('family_id') }),
    body: FAMILY,
  },
  run({ bank }, { params, body }) {
    const id = readId('family', params.familyId);
    return viewFamily(bank.families.change(id, readFamilyChange(body)), bank.program);
  },
});
