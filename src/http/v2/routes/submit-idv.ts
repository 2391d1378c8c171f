/**
 * Begins the check of a person's identity document: the answer has the page to send the person to, and the check is in
 * review until it is decided. A business is refused. The call has no body.
 * Source: the navigation of the platform's v2 reference; rows 25 and 132 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';

export const submitIdv = operation({
  id: 'v2_submit_idv',
  method: 'POST',
  path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/idv',
  summary: 'Submit an IDV',
  status: 201,
  refuses: ['holder_type_wrong', 'illegal_step'],
  params: Type.Object({ sub_account_holder_id: Type.String() }),
  response: SubAccountHolder,
  example: {
    params: ({ seed }) => ({ sub_account_holder_id: seed('person_holder_id') }),
  },
  run: ({ bank }, { params }) =>
    viewHolder(bank.holders.submitIdv(readId('holder', params.sub_account_holder_id)), bank.program),
});
