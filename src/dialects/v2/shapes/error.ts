/**
 * The one body of every refusal of v2.
 * Source: the error examples of the platform's v2 reference; row 6 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { IdText, part, record, Text, Time, text } from './fields.ts';

export const ErrorAnswer = record('Error', 'Why a call was refused.', {
  request_id: IdText,
  client_id: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  error: part({
    code: text('A code of the platform, like "EC_INVALID_INPUT".'),
    message: Text,
    field_name: text('The field at fault; "" for none.'),
  }),
  created_at: Time,
});
