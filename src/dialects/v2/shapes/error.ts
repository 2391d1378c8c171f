/**
 * The one body of every refusal of v2.
 * Source: the error examples of the platform's v2 reference; row 6 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { IdText, part, record, Text, Time } from './fields.ts';

export const ErrorAnswer = record('Error', {
  request_id: IdText,
  client_id: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  error: part({ code: Text, message: Text, field_name: Text }),
  created_at: Time,
});
