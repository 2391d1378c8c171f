/**
 * POST /v1/person/{personId}/idv: begins the check of a person's identity document, or answers the one that was begun.
 * The answer has the page to send the person to; what comes of it is a result of the person's KYC.
 * Source: "submit an IDV" of the platform's v1 reference; row 132 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Idv, IdvBody } from '../../../dialects/v1/shapes/verification.ts';
import { viewIdv } from '../../../dialects/v1/views/verification.ts';
import { operation } from '../../operation.ts';
import { personAt } from '../persons.ts';

export const submitPersonIdv = operation({
  id: 'submitPersonIdv',
  method: 'POST',
  path: '/v1/person/:personId/idv',
  summary: 'Submit an IDV',
  status: 201,
  refuses: ['illegal_step'],
  params: Type.Object({ personId: Type.String() }),
  body: IdvBody,
  response: Idv,
  example: {
    params: ({ seed }) => ({ personId: seed('person_id') }),
    body: { action: 'new' },
  },
  run({ bank }, { params, body }) {
    const { id } = personAt(bank, params.personId).holder;
    return viewIdv(bank.holders.submitIdv(id, body.action));
  },
});
