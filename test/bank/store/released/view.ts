/** The state of a bank for clients of both versions, without values that change with every call. */
import type { Sandbank } from '../../../../src/kit/index.ts';

const PATHS = [
  '/v2/accounts/sub_account',
  '/v2/accounts/sub_account_holder',
  '/v2/payments/counterparty',
  '/v2/payments/transaction',
  '/v2/issuing/card',
  '/v1/account',
  '/v1/person',
  '/v1/contact',
  '/v1/webhook',
  '/_sandbox/ledger/verify',
];

export async function whatClientsSee(bank: Sandbank): Promise<Record<string, unknown>> {
  const read = async (path: string) => {
    const response = await bank.fetch(path);
    if (!response.ok) throw new Error(`${path} answers ${response.status} ${await response.text()}`);
    // Links contain the port and are signed with the key of the start.
    const text = (await response.text()).replaceAll(/http:\/\/127\.0\.0\.1:\d+[^"]*/g, 'link');
    return JSON.parse(text) as Record<string, unknown>;
  };
  const answers = await Promise.all(PATHS.map(async (path) => [path, await read(path)] as const));
  const { events } = await read('/_sandbox/events?limit=100');
  const kinds = (events as { id: string; type: string }[]).map(({ id, type }) => `${id} ${type}`);
  return { ...Object.fromEntries(answers), events: kinds };
}
