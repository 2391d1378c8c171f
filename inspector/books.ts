/** Whether the books balance: audited when the page opens, and when the reader wants to know. */
import { signal } from '@preact/signals';
import { client } from './bank.ts';

type Audit = Awaited<ReturnType<(typeof client)['value']['sandbox']['verifyLedger']>>;

export const audit = signal<{ result: Audit; at: string } | null>(null);

export async function verifyBooks(): Promise<void> {
  audit.value = { result: await client.value.sandbox.verifyLedger(), at: new Date().toISOString() };
}
