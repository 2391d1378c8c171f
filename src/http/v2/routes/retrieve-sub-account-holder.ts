/**
 * Shows a sub account holder.
 * Source: the sub account holder operations of the platform's v2 reference.
 */
import { Type } from '@sinclair/typebox';
import { readId } from '../../../dialects/v2/ids.ts';
import { SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';

export const retrieveSubAccountHolder = operation({
  id: 'v2_retrieve_sub_account_holder',
  method: 'GET',
  path: '/v2/accounts/sub_account_holder/:sub_account_holder_id',
  summary: 'Retrieve a sub account holder',
  status: 200,
  params: Type.Object({ sub_account_holder_id: Type.String() }),
  response: SubAccountHolder,
  example: {
    params: ({ seed }) => ({ sub_account_holder_id: seed('person_holder_id') }),
  },
  run: ({ bank }, { params }) =>
    viewHolder(bank.holders.byId(readId('holder', params.sub_account_holder_id)), bank.program),
});
