/**
 * A typical client of v2: openapi-fetch with the types of the document, and no code of this project. The test adds
 * the types, compiles it strictly and runs it with the address and the key of a bank.
 */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './types/sandbox.ts';
import type { components, paths, webhooks } from './types/v2.ts';

type Refusal = components['schemas']['Error'];
/** An event of one of the kinds, as it is posted. */
type EventOf<Kind extends keyof webhooks> =
  webhooks[Kind]['post']['requestBody']['content']['application/json'];
type CardEvent = EventOf<'card.created'> | EventOf<'card.updated'> | EventOf<'card.status.closed'>;

const [, , baseUrl = '', key = ''] = process.argv;
// Some operations can also return files; a client of JSON requests JSON.
const bank = createClient<paths, 'application/json'>({ baseUrl, headers: { 'api-key': key } });
const control = createClient<ControlPaths>({ baseUrl, headers: { 'api-key': key } });

/** The record in a response, or an error with the refusal. */
function taken<T>({ data, error }: { data?: T; error?: Refusal }): T {
  if (data === undefined) throw new Error(`${error?.error.code}: ${error?.error.message}`);
  return data;
}

/**
 * Whether a card can pay. Every value of the enum is handled: an additional one is an error of the compiler.
 */
function canPay({ status }: components['schemas']['Card']): boolean {
  switch (status) {
    case 'open':
    case 'credit_blocked':
      return true;
    case 'closed':
    case 'blocked':
    case 'locked':
    case 'debit_blocked':
      return false;
  }
}

function describeEvent(event: CardEvent): string {
  switch (event.event_type) {
    case 'card.created':
      return `made, ${event.data.type}, ${event.data.last4}`;
    case 'card.updated':
      return `changed, ${event.data.label}`;
    case 'card.status.closed':
      return `closed at ${event.data.timestamps.closed_at}`;
  }
}

// A webhook, whose events arrive here.
const arrived: CardEvent[] = [];
const receiver = createServer(async (request, response) => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const event: CardEvent = JSON.parse(text);
  arrived.push(event);
  response.end();
  receiver.emit('arrived');
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const place = receiver.address();
assert(place !== null && typeof place === 'object');

const made = taken(
  await bank.POST('/v2/webhook', {
    body: { url: `http://127.0.0.1:${place.port}/`, events: ['card.created'], description: 'Cards' },
  }),
);
assert.match(made.secret, /./);
const webhook = taken(
  await bank.GET('/v2/webhook/{webhook_id}', { params: { path: { webhook_id: made.id } } }),
);
assert.deepEqual([webhook.url, webhook.events, webhook.status], [made.url, ['card.created'], 'active']);

// A holder, who passes KYC, and a sub account.
const masters = taken(await bank.GET('/v2/accounts/master_account', { params: { query: { limit: '1' } } }));
const [master] = masters.data;
assert(master !== undefined);
const address = {
  line1: '4 Mole Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};
const person = {
  first_name: 'Ines',
  middle_name: '',
  last_name: 'Varga',
  id_type: 'ssn',
  id_number: '523456781',
  date_of_birth: '1990-04-02',
  phone: '+15035550177',
  email: 'ines@varga.example',
  address,
} satisfies components['schemas']['PersonInput'];
const holder = taken(
  await bank.POST('/v2/accounts/sub_account_holder', {
    body: { master_account_id: master.id, type: 'person', person },
    params: { header: { 'idempotency-key': 'holder-1' } },
  }),
);
const verified = taken(
  await bank.POST('/v2/accounts/sub_account_holder/{sub_account_holder_id}/kyc', {
    params: { path: { sub_account_holder_id: holder.id } },
  }),
);
assert.equal(verified.person?.last_name, 'Varga');
assert.equal(verified.status, 'activated');
const account = taken(
  await bank.POST('/v2/accounts/sub_account', {
    body: { sub_account_holder_id: holder.id, type: 'checking', label: 'Household' },
  }),
);

// An incoming and an outgoing payment.
const received = taken(
  await bank.POST('/v2/simulate/incoming/ach/push', {
    body: { sub_account_id: account.id, amount: '250.00', description: 'Wages' },
  }),
);
assert.deepEqual([received.method, received.direction, received.amount], ['ach', 'credit', '250.00']);
assert.match(received.ach?.trace_number ?? '', /^\d+$/);
const { data: travelled } = await control.POST('/_sandbox/clock/settle', { body: {} });
assert.deepEqual(travelled?.left, []);
const counterparty = taken(
  await bank.POST('/v2/payments/counterparty', {
    body: {
      sub_account_id: account.id,
      label: 'Printer',
      type: 'person',
      person,
      ach: { account_number: '5500112244', routing_number: '121042882', account_type: 'personal_checking' },
    },
  }),
);
const sent = taken(
  await bank.POST('/v2/payments/ach/push', {
    body: { sub_account_id: account.id, counterparty_id: counterparty.id, amount: '18.75', same_day: false },
  }),
);
assert.equal(sent.counterparty?.id, counterparty.id);

// A card, and a purchase with it.
const cardHolder = taken(
  await bank.POST('/v2/issuing/card_holder', { body: { sub_account_id: account.id, person } }),
);
const card = taken(
  await bank.POST('/v2/issuing/card', {
    body: {
      card_holder_id: cardHolder.id,
      type: 'virtual',
      label: 'Paper',
      controls: { limit: { period: 'weekly', max_spend_amount: '100.00' } },
    },
  }),
);
assert.equal(canPay(card), true);
const held = taken(
  await bank.POST('/v2/simulate/incoming/card_issuing', {
    body: { card_id: card.id, amount: '12.50', type: 'auth', status: 'pending' },
  }),
);
assert.deepEqual([held.method, held.type, held.card?.id], ['card_issuing', 'auth', card.id]);

const listed = taken(
  await bank.GET('/v2/payments/transaction', { params: { query: { sub_account_id: account.id } } }),
);
assert.deepEqual(listed.data.map(({ id }) => id).sort(), [received.id, sent.id, held.id].sort());
assert.equal(listed.total, 3);

// The event of the card, with the card in it.
if (arrived.length === 0) await once(receiver, 'arrived');
const [event] = arrived;
assert(event !== undefined);
assert.equal(event.data.id, card.id);
assert.equal(describeEvent(event), `made, virtual, ${card.last4}`);

// An unknown id results in an error with the documented schema.
const { data: none, error } = await bank.GET('/v2/issuing/card/{card_id}', {
  params: { path: { card_id: 'crd_00000000000000000000000000000000' } },
});
assert.equal(none, undefined);
assert(error !== undefined);
assert.deepEqual(
  [error.status, error.method, error.error.code],
  [404, 'GET', 'ERROR_CODE_RESOURCE_NOT_FOUND'],
);

receiver.close();
