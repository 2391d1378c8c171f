/**
 * `sandbank mcp` in a separate process, called by the official client: the size of its list of tools, and each tool
 * with a real bank.
 */

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LAUNCHER, type Running, startBank } from '../server/process/support.ts';
import { freePort } from './support.ts';

const MAX_TOKENS = 1_600;
/**
 * Words and JSON have about four characters per token; a lower number is used, so that no tokenizer is needed.
 */
const CHARACTERS_PER_TOKEN = 3.5;

let bank: Running;
let client: Client;

async function connect(url: string): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env;
  const connected = new Client({ name: 'test', version: '1.0.0' });
  await connected.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [LAUNCHER, 'mcp', '--url', url],
      env: { PATH, HOME },
      stderr: 'inherit',
    }),
  );
  return connected;
}

beforeAll(async () => {
  bank = await startBank({ SANDBANK_RAILS: 'manual' });
  client = await connect(bank.url);
});

afterAll(async () => {
  await client.close();
});

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

async function callOf(from: Client, name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { content, isError = false } = await from.callTool({ name, arguments: args });
  const [part] = content as { text: string }[];
  return { text: part?.text ?? '', isError: isError === true };
}

async function call(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { text, isError } = await callOf(client, name, args);
  expect(isError, text).toBe(false);
  return text;
}

const pull = async (amount: string): Promise<string> => {
  const { sub_account_id, ach_counterparty_id: counterparty_id } = bank.seeded;
  const { body } = await bank.v2('POST', '/v2/payments/ach/pull', {
    sub_account_id,
    counterparty_id,
    amount,
  });
  return String(body.id);
};

describe('the list of tools', () => {
  it('has at most nine tools, and at most 1,600 tokens', async () => {
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(9);
    expect(tools.every(({ description = '' }) => description.length > 40)).toBe(true);
    expect(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(MAX_TOKENS);
  });

  it('marks the tools that change nothing as read-only', async () => {
    const { tools } = await client.listTools();
    const reading = tools
      .filter(({ annotations }) => annotations?.readOnlyHint === true)
      .map(({ name }) => name);
    expect(reading).toEqual(['find', 'explain', 'wait_for_event', 'requests']);
  });
});

describe('find', () => {
  it('returns the ids of the initial records without a search term', async () => {
    const text = await call('find');
    expect(text).toContain(`sub_account_id ${bank.seeded.sub_account_id}`);
    expect(text).toMatch(/clock \d{4}-/);
  });

  it('finds records and operations by search terms', async () => {
    expect(await call('find', { q: 'Ada' })).toMatch(/^holder sah_\w+ /m);
    expect(await call('find', { q: 'ach pull' })).toMatch(
      /operation v2_originate_ach_pull POST \/v2\/payments\/ach\/pull/,
    );
    expect(await call('find', { q: 'zzzzzz' })).toBe('no match for zzzzzz');
  });

  it('describes an operation by its name', async () => {
    const text = await call('find', { q: 'v2_originate_ach_pull' });
    expect(text).toMatch(/^ {2}amount \(required\): string .+/m);
    expect(text).toMatch(/^example \{"sub_account_id":/m);
  });
});

describe('request', () => {
  const made = async (operation: string, body: object): Promise<Record<string, string>> => {
    const [status, json = ''] = (await call('request', { operation, body })).split('\n');
    expect(status).toBe('201');
    return JSON.parse(json);
  };

  it('makes a holder, an account and a counterparty, whose pull is returned, with these tools alone', async () => {
    // The examples that find prints, as an agent would copy them.
    const example = async (q: string) =>
      JSON.parse(/^example (.*)$/m.exec(await call('find', { q }))?.[1] ?? '{}');
    const holder = await made('v2_create_sub_account_holder', await example('v2_create_sub_account_holder'));
    await call('simulate', { action: 'step', id: holder.id, event: 'pass' });
    const account = await made('v2_create_sub_account', {
      ...(await example('v2_create_sub_account')),
      sub_account_holder_id: holder.id,
    });
    await call('simulate', { action: 'incoming', rail: 'ach_push', id: account.id, amount: '500.00' });
    await call('clock', { action: 'settle' });
    const counterparty = await made('v2_create_counterparty', {
      ...(await example('v2_create_counterparty')),
      sub_account_id: account.id,
    });
    const { id } = await made('v2_originate_ach_pull', {
      sub_account_id: account.id,
      counterparty_id: counterparty.id,
      amount: '40.00',
    });
    await call('clock', { action: 'settle' });
    await call('simulate', { action: 'step', id, event: 'return', return_code: 'R01' });
    expect(await call('wait_for_event', { resource: id, type: 'transaction.status.returned' })).toMatch(
      /evt_/,
    );
    const read = await call('request', {
      operation: 'v2_retrieve_sub_account',
      params: { sub_account_id: account.id },
    });
    expect(read).toMatch(/^200\n[\s\S]*"available_balance":"500\.00"/);
  });

  it.each([
    ['an unknown operation', { operation: 'v2_create_sub_acount' }, /did you mean v2_create_sub_account\?/],
    [
      'an unknown parameter',
      { operation: 'v2_list_sub_accounts', params: { limt: 1 } },
      /params has no limt in v2_list_sub_accounts; its names: .*limit/,
    ],
    ['a missing id', { operation: 'v2_retrieve_sub_account' }, /v2_retrieve_sub_account needs \w+ in params/],
    [
      'a field of the body',
      { operation: 'v2_originate_ach_pull', body: { amount: 'forty', amout: '40.00' } },
      /^400\n.*(amount|sub_account_id|counterparty_id)/,
    ],
    [
      'an unknown argument',
      { operation: 'v2_list_sub_accounts', query: {} },
      /no argument query; .*params, body/,
    ],
  ])('names %s', async (_, input, text) => {
    const refused = await callOf(client, 'request', input);
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(text) });
  });
});

describe('a payment', () => {
  it('is explained, moved by a step, and returned', async () => {
    const id = await pull('40.00');
    expect(await call('explain', { id })).toMatch(/can be simulated now: .*settle/);
    expect(await call('simulate', { action: 'step', id, event: 'settle' })).toMatch(
      /40\.00 settled \(steps: .*settle\)/,
    );
    await call('simulate', { action: 'step', id, event: 'return', return_code: 'R01' });
    expect(await call('explain', { id })).toMatch(/R01/);
    const events = await call('wait_for_event', { type: 'transaction.status.returned', resource: id });
    expect(events).toMatch(/evt_\w+ transaction\.status\.returned/);
    const event = /evt_\w+/.exec(events)?.[0];
    expect(await call('explain', { id: event })).toMatch(/"status":"returned"/);
  });

  it('refuses a step that the state does not allow, and lists the allowed ones', async () => {
    const id = await pull('41.00');
    const refused = await callOf(client, 'simulate', { action: 'step', id, event: 'fly' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/no event fly; legal now: .*submit/),
    });
    await call('simulate', { action: 'step', id, event: 'settle' });
    const late = await callOf(client, 'simulate', { action: 'step', id, event: 'cancel' });
    expect(late).toMatchObject({ isError: true, text: expect.stringMatching(/settled/) });
  });

  it('arrives from another bank, and settles when the clock advances', async () => {
    const arrived = await call('simulate', { action: 'incoming', rail: 'ach_push', amount: '75.00' });
    expect(arrived).toMatch(/^txn_\w+ .* 75\.00 /);
    expect(await call('clock', { action: 'settle' })).toMatch(/ -> .*: [1-9]\d* steps?, [1-9]\d* events?/);
  });
});

describe('the other tools', () => {
  it('make a purchase with the first card, and explain a decline', async () => {
    const bought = await call('simulate', {
      action: 'purchase',
      amount: '999999.00',
      merchant: 'Harbor Books',
      mcc: '5942',
    });
    expect(bought).toMatch(/declined$/);
    const [id] = bought.split(' ');
    expect(await call('explain', { id })).toMatch(/decisions\n|insufficient/i);
  });

  it('move the clock', async () => {
    await call('clock', { action: 'freeze', to: '2027-01-04T15:00:00Z' });
    expect(await call('clock', { action: 'advance', by: '2d' })).toContain('-> 2027-01-06T15:00:00');
    const refused = await callOf(client, 'clock', { action: 'advance' });
    expect(refused).toEqual({ isError: true, text: 'advance needs by, business_days or to' });
  });

  it('set and list faults', async () => {
    await call('faults', { action: 'add', route: '/v2/payments/*', status: 503, times: 1 });
    expect(await pull('42.00')).toBe('undefined');
    expect(await call('faults', { action: 'list' })).toMatch(/hit 1 of 1, over/);
    expect(await call('requests', { status: '503' })).toMatch(
      / 503 POST \/v2\/payments\/ach\/pull v2_originate_ach_pull req_/,
    );
    expect(await call('faults', { action: 'clear' })).toBe('no faults');
    expect(await call('requests', { operation: 'no_such' })).toMatch(/^no such request/);
  });

  it('explain a request by its id', async () => {
    await pull('43.00');
    const [, id] = /(req_\w+)/.exec(await call('requests', { limit: 1 })) ?? [];
    expect(await call('explain', { id })).toMatch(/sent .*"43\.00"[\s\S]*got .*"txn_/);
  });

  it('explain why a webhook receives nothing', async () => {
    const text = await call('explain', { id: bank.seeded.webhook_id });
    expect(text).toMatch(/of v1: (paused|inactive)/);
  });

  it('take, compare and restore a snapshot', async () => {
    await call('snapshot', { action: 'take' });
    expect(await call('snapshot', { action: 'compare' })).toBe('nothing changed');
    const id = await pull('44.00');
    const changes = await call('snapshot', { action: 'compare' });
    expect(changes).toContain('transactions: 1 created');
    expect(changes).toContain(`created transactions ${id}`);
    await call('snapshot', { action: 'restore' });
    expect(await call('snapshot', { action: 'compare' })).toBe('nothing changed');
    expect(await call('snapshot', { action: 'list' })).toBe('agent');
  });

  it('report what happened instead of an expected event', async () => {
    const text = await call('wait_for_event', { type: 'transaction.status.in_review', seconds: 0 });
    expect(text).toMatch(/^no such event within 0 s/);
    expect(text).toContain('advance it or settle it');
  });
});

describe('an error', () => {
  it('of an unknown id contains the message of the bank', async () => {
    const { isError, text } = await callOf(client, 'explain', { id: 'txn_1' });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/transaction|found/),
    });
  });

  it('of an argument names the argument', async () => {
    const { isError, text } = await callOf(client, 'clock', { action: 'rewind' });
    const allowed = /action must be one of show, advance, settle, freeze, run; got "rewind"/;
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringMatching(allowed) });
  });

  it('of the address is explained, and the server continues', async () => {
    const lonely = await connect(`http://127.0.0.1:${await freePort()}`);
    const { isError, text } = await callOf(lonely, 'find');
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/no bank responds.*sandbank start/),
    });
    expect((await lonely.listTools()).tools.length).toBeGreaterThan(0);
    await lonely.close();
  });
});
