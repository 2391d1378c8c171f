/**
 * The body of every error of v1: one flat object.
 * Source: "errors" of the platform's v1 reference; row 7 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { IdText, record, Text, Timestamp, wordOf } from './scalars.ts';

export const ErrorBody = record('Error', 'Why a call was refused.', {
  requestId: IdText,
  method: Text,
  status: Type.Integer({ description: 'The HTTP status.' }),
  code: Type.String({ pattern: '^EC_[A-Z0-9_]+$', description: 'A code of the platform.' }),
  message: Text,
  sysMessage: Text,
  programId: IdText,
  env: wordOf(['test']),
  createdAt: Timestamp,
});
