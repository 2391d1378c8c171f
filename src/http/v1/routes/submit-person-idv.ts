/**
 * POST /v1/person/{personId}/idv: begins the check of a person's identity document. The answer has the page to send the
 * person to; what comes of it is a result of the person's KYC. The call has no body.
 * Source: the paths of the platform's v1 reference; row 132 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Idv } from '../../../dialects/v1/shapes/verification.ts';
import { viewIdv } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { personAt } from '../persons.ts';

export const submitPersonIdv = operation({
  id: 'submitPersonIdv',
  method: 'POST',
  path: '/v1/person/:personId/idv',
  summary: 'Start an identity document verification',
  status: 201,
  params: Type.Object({ personId: Type.String() }),
  response: Idv,
  example: {
    params: ({ seed }) => ({ personId: seed('person_id') }),
  },
  run: ({ bank }, { params }) => viewIdv(bank.holders.submitIdv(personAt(bank, params.personId).holder.id)),
});
