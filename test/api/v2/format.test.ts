/**
 * What the views of v2 say: the words for states, the figures, what is empty and what is not there.
 */
import { describe, expect, it } from 'vitest';
import { formatAccount } from '../../../src/api/v2/accounts.ts';
import { formatCardHolder } from '../../../src/api/v2/card-holders.ts';
import { formatCard } from '../../../src/api/v2/cards/format.ts';
import { formatCounterparty } from '../../../src/api/v2/counterparties/counterparty.ts';
import { formatHolder } from '../../../src/api/v2/holders.ts';
import { formatTransaction } from '../../../src/api/v2/transactions/format.ts';
import { formatWebhook } from '../../../src/api/v2/webhooks.ts';
import type { HolderFile } from '../../../src/bank/inputs.ts';
import { NO_COUNTERPARTY } from '../../../src/bank/payments/counterparty-snapshots.ts';
import type { CounterpartySnapshot, Transaction } from '../../../src/model/records.ts';
import type { VerificationStatus } from '../../../src/model/vocabulary.ts';
import * as records from './records.ts';

const { ids, program } = records;

describe('a holder', () => {
  const withCheck = (file: HolderFile, status: VerificationStatus): HolderFile => ({
    ...file,
    holder: { ...file.holder, verification: records.verification(status) },
  });

  it.each([
    ['not_started', 'not_started', ''],
    ['submitted', 'review', 'in_review'],
    ['pass', 'pass', 'pass'],
    ['fail', 'fail', 'fail'],
    ['review', 'review', 'review'],
  ] as const)('whose check is %s shows %s and "%s" in every detail', (status, shown, detail) => {
    const kyc = formatHolder(withCheck(records.personFile, status), program).person?.kyc;
    expect(kyc?.status).toBe(shown);
    for (const check of Object.values(kyc?.details ?? {})) {
      expect(check).toEqual({ status: detail, reasons: null });
    }
    const kyb = formatHolder(withCheck(records.businessFile, status), program).business?.kyb;
    expect(kyb?.status).toBe(shown);
    for (const check of Object.values(kyb?.details ?? {})) {
      expect(check).toEqual({ status: detail, reason: null });
    }
  });

  it('shows the page of a check only once it has begun', () => {
    const url = (status: VerificationStatus) =>
      formatHolder(withCheck(records.personFile, status), program).person?.kyc?.url;
    expect(url('not_started')).toBe('');
    expect(url('pass')).toBe('https://verify.example/1');
  });

  it('has the object of its own type, and null for the other', () => {
    const person = formatHolder(records.personFile, program);
    const business = formatHolder(records.businessFile, program);
    expect([person.person === null, person.business === null]).toEqual([false, true]);
    expect([business.person === null, business.business === null]).toEqual([true, false]);
    expect([person.id, business.id]).toEqual([`sah_${ids.holder}`, `sah_${ids.business}`]);
  });

  it('writes the shares of its members as percentages', () => {
    const member = formatHolder(records.businessFile, program).business?.members?.[0];
    expect(member).toMatchObject({ ownership: '60.00', control_person: 'true', designation: 'president' });
  });

  it('writes an unset time as an empty text', () => {
    expect(formatHolder(records.personFile, program).timestamps).toEqual({
      created_at: '2026-11-20T18:00:00Z',
      updated_at: '2026-11-20T18:05:00Z',
      deactivated_at: '',
    });
  });
});

describe('a sub account', () => {
  it('keeps what is on its way out from what is available, and adds nothing that is on its way in', () => {
    expect(formatAccount(records.accountFile, program)).toMatchObject({
      available_balance: '386.50',
      pending_credits: '120.00',
      pending_debits: '93.50',
    });
  });

  it('without a number shows neither a number nor a routing number', () => {
    const { account } = records.accountFile;
    const bare = { ...records.accountFile, account: { ...account, accountNumber: '' } };
    expect(formatAccount(bare, program)).toMatchObject({ account_number: '', routing_number: '' });
    expect(formatAccount(records.accountFile, program).routing_number).toBe(program.routingNumber);
  });

  it('that a return has overdrawn shows a negative balance', () => {
    const balance = { debitsPending: 0, debitsPosted: 505, creditsPending: 0, creditsPosted: 500 };
    expect(formatAccount({ ...records.accountFile, balance }, program).available_balance).toBe('-0.05');
  });
});

describe('the time at which a sub account was closed', () => {
  it('stands in both of the published places', () => {
    const { account } = records.accountFile;
    const closed = { ...account, status: 'closed', closedAt: account.updatedAt } as const;
    const { timestamps } = formatAccount({ ...records.accountFile, account: closed }, program);
    expect(timestamps).toMatchObject({
      closed_at: timestamps.updated_at,
      deactivated_at: timestamps.updated_at,
    });
  });
});

describe('a card', () => {
  it.each([
    ['pending_activation', 'locked'],
    ['open', 'open'],
    ['blocked', 'blocked'],
    ['closed', 'closed'],
    ['locked', 'locked'],
  ] as const)('that is %s is shown as %s', (status, shown) => {
    const card = { ...records.cardFile.card, status };
    expect(formatCard({ ...records.cardFile, card }, program).status).toBe(shown);
  });

  it('names its holder under both of the published names', () => {
    const card = formatCard(records.cardFile, program);
    expect([card.cardholder_id, card.card_holder_id]).toEqual([
      `cah_${ids.cardHolder}`,
      `cah_${ids.cardHolder}`,
    ]);
  });

  it('shows its limits as texts, an absent one as an empty text', () => {
    expect(formatCard(records.cardFile, program).controls.limit).toEqual({
      period: 'weekly',
      max_spend_amount: '400.00',
      max_spend_per_transaction: '',
      max_spend_count: '6',
    });
  });

  it('that is virtual has no fulfilment', () => {
    const card = { ...records.cardFile.card, shipment: null };
    expect(formatCard({ ...records.cardFile, card }, program).card_fulfilment).toBeNull();
  });

  it('never shows its number or its code', () => {
    const text = JSON.stringify(formatCard(records.cardFile, program));
    expect(text).not.toContain(records.cardFile.card.number);
    expect(text).not.toContain(records.cardFile.card.cvv);
  });
});

describe('people who are not checked', () => {
  it('have null where a holder has checks, and no members', () => {
    expect(formatCardHolder(records.cardHolder, program).person).toMatchObject({ kyc: null, idv: null });
    expect(formatCounterparty(records.counterparty, program).business).toMatchObject({
      kyb: null,
      members: [],
    });
  });
});

describe('a counterparty', () => {
  it('has null for each rail that it has no details for', () => {
    const rails = {
      intraAccount: null,
      ach: null,
      domesticWire: null,
      internationalWire: null,
      rtp: null,
      fednow: null,
      check: null,
      card: null,
      debitCard: null,
    };
    expect(formatCounterparty({ ...records.counterparty, rails }, program)).toMatchObject({
      intra_account: null,
      ach: null,
      domestic_wire: null,
      international_wire: null,
      rtp: null,
      fednow: null,
      check: null,
      debit_card: null,
    });
  });

  it.each([
    [true, 'pass'],
    [false, 'review'],
  ])('whose ACH account is verified: %s shows %s', (verified, shown) => {
    const { ach } = records.counterparty.rails;
    if (ach === null) throw new Error('the record has an ACH account');
    const rails = { ...records.counterparty.rails, ach: { ...ach, verified } };
    expect(formatCounterparty({ ...records.counterparty, rails }, program).ach?.verification_status).toBe(
      shown,
    );
  });
});

describe('a transaction', () => {
  const rows = (id: string, transactionId: string) => [
    { id, transaction_id: `txn_${transactionId}`, amount: '62.40' },
  ];
  const subRow = rows(`sub_${ids.account}`, ids.transaction);

  it('without an entry in the master account is not reconciled', () => {
    expect(formatTransaction(records.achPull, program).reconciliation).toEqual({
      status: 'not_reconciled',
      master_account: null,
      sub_account: subRow,
    });
  });

  it('with an entry in the master account is reconciled and names both sides', () => {
    const settled = { ...records.achPull, masterId: ids.masterEntry };
    expect(formatTransaction(settled, program).reconciliation).toEqual({
      status: 'reconciled',
      master_account: rows(`mas_${program.masterAccountId}`, ids.masterEntry),
      sub_account: subRow,
    });
  });

  it('between two sub accounts is reconciled without the master account', () => {
    expect(formatTransaction(records.intraPull, program).reconciliation).toEqual({
      status: 'reconciled',
      master_account: null,
      sub_account: subRow,
    });
  });

  it('that names no sub account yet has only its entry in the master account', () => {
    const waiting = { ...records.achPull, accountId: null, holderId: null, masterId: ids.masterEntry };
    const answer = formatTransaction(waiting, program);
    expect([answer.sub_account_id, answer.sub_account_holder_id]).toEqual(['', '']);
    expect(answer.reconciliation).toMatchObject({ status: 'not_reconciled', sub_account: null });
  });

  it.each([
    ['ach', records.achPull],
    ['international_wire', records.wirePush],
    ['rtp', records.rtpPush],
    ['check', records.checkSend],
    ['card', records.cardAuthorization],
    ['none', records.intraPull],
  ])('has the object of its own method (%s) and null for all others', (own, record) => {
    const answer = formatTransaction(record, program);
    const { ach, domestic_wire, international_wire, rtp, fednow, check, card } = answer;
    const methods = { ach, domestic_wire, international_wire, rtp, fednow, check, card };
    expect(Object.entries(methods).flatMap(([name, value]) => (value === null ? [] : [name]))).toEqual(
      own === 'none' ? [] : [own],
    );
  });

  it('shows the balance of its account as it was after it', () => {
    expect(formatTransaction(records.achPull, program)).toMatchObject({
      amount: '62.40',
      currency: 'usd',
      available_balance: '118.75',
      pending_credits: '62.40',
      pending_debits: '0.00',
    });
  });

  it('by card has no counterparty, and names its card holder under both of the published names', () => {
    const answer = formatTransaction(records.cardAuthorization, program);
    expect(answer.counterparty).toBeNull();
    expect(answer.card).toMatchObject({
      id: `crd_${ids.card}`,
      cardholder_id: `cah_${ids.cardHolder}`,
      card_holder_id: `cah_${ids.cardHolder}`,
      merchant: 'Mom and Pop',
      auth_method: 'keyed_in',
      local_transaction: { amount: '93.50', currency: 'usd', conversion_rate: '1.00' },
      available_limit: { period: 'weekly', max_spend_amount: '306.50', max_spend_count: '5' },
      network_settlement_at: '',
    });
  });

  it('names its parent', () => {
    const child = { ...records.achPull, parentId: ids.masterEntry };
    expect(formatTransaction(child, program).parent_transaction_id).toBe(`txn_${ids.masterEntry}`);
    expect(formatTransaction(records.achPull, program).parent_transaction_id).toBe('');
  });

  it('sends nothing but a check to an address', () => {
    expect(formatTransaction(records.achPull, program).counterparty?.shipping_address).toBeNull();
    expect(formatTransaction(records.checkSend, program).counterparty?.shipping_address).not.toBeNull();
  });
});

describe('a webhook', () => {
  it.each([
    ['active', 'active'],
    ['paused', 'inactive'],
    ['deactivated', 'inactive'],
    ['deleted', 'inactive'],
  ] as const)('that is %s is shown as %s', (status, shown) => {
    expect(formatWebhook({ ...records.webhook, status }, program, { withSecret: false }).status).toBe(shown);
  });

  it('shows its secret only on request', () => {
    const secret = records.webhook.secret;
    expect(JSON.stringify(formatWebhook(records.webhook, program, { withSecret: false }))).not.toContain(
      secret,
    );
    expect(formatWebhook(records.webhook, program, { withSecret: true }).secret).toBe(secret);
  });
});

describe('the other side of a transaction', () => {
  const bank = { identifierCode: 'COBADEFF', name: 'Commerzbank', address: null };
  const known = { accountNumber: '5500112244', routingNumber: '121042882', bankName: 'Wells Fargo' };
  const sideOf = (method: Transaction['method'], snapshot: Partial<CounterpartySnapshot>) => {
    const shown = formatTransaction(
      { ...records.achPull, method, otherSide: { ...NO_COUNTERPARTY, ...known, ...snapshot } },
      program,
    ).counterparty;
    return [shown?.account_number, shown?.bank_name];
  };

  it.each([
    ['ach', {}, '5500112244', 'Wells Fargo'],
    ['domestic_wire', { id: ids.counterparty }, '5500112244', 'Wells Fargo'],
    ['domestic_wire', {}, '5500112244', ''],
    ['international_wire', { bankName: '', beneficiaryBank: bank }, '5500112244', 'Commerzbank'],
    ['international_wire', { bankName: '', correspondentBank: bank }, '5500112244', ''],
    ['debit_card', { accountNumber: '5556', bankName: '' }, '', ''],
  ] as const)('by %s from %o shows the account "%s" at "%s"', (method, side, account, name) => {
    expect(sideOf(method, side)).toEqual([account, name]);
  });
});
