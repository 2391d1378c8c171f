/**
 * Checks a business and its members, at once; a person is refused. The call has no body.
 * Source: the KYB operation of the platform's v2 reference; rows 22, 24 and 25 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';

export const submitKyb = operation({
  id: 'v2_submit_kyb',
  method: 'POST',
  path: '/v2/accounts/sub_account_holder/:sub_account_holder_id/kyb',
  summary: 'Submit a KYB',
  status: 201,
  refuses: ['holder_type_wrong', 'illegal_step'],
  params: Type.Object({ sub_account_holder_id: Type.String() }),
  response: SubAccountHolder,
  example: {
    params: ({ seed }) => ({ sub_account_holder_id: seed('business_holder_id') }),
  },
  run: ({ bank }, { params }) =>
    viewHolder(bank.holders.submitKyb(readId('holder', params.sub_account_holder_id)), bank.program),
});
