/**
 * POST /v1/person/{personId}/kyc: hands the KYC of a person in. The answer is `submitted`; what comes of it is decided
 * later and told as an event. The call has no body.
 * Source: "submit a KYC" of the platform's v1 reference; rows 23, 24 and 131 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Kyc } from '../../../dialects/v1/shapes/verification.ts';
import { viewKyc } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { personAt } from '../persons.ts';

export const submitPersonKyc = operation({
  id: 'submitPersonKyc',
  method: 'POST',
  path: '/v1/person/:personId/kyc',
  summary: 'Submit a KYC',
  status: 201,
  refuses: ['details_missing', 'illegal_step'],
  params: Type.Object({ personId: Type.String() }),
  response: Kyc,
  example: {
    params: ({ seed }) => ({ personId: seed('new_person_id') }),
  },
  run: ({ bank }, { params }) =>
    viewKyc(bank.holders.submitKyc(personAt(bank, params.personId).holder.id, { async: true }).holder),
});
