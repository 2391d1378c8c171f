/**
 * PATCH /v1/business/{businessId}/projection: what the business expects to move in a year. It stays once the KYB is decided.
 * Source: "submit business projections" of the platform's v1 reference; row 144 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readProjection } from '../../../dialects/v1/readers/business-profile.ts';
import { Projection, ProjectionBody } from '../../../dialects/v1/shapes/business-profile.ts';
import { viewProjection } from '../../../dialects/v1/views/business-profile.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const updateProjection = operation({
  id: 'updateProjection',
  method: 'PATCH',
  path: '/v1/business/:businessId/projection',
  summary: 'Update the projections of a business',
  status: 200,
  refuses: ['projection_locked'],
  params: Type.Object({ businessId: Type.String() }),
  body: ProjectionBody,
  response: Projection,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
    body: {
      transactions: {
        annual: {
          send: { ach: { count: '30', amount: '1000.00' }, internationalAch: { count: '0', amount: '0.00' } },
          receive: {
            ach: { count: '20', amount: '2000.00' },
            physicalCheck: { count: '2', amount: '80.00' },
          },
          incoming: { achPush: { count: '12', amount: '900.00' } },
        },
      },
    },
  },
  run({ bank }, { params, body }) {
    const { holder } = readBusiness(bank, params.businessId);
    return viewProjection(bank.businessProfiles.project(holder.id, readProjection(body)));
  },
});
