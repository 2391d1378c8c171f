/** A typical client of v1, with the same steps as the client of v2. */
import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer } from 'node:http';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './types/v1.ts';

type Refusal = components['schemas']['Error'];
/** An event of one of the kinds, as it is posted. */
type EventOf<Kind extends keyof webhooks> =
  webhooks[Kind]['post']['requestBody']['content']['application/json'];

const [, , baseUrl = '', key = ''] = process.argv;
// Some operations can also return files; a client of JSON requests JSON.
const bank = createClient<paths, 'application/json'>({ baseUrl, headers: { 'sd-api-key': key } });

/** The record in a response, or an error with the refusal. */
function taken<T>({ data, error }: { data?: T; error?: Refusal }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.message}`);
  return data;
}

/**
 * Whether a card can pay. Every value of the enum is handled: an additional one is an error of the compiler.
 */
function canPay({ cardStatus }: components['schemas']['Card']): boolean {
  switch (cardStatus) {
    case 'active':
      return true;
    case 'pendingActivation':
    case 'inactive':
    case 'canceled':
      return false;
  }
}

// A webhook, whose events arrive here.
type Received = EventOf<'person.kyc.approved'> | EventOf<'contact.created'>;
const arrived: Received[] = [];
const receiver = createServer(async (request, response) => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const event: Received = JSON.parse(text);
  arrived.push(event);
  response.end();
  receiver.emit('arrived');
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
const place = receiver.address();
assert(place !== null && typeof place === 'object');

const events = ['contact.created', 'person.kyc.approved'] satisfies (keyof webhooks)[];
const made = taken(
  await bank.POST('/v1/webhook', {
    body: { url: `http://127.0.0.1:${place.port}/`, events, status: 'active' },
  }),
);
const webhook = taken(
  await bank.GET('/v1/webhook/{webhookId}', { params: { path: { webhookId: made.id } } }),
);
assert.deepEqual([webhook.url, webhook.events, webhook.status], [made.url, events, 'active']);

// A person, who passes KYC, and an account.
const address = { line1: '4 Mole Street', city: 'Astoria', state: 'OR', country: 'US', postalCode: '97103' };
const person = taken(
  await bank.POST('/v1/person', {
    body: {
      firstName: 'Ines',
      lastName: 'Varga',
      phone: '+15035550177',
      email: 'ines@varga.example',
      dateOfBirth: '1990-04-02',
      idType: 'ssn',
      idNumber: '523456781',
      address: { addressType: 'mailing', ...address },
    },
  }),
);
const submitted = taken(
  await bank.POST('/v1/person/{personId}/kyc', { params: { path: { personId: person.id } } }),
);
assert.deepEqual([submitted.personId, submitted.status], [person.id, 'submitted']);
const { data: kyc } = await receive('person.kyc.approved');
assert.deepEqual([kyc.id, kyc.status, kyc.results.address], [submitted.id, 'approved', 'approved']);
const account = taken(
  await bank.POST('/v1/account', {
    body: { type: 'personalChecking', label: 'Household', acceptedTerms: true },
    params: { header: { 'sd-person-id': person.id, 'sd-idempotency-key': 'account-1' } },
  }),
);

// An incoming and an outgoing payment.
const received = taken(
  await bank.POST('/v1/account/{accountId}/test/ach', {
    params: { path: { accountId: account.id } },
    body: { txnType: 'credit', amount: '250.00', description: 'Wages' },
  }),
);
assert.deepEqual([received.txnType, received.transferType, received.amount], ['credit', 'ach', '250.00']);
const contact = taken(
  await bank.POST('/v1/contact', {
    body: {
      accountId: account.id,
      name: 'Pier Nine LLC',
      ach: {
        accountNumber: '000123456789',
        routingNumber: '122235821',
        accountType: 'businessSavings',
      },
    },
  }),
);
const sent = taken(
  await bank.POST('/v1/send/ach', {
    body: {
      accountId: account.id,
      contactId: contact.id,
      amount: '18.75',
      description: 'Paper',
      type: 'nextDay',
    },
  }),
);
assert.equal(sent.contactId, contact.id);

// A card, and a purchase with it.
const card = taken(
  await bank.POST('/v1/card', {
    body: {
      accountId: account.id,
      cardType: 'virtual',
      label: 'Paper',
      limitAmount: '100.00',
      limitInterval: 'weekly',
    },
  }),
);
assert.equal(canPay(card), true);
const spent = taken(
  await bank.POST('/v1/card/{cardId}/test', {
    params: { path: { cardId: card.id } },
    body: { amount: '12.50', txnType: 'auth' },
  }),
);
assert.deepEqual(spent, { status: 'approved', declineReason: '' });

const listed = taken(
  await bank.GET('/v1/account/{accountId}/transaction', { params: { path: { accountId: account.id } } }),
);
assert.deepEqual(
  listed.data.map(({ transferType, subType, amount }) => [transferType, subType, amount]),
  [
    ['card', 'auth', '-12.50'],
    ['ach', 'originated', '-18.75'],
    ['ach', 'received', '250.00'],
    ['intrabank', 'accountCreationCredit', '1000.00'],
  ],
);
assert.equal(listed.data[0]?.card?.id, card.id);

// The event of the contact, with the contact in it.
const { data: contactOfEvent } = await receive('contact.created');
assert.equal(contactOfEvent.id, contact.id);
assert.equal(contactOfEvent.ach?.bankName, contact.ach?.bankName);

// An unknown id results in an error with the documented schema.
const { data: none, error } = await bank.GET('/v1/card/{cardId}', {
  params: { path: { cardId: 'crd-00000000-0000-0000-0000-000000000000' } },
});
assert.equal(none, undefined);
assert(error !== undefined);
assert.deepEqual([error.status, error.method, error.code], [404, 'GET', 'EC_CARD_NOT_FOUND']);

receiver.close();

/** The event of this kind, after it has arrived. */
async function receive<Kind extends Received['eventType']>(
  kind: Kind,
): Promise<Extract<Received, { eventType: Kind }>> {
  const isOfKind = (event: Received): event is Extract<Received, { eventType: Kind }> =>
    event.eventType === kind;
  for (;;) {
    const event = arrived.find(isOfKind);
    if (event !== undefined) return event;
    await once(receiver, 'arrived');
  }
}
