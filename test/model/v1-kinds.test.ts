/**
 * The 72 kinds of event of v1, each with what causes it or why nothing does. What causes one is done, in a sandbox of its
 * own, and the event is heard by a webhook with the record as a retrieval shows it. Rows 55 and 208 of docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it, test } from 'vitest';
import { recordOf } from '../../src/dialects/v1/envelope.ts';
import { Account } from '../../src/dialects/v1/shapes/account.ts';
import { Business } from '../../src/dialects/v1/shapes/business.ts';
import { Card } from '../../src/dialects/v1/shapes/card.ts';
import { Contact } from '../../src/dialects/v1/shapes/contact.ts';
import { DeclinedAuthorization } from '../../src/dialects/v1/shapes/declined-authorization.ts';
import { Family } from '../../src/dialects/v1/shapes/family.ts';
import { Member } from '../../src/dialects/v1/shapes/member.ts';
import { Person } from '../../src/dialects/v1/shapes/person.ts';
import { Transaction } from '../../src/dialects/v1/shapes/transaction.ts';
import { Transfer } from '../../src/dialects/v1/shapes/transfer.ts';
import { Kyb, Kyc } from '../../src/dialects/v1/shapes/verification.ts';
import { V1_CAUSES } from '../../src/kit/causes/v1.ts';
import { V1_KINDS } from '../../src/model/facts.ts';
import { useHttp } from '../http/support.ts';
import { causedIn, hear } from './causes.ts';

const http = useHttp();

/** The record that an event carries, by the beginning of its kind; the first that fits. All others carry a transaction. */
const SHAPES: readonly (readonly [RegExp, TSchema])[] = [
  [/^account\.(created|updated)$/, Account],
  [/^business\.kyb\./, Kyb],
  [/^business\./, Business],
  [/^card\.declined$/, DeclinedAuthorization],
  [/^card\.(canceled|replaced|updated|wallet\.created)$/, Card],
  [/^solidcard\.(canceled|delivered)$/, Card],
  [/^contact\./, Contact],
  [/^family\./, Family],
  [/^member\./, Member],
  [/^person\.kyc\./, Kyc],
  [/^person\./, Person],
  [/^transfer\./, Transfer],
  [/./, Transaction],
];

describe('the table', () => {
  it('has the 72 kinds of v1 and no other', () => {
    expect(Object.keys(V1_CAUSES)).toHaveLength(72);
    expect(Object.keys(V1_CAUSES).sort()).toEqual([...V1_KINDS].sort());
  });

  it('says of 15 why nothing causes them', () => {
    expect(Object.keys(V1_CAUSES).length - causedIn(V1_CAUSES).length).toBe(15);
  });
});

test.each(causedIn(V1_CAUSES))('%s is heard', async (kind, cause) => {
  const [, shape = Transaction] = SHAPES.find(([kinds]) => kinds.test(kind)) ?? [];
  expect(recordOf(kind)).toBe(shape);
  await hear(http, 'v1', kind, { cause, shape });
});
