/**
 * The webhook envelope of v2: five fields around the v2 record of the fact.
 */
import { describe, expect, it } from 'vitest';
import { formatAccount } from '../../../src/api/v2/accounts.ts';
import { formatCardHolder } from '../../../src/api/v2/card-holders.ts';
import { formatCard } from '../../../src/api/v2/cards/format.ts';
import { formatCounterparty } from '../../../src/api/v2/counterparties/counterparty.ts';
import { formatEvent } from '../../../src/api/v2/events.ts';
import { formatHolder } from '../../../src/api/v2/holders.ts';
import { formatTransaction } from '../../../src/api/v2/transactions/format.ts';
import type { Fact } from '../../../src/model/facts.ts';
import * as records from './records.ts';

const { ids, program } = records;
const at = Date.parse('2026-11-20T18:00:00Z');

const FACTS: [Pick<Fact, 'resource' | 'record'>, string, object][] = [
  [
    { resource: 'holder', record: records.businessFile },
    'sub_account_holder.created',
    formatHolder(records.businessFile, program),
  ],
  [
    { resource: 'account', record: records.accountFile },
    'sub_account.status.open',
    formatAccount(records.accountFile, program),
  ],
  [
    { resource: 'card_holder', record: records.cardHolder },
    'card_holder.updated',
    formatCardHolder(records.cardHolder, program),
  ],
  [
    { resource: 'counterparty', record: records.counterparty },
    'counterparty.created',
    formatCounterparty(records.counterparty, program),
  ],
  [{ resource: 'card', record: records.cardFile }, 'card.created', formatCard(records.cardFile, program)],
  [
    { resource: 'transaction', record: records.achPull },
    'transaction.created',
    formatTransaction(records.achPull, program),
  ],
];

describe('an event of v2', () => {
  it.each(FACTS)('of a fact (%o) carries the v2 record', (fact, kind, data) => {
    expect(JSON.parse(formatEvent({ id: ids.event, kind, at, fact, program }))).toEqual({
      id: `evt_${ids.event}`,
      event_type: kind,
      client_id: `cli_${program.clientId}`,
      env: 'sandbox',
      created_at: '2026-11-20T18:00:00Z',
      data,
    });
  });

  it('is the same text every time it is written', () => {
    const event = {
      id: ids.event,
      kind: 'transaction.created',
      at,
      fact: { resource: 'transaction', record: records.achPull },
      program,
    } as const;
    expect(formatEvent(event)).toBe(formatEvent(event));
  });
});
