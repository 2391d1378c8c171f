/**
 * What another bank is made to send or to ask for by ACH.
 * Source: "test an incoming ACH" of the platform's v1 reference; row 196 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { Amount, body, wordOf } from './scalars.ts';

export const AchTestBody = body('AchTest', 'What another bank is made to send or to collect by ACH.', {
  amount: Amount,
  txnType: wordOf(['credit', 'debit']),
  senderName: Type.Optional(Type.String({ maxLength: 100 })),
  senderRoutingNumber: Type.Optional(Type.String({ pattern: '^\\d{9}$', description: 'nine digits' })),
  description: Type.Optional(Type.String({ maxLength: 500 })),
});
