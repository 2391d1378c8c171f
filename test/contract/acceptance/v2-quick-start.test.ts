/**
 * The platform's ten-step quick start of v2: the program of `examples/quick-start` runs against the real process, and what
 * it tells is compared with what the bank has.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Running, startBank } from '../../server/process/support.ts';
import { lineOf, runExample } from './support.ts';

const KEY = 'test_quick_start_v2';
const HEX = '[0-9a-f]{32}';
const id = (prefix: string): string => `(${prefix}_${HEX})`;
const figures = (available: string, credits = '0.00', debits = '0.00'): string =>
  `available ${available}, pending credits ${credits}, pending debits ${debits}`.replaceAll('.', '\\.');

let bank: Running;
let lines: string[];
beforeAll(async () => {
  bank = await startBank({ SANDBANK_PROFILE: 'ci', SANDBANK_RAILS: 'fast' });
  lines = await runExample('quick-start/v2.mjs', bank, KEY);
});

/** The groups of the one line of a step that fits. */
const step = (number: number, text: string): string[] =>
  lineOf(lines, new RegExp(`^${String(number).padStart(2)}  ${text}$`));
const read = async (path: string) => (await bank.v2('GET', path, undefined, { 'api-key': KEY })).body;

describe('the quick start of v2', () => {
  it.each([
    [1, 'the key opens a bank', `key        ${KEY} opens master account ${id('mas')}`],
    [2, 'the holder is activated by its KYC', `holder     ${id('sah')} is activated, its KYC pass`],
    [3, 'the account is empty', `account    ${id('sub')}: ${figures('0.00')}`],
    [4, 'the deposit is on its way', `deposit    ${id('txn')} is received: ${figures('0.00', '500.00')}`],
    [4, 'the deposit is there', `funded     ${figures('500.00')}`],
    [5, 'the payee can be paid', `payee      ${id('ctp')} is activated, at Wells Fargo`],
    [
      6,
      'the payment leaves at once',
      `payment    ${id('txn')} is originated: ${figures('380.00', '0.00', '120.00')}`,
    ],
    [6, 'the payment arrives', `paid       trace number 121042882\\d{5}: ${figures('380.00')}`],
    [7, 'the card holder is screened', `cardholder ${id('cah')} is activated`],
    [8, 'the card is open', `card       ${id('crd')} ends in \\d{4} and is open`],
    [9, 'the purchase is settled', `purchase   ${id('txn')} at .+: ${figures('365.10')}, 85\\.10 left today`],
    [10, 'the list has all three', 'entries    3'],
  ])('step %i: %s', (number, _, text) => {
    expect(step(number, text).length).toBeGreaterThan(0);
  });

  it('results in the documented balance of the account', async () => {
    const [, account] = step(3, `account    ${id('sub')}: .*`);
    const [, holder] = step(2, `holder     ${id('sah')} .*`);
    expect(await read(`/v2/accounts/sub_account/${account}`)).toMatchObject({
      sub_account_holder_id: holder,
      sub_account_holder_name: 'Mara Quill',
      available_balance: '365.10',
      pending_credits: '0.00',
      pending_debits: '0.00',
      status: 'open',
    });
    expect(await read(`/v2/accounts/sub_account_holder/${holder}`)).toMatchObject({
      status: 'activated',
      person: { kyc: { status: 'pass' } },
    });
  });

  it('results in three settled transactions with the documented ids, newest first', async () => {
    const [, account] = step(3, `account    ${id('sub')}: .*`);
    const [, deposit] = step(4, `deposit    ${id('txn')} .*`);
    const [, payment] = step(6, `payment    ${id('txn')} .*`);
    const [, purchase] = step(9, `purchase   ${id('txn')} .*`);
    const { data } = await read(`/v2/payments/transaction?sub_account_id=${account}`);
    expect(data).toMatchObject([
      { id: purchase, amount: '14.90', direction: 'debit', method: 'card_issuing', status: 'settled' },
      { id: payment, amount: '120.00', direction: 'debit', method: 'ach', status: 'settled' },
      { id: deposit, amount: '500.00', direction: 'credit', method: 'ach', status: 'settled' },
    ]);
    for (const entry of data as { reconciliation: { status: string } }[]) {
      expect(entry.reconciliation.status).toBe('reconciled');
    }
  });

  it('results in a card with a used limit', async () => {
    const [, card] = step(8, `card       ${id('crd')} .*`);
    const [, cardHolder] = step(7, `cardholder ${id('cah')} .*`);
    expect(await read(`/v2/issuing/card/${card}`)).toMatchObject({
      card_holder_id: cardHolder,
      type: 'virtual',
      status: 'open',
      controls: { limit: { period: 'daily', max_spend_amount: '100.00' } },
    });
  });

  it('results in books that pass an audit', async () => {
    const { body } = await bank.v2('GET', '/_sandbox/ledger/verify', undefined, { 'api-key': KEY });
    expect(body).toMatchObject({ balanced: true, problems: [] });
  });

  it('can be repeated on the same bank', async () => {
    expect(await runExample('quick-start/v2.mjs', bank, KEY)).toHaveLength(lines.length);
  });
});
