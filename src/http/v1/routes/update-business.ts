/**
 * PATCH /v1/business/{businessId}: changes what is sent. Once the KYB has passed, the legal name and the number stay.
 * Source: "update a business" of the platform's v1 reference; row 148 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readBusinessChange } from '../../../dialects/v1/readers/business.ts';
import { Business, BusinessChangeBody } from '../../../dialects/v1/shapes/business.ts';
import { viewBusiness } from '../../../dialects/v1/views/business.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';
import { BUSINESS } from '../examples.ts';

export const updateBusiness = operation({
  id: 'updateBusiness',
  method: 'PATCH',
  path: '/v1/business/:businessId',
  summary: 'Update a business',
  status: 200,
  refuses: ['name_locked', 'holder_not_verified', 'illegal_step'],
  params: Type.Object({ businessId: Type.String() }),
  body: BusinessChangeBody,
  response: Business,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
    body: { ...BUSINESS, status: 'active' },
  },
  run({ bank }, { params, body }) {
    const { holder } = readBusiness(bank, params.businessId);
    return viewBusiness(bank.holders.change(holder.id, readBusinessChange(body, holder)), bank.program);
  },
});
