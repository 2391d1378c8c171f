/**
 * The 78 event kinds of v2, each with a cause or the reason why there is none. Each cause runs in a separate sandbox,
 * and a webhook receives the event with the record as a retrieval returns it. Decisions `event-kinds-told` and
 * `v2-uncaused-kinds` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it, test } from 'vitest';
import { SubAccount } from '../../../src/bank/api/v2/accounts.ts';
import { CardHolder } from '../../../src/bank/api/v2/card-holders.ts';
import { Card } from '../../../src/bank/api/v2/cards/shapes.ts';
import { Counterparty } from '../../../src/bank/api/v2/counterparties/counterparty.ts';
import { recordOf } from '../../../src/bank/api/v2/events.ts';
import { SubAccountHolder } from '../../../src/bank/api/v2/holders.ts';
import { Transaction } from '../../../src/bank/api/v2/transactions/shapes.ts';
import { V2_KINDS } from '../../../src/bank/model/facts.ts';
import { V2_CAUSES } from '../../../src/kit/causes/v2.ts';
import { useHttp } from '../../server/http/support.ts';
import { causedIn, receive } from './causes.ts';

const http = useHttp();

/** The record in an event, by the beginning of its kind. */
const SHAPES: Readonly<Record<string, TSchema>> = {
  sub_account_holder: SubAccountHolder,
  card_holder: CardHolder,
  counterparty: Counterparty,
  sub_account: SubAccount,
  card: Card,
  transaction: Transaction,
};

describe('the table', () => {
  it('has exactly the 78 kinds of v2', () => {
    expect(Object.keys(V2_CAUSES)).toHaveLength(78);
    expect(Object.keys(V2_CAUSES).sort()).toEqual([...V2_KINDS].sort());
  });

  it('says for 34 kinds why nothing causes them', () => {
    expect(Object.keys(V2_CAUSES).length - causedIn(V2_CAUSES).length).toBe(34);
  });
});

test.each(causedIn(V2_CAUSES))('%s is published', async (kind, cause) => {
  const shape = SHAPES[kind.split('.')[0] ?? ''];
  if (shape === undefined) throw new Error(`the record of ${kind} has no shape here`);
  expect(recordOf(kind)).toBe(shape);
  const received = await receive(http, 'v2', kind, { cause, shape });
  const status = /\.status\.(\w+)$/.exec(kind)?.[1];
  if (status !== undefined) expect(received.map(({ record }) => record.status)).toContain(status);
});
