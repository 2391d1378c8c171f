/**
 * GET /v1/business/{businessId}.
 * Source: the business object of the platform's v1 reference; row 20 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Business } from '../../../dialects/v1/shapes/business.ts';
import { viewBusiness } from '../../../dialects/v1/views/business.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const retrieveBusiness = operation({
  id: 'retrieveBusiness',
  method: 'GET',
  path: '/v1/business/:businessId',
  summary: 'Retrieve a business',
  status: 200,
  params: Type.Object({ businessId: Type.String() }),
  response: Business,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
  },
  run: ({ bank }, { params }) => viewBusiness(readBusiness(bank, params.businessId), bank.program),
});
