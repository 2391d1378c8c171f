/**
 * Libraries that programs use beside the bank. The tables of the guide "Beside other libraries" are computed here, by
 * running each library and the line of code that makes it agree. `-u` prints them into the guide.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { table } from '../../build/page.ts';
import { installTools } from '../../build/tools.mjs';
import { addDays, bankHolidays, isBankingDay } from '../../src/bank/kernel/calendar.ts';
import { isRoutingNumber, KNOWN_ROUTING_NUMBERS } from '../../src/bank/model/banks.ts';

const GUIDE = new URL('../../docs/guides/libraries.md', import.meta.url);
const TIMEOUT_MS = 300_000;

// The exports of a library have many shapes.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Library = any;

let load: (name: string) => Library;
let versions: Record<string, string> = {};

beforeAll(() => {
  const folder = installTools('test/libraries');
  load = createRequire(join(folder, 'package.json'));
  versions = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
}, TIMEOUT_MS);

/** A line of code of the guide as a function of its names; with `await`, as one that returns a promise. */
const run = (code: string, names: Record<string, unknown>): unknown =>
  new Function(...Object.keys(names), `return ${code.includes('await ') ? `(async () => ${code})()` : code}`)(
    ...Object.values(names),
  );
/** Runs `const name = expression` of the guide. Returns the name with its value. */
const setUp = async (code: string, names: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
  const [, name = '', expression = ''] = /^const (\w+) = (.*)$/.exec(code) ?? [];
  return { [name]: await run(expression, { require: load, ...names }) };
};
const titleOf = (name: string): string => `\`${name}\` ${versions[name]}`;
const codeOf = (code: string): string => (code === '' ? 'none' : `\`${code}\``);

const sections = new Map<string, string>();

/** The weekdays within three days of a holiday: no calendar closes others, and one of the libraries is slow. */
function weekdays(): string[] {
  const days: string[] = [];
  for (let year = 2026; year <= 2033; year += 1) {
    // Before their holidays move to Monday.
    const fixed = ['01-01', '06-19', '07-04', '11-11', '12-25'].map((day) => `${year}-${day}`);
    const dates = new Set([...fixed, ...bankHolidays(year).map(({ date }) => date)]);
    days.push(...[...dates].flatMap((date) => [-3, -2, -1, 0, 1, 2, 3].map((count) => addDays(date, count))));
  }
  return [...new Set(days)]
    .sort()
    .filter((day) => day < '2033' && new Date(`${day}T12:00:00`).getDay() % 6 !== 0);
}

/** The line that a program begins with, and the one that agrees with the bank. */
interface Closed {
  readonly name: string;
  readonly setup: string;
  readonly first: string;
  readonly agrees: string;
}

const CALENDARS: readonly Closed[] = [
  {
    name: '@18f/us-federal-holidays',
    setup: "const holidays = require('@18f/us-federal-holidays')",
    first: 'holidays.isAHoliday(date)',
    agrees: 'holidays.isAHoliday(date, { shiftSaturdayHolidays: false })',
  },
  {
    name: 'date-holidays',
    setup: "const calendar = new (require('date-holidays'))('US')",
    first: "[calendar.isHoliday(date)].flat().some(({ type }) => type === 'public')",
    agrees:
      "[calendar.isHoliday(date)].flat().some(({ type, substitute }) => ['public', 'bank'].includes(type) && !(substitute && date.getDay() === 5))",
  },
  {
    name: 'business-days-js',
    setup: "const calendar = require('business-days-js')()",
    first: '!calendar.check(date)',
    agrees: '',
  },
];

describe('a settlement date', () => {
  it('is computed by the libraries as the guide says', async () => {
    const days = weekdays();
    const rows: string[][] = [];
    for (const { name, setup, first, agrees } of CALENDARS) {
      const names = await setUp(setup);
      const differing = (code: string): string[] =>
        days.filter(
          (day) => !!run(code, { ...names, date: new Date(`${day}T12:00:00`) }) === isBankingDay(day),
        );
      const before = differing(first);
      expect(before.length, name).toBeGreaterThan(0);
      if (agrees !== '') expect(differing(agrees), name).toEqual([]);
      const differ = `${before.length}, the first ${before[0]}`;
      rows.push([titleOf(name), codeOf(setup), codeOf(first), differ, codeOf(agrees)]);
    }
    sections.set('settlement', table(['Library', 'Setup', 'Closed?', 'Days that differ', 'Agrees'], rows));
  });
});

describe('a routing number', () => {
  it('is checked as the guide says', () => {
    const numbers = [
      ...KNOWN_ROUTING_NUMBERS,
      '000000000',
      '021000022',
      '500000005',
      '990000013',
      '02100002',
    ];
    const lines = [
      ['abavalidator', 'library.validate(number)'],
      ['bank-routing-number-validator', 'library.ABARoutingNumberIsValid(number)'],
    ];
    const rows = lines.map(([name = '', line = '']) => {
      const library = load(name);
      const wrong = numbers.filter((number) => run(line, { library, number }) !== isRoutingNumber(number));
      return [titleOf(name), codeOf(line), wrong.join(', ') || 'none'];
    });
    sections.set('routing', table(['Library', 'Valid?', 'Wrong'], rows));
  });
});

describe('a phone number', () => {
  // Numbers that are reserved for examples: of a city, of a landline in London, and a toll-free one.
  const NUMBERS = ['+14155550100', '+442079460018', '+18005550199'];
  it('is checked as the guide says', () => {
    const lines = [
      ['libphonenumber-js', 'library.isValidPhoneNumber(phone)', 'library.isPossiblePhoneNumber(phone)'],
      [
        'awesome-phonenumber',
        'library.parsePhoneNumber(phone).valid',
        'library.parsePhoneNumber(phone).possible',
      ],
      [
        'phone',
        'library.phone(phone).isValid',
        'library.phone(phone, { validateMobilePrefix: false }).isValid',
      ],
      ['@reallyuseful/phonenumber', 'library.valid(phone)', ''],
    ];
    const rows = lines.map(([name = '', first = '', agrees = '']) => {
      const library = load(name);
      const refused = (line: string): string[] =>
        NUMBERS.filter((phone) => run(line, { library, phone }) !== true);
      if (agrees !== '') expect(refused(agrees), name).toEqual([]);
      return [titleOf(name), codeOf(first), refused(first).join(', ') || 'none', codeOf(agrees)];
    });
    sections.set('phone', table(['Library', 'Valid?', 'Refused', 'Agrees'], rows));
  });
});

/** A field of a valid file: what the library returns, what it should, and the line that returns it. */
interface FileRow {
  readonly name: string;
  readonly what: string;
  readonly text: string;
  readonly setup: string;
  readonly first: string;
  readonly wanted: string;
  readonly agrees: string;
}

const OFX = (name: string): string =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>\n<BANKMSGSRSV1>\n<STMTTRNRS>\n<STMTRS>\n<BANKTRANLIST>\n<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>20261201\n<TRNAMT>12.50\n<FITID>1\n<NAME>${name}\n</STMTTRN>\n</BANKTRANLIST>\n</STMTRS>\n</STMTTRNRS>\n</BANKMSGSRSV1>\n</OFX>\n`;
const NAME_IN_FILE = 'Smith &amp; Example';
const NAME = 'Smith & Example';
// A value date of 1 January 2027 and an entry date of 31 December.
const MT940 = [
  ...[':20:1', ':25:021000021/1', ':28C:1/1', ':60F:C261230USD0,00'],
  ...[':61:2701011231C7,00NTRFREF//BANK', ':86:ACH', ':62F:C270101USD7,00', '-', ''],
].join('\n');

function nachaFile(): string {
  const pad = (text: string | number, width: number): string => `${text}`.padEnd(width);
  const zeros = (value: number, width: number): string => `${value}`.padStart(width, '0');
  const lines = [
    `101 021000021 0110000152612011030A094101${pad('SOME BANK', 23)}${pad('OTHER BANK', 23)}${pad('', 8)}`,
    `5220${pad('EXAMPLE COMPANY', 16)}${pad('', 20)}1234567890PPD${pad('PAYMENT', 10)}2612012612013351011000010000001`,
    `622021000021${pad('5654221', 17)}${zeros(1250, 10)}${pad('1', 15)}${pad('JANE EXAMPLE', 22)}  0011000010000001`,
    `82200000010002100002${zeros(0, 12)}${zeros(1250, 12)}1234567890${pad('', 25)}011000010000001`,
    `9000001000001000000010002100002${zeros(0, 12)}${zeros(1250, 12)}${pad('', 39)}`,
  ];
  while (lines.length % 10 > 0) lines.push('9'.repeat(94));
  return `${lines.join('\n')}\n`;
}

const FILES: readonly FileRow[] = [
  {
    name: 'ofx-js',
    what: 'name in OFX',
    text: OFX(NAME_IN_FILE),
    setup:
      "const payment = (await require('ofx-js').parse(text)).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN",
    first: 'payment.NAME',
    wanted: NAME,
    agrees: 'payment.NAME',
  },
  {
    name: 'node-ofx-parser',
    what: 'name in OFX',
    text: OFX(NAME_IN_FILE),
    setup:
      "const payment = (await require('node-ofx-parser').parse(text)).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN",
    first: 'payment.NAME',
    wanted: NAME,
    agrees: "payment.NAME.replace(/&(amp;)+/g, '&')",
  },
  {
    name: 'ofx-data-extractor',
    what: 'name in OFX',
    text: OFX(NAME_IN_FILE),
    setup: "const payment = new (require('ofx-data-extractor').Ofx)(text).getBankTransferList()[0]",
    first: 'payment.NAME',
    wanted: NAME,
    agrees: "payment.NAME.replaceAll('&amp;', '&')",
  },
  {
    name: 'mt940js',
    what: 'entry date in MT940',
    text: MT940,
    setup: "const payment = new (require('mt940js').Parser)().parse(text)[0].transactions[0]",
    first: 'payment.entryDate.toISOString().slice(0, 10)',
    wanted: '2026-12-31',
    agrees:
      '[-1, 0, 1].map((years) => new Date(new Date(payment.entryDate).setUTCFullYear(payment.entryDate.getUTCFullYear() + years))).sort((a, b) => Math.abs(a - payment.date) - Math.abs(b - payment.date))[0].toISOString().slice(0, 10)',
  },
  {
    name: '@midlandsbank/node-nacha',
    what: 'receiving bank in NACHA',
    text: nachaFile(),
    setup: "const entry = require('@midlandsbank/node-nacha').from(text).data.batches[0].entries[0]",
    first: 'entry.receivingDFIIdentification',
    wanted: '02100002',
    agrees: "String(entry.receivingDFIIdentification).padStart(8, '0')",
  },
];

describe('a file', () => {
  it('is read as the guide says', async () => {
    const rows: string[][] = [];
    for (const { name, what, text, setup, first, wanted, agrees } of FILES) {
      const names = await setUp(setup, { text });
      expect(run(agrees, names), name).toBe(wanted);
      const found = run(first, names);
      const returned = found === wanted ? 'the same' : codeOf(`${found}`);
      rows.push([titleOf(name), codeOf(setup), what, codeOf(wanted), returned, codeOf(agrees)]);
    }
    sections.set('files', table(['Library', 'Setup', 'Field', 'In the file', 'Returned', 'Agrees'], rows));
  });
});

it('the tables of the guide are the results', async () => {
  const text = [...sections].reduce(
    (page, [section, printed]) =>
      page.replace(
        new RegExp(`(<!-- ${section} -->\n)[\\s\\S]*?(<!-- end -->)`),
        (_, start, end) => `${start}\n${printed}\n\n${end}`,
      ),
    readFileSync(GUIDE, 'utf8'),
  );
  expect([...sections.keys()].filter((section) => !text.includes(`<!-- ${section} -->`))).toEqual([]);
  await expect(text).toMatchFileSnapshot(GUIDE.pathname);
});
