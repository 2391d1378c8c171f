/**
 * The quick start of v1 as a program: two people, their accounts, a payment in each direction, a card, and a webhook that
 * reports the purchase. It uses only `fetch`, its own receiver and the public API.
 *
 *     SANDBANK_URL=http://127.0.0.1:4800 SANDBANK_API_KEY=test_default node examples/quick-start/v1.mjs
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const url = process.env.SANDBANK_URL ?? 'http://127.0.0.1:4800';
const key = process.env.SANDBANK_API_KEY ?? 'test_default';
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 100;

/** Calls the bank on behalf of a person. If the call fails, the program ends. Returns the text. */
async function ask(method, path, body, personId) {
  const response = await fetch(url + path, {
    method,
    headers: {
      'sd-api-key': key,
      ...(personId && { 'sd-person-id': personId }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return text;
}
const call = async (...request) => JSON.parse(await ask(...request));
const get = (path, personId) => call('GET', path, undefined, personId);
const post = (path, body, personId) => call('POST', path, body, personId);

/** Repeats a call until the answer is as expected. */
async function until(path, isSo) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const record = await get(path);
    if (isSo(record)) return record;
    if (Date.now() > deadline) throw new Error(`${path} is still ${JSON.stringify(record)}`);
    await pause(ASK_EVERY_MS);
  }
}

const say = (name, text) => console.log(`${name.padEnd(16)}${text}`);

/** Makes a person who has passed the KYC. The first digit of the number decides: 2 to 9 are approved. */
async function makePerson(firstName, lastName) {
  const number = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
  const person = await post('/v1/person', {
    firstName,
    lastName,
    phone: '+15555555555',
    email: `${firstName.toLowerCase()}@quill.example`,
    dateOfBirth: '1988-03-14',
    idType: 'ssn',
    idNumber: `5${number}`,
    address: { line1: '9 Pier Road', city: 'Salem', state: 'OR', country: 'US', postalCode: '97301' },
  });
  const submitted = await post(`/v1/person/${person.id}/kyc`, undefined, person.id);
  say('person', `${person.id} ${firstName} ${lastName}, KYC ${submitted.status}`);
  const { status } = await until(`/v1/person/${person.id}/kyc`, (kyc) => kyc.status !== 'submitted');
  say('kyc', `${person.id} ${status}`);
  return person;
}

async function openAccount(person, label) {
  const account = await post(
    '/v1/account',
    { label, type: 'personalChecking', acceptedTerms: true },
    person.id,
  );
  say('account', `${account.id} ${label}: ${account.availableBalance}, number ${account.accountNumber}`);
  return account;
}

const mara = await makePerson('Mara', 'Quill');
const account = await openAccount(mara, 'Everyday');
const accountPath = `/v1/account/${account.id}`;
const opened = await get(accountPath);
say('balance', opened.availableBalance);

// Two contacts to pay: one at another bank, one at this bank.
const supplier = await post(
  '/v1/contact',
  {
    accountId: account.id,
    name: 'Harbor Supplies',
    email: 'ap@harbor.example',
    ach: { accountNumber: '5500112233', routingNumber: '121042882', accountType: 'businessChecking' },
  },
  mara.id,
);
say('contact', `${supplier.id} ${supplier.name}, at ${supplier.ach.bankName}`);
const ben = await makePerson('Ben', 'Okoro');
const bensAccount = await openAccount(ben, 'Savings');
const friend = await post(
  '/v1/contact',
  { accountId: account.id, name: 'Ben Okoro', intrabank: { accountNumber: bensAccount.accountNumber } },
  mara.id,
);
say('contact', `${friend.id} ${friend.name}, account ${friend.intrabank.accountId}`);

/** Orders a payment and prints the balance of the account after it. */
async function order(path, contact, amount, description) {
  const transfer = await post(
    path,
    { accountId: account.id, contactId: contact.id, amount, description },
    mara.id,
  );
  const { availableBalance, pendingCredit } = await get(accountPath);
  say(
    path.slice(4),
    `${transfer.id} ${amount} ${transfer.status}: ${availableBalance}, pending ${pendingCredit}`,
  );
  return transfer;
}
await order('/v1/send/ach', supplier, '50.00', 'Invoice 88');
await order('/v1/send/intrabank', friend, '25.00', 'Lunch');
const pull = await order('/v1/receive/ach', supplier, '40.00', 'Refund of 87');
const arrived = await until(`/v1/receive/ach/${pull.id}`, ({ status }) => status !== 'pending');
say('received', `${pull.id} ${arrived.status}: ${(await get(accountPath)).availableBalance}`);

// A receiver on a free port, and a webhook that sends to it. It ignores requests with a wrong signature.
const arrivals = [];
const receiver = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    arrivals.push({
      signature: String(request.headers['sd-webhook-sha256-signature']),
      body: Buffer.concat(chunks),
    });
    response.writeHead(200).end();
  });
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const webhook = await post('/v1/webhook', {
  url: `http://127.0.0.1:${receiver.address().port}/events`,
  description: 'Quick start',
  events: ['card.spend', 'account.debit'],
});
const { secret } = await get(`/v1/webhook/${webhook.id}/secret`);
say('webhook', `${webhook.id} ${webhook.status}`);

const isSigned = ({ signature, body }) => {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  );
};

// A card, and a purchase with it.
const card = await post(
  '/v1/card',
  {
    accountId: account.id,
    cardType: 'virtual',
    label: 'Online',
    limitAmount: '100.00',
    limitInterval: 'daily',
  },
  mara.id,
);
say('card', `${card.id} ends in ${card.last4}, ${card.cardStatus}`);
const bought = await post(`/v1/card/${card.id}/test`, {
  amount: '14.90',
  merchant: { merchantName: 'Quay Grill', merchantCategoryCode: '5812' },
});
say('card test', `${bought.status}: ${(await get(accountPath)).availableBalance}`);

const deadline = Date.now() + PATIENCE_MS;
const spend = () =>
  arrivals.map(({ body }) => JSON.parse(body)).find(({ eventType }) => eventType === 'card.spend');
while (spend() === undefined) {
  if (Date.now() > deadline) throw new Error('the webhook did not report the purchase');
  await pause(ASK_EVERY_MS);
}
if (!arrivals.every(isSigned)) throw new Error('an event came with a wrong signature');
const { eventType, data } = spend();
if (data.personId !== mara.id) throw new Error('the event is about another person');
say('event', `${eventType} ${data.id} ${data.amount} at ${data.card.merchant.merchantName}, signed`);
receiver.close();
receiver.closeAllConnections();

// The transactions, as records and as CSV.
const { total, data: entries } = await get(`${accountPath}/transaction`);
say('entries', String(total));
for (const { id, title, amount, balance, status } of entries) {
  console.log(`  ${id}  ${title.padEnd(32)}  ${amount.padStart(8)}  ${balance.padStart(8)}  ${status}`);
}
const csv = await ask('GET', `${accountPath}/transaction?export=csv`);
say('csv', `${csv.trim().split('\n').length - 1} rows under ${csv.slice(0, csv.indexOf('\n')).trim()}`);

// The statement of this month.
const [{ year, month }] = (await get(`${accountPath}/statement`)).data;
const statement = await get(`${accountPath}/statement/${year}/${month}`);
say('statement', `${statement.startDate} to ${statement.endDate}: ${statement.totalCredit} came in`);
