/**
 * The paged lists of the control plane, with and without bodies: every row occurs once, in the order of the whole
 * list, with the same other fields, and filters search the whole list.
 */
import { describe, expect, it } from 'vitest';
import { type Caller, useHttp } from '../support.ts';

const http = useHttp();

type Row = Readonly<Record<string, unknown>>;

/** How a list is read: its URL, the path of its rows, and the parameters of its cursor. */
interface List {
  readonly path: string;
  readonly rows: string;
  readonly cursor: string;
  readonly sent: string;
  /** The field of a row that replaces its bodies. */
  readonly without: Row;
}

/** Pulls money five times; failed ones are in the list too. */
async function fill(caller: Caller): Promise<string> {
  const webhook = await caller.v2('POST', '/_sandbox/webhooks', {
    api_version: 'v2',
    receiver: true,
    events: ['*'],
  });
  for (const amount of ['1.00', '2.00', '3.00', '4.00', 'five']) {
    await caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount,
    });
  }
  expect((await caller.v2('POST', '/_sandbox/drain', {})).at('quiescent')).toBe(true);
  return webhook.id();
}

const LISTS: Readonly<Record<string, (webhook: string) => List>> = {
  requests: () => ({
    path: '/_sandbox/requests?',
    rows: 'requests',
    cursor: 'cursor',
    sent: 'cursor',
    without: { request_body: null, answer_body: null },
  }),
  events: () => ({
    path: '/_sandbox/events?api_version=v2&',
    rows: 'events',
    cursor: 'older',
    sent: 'before',
    without: { data: null },
  }),
  'events of both versions': () => ({
    path: '/_sandbox/events?resource=transaction&',
    rows: 'events',
    cursor: 'older',
    sent: 'before',
    without: { data: null },
  }),
  attempts: (webhook) => ({
    path: `/_sandbox/webhooks/${webhook}/attempts?`,
    rows: 'attempts',
    cursor: 'cursor',
    sent: 'cursor',
    without: { answer: null },
  }),
  'deliveries to the built-in receiver': () => ({
    path: '/_sandbox/receiver?',
    rows: 'deliveries',
    cursor: 'cursor',
    sent: 'cursor',
    without: { body: null, raw_body: '', headers: { 'webhook-id': expect.stringMatching(/^evt_/) } },
  }),
};

describe.each(Object.entries(LISTS))('the list of %s', (_, listOf) => {
  it('consists of pages without gaps and repetitions', async () => {
    const caller = http.caller();
    const { path, rows, cursor, sent } = listOf(await fill(caller));
    const whole = (await caller.v2('GET', `${path}limit=1000`)).at(rows) as Row[];
    expect(whole.length).toBeGreaterThan(3);
    const paged: Row[] = [];
    let next = '';
    do {
      const answer = await caller.v2('GET', `${path}limit=2${next === '' ? '' : `&${sent}=${next}`}`);
      expect(answer.status, answer.text).toBe(200);
      const page = answer.at(rows) as Row[];
      expect(page.length).toBeGreaterThan(0);
      paged.push(...page);
      next = answer.at(cursor) as string;
    } while (next !== '');
    expect(paged).toEqual(whole);
  });

  it('has the same items without bodies', async () => {
    const caller = http.caller();
    const { path, rows, without } = listOf(await fill(caller));
    const whole = (await caller.v2('GET', `${path}bodies=true`)).at(rows) as Row[];
    const heads = (await caller.v2('GET', `${path}bodies=false`)).at(rows) as Row[];
    expect(heads).toEqual(whole.map((row) => ({ ...row, ...without })));
  });
});

describe('the list of requests', () => {
  it('is searched for a part of a line in all requests, not only in the page', async () => {
    const caller = http.caller();
    await fill(caller);
    await caller.v2('GET', '/v2/webhook');
    const found = async (text: string): Promise<unknown[]> => {
      const answer = await caller.v2('GET', `/_sandbox/requests?text=${encodeURIComponent(text)}`);
      return (answer.at('requests') as Row[]).map(({ status, path }) => `${status} ${path}`);
    };
    expect(await found('/v2/WEB')).toEqual(['200 /v2/webhook']);
    expect(await found('post /v2/payments')).toHaveLength(5);
    expect(await found('400')).toEqual(['400 /v2/payments/ach/pull']);
    expect(await found('v2_originate_ach_pull')).toHaveLength(5);
    expect(await found('nowhere')).toEqual([]);
  });

  it('refuses an invalid cursor, and is empty after a request that was dropped', async () => {
    const caller = http.caller();
    await fill(caller);
    const refused = await caller.v2('GET', '/_sandbox/requests?cursor=12');
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('cursor must be the `cursor` of an earlier response');
    const gone = await caller.v2('GET', `/_sandbox/requests?cursor=req_${'0'.repeat(32)}`);
    expect([gone.at('requests'), gone.at('cursor')]).toEqual([[], '']);
  });
});

it('contains events after or before a given one, and refuses both parameters together', async () => {
  const caller = http.caller();
  await fill(caller);
  const [event] = (await caller.v2('GET', '/_sandbox/events?limit=1')).at('events') as { id: string }[];
  const both = await caller.v2('GET', `/_sandbox/events?since=${event?.id}&before=${event?.id}`);
  expect(both.status).toBe(400);
  expect(both.text).toContain('before and since exclude each other');
});

it('contains one delivery to the built-in receiver by its number', async () => {
  const caller = http.caller();
  await fill(caller);
  const all = (await caller.v2('GET', '/_sandbox/receiver')).at('deliveries') as Row[];
  const third = (await caller.v2('GET', '/_sandbox/receiver?number=3')).at('deliveries');
  expect(third).toEqual(all.filter(({ number }) => number === 3));
});
