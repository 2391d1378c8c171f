/**
 * What the views of v2 write is as the contract's tables have it, at every depth, from records with everything set. The
 * live answers are walked in `test/contract`; here each rail is written without a bank.
 */
import { describe, expect, it } from 'vitest';
import { formatAccount } from '../../../src/api/v2/accounts.ts';
import { formatCardHolder } from '../../../src/api/v2/card-holders.ts';
import { formatCard } from '../../../src/api/v2/cards/format.ts';
import { formatCounterparty } from '../../../src/api/v2/counterparties/counterparty.ts';
import { formatHolder } from '../../../src/api/v2/holders.ts';
import { formatTransaction } from '../../../src/api/v2/transactions/format.ts';
import { formatWebhook } from '../../../src/api/v2/webhooks.ts';
import { contradictions, type Table } from '../../contract/rows.ts';
import { SUB_ACCOUNT } from '../../contract/v2/accounts.ts';
import { CARD } from '../../contract/v2/card.ts';
import { COUNTERPARTY } from '../../contract/v2/counterparty.ts';
import { CARD_HOLDER, SUB_ACCOUNT_HOLDER } from '../../contract/v2/holders.ts';
import { WEBHOOK_V2, WEBHOOK_WITH_SECRET } from '../../contract/v2/others.ts';
import { TRANSACTION } from '../../contract/v2/transaction.ts';
import * as records from './records.ts';

const { program } = records;
const transaction = (record: typeof records.achPull) => formatTransaction(record, program);

const ANSWERS: readonly [string, object, Table][] = [
  ['a person holder', formatHolder(records.personFile, program), SUB_ACCOUNT_HOLDER],
  ['a business holder', formatHolder(records.businessFile, program), SUB_ACCOUNT_HOLDER],
  ['a sub account', formatAccount(records.accountFile, program), SUB_ACCOUNT],
  ['a card holder', formatCardHolder(records.cardHolder, program), CARD_HOLDER],
  ['a card', formatCard(records.cardFile, program), CARD],
  ['a counterparty', formatCounterparty(records.counterparty, program), COUNTERPARTY],
  ['an ACH transaction', transaction(records.achPull), TRANSACTION],
  [
    'a reconciled transaction',
    transaction({ ...records.achPull, masterId: records.ids.masterEntry }),
    TRANSACTION,
  ],
  ['an intra-account transaction', transaction(records.intraPull), TRANSACTION],
  ['an international wire', transaction(records.wirePush), TRANSACTION],
  ['an RTP transaction', transaction(records.rtpPush), TRANSACTION],
  ['a check', transaction(records.checkSend), TRANSACTION],
  ['a card transaction', transaction(records.cardAuthorization), TRANSACTION],
  ['a webhook', formatWebhook(records.webhook, program, { withSecret: false }), WEBHOOK_V2],
  ['a webhook just made', formatWebhook(records.webhook, program, { withSecret: true }), WEBHOOK_WITH_SECRET],
];

describe('an answer of v2', () => {
  it.each(ANSWERS)('that is %s is as its table has it', (_name, answer, table) => {
    expect(contradictions(answer, table)).toEqual([]);
  });
});
