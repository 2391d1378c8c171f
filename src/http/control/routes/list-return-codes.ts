/**
 * The codes under which an ACH payment can be sent back, for whoever writes a rule or simulates a return.
 */
import { Type } from '@sinclair/typebox';
import { RETURN_CODES } from '../../../model/return-codes.ts';
import { controlOperation } from '../operation.ts';

const Text = Type.String();

export const listReturnCodes = controlOperation({
  id: 'sandbox_list_return_codes',
  method: 'GET',
  path: '/_sandbox/return_codes',
  group: 'Simulate',
  summary: 'List the return codes of ACH',
  status: 200,
  response: Type.Object({
    return_codes: Type.Array(
      Type.Object({
        code: Text,
        title: Text,
        meaning: Text,
        class: Text,
        returned_by: Text,
        time_limit: Text,
      }),
    ),
  }),
  run: () => ({
    return_codes: RETURN_CODES.map(({ returnedBy, timeLimit, ...rest }) => ({
      ...rest,
      returned_by: returnedBy,
      time_limit: timeLimit,
    })),
  }),
});
