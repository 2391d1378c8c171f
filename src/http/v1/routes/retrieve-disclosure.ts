/**
 * GET /v1/business/{businessId}/ownershipDisclosure: how far it is, and its link while somebody may sign there.
 * Source: "business ownership disclosure" of the platform's v1 reference; row 145 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { OwnershipDisclosure } from '../../../dialects/v1/shapes/business-profile.ts';
import { viewDisclosure } from '../../../dialects/v1/views/business-profile.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const retrieveDisclosure = operation({
  id: 'retrieveDisclosure',
  method: 'GET',
  path: '/v1/business/:businessId/ownershipDisclosure',
  summary: 'Retrieve the ownership disclosure',
  status: 200,
  params: Type.Object({ businessId: Type.String() }),
  response: OwnershipDisclosure,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
  },
  run({ bank, disclosureLink }, { params }) {
    const { holder } = readBusiness(bank, params.businessId);
    return viewDisclosure(bank.businessProfiles.disclosureOf(holder.id), disclosureLink);
  },
});
