/**
 * GET /v1/person/{personId}/kyc: how far the KYC of a person is.
 * Source: "retrieve a KYC" of the platform's v1 reference; row 23 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Kyc } from '../../../dialects/v1/shapes/verification.ts';
import { viewKyc } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { personAt } from '../persons.ts';

export const retrievePersonKyc = operation({
  id: 'retrievePersonKyc',
  method: 'GET',
  path: '/v1/person/:personId/kyc',
  summary: 'Retrieve a KYC',
  status: 200,
  params: Type.Object({ personId: Type.String() }),
  response: Kyc,
  example: {
    params: ({ seed }) => ({ personId: seed('person_id') }),
  },
  run: ({ bank }, { params }) => viewKyc(personAt(bank, params.personId).holder),
});
