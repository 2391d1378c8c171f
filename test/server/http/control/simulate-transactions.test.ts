/**
 * Every event of every rail through the control plane: legal events lead to the state in the rail's table, others are
 * refused with the list of legal ones. `clear` and `settle` can be simulated early, and a return has a code.
 */
import { describe, expect, it } from 'vitest';
import { formatV1 } from '../../../../src/bank/api/ids.ts';
import {
  type IncomingRail,
  type OriginationRail,
  RAILS,
  type RailEvent,
  type RailName,
  railEvents,
  railOf,
} from '../../../../src/bank/model/rails/index.ts';
import { RETURN_CODES } from '../../../../src/bank/model/return-codes.ts';
import type { TransactionStatus } from '../../../../src/bank/model/vocabulary.ts';
import { RAIL_EVENTS } from '../../../../src/bank/model/vocabulary.ts';
import { stepsTo } from '../../../../src/bank/verbs/simulation/payments.ts';
import { IS_WORKERD } from '../../process/support.ts';
import { type Answer, type Caller, useHttp } from '../support.ts';
import { originate } from './calls.ts';

const http = useHttp();

const OUT: readonly OriginationRail[] = [
  'intra_push',
  'intra_pull',
  'ach_push',
  'ach_pull',
  'domestic_wire',
  'international_wire',
  'rtp_push',
  'fednow_push',
  'debit_card_push',
  'debit_card_pull',
  'check_send',
  'check_deposit',
];
const IN: readonly [word: string, rail: IncomingRail][] = [
  ['ach_push', 'ach_received_push'],
  ['ach_pull', 'ach_received_pull'],
  ['domestic_wire', 'domestic_wire_received'],
  ['international_wire', 'international_wire_received'],
  ['rtp', 'rtp_received'],
  ['fednow', 'fednow_received'],
];

const simulate = (caller: Caller, id: string, event: string, body?: object): Promise<Answer> =>
  caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);

async function receive(caller: Caller, word: string): Promise<string> {
  const answer = await caller.v2('POST', `/_sandbox/simulate/incoming/${word}`, {
    sub_account_id: caller.seed('sub_account_id'),
    amount: '100.00',
    sender: { name: 'Mill', account_number: '123', routing_number: '121042882' },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.id('transaction.id');
}

/** The paths through a rail's table: for each state the events that lead to it from the first state. */
function waysThrough(rail: RailName): Map<TransactionStatus, RailEvent[]> {
  const { opens, steps } = railOf(rail);
  const ways = new Map<TransactionStatus, RailEvent[]>([[opens.status, []]]);
  for (const [status, way] of ways) {
    for (const event of railEvents(rail, status)) {
      const to = steps[status]?.[event]?.to;
      if (to !== undefined && !ways.has(to)) ways.set(to, [...way, event]);
    }
  }
  return ways;
}

const balances = async (caller: Caller) => {
  const { body } = await caller.v2('GET', `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`);
  const { available_balance, pending_credits, pending_debits } = body as Record<string, string>;
  return [available_balance, pending_credits, pending_debits];
};

/** Another process takes longer for each of thousands of requests, and has the same tables: one rail is enough. */
const SOME = IS_WORKERD
  ? [['ach_pull', 'ach_pull'] as const]
  : [...OUT.map((rail) => [rail, rail] as const), ...IN];

describe.each(SOME)('a payment by %s', (word, rail) => {
  const make = (caller: Caller) =>
    word === rail ? originate(caller, rail as OriginationRail) : receive(caller, word);
  const ways = [...waysThrough(rail)];

  it.each(ways)('in %s accepts exactly the events of its row', async (status, way) => {
    const legal = railEvents(rail, status);
    const caller = http.caller();
    for (const event of RAIL_EVENTS) {
      const id = await make(caller);
      for (const step of way) await simulate(caller, id, step);
      const answer = await simulate(caller, id, event);
      if (stepsTo(rail, status, event).length > 1) {
        expect(answer.at('transaction.status')).toBe(event === 'settle' ? 'settled' : 'cleared');
      } else if (legal.includes(event)) {
        expect(answer.status, answer.text).toBe(200);
        expect(answer.at('transaction.status')).toBe(railOf(rail).steps[status]?.[event]?.to);
        expect(answer.at('steps')).toEqual([event]);
      } else {
        expect([event, answer.status, answer.at('error.code')]).toEqual([event, 409, 'illegal_step']);
        expect(answer.at('error.hint')).toBe(legal.length === 0 ? '' : `legal: ${legal.join(', ')}`);
      }
    }
  });
});

describe('an event that comes early', () => {
  it.each([
    ['ach_pull', 'settle', ['submit', 'send', 'clear', 'settle'], ['5100.00', '0.00', '0.00']],
    ['ach_push', 'settle', ['submit', 'send', 'clear', 'settle'], ['4900.00', '0.00', '0.00']],
    ['ach_push', 'clear', ['submit', 'send', 'clear'], ['4900.00', '0.00', '100.00']],
    ['domestic_wire', 'clear', ['submit', 'send', 'clear'], ['4900.00', '0.00', '100.00']],
    ['rtp_push', 'settle', ['settle'], ['4900.00', '0.00', '0.00']],
  ] as const)('moves a %s through its steps to %s', async (rail, event, steps, after) => {
    const caller = http.caller();
    const id = await originate(caller, rail);
    await caller.listen();
    const answer = await simulate(caller, id, event);
    expect(answer.at('steps')).toEqual(steps);
    expect(await balances(caller)).toEqual(after);
    const { v2 } = await caller.receivedEvents();
    expect(v2.filter(({ kind }) => kind.startsWith('transaction.status'))).toHaveLength(steps.length);
  });

  it('also approves a payment in review', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'ach_pull');
    await simulate(caller, id, 'review', { reason: 'inReview', message: 'a person looks at it' });
    const answer = await simulate(caller, id, 'settle');
    expect(answer.at('steps')).toEqual(['approve', 'send', 'clear', 'settle']);
    expect(answer.at('transaction.ach.trace_number')).toMatch(/^\d{14}$/);
  });

  it('leaves no scheduled step behind', async () => {
    const caller = http.caller();
    const id = await receive(caller, 'ach_push');
    await simulate(caller, id, 'settle');
    const timers = (await caller.v2('GET', '/_sandbox/timers')).at('timers') as { subject: string }[];
    expect(timers.filter(({ subject }) => subject === id)).toEqual([]);
    http.clock.advance(60_000);
    await caller.sandbox.agenda.runDue();
    expect((await caller.v2('GET', `/v2/payments/transaction/${id}`)).at('status')).toBe('settled');
  });
});

describe('a return', () => {
  it.each(
    RETURN_CODES.filter(({ from }) => from === '').map(({ code, class: kind }) => [kind, code] as const),
  )('for %s has %s', async (_, code) => {
    const caller = http.caller();
    const id = await originate(caller, 'ach_pull');
    await simulate(caller, id, 'submit');
    await simulate(caller, id, 'send');
    const answer = await simulate(caller, id, 'return', { return_code: code });
    expect(answer.at('transaction.status')).toBe('returned');
    expect(answer.at('transaction.ach.return_code')).toBe(code);
  });

  it('has its review code in v1', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'ach_pull');
    await simulate(caller, id, 'clear');
    await caller.listen();
    await simulate(caller, id, 'return', { return_code: 'R03' });
    const { v1 } = await caller.receivedEvents();
    expect(v1.map(({ kind }) => kind)).toEqual(['transfer.updated', 'ach.reversal.debit']);
    expect(v1[0]?.record).toMatchObject({
      status: 'declined',
      reviewCode: 'accountNotFound',
      reviewMessage: 'no account or unable to locate account',
    });
    expect(v1[1]?.record).toMatchObject({ subType: 'reversal', reviewCode: 'accountNotFound' });
  });

  it.each([
    ['ach_pull', 'R01'],
    ['ach_push', 'R03'],
  ] as const)('of an %s without a code has %s', async (rail, code) => {
    const caller = http.caller();
    const id = await originate(caller, rail);
    await simulate(caller, id, 'clear');
    const answer = await simulate(caller, id, 'return');
    expect(answer.at('transaction.ach.return_code')).toBe(code);
  });

  it('after settlement posts even if the money was spent', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'ach_pull');
    await simulate(caller, id, 'settle');
    await caller.v2('POST', `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`, {
      amount: '5100.00',
    });
    await simulate(caller, id, 'return', { return_code: 'R10' });
    expect(await balances(caller)).toEqual(['-100.00', '0.00', '5100.00']);
  });

  it('with an unknown code is refused, with a link to the codes', async () => {
    const caller = http.caller();
    const id = await originate(caller, 'ach_pull');
    await simulate(caller, id, 'clear');
    for (const code of ['R99', 'R63', 'r01', '']) {
      const answer = await simulate(caller, id, 'return', { return_code: code });
      expect(answer.status).toBe(400);
      expect(answer.at('error.message')).toContain('GET /_sandbox/return_codes');
    }
    expect((await simulate(caller, id, 'settle', { return_code: 'R01' })).status).toBe(400);
  });
});

describe('the list of return codes', () => {
  it('contains every current code once, with its sender and time limit', async () => {
    const answer = await http.call('GET', '/_sandbox/return_codes');
    const codes = answer.at('return_codes') as Record<string, string>[];
    const expected = [
      ...[...Array(47).keys()].map((n) => `R${String(n + 1).padStart(2, '0')}`),
      ...[50, 51, 52, 53, 61, 62, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77].map((n) => `R${n}`),
      ...[80, 81, 82, 83, 84, 85].map((n) => `R${n}`),
    ];
    expect(codes.map(({ code }) => code)).toEqual(expected);
    for (const { in_force_from, in_force_until, code, ...row } of codes) {
      expect(Object.values(row).every((text) => text !== '')).toBe(true);
      expect([in_force_from, in_force_until]).toEqual(['', code === 'R16' ? '2028-03-17' : '']);
    }
    expect(codes.find(({ code }) => code === 'R10')).toMatchObject({
      returned_by: 'RDFI',
      time_limit: '60 calendar days after settlement',
      class: 'authorization',
    });
  });
});

describe('an id in a simulation', () => {
  it('may be in the format of v1', async () => {
    const caller = http.caller();
    const id = (await originate(caller, 'ach_pull')).slice(4);
    for (const spelled of [formatV1('transaction', id), formatV1('transfer', id)]) {
      expect((await simulate(caller, spelled, 'review')).status).toBe(200);
      expect((await simulate(caller, spelled, 'approve')).status).toBe(200);
    }
  });

  it('must exist', async () => {
    const caller = http.caller();
    for (const id of ['txn_none', `txn_${'0'.repeat(32)}`, caller.seed('sub_account_id')]) {
      expect((await simulate(caller, id, 'settle')).status).toBe(404);
    }
    const id = await originate(caller, 'ach_pull');
    const unknown = await simulate(caller, id, 'explode');
    expect([unknown.status, unknown.at('error.code')]).toEqual([400, 'field_invalid']);
    expect(unknown.at('error.message')).toContain('submit, send, clear, settle');
    expect((await simulate(caller, id, 'return', { code: 'R01' })).at('error.code')).toBe('field_unknown');
  });
});

describe('incoming money', () => {
  it.each(IN)('by %s is received, with its sender', async (word, rail) => {
    const caller = http.caller();
    const answer = await caller.v2('POST', `/_sandbox/simulate/incoming/${word}`, {
      account_id: caller.seed('account_id'),
      amount: '12.34',
      description: 'for the mill',
      sender: {
        name: 'Mill',
        account_number: '55001122',
        routing_number: '121042882',
        ...(word === 'international_wire' && { identifier_code: 'COBADEFF', address: { city: 'Bonn' } }),
      },
    });
    expect(answer.status).toBe(201);
    expect(answer.at('transaction')).toMatchObject({
      status: 'received',
      amount: '12.34',
      message: 'incoming',
      direction: RAILS[rail].direction,
      method: RAILS[rail].method,
      description: 'for the mill',
      sub_account_id: caller.seed('sub_account_id'),
      counterparty: {
        id: '',
        name: 'Mill',
        account_number: '55001122',
        routing_number: '121042882',
        // An incoming wire has no bank in v2.
        bank_name: word === 'domestic_wire' ? '' : 'Wells Fargo',
        correspondent_bank:
          word === 'international_wire'
            ? expect.objectContaining({ identifier_code: 'COBADEFF', name: '' })
            : null,
      },
    });
    const same = await caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, {
      sub_account_id: caller.seed('sub_account_id'),
      amount: '1.00',
    });
    expect(same.status).toBe(201);
  });

  it('requires a valid rail, account and amount', async () => {
    const caller = http.caller();
    const post = (rail: string, body: object) =>
      caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, body);
    const account = { sub_account_id: caller.seed('sub_account_id') };
    expect((await post('pigeon', { ...account, amount: '1.00' })).at('error.message')).toContain('fednow');
    expect((await post('rtp', { amount: '1.00' })).at('error.hint')).toBe('sub_account_id');
    expect((await post('rtp', { ...account, amount: '0.00' })).at('error.code')).toBe('amount_invalid');
    expect((await post('rtp', { ...account, amount: 1 })).status).toBe(400);
    expect((await post('rtp', { sub_account_id: 'sub_x', amount: '1.00' })).status).toBe(404);
  });
});
