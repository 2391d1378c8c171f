/**
 * Makes a sub account holder: a person, or a business with its members.
 * Source: the sub account holder operations of the platform's v2 reference; rows 21 and 22 of docs/fidelity.md.
 */
import { readNewHolder } from '../../../dialects/v2/readers/holder.ts';
import { NewSubAccountHolder, SubAccountHolder } from '../../../dialects/v2/shapes/holder.ts';
import { viewHolder } from '../../../dialects/v2/views/holder.ts';
import { operation } from '../../operation.ts';

export const createSubAccountHolder = operation({
  id: 'v2_create_sub_account_holder',
  method: 'POST',
  path: '/v2/accounts/sub_account_holder',
  summary: 'Create a sub account holder',
  status: 201,
  body: NewSubAccountHolder,
  response: SubAccountHolder,
  run: ({ bank }, { body }) => viewHolder(bank.holders.create(readNewHolder(body)), bank.program),
});
