/**
 * GET /v1/family/{familyId}.
 * Source: the family pages of the platform's v1 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v1/readers/ids.ts';
import { Family } from '../../../dialects/v1/shapes/family.ts';
import { viewFamily } from '../../../dialects/v1/views/family.ts';
import { operation } from '../../operation.ts';

export const retrieveFamily = operation({
  id: 'retrieveFamily',
  method: 'GET',
  path: '/v1/family/:familyId',
  summary: 'Retrieve a family',
  status: 200,
  params: Type.Object({ familyId: Type.String() }),
  response: Family,
  example: {
    params: ({ seed }) => ({ familyId: seed('family_id') }),
  },
  run: ({ bank }, { params }) =>
    viewFamily(bank.families.byId(readId('family', params.familyId)), bank.program),
});
