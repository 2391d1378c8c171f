// A recording contains no personal data, in any field, and the same value always has the same pseudonym.

import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatFailure } from '../../src/compare/failures.ts';
import { formatRecording, parseRecording } from '../../src/compare/recording.ts';
import { redact } from '../../src/compare/redact.ts';
import type { Exchange } from '../../src/compare/transcript.ts';

const RUNS = Number(process.env.SANDBANK_PROPERTY_RUNS ?? '150') * 7;

const letters = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'), minLength: min, maxLength: max });
const digits = (length: number) =>
  fc.integer({ min: 10 ** (length - 1) + 1, max: 10 ** length - 2 }).map(String);

/** What must be removed, in the formats in which it could occur. */
const SECRETS = {
  name: letters(6, 12).map((text) => `Q${text}`),
  fullName: fc.tuple(letters(6, 9), letters(6, 9)).map(([one, other]) => `Z${one} Q${other}`),
  email: letters(6, 10).map((text) => `${text}@${text}.test`),
  phone: digits(10).map((number) => `+1${number}`),
  ssn: digits(9),
  dashed: digits(9).map((number) => `${number.slice(0, 3)}-${number.slice(3, 5)}-${number.slice(5)}`),
  accountNumber: digits(12),
  pan: digits(15).map((number) => `4${number}`),
  token: fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 40 })
    .map((text) => `sk_live_${text}`),
  street: fc.tuple(digits(4), letters(6, 9)).map(([number, name]) => `${number} Q${name} Street`),
  id: fc.uuid().map((id) => `per-${id}`),
  v2Id: fc.uuid().map((id) => `sah_${id.replaceAll('-', '')}`),
  link: letters(8, 12).map((text) => `https://files.test/${text}?signature=${text}`),
  sentence: fc
    .tuple(letters(6, 9), digits(9))
    .map(([name, number]) => `for Q${name}, number ${number}, as agreed`),
};

const FIELDS = [
  'firstName',
  'first_name',
  'lastName',
  'legal_name',
  'name',
  'label',
  'email',
  'phone',
  'idNumber',
  'id_number',
  'line1',
  'city',
  'postal_code',
  'accountNumber',
  'account_number',
  'cardNumber',
  'card_number',
  'iban',
  'url',
  'secret',
  'showToken',
  'description',
  'title',
  'message',
  'status',
  'type',
  'state',
  'country',
  'id',
  'note',
  'anything',
  'x',
  'events',
  'code',
  'sysMessage',
  'memo',
  'external_reference_id',
  'currency',
  'categories',
  'documentNumber',
  'front',
  'ownership',
  'error',
  'purpose',
  'nonce',
  'data',
];

const secret = fc.oneof(...Object.values(SECRETS));
const field = fc.constantFrom(...FIELDS);
const leaf = fc.oneof(secret, fc.constantFrom('', null, true, 'open', '12.50', '2026-11-25T10:00:00Z'));
const { body } = fc.letrec((tie) => ({
  body: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('body'), { maxLength: 3 }),
    fc.dictionary(field, tie('body'), { maxKeys: 5 }),
    fc.record({ metadata: fc.dictionary(secret, secret, { minKeys: 1, maxKeys: 2 }) }),
  ),
}));

const exchange: fc.Arbitrary<Exchange> = fc.record(
  {
    step: fc.oneof(fc.constant('proxy 1'), secret),
    operation: fc.oneof(
      fc.constant('createPerson'),
      secret.map((text) => `GET /v1/person/${text}`),
    ),
    request: fc.record(
      {
        method: fc.constantFrom('GET', 'POST'),
        path: fc
          .tuple(fc.constantFrom('/v1/person', '/v2/issuing/card', '/v9/unknown'), secret)
          .map((parts) => parts.join('/')),
        query: fc.dictionary(field, secret, { maxKeys: 2 }),
        headers: fc.dictionary(
          fc.constantFrom(
            'sd-api-key',
            'Api-Key',
            'authorization',
            'sd-person-id',
            'sd-show-token',
            'cookie',
            'x-other',
          ),
          secret,
        ),
        body,
      },
      { requiredKeys: ['method', 'path'] },
    ),
    answer: fc.record({
      status: fc.constantFrom(200, 400),
      headers: fc.dictionary(
        fc.constantFrom(
          'content-type',
          'content-disposition',
          'location',
          'retry-after',
          'x-request-id',
          'set-cookie',
        ),
        secret,
      ),
      body,
    }),
    failure: secret,
    states: fc.array(secret, { maxLength: 2 }),
  },
  { requiredKeys: ['step', 'operation', 'request'] },
);

/** Every text in a value, including the names of keys. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

const KNOWN = new Set([
  ...[
    'step',
    'operation',
    'request',
    'answer',
    'failure',
    'states',
    'method',
    'path',
    'query',
    'headers',
    'body',
  ],

  ...FIELDS,
  'metadata',
  'open',
  '12.50',
  '2026-11-25T10:00:00Z',
  'proxy 1',
  'createPerson',
  'GET',
  'POST',
]);
/** The significant parts of a text: words and numbers of six characters or more. */
const partsOf = (text: string): string[] => text.match(/[A-Za-z]{7,}|\d{6,}|[0-9a-f]{16,}/g) ?? [];
/** What every text of a kind contains. */
const COMMON = new Set([
  'sk_live_',
  'https',
  'files',
  'signature',
  'agreed',
  'number',
  'Street',
  'unknown',
  'issuing',
  'person',
]);
const HEADER_NAMES = /^(sd-|api-|authorization|cookie|x-|content-|location|retry|set-)/i;

describe('a recording', () => {
  it(`of ${RUNS} random records contains none of their values`, () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 3 }), (exchanges) => {
        const text = formatRecording({ exchanges }, '2026-11-25');
        const secrets = textsOf(exchanges).filter((one) => !KNOWN.has(one) && !HEADER_NAMES.test(one));
        const parts = secrets.flatMap(partsOf).filter((part) => !COMMON.has(part) && !/0{4}/.test(part));
        const survived = parts.filter((part) => text.includes(part));
        expect(survived).toEqual([]);
      }),
      { numRuns: RUNS, seed: Number(process.env.SANDBANK_TEST_SEED ?? '1') },
    );
  });

  it('replaces equal values equally in requests, responses and paths', () => {
    fc.assert(
      fc.property(SECRETS.id, SECRETS.name, SECRETS.ssn, (id, name, idNumber) => {
        const person = { id, firstName: name, idNumber };
        const [first, second] = redact({
          exchanges: [
            {
              step: 'proxy 1',
              operation: 'createPerson',
              request: { method: 'POST', path: '/v1/person', body: person },
              answer: { status: 201, headers: {}, body: person },
            },
            {
              step: 'proxy 2',
              operation: 'retrievePerson',
              request: { method: 'GET', path: `/v1/person/${id}` },
            },
          ],
        }).exchanges;
        const made = first?.request.body as typeof person;
        expect(first?.answer?.body).toEqual(made);
        expect(second?.request.path).toBe(`/v1/person/${made.id}`);
        expect(made.id).toMatch(/^per-[0-9a-f]{8}-/);
        expect(made.idNumber).toHaveLength(idNumber.length);
        // It determines the result of a check.
        expect(made.idNumber.charAt(0)).toBe(idNumber.charAt(0));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['a documented word', 'status', 'settled'],
    ['an amount', 'amount', '62.40'],
    ['a time', 'createdAt', '2026-11-25T10:00:00Z'],
    ['a flag', 'atm_enabled', 'true'],
    ['a code of an error', 'code', 'ERROR_CODE_INVALID_FIELD'],
    ['a return code', 'return_code', 'R01'],
    ['a category', 'categories', '5942'],
    ['a kind of event', 'type', 'transaction.created'],
    ['an empty text', 'email', ''],
  ])('keeps %s', (_name, name, value) => {
    const [kept] = redact({
      exchanges: [
        {
          step: 'proxy 1',
          operation: 'x',
          request: { method: 'POST', path: '/v2/webhook', body: { [name]: value } },
        },
      ],
    }).exchanges;
    expect(kept?.request.body).toEqual({ [name]: value });
  });

  const redactedFailure = (failure: string): string | undefined => {
    const request = { method: 'GET', path: '/v2/webhook' };
    return redact({ exchanges: [{ step: 'proxy 1', operation: 'v2_list_webhooks', request, failure }] })
      .exchanges[0]?.failure;
  };

  it.each([
    formatFailure('timeout', 10),
    formatFailure('rateLimit', 5),
    formatFailure('notCaptured', 'account_id'),
    formatFailure('needsLonger', '1.5 h', '2 min'),
  ])('keeps the message %s', (failure) => {
    expect(redactedFailure(failure)).toBe(failure);
  });

  it('replaces any other message', () => {
    expect(redactedFailure('getaddrinfo ENOTFOUND bank.example')).toBe('no answer');
  });

  it('can be read again, and an invalid file is refused with its name', () => {
    const exchanges: Exchange[] = [
      { step: 'proxy 1', operation: 'v2_list_webhooks', request: { method: 'GET', path: '/v2/webhook' } },
    ];
    const recording = parseRecording(JSON.parse(formatRecording({ exchanges }, '2026-11-25')), 'a.json');
    expect(recording).toMatchObject({ recorded: '2026-11-25', exchanges });
    expect(() => parseRecording({}, 'a.json')).toThrow(/a\.json is neither a recording nor a HAR file/);
  });
});
