/**
 * The quick start of v1: the program of `examples/quick-start` runs against the real process with v1 alone, and what it
 * tells is found again in v2, under ids of the same suffix.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Running, startBank } from '../../server/process/support.ts';
import { lineOf, runExample } from './support.ts';

const KEY = 'test_quick_start_v1';
const DAY = '\\d{4}-\\d\\d-\\d\\d';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const id = (prefix: string): string => `(${prefix}-${UUID})`;

let bank: Running;
let lines: string[];
beforeAll(async () => {
  bank = await startBank({ SANDBANK_PROFILE: 'ci', SANDBANK_RAILS: 'fast' });
  lines = await runExample('quick-start/v1.mjs', bank, KEY);
});

/** The groups of the one line of this name that fits. */
const matchIn = (name: string, text: string): string[] =>
  lineOf(lines, new RegExp(`^${name.padEnd(16)}${text}$`));
/** The one id in such a line. */
const idIn = (name: string, text: string): string => matchIn(name, text)[1] ?? '';
/** The same thing in v2. */
const inV2 = (prefix: string, v1: string): string => `${prefix}_${v1.slice(4).replaceAll('-', '')}`;
const read = async (path: string) => {
  const headers = { 'sd-api-key': KEY, 'api-key': KEY };
  return (await bank.v2('GET', path, undefined, headers)).body;
};

const PERSON = `${id('per')} Mara Quill, KYC submitted`;
const ACCOUNT = `${id('acc')} Everyday: 1000\\.00, number \\d{16}`;
const SUPPLIER = `${id('con')} Harbor Supplies, at Wells Fargo`;
const FRIEND = `${id('con')} Ben Okoro, account acc-${UUID}`;

describe('the quick start of v1', () => {
  it.each([
    ['the first person is checked', 'person', PERSON],
    ['her account is opened with money', 'account', ACCOUNT],
    ['the money is there', 'balance', '1000\\.00'],
    ['a contact at another bank is found by its routing number', 'contact', SUPPLIER],
    ['the second person is checked', 'person', `${id('per')} Ben Okoro, KYC submitted`],
    ['his account is opened', 'account', `${id('acc')} Savings: 1000\\.00, number \\d{16}`],
    ['a contact at this bank is found by its number', 'contact', FRIEND],
    ['an ACH leaves at once', 'send/ach', `${id('tra')} 50\\.00 completed: 950\\.00, pending 0\\.00`],
    [
      'so does a payment within the bank',
      'send/intrabank',
      `${id('tra')} 25\\.00 completed: 925\\.00, pending 0\\.00`,
    ],
    ['an ACH pull waits', 'receive/ach', `${id('tra')} 40\\.00 pending: 925\\.00, pending 40\\.00`],
    ['and arrives', 'received', `${id('tra')} completed: 965\\.00`],
    ['a webhook is active', 'webhook', `${id('wbh')} active`],
    ['a card is active', 'card', `${id('crd')} ends in \\d{4}, active`],
    ['a purchase is approved', 'card test', 'approved: 950\\.10'],
    ['the purchase is told, and signed', 'event', `card\\.spend ${id('txn')} -14\\.90 at Quay Grill, signed`],
    ['five entries are listed', 'entries', '5'],
    ['and written as a table', 'csv', '5 rows under id,accountId,.*'],
    ['the month is told in figures', 'statement', `${DAY} to ${DAY}: 1040\\.00 came in`],
  ])('%s', (_, name, text) => {
    expect(matchIn(name, text).length).toBeGreaterThan(0);
  });

  it('approves the KYC of both people', () => {
    const approved = lines.filter((line) => /^kyc {13}per-\S+ approved$/.test(line));
    expect(approved).toHaveLength(2);
    expect(approved[0]).toContain(idIn('person', PERSON));
  });
});

describe('the records of v1 in v2', () => {
  it('include a verified holder', async () => {
    const holder = inV2('sah', idIn('person', PERSON));
    expect(await read(`/v2/accounts/sub_account_holder/${holder}`)).toMatchObject({
      id: holder,
      type: 'person',
      status: 'activated',
      person: { first_name: 'Mara', last_name: 'Quill', id_type: 'ssn', kyc: { status: 'pass' } },
    });
  });

  it('include a sub account with the same balance as in v1', async () => {
    const account = idIn('account', ACCOUNT);
    expect(await read(`/v1/account/${account}`)).toMatchObject({ availableBalance: '950.10' });
    expect(await read(`/v2/accounts/sub_account/${inV2('sub', account)}`)).toMatchObject({
      sub_account_holder_id: inV2('sah', idIn('person', PERSON)),
      sub_account_holder_name: 'Mara Quill',
      label: 'Everyday',
      type: 'checking',
      available_balance: '950.10',
      pending_credits: '0.00',
      // The purchase, which nobody has captured.
      pending_debits: '14.90',
    });
  });

  it('include two counterparties', async () => {
    const supplier = inV2('ctp', idIn('contact', SUPPLIER));
    expect(await read(`/v2/payments/counterparty/${supplier}`)).toMatchObject({
      label: 'Harbor Supplies',
      status: 'activated',
      ach: { account_number: '5500112233', routing_number: '121042882', account_type: 'business_checking' },
      intra_account: null,
    });
    const savings = idIn('account', `${id('acc')} Savings: .*`);
    expect(await read(`/v2/payments/counterparty/${inV2('ctp', idIn('contact', FRIEND))}`)).toMatchObject({
      ach: null,
      intra_account: { sub_account_id: inV2('sub', savings) },
    });
    expect(await read(`/v2/accounts/sub_account/${inV2('sub', savings)}`)).toMatchObject({
      available_balance: '1025.00',
    });
  });

  it('include a card', async () => {
    const card = idIn('card', `${id('crd')} ends in \\d{4}, active`);
    expect(await read(`/v2/issuing/card/${inV2('crd', card)}`)).toMatchObject({
      sub_account_id: inV2('sub', idIn('account', ACCOUNT)),
      type: 'virtual',
      status: 'open',
      controls: { limit: { period: 'daily', max_spend_amount: '100.00' } },
    });
  });

  it('include the same five transactions, with the same id suffixes, directions for signs, and the purchase on hold', async () => {
    const account = idIn('account', ACCOUNT);
    const v1 = (await read(`/v1/account/${account}/transaction`)).data as { id: string; amount: string }[];
    const { data } = await read(`/v2/payments/transaction?sub_account_id=${inV2('sub', account)}`);
    const v2 = data as { id: string; amount: string; direction: string; status: string }[];
    expect(v2.map((entry) => entry.id)).toEqual(v1.map((entry) => inV2('txn', entry.id)));
    expect(v2.map(({ amount, direction }) => (direction === 'debit' ? `-${amount}` : amount))).toEqual(
      v1.map(({ amount }) => amount),
    );
    expect(v2.map(({ status }) => status)).toEqual(['pending', ...Array(4).fill('settled')]);
  });

  it('have books that pass an audit', async () => {
    const { body } = await bank.v2('GET', '/_sandbox/ledger/verify', undefined, { 'api-key': KEY });
    expect(body).toMatchObject({ balanced: true, problems: [] });
  });
});
