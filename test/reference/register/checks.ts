/**
 * Checks the register of decisions against the running server: a check has the text of a row and the calls that prove
 * it. It fails if the row is changed or removed, or if the server behaves differently.
 */
import { describe, expect, it, test } from 'vitest';
import { RAILS, VENDOR } from '../../../src/bank/api/v2/examples.ts';
import { type Area, REGISTER } from '../../../src/bank/model/fidelity.ts';
import type { Answer, Caller, Http } from '../../server/http/support.ts';

/** A text in the answer of a row, and the calls that prove it. */
type Check = readonly [says: string, holds: (caller: Caller) => Promise<void>];

/** Checks rows of an area, by slug, each in a separate sandbox. */
export function holdRows(http: Http, area: Area, checks: Readonly<Record<string, Check>>): void {
  describe(`a row of the area ${area}`, () => {
    it('is in the register and has the text that is checked', () => {
      const gone = Object.entries(checks).filter(
        ([slug, [says]]) =>
          !REGISTER.some((row) => row.slug === slug && row.area === area && row.answer.includes(says)),
      );
      expect(gone.map(([slug, [says]]) => `${slug}: ${says}`)).toEqual([]);
    });

    test.each(Object.entries(checks).map(([slug, check]) => [slug, ...check] as const))(
      '%s: %s',
      async (_slug, _says, holds) => {
        expect.hasAssertions();
        await holds(http.caller());
      },
    );
  });
}

/** The response has this status, and these fields in its body; the error shows the whole response. */
export function expectAnswer(answer: Answer, status: number, body?: object): void {
  expect(answer.status, answer.text).toBe(status);
  if (body !== undefined) expect(answer.body).toMatchObject(body);
}

/** A response with this status, for later steps. */
export async function ok(pending: Promise<Answer>): Promise<Answer> {
  const answer = await pending;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

/** The refusal of a call as one text: its status, its code, and in v2 the field. */
export function refusalOf(answer: Answer): string {
  const code = answer.at('code') ?? answer.at('error.code');
  return [answer.status, code, answer.at('error.field_name')]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/**
 * Freezes the clock of the caller's bank at an instant, and runs what is due. Tests start at 2026-11-20T18:00:00Z.
 */
export async function setClock(caller: Caller, now: string): Promise<void> {
  await ok(caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now }));
}

/** The received kinds, in order. */
export async function kindsReceived(caller: Caller): Promise<{ v1: string[]; v2: string[] }> {
  const { v1, v2 } = await caller.receivedEvents();
  return { v1: v1.map(({ kind }) => kind), v2: v2.map(({ kind }) => kind) };
}

const account = (caller: Caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}`;

/** The available balance, pending credits and pending debits of the seeded account. */
export async function figures(caller: Caller): Promise<unknown[]> {
  const answer = await ok(caller.v2('GET', account(caller)));
  return ['available_balance', 'pending_credits', 'pending_debits'].map((field) => answer.at(field));
}

/** Originates a payment in v2 from the seeded account, by default with `ach/push`. */
export function originate(caller: Caller, more: object = {}, path = 'ach/push'): Promise<Answer> {
  const to = path.startsWith('intra') ? 'intra_counterparty_id' : 'ach_counterparty_id';
  return caller.v2('POST', `/v2/payments/${path}`, {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed(to),
    amount: '25.00',
    ...more,
  });
}

/** A counterparty of the seeded account with every rail. */
export async function payee(caller: Caller): Promise<string> {
  const made = await ok(
    caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: caller.seed('sub_account_id'),
      type: 'business',
      business: VENDOR,
      intra_account: { sub_account_id: caller.seed('other_sub_account_id') },
      ...RAILS,
    }),
  );
  return made.id();
}

/** Simulates an event of a payment. */
export function simulate(caller: Caller, id: string, event: string, body: object = {}): Promise<Answer> {
  return caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
}

/** Simulates an incoming payment. */
export function receive(caller: Caller, rail: string, more: object = {}): Promise<Answer> {
  return caller.v2('POST', `/_sandbox/simulate/incoming/${rail}`, {
    sub_account_id: caller.seed('sub_account_id'),
    amount: '25.00',
    sender: { name: 'Mill' },
    ...more,
  });
}

/** Authorizes a purchase with the seeded virtual card. */
export function authorize(caller: Caller, amount = '10.00', more: object = {}): Promise<Answer> {
  const path = `/_sandbox/simulate/cards/${caller.seed('virtual_card_id')}/authorize`;
  return caller.v2('POST', path, { amount, ...more });
}

/** Simulates an action on an authorization. */
export function onHold(caller: Caller, id: string, event: string, body: object = {}): Promise<Answer> {
  return caller.v2('POST', `/_sandbox/simulate/authorizations/${id}/${event}`, body);
}

/** The card test of v1 with the seeded virtual card. */
export function testCard(caller: Caller, body: object): Promise<Answer> {
  return caller.v1('POST', `/v1/card/${caller.seed('card_id')}/test`, body);
}

/** Sets the controls of the seeded virtual card in v2. */
export function control(caller: Caller, controls: object): Promise<Answer> {
  return caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls });
}

/** The transactions of the seeded account in v1, newest first. */
export async function rows(caller: Caller): Promise<Record<string, unknown>[]> {
  const answer = await ok(caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?limit=100`));
  return answer.at('data') as Record<string, unknown>[];
}

/** The record of a payment in v2. */
export async function payment(caller: Caller, id: string): Promise<Answer> {
  return ok(caller.v2('GET', `/v2/payments/transaction/${id}`));
}

/** Creates a holder of v2: a person by default. */
export function makeHolder(caller: Caller, change: object = {}): Promise<Answer> {
  return caller.v2('POST', '/v2/accounts/sub_account_holder', {
    master_account_id: caller.seed('master_account_id'),
    type: 'person',
    person: { first_name: 'Mara', last_name: 'Quill', id_number: '723450001' },
    ...change,
  });
}

const PERSON = {
  firstName: 'Mara',
  lastName: 'Quill',
  phone: '+15035550123',
  email: 'mara@quill.example',
  dateOfBirth: '1988-03-14',
  idType: 'ssn',
  idNumber: '723450001',
  address: {
    addressType: 'mailing',
    line1: '9 Elm Street',
    line2: '',
    city: 'Salem',
    state: 'OR',
    country: 'US',
    postalCode: '97301',
  },
};

/** Creates a person of v1 with everything that a KYC requires. */
export function makePerson(caller: Caller, change: object = {}): Promise<Answer> {
  return caller.v1('POST', '/v1/person', { ...PERSON, ...change });
}

/** Creates a business of v1. */
export function makeBusiness(
  caller: Caller,
  change: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const business = {
    legalName: 'Fir Clinic LLC',
    entityType: 'limitedLiabilityCompany',
    idType: 'ein',
    idNumber: '387654321',
    address: PERSON.address,
    ...change,
  };
  return caller.v1('POST', '/v1/business', business, headers);
}
