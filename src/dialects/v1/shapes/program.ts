/**
 * The program: the client's side of the platform, under which all records of v1 are.
 * Source: the platform publishes the path and no fields; row 205 of docs/fidelity.md.
 */
import { IdText, RoutingNumber, record, Text, text, wordOf } from './scalars.ts';

export const Program = record('Program', "The client's side of the platform, under which all records are.", {
  id: IdText,
  name: Text,
  status: wordOf(['active']),
  env: wordOf(['test']),
  sponsorBankName: text('The name of the bank that keeps the money.'),
  routingNumber: RoutingNumber,
});
