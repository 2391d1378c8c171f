/**
 * The body of every error of v1: one flat object.
 * Source: "errors" of the platform's v1 reference; row 7 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { record, Text, Timestamp } from './scalars.ts';

export const ErrorBody = record('Error', {
  requestId: Text,
  method: Text,
  status: Type.Integer(),
  code: Type.String({ pattern: '^EC_[A-Z0-9_]+$' }),
  message: Text,
  sysMessage: Text,
  programId: Text,
  env: Text,
  createdAt: Timestamp,
});
