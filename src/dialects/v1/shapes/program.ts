/**
 * The program: the client's side of the platform, under which all records of v1 are.
 * Source: the platform publishes the path and no fields; row 205 of docs/fidelity.md.
 */
import { record, Text, wordOf } from './scalars.ts';

export const Program = record('Program', {
  id: Text,
  name: Text,
  status: wordOf(['active']),
  env: wordOf(['test']),
  sponsorBankName: Text,
  routingNumber: Text,
});
