/**
 * GET /v1/business/{businessId}/projection: what the business expects to move in a year, as it was sent.
 * Source: "submit business projections" of the platform's v1 reference; row 144 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Projection } from '../../../dialects/v1/shapes/business-profile.ts';
import { viewProjection } from '../../../dialects/v1/views/business-profile.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const retrieveProjection = operation({
  id: 'retrieveProjection',
  method: 'GET',
  path: '/v1/business/:businessId/projection',
  summary: 'Retrieve the projections of a business',
  status: 200,
  params: Type.Object({ businessId: Type.String() }),
  response: Projection,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
  },
  run({ bank }, { params }) {
    const { holder } = readBusiness(bank, params.businessId);
    return viewProjection(bank.businessProfiles.byId(holder.id));
  },
});
