/**
 * The shapes as the server uses them, through Fastify's own validator: what a body may be, and that every answer fits
 * the shape that is published for it.
 */
import type { TSchema } from '@sinclair/typebox';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { formatAccount, SubAccount } from '../../../src/api/v2/accounts.ts';
import { CardHolder, formatCardHolder } from '../../../src/api/v2/card-holders.ts';
import { formatCard } from '../../../src/api/v2/cards/format.ts';
import { Card, CardUpdate } from '../../../src/api/v2/cards/shapes.ts';
import { Counterparty, formatCounterparty } from '../../../src/api/v2/counterparties/counterparty.ts';
import { formatHolder, NewSubAccountHolder, SubAccountHolder } from '../../../src/api/v2/holders.ts';
import { AchOrigination } from '../../../src/api/v2/payments.ts';
import { formatTransaction } from '../../../src/api/v2/transactions/format.ts';
import { Transaction } from '../../../src/api/v2/transactions/shapes.ts';
import { formatWebhook, NewWebhook, Webhook, WebhookWithSecret } from '../../../src/api/v2/webhooks.ts';
import * as records from './records.ts';

/** What Fastify has against a value; `undefined` when it has nothing. */
async function complaint(shape: TSchema, value: object): Promise<string | undefined> {
  const app = Fastify({
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        strict: false,
      },
    },
  });
  app.post('/', { schema: { body: shape } }, () => ({ message: undefined }));
  const answer = await app.inject({ method: 'POST', url: '/', payload: value });
  await app.close();
  return answer.json<{ message?: string }>().message;
}

const { program } = records;

const ANSWERS: [string, TSchema, object][] = [
  ['a person holder', SubAccountHolder, formatHolder(records.personFile, program)],
  ['a business holder', SubAccountHolder, formatHolder(records.businessFile, program)],
  ['a sub account', SubAccount, formatAccount(records.accountFile, program)],
  ['a card holder', CardHolder, formatCardHolder(records.cardHolder, program)],
  ['a card', Card, formatCard(records.cardFile, program)],
  ['a counterparty', Counterparty, formatCounterparty(records.counterparty, program)],
  ['an ACH transaction', Transaction, formatTransaction(records.achPull, program)],
  ['an intra-account transaction', Transaction, formatTransaction(records.intraPull, program)],
  ['a wire', Transaction, formatTransaction(records.wirePush, program)],
  ['an RTP transaction', Transaction, formatTransaction(records.rtpPush, program)],
  ['a check', Transaction, formatTransaction(records.checkSend, program)],
  ['a card transaction', Transaction, formatTransaction(records.cardAuthorization, program)],
  ['a webhook', Webhook, formatWebhook(records.webhook, program, { withSecret: false })],
  ['a webhook just made', WebhookWithSecret, formatWebhook(records.webhook, program, { withSecret: true })],
];

describe('an answer', () => {
  it.each(ANSWERS)('that is %s fits its published shape', async (_name, shape, answer) => {
    expect(await complaint(shape, answer)).toBeUndefined();
  });

  it('with a field too many, or one too few, does not fit', async () => {
    const { secret, ...rest } = formatWebhook(records.webhook, program, { withSecret: true });
    expect(await complaint(Webhook, { ...rest, secret })).toContain('additional properties');
    expect(await complaint(WebhookWithSecret, rest)).toContain("required property 'secret'");
  });
});

describe('a body', () => {
  const payment = { sub_account_id: 'sub_1', counterparty_id: 'ctp_1', amount: '12.50' };

  it('may have fields that the operation does not know', async () => {
    expect(await complaint(AchOrigination, { ...payment, favourite_colour: 'green' })).toBeUndefined();
  });

  it.each(['sub_account_id', 'counterparty_id', 'amount'])('of an origination needs %s', async (field) => {
    expect(await complaint(AchOrigination, { ...payment, [field]: undefined })).toContain(`'${field}'`);
  });

  it.each(['master_account_id', 'type'])('of a new holder needs %s', async (field) => {
    const holder = { master_account_id: 'mas_1', type: 'person', person: {} };
    expect(await complaint(NewSubAccountHolder, holder)).toBeUndefined();
    expect(await complaint(NewSubAccountHolder, { ...holder, [field]: undefined })).toContain(`'${field}'`);
  });

  it.each(['url', 'events'])('of a new webhook needs %s', async (field) => {
    const webhook = { url: 'https://hooks.example', events: ['transaction.created'] };
    expect(await complaint(NewWebhook, webhook)).toBeUndefined();
    expect(await complaint(NewWebhook, { ...webhook, [field]: undefined })).toContain(`'${field}'`);
  });

  it.each([12.5, '12.5', '12', '-12.50', '012.50', '12.500', '1e3', '', null])(
    'with the amount %j is refused',
    async (amount) => {
      expect(await complaint(AchOrigination, { ...payment, amount })).toContain('body/amount');
    },
  );

  it.each([true, false, 'true', 'false'])('may write a boolean as %j', async (flag) => {
    expect(await complaint(AchOrigination, { ...payment, same_day: flag })).toBeUndefined();
  });

  it.each(['yes', 1, '', null])('may not write a boolean as %j', async (flag) => {
    expect(await complaint(AchOrigination, { ...payment, same_day: flag })).toContain('body/same_day');
  });

  it('that changes a card takes back the controls that an answer shows', async () => {
    const { label, controls } = formatCard(records.cardFile, program);
    expect(await complaint(CardUpdate, { label, controls })).toBeUndefined();
  });

  it.each([
    ['status', { status: 'locked' }],
    ['categories', { controls: { allowed: { categories: ['541'] } } }],
    ['countries', { controls: { blocked: { countries: ['usa'] } } }],
    ['period', { controls: { limit: { period: 'hourly' } } }],
    ['max_spend_amount', { controls: { limit: { max_spend_amount: '5' } } }],
    ['max_spend_count', { controls: { limit: { max_spend_count: '-1' } } }],
    ['atm_enabled', { controls: { atm_enabled: 'on' } }],
    ['metadata', { metadata: { tier: 1 } }],
    ['label', { label: 'x'.repeat(2001) }],
  ])('that changes a card is refused for its %s', async (field, change) => {
    expect(await complaint(CardUpdate, change)).toContain(field);
  });
});
