/**
 * The codes under which an ACH payment can be sent back, for whoever writes a rule or simulates a return.
 */
import { Type } from '@sinclair/typebox';
import { RETURN_CLASSES, RETURN_CODES, RETURNED_BY } from '../../../model/return-codes.ts';
import { controlOperation } from '../operation.ts';
import { text, word } from '../shapes.ts';

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
        meaning: text('In a sentence.'),
        class: word(RETURN_CLASSES, 'What kind of trouble it is.'),
        returned_by: word(RETURNED_BY, 'Who may send it.'),
        time_limit: text('Until when, in words.'),
        window: Type.Unsafe<{ days: number; of: 'banking' | 'calendar' } | null>({
          type: 'object',
          nullable: true,
          description:
            'The days after the effective date of the entry, to the end of the last of them in Eastern time; null where no number of days is fixed.',
          required: ['days', 'of'],
          properties: {
            days: { type: 'integer', description: 'How many days.' },
            of: { type: 'string', enum: ['banking', 'calendar'] },
          },
        }),
      }),
    ),
  }),
  run: () => ({
    return_codes: RETURN_CODES.map(({ returnedBy, timeLimit, ...rest }) => ({
      ...rest,
      returned_by: returnedBy,
      time_limit: timeLimit.words,
      window: timeLimit.window,
    })),
  }),
});
