// The comparison of two responses, without a bank: the differences, and the values that always differ between banks.

import { describe, expect, it, test } from 'vitest';
import { type AnswerContext, compareAnswers } from '../../src/compare/compare-answers.ts';
import { createRelation } from '../../src/compare/relation.ts';
import type { Exchange } from '../../src/compare/transcript.ts';

const ID = (digit: string): string => `crd_${digit.repeat(32)}`;

function exchange(body: unknown, over: Partial<Exchange> = {}, status = 200, headers = {}): Exchange {
  return {
    step: 'scenario 1',
    operation: 'v2_retrieve_card',
    request: { method: 'GET', path: '/v2/issuing/card/x' },
    answer: { status, headers: { 'content-type': 'application/json', ...headers }, body },
    isSteady: true,
    ...over,
  };
}

function context(over: Partial<AnswerContext> = {}): AnswerContext {
  return { relation: createRelation(), sameRecords: true, sent: new Set(), ...over };
}

const causes = (here: unknown, there: unknown, over?: Partial<AnswerContext>): string[] =>
  compareAnswers(exchange(here), exchange(there), context(over)).map(
    ({ cause, field }) => `${cause} ${field}`,
  );

describe('two responses', () => {
  test.each([
    ['a missing field', { label: 'Fuel' }, {}, 'missing label'],
    ['an additional field', {}, { label: 'Fuel' }, 'extra label'],
    ['another type', { amount: '1.00' }, { amount: 1 }, 'type amount'],
    ['null for an empty string', { label: '' }, { label: null }, 'emptiness label'],
    ['an empty list for null', { attachments: null }, { attachments: [] }, 'emptiness attachments'],
    ['a value for an empty field', { label: '' }, { label: 'Fuel' }, 'emptiness label'],
    [
      'another format of a time',
      { created_at: '2026-11-25T10:00:00Z' },
      { created_at: '2026-11-25T10:00:00.000Z' },
      'format created_at',
    ],
    ['another prefix', { id: ID('1') }, { id: ID('1').replace('crd', 'card') }, 'format id'],
    ['an unknown enum value', { status: 'open' }, { status: 'opened' }, 'vocabulary status'],
    ['another word', { status: 'open' }, { status: 'closed' }, 'value status'],
    ['cents', { amount: '10.00' }, { amount: '10.01' }, 'rounding amount'],
    ['an amount', { amount: '10.00' }, { amount: '12.00' }, 'value amount'],
    ['an order', { names: ['a', 'b'] }, { names: ['b', 'a'] }, 'order names'],
    ['a number of items', { names: ['a', 'b'] }, { names: ['a'] }, 'items names'],
  ])('differ in %s', (_name, here, there, named) => {
    expect(causes(here, there)).toEqual([named]);
  });

  test.each([
    ['ids', { id: ID('1') }, { id: ID('2') }],
    [
      'times',
      { timestamps: { created_at: '2026-11-25T10:00:00Z' } },
      { timestamps: { created_at: '2026-12-01T08:30:00Z' } },
    ],
    ['numbers that a bank assigns', { last4: '1234' }, { last4: '9876' }],
    ['texts that a recording redacted', { label: 'Rent' }, { label: 'Text 7' }],
    [
      'addresses that a recording redacted',
      { url: 'https://a.example/x' },
      { url: 'https://redacted.example/1' },
    ],
    ['ids within a text', { message: `no card ${ID('1')}` }, { message: `no card ${ID('2')}` }],
  ])('may have different %s', (_name, here, there) => {
    expect(causes(here, there)).toEqual([]);
  });

  it('must repeat the values sent to both, including numbers', () => {
    expect(causes({ account_number: '55001' }, { account_number: '99999' })).toEqual([]);
    expect(
      causes({ account_number: '55001' }, { account_number: '99999' }, { sent: new Set(['55001']) }),
    ).toEqual(['value account_number']);
  });

  it('may have four digits that were also sent for another field', () => {
    const over = { sent: new Set(['2030']) };
    expect(causes({ last4: '2030' }, { last4: '6365' }, over)).toEqual([]);
    expect(causes({ label: '2030' }, { label: '6365' }, over)).toEqual(['value label']);
  });

  it('relate ids: an id of another record is a difference', () => {
    const relation = createRelation();
    relation.relate(ID('1'), ID('2'));
    expect(causes({ id: ID('1') }, { id: ID('2') }, { relation })).toEqual([]);
    expect(causes({ id: ID('1') }, { id: ID('3') }, { relation })).toEqual(['relation id']);
    expect(causes({ id: ID('4') }, { id: ID('2') }, { relation })).toEqual(['relation id']);
  });

  it('are compared by corresponding records of a list, without unrelated ones', () => {
    const relation = createRelation();
    for (const [here, there] of [
      ['1', 'a'],
      ['2', 'b'],
    ] as const)
      relation.relate(ID(here), ID(there));
    const here = {
      data: [
        { id: ID('1'), label: 'x' },
        { id: ID('2'), label: 'y' },
      ],
    };
    const stranger = { id: ID('f'), label: 'of another program' };
    const inOrder = { data: [stranger, { id: ID('a'), label: 'x' }, { id: ID('b'), label: 'y' }] };
    const reversed = {
      data: [
        { id: ID('b'), label: 'y' },
        { id: ID('a'), label: 'x' },
      ],
    };
    expect(causes(here, inOrder, { relation })).toEqual([]);
    expect(causes(here, reversed, { relation })).toEqual(['order data']);
    expect(causes(here, { data: [{ id: ID('b'), label: 'y' }] }, { relation })).toEqual(['items data']);
  });

  it('are compared by the ids of transactions of a statement, and by their number only after all have arrived', () => {
    const relation = createRelation();
    relation.relate(ID('1'), ID('a'));
    const statement = (isSteady: boolean, ...transactions: readonly object[]): Exchange =>
      exchange({ transactions }, { operation: 'retrieveStatement', isSteady });
    const here = [
      { id: ID('2'), metadata: { externalId: '7' } },
      { id: ID('1'), metadata: null, txnType: 'debit' },
    ];
    const there = [{ id: ID('a'), metadata: null, txnType: 'credit' }];
    const compare = (isSteady: boolean, ...theirs: readonly object[]): string[] =>
      compareAnswers(statement(isSteady, ...here), statement(isSteady, ...theirs), context({ relation })).map(
        ({ cause, field }) => `${cause} ${field}`,
      );
    expect(compare(false, ...there)).toEqual([]);
    expect(compare(true, ...there)).toEqual(['value transactions[].txnType']);
    expect(compare(true, { ...there[0], id: ID('b'), txnType: 'debit' })).toEqual(['items transactions']);
  });

  it('with other records are compared only by their format', () => {
    const over = { sameRecords: false };
    expect(causes({ label: 'Fuel', amount: '1.00' }, { label: 'Books', amount: '7.00' }, over)).toEqual([]);
    expect(causes({ amount: '1.00' }, { amount: 1 }, over)).toEqual(['type amount']);
  });

  it('differ in status and headers', () => {
    const found = compareAnswers(
      exchange({}, {}, 200),
      exchange({ error: { code: 'E_NO' } }, {}, 404),
      context(),
    );
    expect(found.map(({ cause, here, there }) => [cause, here, there])).toEqual([
      ['status', '200', '404 E_NO'],
    ]);
    const headers = compareAnswers(exchange({}, {}, 200, { 'x-request-id': 'a' }), exchange({}), context());
    expect(headers.map(({ cause, field }) => `${cause} ${field}`)).toEqual(['header x-request-id']);
  });

  it('are compared without the fields that a step ignores', () => {
    const ignoring = exchange({ label: 'a' }, { ignore: ['label'] });
    expect(compareAnswers(ignoring, exchange({ label: 'b' }), context())).toEqual([]);
  });

  it('during pending payments may have different balances, except in a steady scenario', () => {
    const account = (balance: string, isSteady: boolean): Exchange =>
      exchange({ available_balance: balance }, { operation: 'v2_retrieve_sub_account', isSteady });
    expect(compareAnswers(account('1.00', false), account('9.00', false), context())).toEqual([]);
    expect(compareAnswers(account('1.00', true), account('9.00', true), context())).toHaveLength(1);
  });
});
