/**
 * The code under test. It pays out once per order, and reports the state of a payment in its own words.
 */

/** The address and the key of the platform. In a test they are those of the bank. */
export interface Platform {
  readonly url: string;
  readonly apiKey: string;
}

export interface Payout {
  readonly order: string;
  readonly amount: string;
  readonly accountId: string;
  readonly counterpartyId: string;
}

/** Orders a payout. A second call for the same order changes nothing. Returns the payment's id. */
export async function payOut(
  platform: Platform,
  { order, amount, accountId, counterpartyId }: Payout,
): Promise<string> {
  const { id } = await call(platform, 'POST', '/v2/payments/ach/push', {
    headers: { 'idempotency-key': `payout-${order}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      sub_account_id: accountId,
      counterparty_id: counterpartyId,
      amount,
      description: `Order ${order}`,
    }),
  });
  return id;
}

/** Whether the money has arrived, is under way, or was returned. */
export async function stateOf(platform: Platform, id: string): Promise<'paid' | 'failed' | 'under way'> {
  const { status } = await call(platform, 'GET', `/v2/payments/transaction/${id}`);
  if (status === 'settled') return 'paid';
  return status === 'returned' || status === 'declined' ? 'failed' : 'under way';
}

async function call({ url, apiKey }: Platform, method: string, path: string, init: RequestInit = {}) {
  const headers = { ...init.headers, 'api-key': apiKey };
  const answer = await fetch(url + path, { ...init, method, headers });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string; status: string };
}
