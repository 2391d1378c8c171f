/**
 * POST /v1/business/{businessId}/ownershipDisclosure: answers the link at which the disclosure is signed, the same one for
 * five minutes unless another is asked for.
 * Source: "business ownership disclosure" of the platform's v1 reference; row 145 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { DisclosureBody, OwnershipDisclosure } from '../../../dialects/v1/shapes/business-profile.ts';
import { viewDisclosure } from '../../../dialects/v1/views/business-profile.ts';
import { operation } from '../../operation.ts';
import { readBusiness } from '../businesses.ts';

export const generateDisclosure = operation({
  id: 'generateDisclosure',
  method: 'POST',
  path: '/v1/business/:businessId/ownershipDisclosure',
  summary: 'Generate the ownership disclosure',
  status: 201,
  params: Type.Object({ businessId: Type.String() }),
  body: DisclosureBody,
  response: OwnershipDisclosure,
  example: {
    params: ({ seed }) => ({ businessId: seed('business_id') }),
    body: { redirectUri: 'https://client.example/signed', action: 'regenerate' },
  },
  run({ bank, disclosureLink }, { params, body }) {
    const { holder } = readBusiness(bank, params.businessId);
    const { redirectUri, action } = body;
    const regenerate = action === 'regenerate';
    return viewDisclosure(
      bank.businessProfiles.disclose(holder.id, { redirectUri, regenerate }),
      disclosureLink,
    );
  },
});
