/**
 * The audit: every transfer is added up again and compared with every balance. It believes nothing that was cached.
 */
import { Type } from '@sinclair/typebox';
import { type AuditReport, auditLedgerInTurns } from '../../../ledger/audit.ts';
import type { Sandbox } from '../../../sandboxes/sandbox.ts';
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
    accounts: Type.Integer({ description: 'How many were audited.' }),
    transfers: Type.Integer({ description: 'How many were added up.' }),
    open_holds: Type.Integer({ description: 'How many holds are neither settled nor released.' }),
    problems: Type.Array(Type.String(), { description: 'What is wrong, in words; empty when all is well.' }),
  }),
  async run({ sandbox }) {
    const { openHolds, problems, ...counts } = await audit(sandbox);
    return { balanced: problems.length === 0, ...counts, open_holds: openHolds, problems };
  },
});

/** A bank that was exchanged meanwhile is audited no further: then it is the new one that is asked about. */
async function audit(sandbox: Sandbox): Promise<AuditReport> {
  const { banksBefore, connection } = sandbox;
  try {
    return await auditLedgerInTurns(connection.db);
  } catch (error) {
    if (sandbox.banksBefore === banksBefore) throw error;
    return sandbox.audit();
  }
}
