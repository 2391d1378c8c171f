/**
 * Reads the state of a bank outside of the measured time: the seeded ids, the number of rows and the balance of one
 * account, to check that every answer was executed.
 */

/** The state of a bank for the checks. */
export interface BankState {
  readonly seeded: Readonly<Record<string, string>>;
  readonly transactions: number;
  readonly plannedSteps: number;
  /** The sum of available balance and pending credits of the measured account. */
  readonly cents: number;
}

interface Summary {
  counts: { transactions: number; planned_steps: number };
  seeded: Record<string, string>;
}

/** Sends a request to a bank that must succeed. */
export async function getJson<T>(url: string, path: string, apiKey = 'test_default'): Promise<T> {
  const response = await fetch(url + path, { headers: { 'api-key': apiKey } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** The path of the account of every case. */
export function accountPath(seeded: BankState['seeded']): string {
  return `/v2/accounts/sub_account/${seeded.sub_account_id}`;
}

export async function readBank(url: string): Promise<BankState> {
  const { counts, seeded } = await getJson<Summary>(url, '/_sandbox');
  const account = await getJson<{ available_balance: string; pending_credits: string }>(
    url,
    accountPath(seeded),
  );
  return {
    seeded,
    transactions: counts.transactions,
    plannedSteps: counts.planned_steps,
    cents: centsOf(account.available_balance) + centsOf(account.pending_credits),
  };
}

function centsOf(amount: string): number {
  return Math.round(Number(amount) * 100);
}
