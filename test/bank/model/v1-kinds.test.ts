/**
 * The 73 event kinds of v1, each with a cause or the reason why there is none. Each cause runs in a separate sandbox,
 * and a webhook receives the event with the record as a retrieval returns it. Decisions `event-kinds-told` and
 * `v1-uncaused-kinds` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it, test } from 'vitest';
import { Account } from '../../../src/bank/api/v1/accounts/shapes.ts';
import { Business } from '../../../src/bank/api/v1/businesses/shapes.ts';
import { DeclinedAuthorization } from '../../../src/bank/api/v1/cards/declined.ts';
import { Card } from '../../../src/bank/api/v1/cards/shapes.ts';
import { Chargeback } from '../../../src/bank/api/v1/chargebacks.ts';
import { Contact } from '../../../src/bank/api/v1/contacts/shapes.ts';
import { recordOf } from '../../../src/bank/api/v1/events.ts';
import { Family } from '../../../src/bank/api/v1/families.ts';
import { Member } from '../../../src/bank/api/v1/members.ts';
import { Person } from '../../../src/bank/api/v1/persons.ts';
import { Transaction } from '../../../src/bank/api/v1/transactions/shapes.ts';
import { Transfer } from '../../../src/bank/api/v1/transfers/shapes.ts';
import { Kyb, Kyc } from '../../../src/bank/api/v1/verification.ts';
import { Wallet } from '../../../src/bank/api/v1/wallets.ts';
import { V1_KINDS } from '../../../src/bank/model/facts.ts';
import { V1_CAUSES } from '../../../src/kit/causes/v1.ts';
import { useHttp } from '../../server/http/support.ts';
import { causedIn, receive } from './causes.ts';

const http = useHttp();

/**
 * The record in an event, by the beginning of its kind; the first match. All others contain a transaction.
 */
const SHAPES: readonly (readonly [RegExp, TSchema])[] = [
  [/^account\.(created|updated)$/, Account],
  [/^business\.kyb\./, Kyb],
  [/^business\./, Business],
  [/^card\.declined$/, DeclinedAuthorization],
  [/^card\.(canceled|replaced|updated|wallet\.created)$/, Card],
  [/^solidcard\.(canceled|delivered)$/, Card],
  [/^contact\./, Contact],
  [/^debitcard\./, Chargeback],
  [/^family\./, Family],
  [/^member\./, Member],
  [/^person\.kyc\./, Kyc],
  [/^person\./, Person],
  [/^transfer\./, Transfer],
  [/^wallet\.created$/, Wallet],
  [/./, Transaction],
];

describe('the table', () => {
  it('has exactly the 73 kinds of v1', () => {
    expect(Object.keys(V1_CAUSES)).toHaveLength(73);
    expect(Object.keys(V1_CAUSES).sort()).toEqual([...V1_KINDS].sort());
  });

  it('says for 14 kinds why nothing causes them', () => {
    expect(Object.keys(V1_CAUSES).length - causedIn(V1_CAUSES).length).toBe(14);
  });
});

test.each(causedIn(V1_CAUSES))('%s is published', async (kind, cause) => {
  const [, shape = Transaction] = SHAPES.find(([kinds]) => kinds.test(kind)) ?? [];
  expect(recordOf(kind)).toBe(shape);
  await receive(http, 'v1', kind, { cause, shape });
});
