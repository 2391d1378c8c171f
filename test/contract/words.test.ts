/**
 * The enum values that clients send: each published one is accepted and returned, any other is 400 and names its
 * field. The other fields are those of the operation's example, in a separate sandbox.
 */
import { describe, expect, it } from 'vitest';
import { CASES, type Prepared, prepareCase, send } from '../server/http/cases.ts';
import { expectEnvelopeV1, expectEnvelopeV2 } from '../server/http/expectations.ts';
import { type Answer, type Caller, useHttp } from '../server/http/support.ts';
import { SENT_V1 } from './v1/words.ts';
import { SENT_V2 } from './v2/words.ts';
import { type SentRow, type SentWord, withValue } from './words.ts';

const http = useHttp();

/** The number of values when the tables were last reviewed. */
const WORDS = 343;

type Otherwise = (sent: Sent, caller: Caller, word: string) => Partial<Sent> | Promise<Partial<Sent>>;

const HOLDER = '/v2/accounts/sub_account_holder';

/** An account without money, which can be closed. */
async function emptyAccount(caller: Caller): Promise<string> {
  const owner = { sub_account_holder_id: caller.seed('person_holder_id'), type: 'checking' };
  return (await caller.v2('POST', '/v2/accounts/sub_account', owner)).id();
}

/** Changes of an operation's example, so that every value of a row can be sent with it. */
const OTHERWISE: Readonly<Record<string, Otherwise>> = {
  [`POST ${HOLDER} person.id_type`]: newPerson,
  [`POST ${HOLDER} verification.status`]: newPerson,
  [`PATCH ${HOLDER}/:sub_account_holder_id person.id_type`]: (_, caller) => ({
    path: `${HOLDER}/${caller.seed('person_holder_id')}`,
    body: {},
  }),
  'PATCH /v1/person/:personId status': (_, caller) => ({
    path: `/v1/person/${caller.seed('person_id')}`,
    body: {},
  }),
  'PATCH /v1/account/:accountId status': async (_, caller) => ({
    path: `/v1/account/${await emptyAccount(caller)}`,
    body: {},
  }),
  'PATCH /v2/accounts/sub_account/:sub_account_id status': async (_, caller) => ({
    path: `/v2/accounts/sub_account/${await emptyAccount(caller)}`,
  }),
  // A virtual card cannot be replaced as damaged.
  'POST /v2/issuing/card/:card_id/replace reason': async (_, caller) => ({
    path: `/v2/issuing/card/${await activatedCard(caller)}/replace`,
  }),
  'GET /v1/contact/bank type': (_, __, word) => ({
    path: `/v1/contact/bank?routingNumber=${numberFor(word)}`,
  }),
  'GET /v2/payments/counterparty/bank type': (_, __, word) => ({
    path: `/v2/payments/counterparty/bank?routing_number=${numberFor(word)}`,
  }),
};

async function activatedCard(caller: Caller): Promise<string> {
  const id = caller.seed('physical_card_id');
  await caller.v2('PATCH', `/v2/issuing/card/${id}/activate`, {
    expiry_month: caller.seed('inactive_card_expiry_month'),
    expiry_year: caller.seed('inactive_card_expiry_year'),
    last4: caller.seed('inactive_card_last4'),
  });
  return id;
}

function newPerson(_: Sent, caller: Caller): Partial<Sent> {
  const person = { first_name: 'Mara', last_name: 'Quill', id_number: '512345678' };
  return { body: { master_account_id: caller.seed('master_account_id'), type: 'person', person } };
}

const numberFor = (type: string): string => (type === 'swift' ? 'COBADEFF' : '121042882');

/** A body and a path; the query contains only the value. */
interface Sent extends Pick<Prepared, 'path' | 'headers'> {
  body: unknown;
}

async function sendWord(row: SentRow, word: string): Promise<Answer> {
  const { method, path, field } = row;
  const entry = CASES.find(({ operation }) => operation.method === method && operation.path === path);
  if (entry === undefined) throw new Error(`there is no ${method} ${path}`);
  const caller = http.caller();
  const { form: _, ...prepared } = prepareCase(caller, entry);
  const example: Sent = {
    ...prepared,
    headers: { 'sd-person-id': caller.seed('person_id'), ...prepared.headers },
  };
  const otherwise = OTHERWISE[`${method} ${path} ${field}`];
  const sent: Sent = { ...example, ...(await otherwise?.(example, caller, word)) };
  if (method === 'GET') {
    const url = new URL(sent.path, 'http://bank.example');
    url.searchParams.set(field, word);
    return send(caller, entry.operation, { ...sent, path: url.pathname + url.search });
  }
  return send(caller, entry.operation, { ...sent, body: withValue(sent.body, field, word) });
}

function expectWord(row: SentRow, { word, status, shown }: SentWord, answer: Answer): void {
  const about = `${word}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (status !== undefined) expect(answer.status, about).toBe(status);
  else expect(answer.status, about).toBeLessThan(300);
  if (status === undefined && row.answer !== undefined) expect(answer.at(row.answer), about).toBe(shown);
}

describe.each([
  ['v1', SENT_V1, expectEnvelopeV1],
  ['v2', SENT_V2, expectEnvelopeV2],
] as const)('an enum of %s', (_, rows, expectEnvelope) => {
  it.each(rows.map((row) => [`${row.method} ${row.path} ${row.field}`, row] as const))(
    '%s: accepts exactly the published values',
    async (_name, row) => {
      for (const word of row.words) expectWord(row, word, await sendWord(row, word.word));
      const unknown = await sendWord(row, 'no_such_word');
      expect(unknown.status, unknown.text).toBe(400);
      expectEnvelope(unknown);
      const named = String(unknown.at('error.field_name') ?? unknown.at('message'));
      expect(`${named} ${unknown.at('error.message')}`).toContain(row.field.split('.').at(-1));
    },
  );
});

describe('the tables of enums', () => {
  it(`have ${WORDS} values`, () => {
    expect([...SENT_V1, ...SENT_V2].reduce((sum, { words }) => sum + words.length, 0)).toBe(WORDS);
  });
});
