/**
 * The audit: every transfer is added up again and compared with every balance. It believes nothing that was cached.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';

export const verifyLedger = controlOperation({
  id: 'sandbox_verify_ledger',
  method: 'GET',
  path: '/_sandbox/ledger/verify',
  group: 'Look',
  summary: 'Audit the books',
  status: 200,
  response: Type.Object({
    balanced: Type.Boolean(),
    accounts: Type.Integer(),
    transfers: Type.Integer(),
    open_holds: Type.Integer(),
    problems: Type.Array(Type.String()),
  }),
  run({ sandbox }) {
    const { openHolds, problems, ...counts } = sandbox.audit();
    return { balanced: problems.length === 0, ...counts, open_holds: openHolds, problems };
  },
});
