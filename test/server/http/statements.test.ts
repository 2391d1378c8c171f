/**
 * Statements of v1, as records and as files. Decision `statement-contents` in docs/fidelity.md.
 */
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STATEMENT } from '../../contract/v1/account.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Caller, useHttp } from './support.ts';

const http = useHttp();
const DAY_MS = 86_400_000;

/** The part of an id of v2 after its prefix, in v1's format. */
const dashed = (id: string): string => id.slice(4).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const pathOf = (caller: Caller, rest = '') => `/v1/account/${caller.seed('account_id')}/statement${rest}`;

/** A payment from the account within the bank. */
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

/** The texts in reading order; each is an array of hexadecimal pieces with kerning between them. */
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

describe('the statements of an account (listStatements)', () => {
  it('are its months, newest first, as numbers', async () => {
    const caller = http.caller();
    const present = { month: 11, year: 2026, createdAt: '2026-11-20T18:00:00Z' };
    const answer = await caller.v1('GET', pathOf(caller));
    expectRecord(answer, 'listStatements', ['total', 'data']);
    expect(answer.body).toEqual({ total: 1, data: [present] });
    http.clock.advance(50 * DAY_MS);
    const later = await caller.v1('GET', pathOf(caller));
    expect(later.body).toEqual({
      total: 3,
      data: [
        { month: 1, year: 2027, createdAt: '2027-01-09T18:00:00Z' },
        // It is created when its month is over.
        { month: 12, year: 2026, createdAt: '2027-01-01T00:00:00Z' },
        { month: 11, year: 2026, createdAt: '2026-12-01T00:00:00Z' },
      ],
    });
    const older = await caller.v1('GET', pathOf(caller, '?limit=1&offset=2'));
    expect([older.at('total'), older.at('data.0.month'), older.at('data.1')]).toEqual([3, 11, undefined]);
    http.clock.advance(-50 * DAY_MS);
  });

  it('have the owner, the figures of the month and the booked transactions, up to now for the present one', async () => {
    const caller = http.caller();
    const paid = await pay(caller, '120.50');
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    const answer = await caller.v1('GET', pathOf(caller, '/2026/11'));
    expectRecord(answer, 'retrieveStatement', STATEMENT);
    const entries = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction`);
    expect(answer.body).toEqual({
      accountId: caller.seed('account_id'),
      personId: caller.seed('person_id'),
      businessId: '',
      familyId: '',
      accountNumber: account.at('accountNumber'),
      routingNumber: account.at('routingNumber'),
      label: account.at('label'),
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      openingBalance: '0.00',
      closingBalance: '4879.50',
      totalCredit: '5000.00',
      totalDebit: '120.50',
      transactions: (entries.at('data') as object[]).toReversed(),
    });
    expect(answer.at('transactions.1.id')).toBe(`txn-${dashed(paid)}`);
    expect(account.at('availableBalance')).toBe('4879.50');
  });

  it('have the business and the family beside the person', async () => {
    const caller = http.caller();
    const personId = caller.seed('person_id');
    const holder = caller.seed('business_holder_id');
    await caller.v2('POST', `/v2/accounts/sub_account_holder/${holder}/kyb`);
    const family = await caller.v1('POST', '/v1/family', { name: 'Lovegood' }, { 'sd-person-id': personId });
    const businessId = `bus-${dashed(holder)}`;
    for (const owner of [{ businessId }, { familyId: family.id() }]) {
      const account = await caller.v1('POST', '/v1/account', owner, { 'sd-person-id': personId });
      const answer = await caller.v1('GET', `/v1/account/${account.id()}/statement/2026/11`);
      const whole = { businessId: '', familyId: '', personId, ...owner };
      expect(answer.body).toMatchObject({ ...whole, transactions: [{ ...whole, amount: '1000.00' }] });
    }
  });

  it('are continuous: a closing balance is the next opening balance', async () => {
    const caller = http.caller();
    await pay(caller, '120.50');
    http.clock.advance(30 * DAY_MS);
    await pay(caller, '9.50');
    const november = await caller.v1('GET', pathOf(caller, '/2026/11'));
    const december = await caller.v1('GET', pathOf(caller, '/2026/12'));
    expect(november.body).toMatchObject({ totalDebit: '120.50', closingBalance: '4879.50' });
    expect(december.body).toMatchObject({
      openingBalance: '4879.50',
      totalCredit: '0.00',
      totalDebit: '9.50',
      closingBalance: '4870.00',
      transactions: [{ amount: '-9.50' }],
    });
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect(account.at('availableBalance')).toBe('4870.00');
    http.clock.advance(-30 * DAY_MS);
  });

  it('contain what v1 shows as settled, and not what is pending', async () => {
    const caller = http.caller();
    const statement = async () => (await caller.v1('GET', pathOf(caller, '/2026/11'))).body;
    const pay = (way: string) =>
      caller.v2('POST', `/v2/payments/ach/${way}`, {
        sub_account_id: caller.seed('sub_account_id'),
        counterparty_id: caller.seed('ach_counterparty_id'),
        amount: '100.00',
        description: 'Invoice',
      });
    expect((await pay('pull')).status).toBe(201);
    expect(await statement()).toMatchObject({ closingBalance: '5000.00', transactions: { length: 1 } });
    const pushed = (await pay('push')).id();
    const account = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}`);
    expect([account.at('availableBalance'), account.at('pendingDebit')]).toEqual(['4900.00', '100.00']);
    expect(await statement()).toMatchObject({ closingBalance: '4900.00', transactions: { length: 2 } });
    // It existed at the creation of the statement, and its statement and its row keep showing it.
    http.clock.advance(DAY_MS);
    await caller.v2('POST', `/_sandbox/simulate/transactions/${pushed}/settle`);
    const entry = await caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction/${pushed}`);
    expect(await statement()).toMatchObject({ closingBalance: '4900.00', transactions: { length: 2 } });
    expect((await statement()) as object).toMatchObject({
      transactions: expect.arrayContaining([entry.body]),
    });
    http.clock.advance(-DAY_MS);
  });

  it('are found by a month with one digit or two', async () => {
    const caller = http.caller();
    http.clock.advance(50 * DAY_MS);
    const january = await caller.v1('GET', pathOf(caller, '/2027/1'));
    expect([january.status, january.at('startDate')]).toEqual([200, '2027-01-01']);
    expect((await caller.v1('GET', pathOf(caller, '/2027/01'))).body).toEqual(january.body);
    http.clock.advance(-50 * DAY_MS);
  });

  it.each(['', '?export=csv', '?export=pdf'])(
    'are 404 before the opening of the account, after the present, and for another account%s',
    async (query) => {
      const caller = http.caller();
      for (const month of ['2026/10', '2026/12', '1999/01', '9999/12']) {
        expectRefusedV1(await caller.v1('GET', pathOf(caller, `/${month}${query}`)), {
          status: 404,
          code: 'EC_STATEMENT_NOT_FOUND',
        });
      }
      for (const rest of ['', `/2026/11${query}`]) {
        expectRefusedV1(await caller.v1('GET', `/v1/account/acc-x/statement${rest}`), {
          status: 404,
          code: 'EC_ACCOUNT_NOT_FOUND',
        });
      }
      // The path with the month in one segment does not exist.
      expectRefusedV1(await caller.v1('GET', pathOf(caller, `/2026-11${query}`)), {
        status: 404,
        code: 'EC_PATH_NOT_FOUND',
      });
    },
  );

  it.each([
    ['/2026/13', 'month must be 1 to 12; got "13"'],
    ['/2026/0', /month must be 1 to 12/],
    ['/2026/November', /month must be 1 to 12/],
    ['/2026/111', /month must be 1 to 12/],
    ['/26/11', /year has four digits/],
    ['/-026/11', /year has four digits/],
    ['/x/11', /year has four digits; got "x"/],
  ])('%s is not a month', async (rest, message) => {
    const caller = http.caller();
    for (const query of ['', '?export=pdf']) {
      const answer = await caller.v1('GET', pathOf(caller, `${rest}${query}`));
      expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message });
    }
  });

  it('have no other file format', async () => {
    const caller = http.caller();
    const answer = await caller.v1('GET', pathOf(caller, '/2026/11?export=xml'));
    expectRefusedV1(answer, { status: 400, code: 'EC_ACCOUNT_INVALID_REQUEST', message: /export/ });
  });
});

describe('a statement as JSON (retrieveStatement)', () => {
  it('has a line for each of its transactions, oldest first, like in their list', async () => {
    const caller = http.caller();
    const paid = await pay(caller, '120.50', 'Rent, "November"');
    const fetch = (path: string) =>
      http.app.server.inject({ url: path, headers: { 'sd-api-key': caller.key } });
    const answer = await fetch(pathOf(caller, '/2026/11?export=csv'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="statement-2026-11.csv"',
    });
    const [header, opening, rent, ...rest] = answer.body.trimEnd().split('\n');
    expect(rest).toEqual([]);
    expect(opening).toContain(',5000.00,USD,');
    expect(rent).toContain(`txn-${dashed(paid)},`);
    expect(rent).toContain('"Rent, ""November""",-120.50,USD,4879.50');
    const list = await fetch(
      `/v1/account/${caller.seed('account_id')}/transaction?export=csv&orderBy=createdAt`,
    );
    expect(list.body.trimEnd().split('\n')).toEqual([header, opening, rent]);
  });
});

describe('a statement as a PDF (retrieveStatement)', () => {
  it('has the characters of its fonts, and other letters without their accents', async () => {
    const caller = http.caller();
    await pay(caller, '1.00', '€ 5 – “Zażółć” Müller Ян 李');
    const { texts } = await pdfOf(caller, pathOf(caller, '/2026/11?export=pdf'));
    const shown = texts.map((text) => new TextDecoder('windows-1252').decode(Buffer.from(text, 'latin1')));
    expect(shown).toContain('€ 5 – “Zazólc” Müller ?? ?');
  });

  it('has the figures and the transactions of the record, with the balance after each', async () => {
    const caller = http.caller();
    await pay(caller, '120.50', 'Rent of November');
    const { bytes, headers, texts } = await pdfOf(caller, pathOf(caller, '/2026/11?export=pdf'));
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
    const path = pathOf(caller, '/2026/11?export=pdf');
    const [one, two] = [await pdfOf(caller, path), await pdfOf(caller, path)];
    expect(one.bytes.equals(two.bytes)).toBe(true);
    const coverage = await caller.v2('GET', '/_sandbox/coverage');
    expect(coverage.text).toContain('retrieveStatement');
    const json = await caller.v1('GET', pathOf(caller, '/2026/11?export=json'));
    expect(json.body).toEqual((await caller.v1('GET', pathOf(caller, '/2026/11'))).body);
  });

  it('shows unsupported characters as question marks, and truncates long texts', async () => {
    const caller = http.caller();
    await pay(caller, '1.00', 'Grüße 東京 \n📄');
    await pay(caller, '1.00', 'x'.repeat(2000));
    const { texts } = await pdfOf(caller, pathOf(caller, '/2026/11?export=pdf'));
    expect(texts).toContain('Grüße ?? ??');
    expect(texts.find((text) => text.startsWith('xxx'))).toMatch(/^x{20,60}\.\.\.$/);
  });

  it('has as many pages as it needs', async () => {
    const caller = http.caller();
    for (let paid = 0; paid < 120; paid += 1) await pay(caller, '1.00', `Payment ${paid}.`);
    const { bytes, texts } = await pdfOf(caller, pathOf(caller, '/2026/11?export=pdf'));
    expect(bytes.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(3);
    expect(texts.filter((text) => text.startsWith('Page '))).toEqual(['Page 1', 'Page 2', 'Page 3']);
    expect(texts.filter((text) => text === 'Description')).toHaveLength(3);
    expect(texts.filter((text) => text.startsWith('Payment '))).toEqual(
      Array.from({ length: 120 }, (_, paid) => `Payment ${paid}.`),
    );
    expect(texts.at(-1)).toBe('4880.00');
  });
});
