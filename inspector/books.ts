/** Whether the books balance. The audit runs when the page opens, and on request. */
import { signal } from '@preact/signals';
import { client } from './bank.ts';

type Audit = Awaited<ReturnType<(typeof client)['value']['sandbox']['verifyLedger']>>;

export const audit = signal<{ result: Audit; at: string } | null>(null);

export async function verifyBooks(): Promise<void> {
  audit.value = { result: await client.value.sandbox.verifyLedger(), at: new Date().toISOString() };
}
