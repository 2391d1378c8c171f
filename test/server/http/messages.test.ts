/**
 * The messages of refusals: the invalid field, the valid values, and the terms of the API version. Decisions
 * `v1-error-body` and `v2-error-body` in docs/fidelity.md.
 */
import { describe, expect, test } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ rails: 'manual' });

type Send = (caller: Caller) => Promise<Answer>;

const newPerson =
  (change: object): Send =>
  (caller) => {
    const person = {
      firstName: 'Mara',
      lastName: 'Quill',
      phone: '+15555555555',
      email: 'mara@quill.example',
    };
    return caller.v1('POST', '/v1/person', { ...person, ...change });
  };
const newCard =
  (change: object): Send =>
  (caller) => {
    const card = { accountId: caller.seed('account_id'), cardType: 'virtual', label: 'Fuel' };
    return caller.v1('POST', '/v1/card', { ...card, ...change });
  };
const member =
  (change: object): Send =>
  (caller) =>
    caller.v1('PATCH', `/v1/member/${caller.seed('member_id')}`, change);
const account =
  (change: object): Send =>
  (caller) =>
    caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, change);
const transactions =
  (query: string): Send =>
  (caller) =>
    caller.v1('GET', `/v1/account/${caller.seed('account_id')}/transaction?${query}`);
const controls =
  (change: object): Send =>
  (caller) =>
    caller.v2('PATCH', `/v2/issuing/card/${caller.seed('virtual_card_id')}`, { controls: change });
const holder =
  (change: object): Send =>
  (caller) =>
    caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: { first_name: 'Mara', last_name: 'Quill' },
      ...change,
    });
const pull =
  (change: object): Send =>
  (caller) =>
    caller.v2('POST', '/v2/payments/ach/pull', {
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '5.00',
      ...change,
    });

const AMOUNT = 'must be an amount of dollars and cents in a string, like "12.50"';

describe('an invalid value results in a message with the accepted values', () => {
  test.each<[message: string, Send]>([
    ['firstName must be a string', newPerson({ firstName: 5 })],
    ['firstName must have at most 100 characters', newPerson({ firstName: 'a'.repeat(101) })],
    ['metadata must be an object', newPerson({ metadata: 5 })],
    ['metadata.size must be a string', newPerson({ metadata: { size: 1 } })],
    ['address must be an object', newPerson({ address: '9 Elm Street' })],
    ['atmAccess must be true or false', newCard({ atmAccess: 'yes' })],
    ['allowedCategories must be a list', newCard({ allowedCategories: '5912' })],
    ['allowedCategories.1 must be four digits', newCard({ allowedCategories: ['5912', '59'] })],
    [`limitAmount ${AMOUNT}`, newCard({ limitAmount: 40 })],
    ['ownership must be a percentage from 0 to 100, like "50"', member({ ownership: 'half' })],
    [
      'ownership must be a percentage from 0 to 100 with at most two decimals; got "101"',
      member({ ownership: '101' }),
    ],
    [
      'config.card.virtual.enabled must be true or false',
      account({ config: { card: { virtual: { enabled: 'no' } } } }),
    ],
    ['idType must be one of ssn, passport, otherId', newPerson({ idType: 'card' })],
    ['startTime must be a time like 2026-11-20T18:00:00Z; got "x"', transactions('startTime=x')],
    [
      'startDate must be a date like 2026-11-20 or a time like 2026-11-20T18:00:00Z; got "x"',
      transactions('startDate=x'),
    ],
    [
      'endDate must be a date like 2026-11-20 or a time like 2026-11-20T18:00:00Z; got "x"',
      transactions('endDate=x'),
    ],
    ['minAmount must be an amount of dollars like 12.50 or 12; got "x"', transactions('minAmount=x')],
    ['limit must be a whole number of 1 or more', transactions('limit=0')],
    ['limit must have at most 10 characters', transactions(`limit=${'9'.repeat(11)}`)],
  ])('%s (v1)', async (message, send) => {
    const answer = await send(http.caller());
    expect([answer.status, answer.at('message')]).toEqual([400, message]);
  });

  test.each<[message: string, field: string, Send]>([
    ['metadata must be an object', 'metadata', holder({ metadata: 'x' })],
    ['metadata.size must be a string', 'metadata', holder({ metadata: { size: 1 } })],
    [`amount ${AMOUNT}`, 'amount', pull({ amount: 5 })],
    [
      'each entry of controls.allowed.categories must be four digits',
      'controls.allowed.categories',
      controls({ allowed: { categories: ['5912', '59'] } }),
    ],
    [
      'each entry of controls.allowed.merchants must be a string',
      'controls.allowed.merchants',
      controls({ allowed: { merchants: [1] } }),
    ],
    [
      'controls.atm_enabled must be one of true, false',
      'controls.atm_enabled',
      controls({ atm_enabled: 'maybe' }),
    ],
    [
      'verification.status must be one of pass, fail',
      'verification.status',
      holder({ verification: { status: 'ok' } }),
    ],
    [
      'controls.limit.period must be one of daily, weekly, monthly, yearly, all_time, per_transaction',
      'controls.limit.period',
      controls({ limit: { period: 'hourly' } }),
    ],
    [
      'controls.allowed.categories must be a list',
      'controls.allowed.categories',
      controls({ allowed: { categories: '5912' } }),
    ],
    [
      'effective_date must be a valid date, YYYY-MM-DD',
      'effective_date',
      pull({ effective_date: '2026-02-30' }),
    ],
    [
      'events must have at least 1 entry',
      'events',
      (caller) => caller.v2('POST', '/v2/webhook', { url: 'http://a.example', events: [] }),
    ],
    [
      '"tea.made" is not an event kind of v2; GET /v2/webhook/events lists them',
      'events',
      (caller) => caller.v2('POST', '/v2/webhook', { url: 'http://a.example', events: ['tea.made'] }),
    ],
  ])('%s (v2)', async (message, field, send) => {
    const answer = await send(http.caller());
    expect([answer.status, answer.at('error.message'), answer.at('error.field_name')]).toEqual([
      400,
      message,
      field,
    ]);
  });
});

/** The id of an ACH push that has not been sent. */
const newPush = async (caller: Caller): Promise<string> => {
  const answer = await caller.v2('POST', '/v2/payments/ach/push', {
    sub_account_id: caller.seed('sub_account_id'),
    counterparty_id: caller.seed('ach_counterparty_id'),
    amount: '5.00',
  });
  return answer.id();
};

describe('a refusal that depends on a record suggests a solution', () => {
  test.each<[message: string | RegExp, path: string, Send]>([
    [
      'sd-person-id: an account needs a verified holder, and this one is pending_activation: its KYC or KYB must pass first',
      'message',
      (caller) =>
        caller.v1(
          'POST',
          '/v1/account',
          { label: 'Rent', acceptedTerms: true, type: 'personalChecking' },
          { 'sd-person-id': caller.seed('new_person_id') },
        ),
    ],
    [
      'members: the business has no member, and the verification requires one: add a member, then submit again',
      'message',
      async (caller) => {
        const address = {
          line1: '9 Elm Street',
          city: 'Salem',
          state: 'OR',
          country: 'US',
          postalCode: '97301',
        };
        const business = {
          legalName: 'Fir LLC',
          entityType: 'limitedLiabilityCompany',
          idType: 'ein',
          idNumber: '723450001',
          phone: '+15035550160',
          email: 'a@fir.example',
          address,
        };
        const made = await caller.v1('POST', '/v1/business', business);
        return caller.v1('POST', `/v1/business/${made.id()}/kyb`);
      },
    ],
    [
      'this counterparty is activated and cannot go back to pending_activation; legal from activated: suspend, deactivate, lock',
      'error.message',
      (caller) =>
        caller.v2('PATCH', `/v2/payments/counterparty/${caller.seed('ach_counterparty_id')}`, {
          status: 'pending_activation',
        }),
    ],
    [
      /^this ach push transaction is originated and cannot reverse; legal from originated: submit, /,
      'error.message',
      async (caller) =>
        caller.v2('POST', `/_sandbox/simulate/transactions/${await newPush(caller)}/reverse`, {}),
    ],
    [
      /^an ACH payment that this bank sent can be reversed for 24 hours after its settlement, here until 2026-\S+; send "late": true to reverse it anyway$/,
      'error.message',
      async (caller) => {
        const id = await newPush(caller);
        await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/settle`, {});
        await caller.v2('POST', '/_sandbox/clock/advance', { by: 'P2D' });
        return caller.v2('POST', `/_sandbox/simulate/transactions/${id}/reverse`, {});
      },
    ],
    [
      'config.send.ach.enabled must be false: a fallback account sends and receives only intrabank payments',
      'message',
      async (caller) => {
        const body = { label: 'Cover', acceptedTerms: true, type: 'fallbackAccount' };
        const opened = await caller.v1('POST', '/v1/account', body, {
          'sd-person-id': caller.seed('person_id'),
        });
        return caller.v1('PATCH', `/v1/account/${opened.id()}`, {
          config: { send: { ach: { enabled: true } } },
        });
      },
    ],
  ])('%s', async (message, path, send) => {
    const answer = await send(http.caller());
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    expect(answer.at(path)).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });
});

describe('a hint', () => {
  test('says once that an operation has no limit', async () => {
    const { headers } = await http.caller().v1('GET', '/v1/business/naicscode?limit=500');
    expect(headers['x-sandbox-hint']).toBe('ignored, because this operation does not accept it: limit');
  });

  test('says that the person of a token is missing', async () => {
    const { key } = http.caller();
    const answer = await http.call('GET', '/v1/account', { headers: { authorization: `Bearer ${key}:` } });
    expect([answer.status, answer.headers['x-sandbox-hint']]).toEqual([
      401,
      'no person id follows the colon in the Authorization header; send Authorization: Bearer <key> or Bearer <key>:<person id>',
    ]);
  });
});

test('the title of a transfer is generic if no name is known', async () => {
  const caller = http.caller();
  await caller.v2('POST', '/_sandbox/simulate/incoming/rtp', {
    sub_account_id: caller.seed('sub_account_id'),
    amount: '5.00',
  });
  expect((await transactions('limit=1')(caller)).at('data.0.title')).toBe('Received');
});

describe('a query parameter that is sent more than once is named as such', () => {
  test.each<[what: string, path: string, at: string, apiVersion: 'v1' | 'v2']>([
    ['limit (v2_list_cards)', '/v2/issuing/card?limit=1&limit=2', 'error.message', 'v2'],
    ['limit (listCards)', '/v1/card?limit=1&limit=2', 'message', 'v1'],
    ['limit (sandbox_list_requests)', '/_sandbox/requests?limit=1&limit=2', 'error.message', 'v2'],
    ['metadata.team (listTransactions)', '/v1/transaction?metadata.team=a&metadata.team=b', 'message', 'v1'],
  ])('%s', async (what, path, at, apiVersion) => {
    const caller = http.caller();
    const target = path.replace('/v1/transaction', `/v1/account/${caller.seed('account_id')}/transaction`);
    const answer = await caller[apiVersion]('GET', target);
    const [name] = what.split(' ');
    expect(answer.status, answer.text).toBe(400);
    expect(answer.at(at)).toContain(`${name} was sent more than once; send it once`);
  });
});
