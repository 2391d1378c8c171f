/**
 * Statements of v1, as records and as files. Row 156 of the decisions.
 */
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listStatements } from '../../src/http/v1/routes/list-statements.ts';
import { retrieveStatement } from '../../src/http/v1/routes/retrieve-statement.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const DAY_MS = 86_400_000;

const pathOf = (caller: Caller, rest = '') => `/v1/account/${caller.seed('account_id')}/statement${rest}`;

/** Something is paid from the account, within the bank. */
async function pay(caller: Caller, amount: string, description = 'Rent'): Promise<string> {
  const answer = await caller.v2('POST', '/v2/payments/intra_account/push', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('intra_counterparty_id'),
    amount,
    description,
  });
  expect(answer.at('status'), answer.text).toBe('settled');
  return answer.id();
}

/** A PDF as it was sent: the bytes, and the texts on its pages. */
async function pdfOf(caller: Caller, path: string) {
  const { rawPayload, headers, statusCode } = await http.app.server.inject({
    method: 'GET',
    url: path,
    headers: { 'sd-api-key': caller.key },
  });
  expect(statusCode).toBe(200);
  return { bytes: rawPayload, headers, texts: textsIn(rawPayload) };
}

/** The texts in the order of writing; each is an array of hexadecimal pieces with kerning between them. */
function textsIn(pdf: Buffer): string[] {
  const body = pdf.toString('latin1');
  const pages = [...body.matchAll(/\/FlateDecode.*?stream\r?\n(.*?)\r?\nendstream/gs)].map(([, part = '']) =>
    inflateSync(Buffer.from(part, 'latin1')).toString('latin1'),
  );
  return pages.flatMap((page) =>
    [...page.matchAll(/\[([^\]]*)\] TJ/g)].map(([, pieces = '']) =>
      [...pieces.matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
        .join(''),
    ),
  );
}

describe('the statements of an account', () => {
  it('are its months, newest first', async () => {
    const caller = http.caller();
    const answer = await caller.v1('GET', pathOf(caller));
    expectRecord(answer, listStatements, ['total', 'data']);
    expect(answer.body).toEqual({
      total: 1,
      data: [
        {
          id: '2026-11',
          accountId: caller.seed('account_id'),
          programId: caller.seed('program_id'),
          month: '11',
          year: '2026',
          startDate: '2026-11-01',
          endDate: '2026-11-30',
          currency: 'USD',
          openingBalance: '0.00',
          closingBalance: '5000.00',
          totalCredits: '5000.00',
          totalDebits: '0.00',
          transactionCount: 1,
        },
      ],
    });
  });

  it('join: what one closes with the next opens with', async () => {
    const caller = http.caller();
    await pay(caller, '120.50');
    http.clock.advance(30 * DAY_MS);
    const paid = await pay(caller, '9.50');
    const answer = await caller.v1('GET', pathOf(caller, '?limit=5'));
    expect(answer.at('total')).toBe(2);
    expect(answer.at('data.0')).toMatchObject({
      id: '2026-12',
      openingBalance: '4879.50',
      closingBalance: '4870.00',
      totalDebits: '9.50',
    });
    expect(answer.at('data.1')).toMatchObject({ id: '2026-11', closingBalance: '4879.50' });
    const december = await caller.v1('GET', pathOf(caller, '/2026-12'));
    expectRecord(december, retrieveStatement, ['id', 'transactions']);
    const { transactions, ...figures } = december.body as { transactions: object[] };
    expect(figures).toEqual(answer.at('data.0'));
    expect(transactions).toEqual([
      (await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction/${paid}`)).body,
    ]);
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect(figures).toMatchObject({ closingBalance: account.at('availableBalance') });
    const older = await caller.v1('GET', pathOf(caller, '?limit=1&offset=1'));
    expect([older.at('total'), older.at('data.0.id')]).toEqual([2, '2026-11']);
    http.clock.advance(-30 * DAY_MS);
  });

  it('hold what v1 shows as settled, and not what is pending', async () => {
    const caller = http.caller();
    const statement = async () => (await caller.v1('GET', pathOf(caller, '/2026-11'))).body;
    const pay = (way: string) =>
      caller.v2('POST', `/v2/payments/ach/${way}`, {
        sub_account_id: caller.seed('sub_account_id'),
        counterparty_id: caller.seed('ach_counterparty_id'),
        amount: '100.00',
        description: 'Invoice',
      });
    expect((await pay('pull')).status).toBe(201);
    expect(await statement()).toMatchObject({ closingBalance: '5000.00', transactionCount: 1 });
    const pushed = (await pay('push')).id();
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect([account.at('availableBalance'), account.at('pendingDebit')]).toEqual(['4900.00', '100.00']);
    expect(await statement()).toMatchObject({ closingBalance: '4900.00', transactionCount: 2 });
    // It was there when it was made, and its statement and its row say so whatever becomes of it.
    http.clock.advance(DAY_MS);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${pushed}/settle`);
    const entry = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction/${pushed}`);
    expect(await statement()).toMatchObject({ closingBalance: '4900.00', transactionCount: 2 });
    expect((await statement()) as object).toMatchObject({
      transactions: expect.arrayContaining([entry.body]),
    });
    http.clock.advance(-DAY_MS);
  });

  it('are 404 for a month that is none of them, and for another account', async () => {
    const caller = http.caller();
    for (const month of ['2026-10', '2026-12', '2026-13', 'nonsense']) {
      expectRefusedV1(await caller.v1('GET', pathOf(caller, `/${month}`)), {
        status: 404,
        code: 'EC_STATEMENT_NOT_FOUND',
      });
      expectRefusedV1(await caller.v1('GET', pathOf(caller, `/${month}?export=pdf`)), {
        status: 404,
        code: 'EC_STATEMENT_NOT_FOUND',
      });
    }
    expectRefusedV1(await caller.v1('GET', '/v1/account/acc-x/statement'), {
      status: 404,
      code: 'EC_ACCOUNT_NOT_FOUND',
    });
    expect((await caller.v1('GET', pathOf(caller, '/2026-11?export=csv'))).status).toBe(400);
  });
});

describe('a statement as a PDF', () => {
  it('has the figures and the movements of the record, with the balance after each', async () => {
    const caller = http.caller();
    await pay(caller, '120.50', 'Rent of November');
    const { bytes, headers, texts } = await pdfOf(caller, pathOf(caller, '/2026-11?export=pdf'));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(headers['content-type']).toBe('application/pdf');
    expect(headers['content-disposition']).toBe('attachment; filename="statement-2026-11.pdf"');
    expect(texts.slice(0, 3)).toEqual(['Statement 2026-11', 'Bank', 'Sandbank Trust']);
    const figure = (name: string) => texts[texts.indexOf(name) + 1];
    expect(figure('Account holder')).toBe('Ada Lovegood');
    expect(figure('Period')).toBe('2026-11-01 to 2026-11-30');
    expect(figure('Opening balance')).toBe('0.00');
    expect(figure('Closing balance')).toBe('4879.50');
    const rows = texts.slice(texts.indexOf('Balance') + 1);
    expect(rows.slice(0, 5)).toEqual([
      '2026-11-20',
      'Received from First deposit',
      'Opening deposit',
      '5000.00',
      '5000.00',
    ]);
    expect(rows[7]).toBe('Rent of November');
    expect(rows.slice(8)).toEqual(['-120.50', '4879.50']);
  });

  it('is the same file each time, and counts as a call of the operation', async () => {
    const caller = http.caller();
    const path = pathOf(caller, '/2026-11?export=pdf');
    const [one, two] = [await pdfOf(caller, path), await pdfOf(caller, path)];
    expect(one.bytes.equals(two.bytes)).toBe(true);
    const coverage = await caller.v2('GET', '/_sandbox/coverage');
    expect(coverage.text).toContain('retrieveStatement');
    expect((await caller.v1('GET', pathOf(caller, '/2026-11?export=json'))).at('id')).toBe('2026-11');
  });

  it('shows what its letters cannot as question marks, and cuts what is too long', async () => {
    const caller = http.caller();
    await pay(caller, '1.00', 'Grüße 東京 \n📄');
    await pay(caller, '1.00', 'x'.repeat(2000));
    const { texts } = await pdfOf(caller, pathOf(caller, '/2026-11?export=pdf'));
    expect(texts).toContain('Grüße ?? ??');
    expect(texts.find((text) => text.startsWith('xxx'))).toMatch(/^x{20,60}\.\.\.$/);
  });

  it('goes on over as many pages as it takes', async () => {
    const caller = http.caller();
    for (let paid = 0; paid < 120; paid += 1) await pay(caller, '1.00', `Payment ${paid}.`);
    const { bytes, texts } = await pdfOf(caller, pathOf(caller, '/2026-11?export=pdf'));
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(3);
    expect(texts.filter((text) => text.startsWith('Page '))).toEqual(['Page 1', 'Page 2', 'Page 3']);
    expect(texts.filter((text) => text === 'Description')).toHaveLength(3);
    expect(texts.filter((text) => text.startsWith('Payment '))).toEqual(
      Array.from({ length: 120 }, (_, paid) => `Payment ${paid}.`),
    );
    expect(texts.at(-1)).toBe('4880.00');
  });
});
