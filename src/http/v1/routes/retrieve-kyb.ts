/**
 * GET /v1/business/{businessId}/kyb.
 * Source: the business object of the platform's v1 reference; row 23 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Kyb } from '../../../dialects/v1/shapes/verification.ts';
import { viewKyb } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const retrieveKyb = operation({
  id: 'retrieveKyb',
  method: 'GET',
  path: '/v1/business/:businessId/kyb',
  summary: 'Retrieve a KYB',
  status: 200,
  params: Type.Object({ businessId: Type.String() }),
  response: Kyb,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
  },
  run: ({ bank }, { params }) => viewKyb(readBusiness(bank, params.businessId).holder),
});
