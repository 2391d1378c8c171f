/** The message after a simulated payment: its outcome with the reason of a decline, and a link to it. */
import { Link } from 'wouter-preact';
import { client } from './bank.ts';
import { say } from './parts.tsx';

interface Made {
  readonly transaction: { readonly id: string; readonly amount: string; readonly status: string };
}

/** Shows the outcome of a payment that a simulation made. */
export async function sayOutcome({ transaction: { id, amount, status } }: Made): Promise<void> {
  const isDeclined = status === 'declined';
  const why = isDeclined ? await client.value.sandbox.explain({ params: { id } }) : undefined;
  const reason = [why?.reason?.code, why?.reason?.message].filter(Boolean).join(': ');
  say(
    <>
      {amount} USD is {status.replaceAll('_', ' ')}
      {reason !== '' && ` (${reason})`}. <Link href={`/transactions/${id}`}>Open the payment</Link>
    </>,
    isDeclined ? 'bad' : 'good',
  );
}
