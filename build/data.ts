/**
 * The schemas of the files in data/. The build of the bundle refuses an invalid file, and the tests check each file. The
 * allowed words of a field come from the types of the model, so the two cannot differ.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { isRoutingNumber } from '../src/bank/model/banks.ts';
import { AREAS, EVIDENCE } from '../src/bank/model/fidelity.ts';
import { RETURN_CLASSES, RETURNED_BY } from '../src/bank/model/return-codes.ts';
import { CHECK_PARTS } from '../src/bank/model/vocabulary.ts';

const FOLDER = new URL('../data/', import.meta.url);

const record = <T extends Parameters<typeof Type.Object>[0]>(fields: T) =>
  Type.Object(fields, { additionalProperties: false });
const word = <T extends string>(words: readonly T[]) => Type.Unsafe<T>({ enum: [...words] });
const text = (pattern = '^\\S(.*\\S)?$') => Type.String({ pattern });
const CODE_2 = { minimum: 11, maximum: 99 };
const CODE_5 = { minimum: 11_000, maximum: 99_999 };
const CODE_6 = { minimum: 110_000, maximum: 999_999 };
const state = text('^[A-Z]{2}$');

const Atms = Type.Array(
  record({
    name: text(),
    latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees, north positive.' }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees, east positive.' }),
    line1: text(),
    city: text(),
    state,
    postalCode: text('^\\d{5}$'),
  }),
);

const MerchantCategories = Type.Array(record({ code: text('^\\d{4}$'), name: text() }));

const Numbers = Type.Array(text('^\\d{9}$'), { description: 'Routing numbers.' });

const Banks = record({
  unitedStates: Type.Array(
    record({
      name: text(),
      city: text(),
      state,
      numbers: { ...Numbers, description: 'Routing numbers that take ACH and wires.' },
      achOnly: { ...Numbers, description: 'Routing numbers that take ACH and no wires.' },
    }),
  ),
  swift: Type.Record(Type.String({ pattern: '^[A-Z]{4}$' }), text(), {
    additionalProperties: false,
    description: 'The banks by the first four letters of their SWIFT codes.',
  }),
});

const Names = Type.Array(text(), { minItems: 1 });
const Decisions = Type.Array(
  record({
    slug: Type.String({
      pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+){1,3}$',
      description: 'Two to four words that name the decision. Code and documents cite it.',
    }),
    area: word(AREAS),
    question: text('\\S\\?$'),
    answer: text('\\S\\.$'),
    evidence: word(EVIDENCE),
    pages: Type.Optional(
      Type.Array(text('^(v1|v2|guide|help|client|repository|network): \\S'), {
        minItems: 1,
        description:
          'The sources of the answer, or those from which it deliberately differs. None if nothing is published.',
      }),
    ),
    recording: Type.Optional(
      record({
        date: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'The day of the recording.' }),
        result: word(['confirms', 'contradicts']),
      }),
    ),
    about: Type.Optional(
      record({
        operations: Type.Optional(Names),
        fields: Type.Optional(Names),
        causes: Type.Optional(Names),
      }),
    ),
  }),
);

const named = { code: Type.Integer(CODE_2), name: text() };
const Naics = Type.Array(
  record({
    ...named,
    industries: Type.Array(
      record({
        ...named,
        code: Type.Integer(CODE_5),
        nationalIndustries: Type.Array(record({ ...named, code: Type.Integer(CODE_6) }), { minItems: 1 }),
      }),
    ),
  }),
);

const ReturnCodes = record({
  timeLimits: Type.Record(
    Type.String({ pattern: '^[a-zA-Z]+$' }),
    record({
      words: Type.Optional(text()),
      window: Type.Union([
        record({ days: Type.Integer({ minimum: 1 }), of: word(['banking', 'calendar']) }),
        Type.Null(),
      ]),
    }),
    { additionalProperties: false },
  ),
  codes: Type.Array(
    record({
      code: text('^R\\d\\d$'),
      from: Type.Optional(text('^\\d{4}-\\d\\d-\\d\\d$')),
      until: Type.Optional(text('^\\d{4}-\\d\\d-\\d\\d$')),
      title: text(),
      meaning: text('\\S\\.$'),
      class: word(RETURN_CLASSES),
      returnedBy: word(RETURNED_BY),
      timeLimit: text(),
    }),
  ),
});

const TwoLetters = Type.Array(text('^[A-Z]{2}$'));
const Places = record({
  countries: { ...TwoLetters, description: 'ISO 3166-1.' },
  states: record({ CA: TwoLetters, US: TwoLetters }),
});

const VerificationReasons = record({
  usual: record({
    review: text(),
    fail: text(),
    memberReview: text(),
    memberFail: text(),
    idv: text(),
  }),
  reasons: Type.Array(
    record({
      code: text('^[A-Z]+\\d+$'),
      part: word(CHECK_PARTS),
      description: text(),
      evidence: word(EVIDENCE),
      page: Type.Optional(
        Type.String({ description: 'The page of the platform that publishes the reason.' }),
      ),
    }),
  ),
});

/** A file of data/: its schema, and the checks that a schema cannot express, which return a sentence for each problem. */
interface DataFile {
  readonly shape: TSchema;
  readonly problems: (value: unknown) => string[];
}

const file = <S extends TSchema>(shape: S, problems: (value: Static<S>) => string[]): DataFile => ({
  shape,
  problems: (value) => problems(value as Static<S>),
});

/** Every file of data/ by its name. */
export const DATA_FILES: Readonly<Record<string, DataFile>> = {
  'atms.json': file(Atms, (atms) => twice(atms.map(({ name, city }) => `${name} in ${city}`))),
  'banks.json': file(Banks, ({ unitedStates }) => {
    const numbers = unitedStates.flatMap(({ numbers, achOnly }) => [...numbers, ...achOnly]);
    const wrong = numbers.filter((number) => !isRoutingNumber(number));
    return [...twice(numbers), ...wrong.map((number) => `the check digit of ${number} is wrong`)];
  }),
  'decisions.json': file(Decisions, (rows) => [
    ...twice(rows.map(({ slug }) => slug)),
    ...rows
      .filter(({ evidence, pages }) => evidence !== 'ours' && pages === undefined)
      .map(({ slug, evidence }) => `${slug} is ${evidence} and names no page`),
    ...rows
      .filter(
        ({ evidence, pages = [] }) =>
          evidence === 'client' && !pages.every((page) => page.startsWith('client: ')),
      )
      .map(({ slug }) => `${slug} has the evidence client and may not name a page of the platform`),
    ...rows
      .filter(
        ({ evidence, pages = [] }) =>
          (evidence === 'documented' || evidence === 'sample') &&
          pages.every((page) => page.startsWith('client: ')),
      )
      .map(({ slug, evidence }) => `${slug} is ${evidence} and names no page of the platform`),
  ]),
  'merchant-categories.json': file(MerchantCategories, (rows) => [
    ...disorder(rows.map(({ code }) => code)),
    ...twice(rows.map(({ name }) => name.toLowerCase())),
  ]),
  'naics.json': file(Naics, (sectors) => [
    ...disorder(sectors.map(({ code }) => String(code))),
    ...disorder(sectors.flatMap(({ industries }) => industries.map(({ code }) => String(code)))),
    ...sectors.flatMap(({ industries }) =>
      industries.flatMap(({ code, nationalIndustries }) =>
        nationalIndustries
          .filter((own) => Math.floor(own.code / 10) !== code)
          .map((own) => `${own.code} is not a national industry of ${code}`),
      ),
    ),
  ]),
  'places.json': file(Places, ({ countries, states }) => [
    ...disorder(countries),
    ...Object.values(states).flatMap(disorder),
  ]),
  'return-codes.json': file(ReturnCodes, ({ timeLimits, codes }) => [
    ...disorder(codes.map(({ code, from = '' }) => `${code} ${from}`.trim())),
    ...codes
      .filter(({ timeLimit }) => !Object.hasOwn(timeLimits, timeLimit))
      .map(({ code, timeLimit }) => `${code} has the time limit ${timeLimit}, which is not in timeLimits`),
    ...Object.entries(timeLimits)
      .filter(([, { words, window }]) => words === undefined && window === null)
      .map(([name]) => `${name} has neither words nor a window`),
  ]),
  'verification-reasons.json': file(VerificationReasons, ({ usual, reasons }) => [
    ...disorder(reasons.map(({ code }) => code)),
    ...Object.entries(usual)
      .filter(([, code]) => !reasons.some((reason) => reason.code === code))
      .map(([name, code]) => `${name} is ${code}, which is not in reasons`),
    ...reasons
      .filter(({ code, evidence, page }) =>
        [code.startsWith('SB'), page === undefined].some((is) => is !== (evidence === 'ours')),
      )
      .map(
        ({ code }) =>
          `${code} must be ours and without a page if it begins with SB, and otherwise published with a page`,
      ),
  ]),
};

const twice = (keys: readonly string[]): string[] =>
  keys.filter((key, place) => keys.indexOf(key) < place).map((key) => `${key} is a duplicate`);

/** The keys that are not in ascending order. */
const disorder = (keys: readonly string[]): string[] =>
  keys
    .filter((key, place) => place > 0 && (keys[place - 1] ?? '') >= key)
    .map((key) => `${key} is out of order or a duplicate`);

const ajv = new Ajv({ strict: false, allErrors: true });

/** The problems of the contents of a file, as sentences. */
export function problemsOf(name: string, value: unknown): string[] {
  const known = DATA_FILES[name];
  if (known === undefined) return [`data/${name} has no schema in build/data.ts`];
  const isGood = ajv.compile(known.shape);
  const problems = isGood(value)
    ? known.problems(value)
    : (isGood.errors ?? []).map(({ instancePath, message, params }) => {
        const { additionalProperty, allowedValues } = params;
        return `${instancePath || '/'} ${message} ${additionalProperty ?? allowedValues?.join(', ') ?? ''}`.trim();
      });
  return problems.map((problem) => `data/${name}: ${problem}`);
}

/** Reads a file of data/. */
export function readData(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** Throws an error that lists all problems in data/. */
export function checkData(): void {
  const problems = readdirSync(FOLDER).flatMap((name) => problemsOf(name, readData(name)));
  if (problems.length > 0) throw new Error(problems.join('\n'));
}
