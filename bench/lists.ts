/**
 * Measures reads of a long history: a page of 50 transactions and the balance of an account with 100,000
 * transactions, in alternation with an account with 100; the summary of that bank; and lists of its 200,000
 * transactions by one filter.
 */
import { freshPath, type Place, startBank, startClient } from './children.ts';
import { median } from './numbers.ts';

export interface ListFigures {
  readonly place: Place;
  /** The final number of transactions of the long account. */
  readonly transactions: number;
  /** Microseconds over HTTP, medians. */
  readonly short: ReadFigures;
  readonly long: ReadFigures;
  /** Milliseconds of `GET /_sandbox`, median. */
  readonly summaryMs: number;
  /** Lists of all accounts by one filter. A second account has as many transactions as the long one. */
  readonly filters: readonly FilterFigures[];
}

interface FilterFigures {
  readonly filter: string;
  /** Milliseconds of the process's first list with this filter, and the median of later ones, each after a payment. */
  readonly firstMs: number;
  readonly laterMs: number;
}

export interface ReadFigures {
  readonly v2ListUs: number;
  readonly v2LaterPageUs: number;
  readonly v1ListUs: number;
  readonly balanceUs: number;
}

const LONG = 100_000;
const SHORT = 100;
const FILL_SECONDS = 4;
const FILL_CONNECTIONS = 64;
const TURNS = 200;
const WARM_UP_TURNS = 100;
const FILTER_TURNS = 20;

interface Page {
  total: number;
  starting_after: string;
}

export async function measureLists(place: Place): Promise<ListFigures> {
  const bank = await startBank(place, { compileCache: freshPath('compile-cache') });
  const headers = { 'api-key': 'test_default', 'sd-api-key': 'test_default' };
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(bank.url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const listOf = (id: string): string => `/v2/payments/transaction?sub_account_id=${id}&limit=50`;

  const { seeded } = await call<{ seeded: Record<string, string> }>('GET', '/_sandbox');
  const long = seeded.sub_account_id ?? '';
  const { id: short } = await call<{ id: string }>('POST', '/v2/accounts/sub_account', {
    sub_account_holder_id: seeded.person_holder_id,
    type: 'checking',
  });
  for (let count = 0; count < SHORT; count += 1) {
    await call('POST', '/v2/simulate/incoming/ach/push', {
      sub_account_id: short,
      amount: '1.00',
      counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
    });
  }
  const client = startClient();
  let transactions = 0;
  for (let round = 0; transactions < LONG; round += 1) {
    const { problem } = await client.run({
      port: bank.port,
      method: 'POST',
      path: '/v2/payments/intra_account/pull',
      headers,
      freshHeader: '',
      name: `fill${round}`,
      body: JSON.stringify({
        sub_account_id: long,
        counterparty_id: seeded.intra_counterparty_id,
        amount: '0.01',
      }),
      connections: FILL_CONNECTIONS,
      seconds: FILL_SECONDS,
      status: 201,
    });
    if (problem !== '') throw new Error(problem);
    transactions = (await call<Page>('GET', listOf(long))).total;
  }
  await client.stop();

  const paths = await Promise.all([short, long].map((id) => readsOf(id, call)));
  const took = paths.map((reads) => reads.map((): number[] => []));
  for (let turn = 0; turn < WARM_UP_TURNS + TURNS; turn += 1) {
    for (const [whose, reads] of paths.entries()) {
      for (const [which, path] of reads.entries()) {
        const start = performance.now();
        await call('GET', path);
        if (turn >= WARM_UP_TURNS) took[whose]?.[which]?.push((performance.now() - start) * 1000);
      }
    }
  }
  const summaries: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const start = performance.now();
    await call('GET', '/_sandbox');
    summaries.push(performance.now() - start);
  }
  const filters = await measureFilters(seeded, call);
  await bank.stop();
  const [ofShort, ofLong] = took.map(figuresOf);
  if (ofShort === undefined || ofLong === undefined) throw new Error('nothing was measured');
  return { place, transactions, short: ofShort, long: ofLong, summaryMs: median(summaries), filters };
}

/** The reads of one account: two pages and a list of v1, and the balance. */
async function readsOf(
  id: string,
  call: <T>(method: string, path: string) => Promise<T>,
): Promise<readonly string[]> {
  const first = `/v2/payments/transaction?sub_account_id=${id}&limit=50`;
  const { starting_after: cursor } = await call<Page>('GET', first);
  return [
    first,
    `${first}&starting_after=${encodeURIComponent(cursor)}`,
    `/v1/account/${id}/transaction?limit=50`,
    `/v2/accounts/sub_account/${id}`,
  ];
}

function figuresOf(took: readonly number[][]): ReadFigures {
  const [v2ListUs = 0, v2LaterPageUs = 0, v1ListUs = 0, balanceUs = 0] = took.map(median);
  return { v2ListUs, v2LaterPageUs, v1ListUs, balanceUs };
}

async function measureFilters(
  seeded: Record<string, string>,
  call: <T>(method: string, path: string, body?: object) => Promise<T>,
): Promise<FilterFigures[]> {
  const program = `/v1/program/${seeded.program_id}/transaction?limit=50&`;
  const lists = [
    ['common status', `${program}status=settled`],
    ['rare status', `${program}status=canceled`],
    ['contact', `${program}contactId=${seeded.intra_counterparty_id}`],
    ['person', `${program}personId=${seeded.person_id}`],
    ['text without a match', `${program}query=nowhere`],
    ['amount', `${program}minAmount=1.00`],
    [
      'status and text of one account',
      `/v1/account/${seeded.account_id}/transaction?limit=50&status=pending&query=a`,
    ],
    ['status of transfers', `/v1/program/${seeded.program_id}/transfer?limit=50&status=pending`],
    ['status, in the control plane', '/_sandbox/transactions?status=returned'],
  ] as const;
  const figures: FilterFigures[] = [];
  for (const [filter, path] of lists) {
    const took: number[] = [];
    for (let turn = 0; turn <= FILTER_TURNS; turn += 1) {
      await call('POST', '/v2/payments/intra_account/pull', {
        sub_account_id: seeded.sub_account_id,
        counterparty_id: seeded.intra_counterparty_id,
        amount: '0.01',
      });
      const start = performance.now();
      await call('GET', path);
      took.push(performance.now() - start);
    }
    const [firstMs = 0, ...later] = took;
    figures.push({ filter, firstMs, laterMs: median(later) });
  }
  return figures;
}
