/**
 * POST /v1/business/{businessId}/kyb: hands a business in to be verified. How that ends is told later, by an event and by
 * the record; members who have not passed are checked with it.
 * Source: "submit a KYB" of the platform's v1 reference; rows 23, 24 and 146 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Kyb } from '../../../dialects/v1/shapes/verification.ts';
import { viewKyb } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const submitKyb = operation({
  id: 'submitKyb',
  method: 'POST',
  path: '/v1/business/:businessId/kyb',
  summary: 'Submit a KYB',
  status: 201,
  refuses: ['details_missing', 'illegal_step'],
  params: Type.Object({ businessId: Type.String() }),
  response: Kyb,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
  },
  run({ bank }, { params }) {
    const { holder } = readBusiness(bank, params.businessId);
    return viewKyb(bank.holders.submitKyb(holder.id, { async: true }).holder);
  },
});
