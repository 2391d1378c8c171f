/**
 * The quick start of v2 as a program, in ten steps: from a key to a list of transactions. It uses only `fetch` and the public
 * API, so it runs with any server of this API.
 *
 *     SANDBANK_URL=http://127.0.0.1:4800 SANDBANK_API_KEY=test_default node examples/quick-start/v2.mjs
 */
import { setTimeout as pause } from 'node:timers/promises';

// 1. A key. Any `test_<name>` opens a bank of its own.
const url = process.env.SANDBANK_URL ?? 'http://127.0.0.1:4800';
const key = process.env.SANDBANK_API_KEY ?? 'test_default';
const PATIENCE_MS = 60_000;
const ASK_EVERY_MS = 100;

/** Calls the bank. If the call fails, the program ends. */
async function call(method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { 'api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
  return JSON.parse(text);
}
const get = (path) => call('GET', path);
const post = (path, body) => call('POST', path, body);

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

const figures = ({ available_balance, pending_credits, pending_debits }) =>
  `available ${available_balance}, pending credits ${pending_credits}, pending debits ${pending_debits}`;
const say = (step, text) => console.log(`${String(step).padStart(2)}  ${text}`);

const { data } = await get('/v2/accounts/master_account');
const [master] = data;
say(1, `key        ${key} opens master account ${master.id}`);

// 2. An account holder, and the check of their identity. The first digit of the number decides: 2 to 9 pass.
const number = String(Math.floor(Math.random() * 1e8)).padStart(8, '0');
const person = {
  first_name: 'Mara',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: `5${number}`,
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: { line1: '9 Pier Road', city: 'Salem', state: 'OR', country: 'US', postal_code: '97301' },
};
const holder = await post('/v2/accounts/sub_account_holder', {
  master_account_id: master.id,
  type: 'person',
  person,
});
const checked = await post(`/v2/accounts/sub_account_holder/${holder.id}/kyc`);
say(2, `holder     ${holder.id} is ${checked.status}, its KYC ${checked.person.kyc.status}`);

// 3. An account for this holder.
const account = await post('/v2/accounts/sub_account', {
  sub_account_holder_id: holder.id,
  label: 'Everyday',
  type: 'checking',
});
const accountPath = `/v2/accounts/sub_account/${account.id}`;
say(3, `account    ${account.id}: ${figures(account)}`);

// 4. Money from another bank. It is pending at first, and available when it has settled.
const deposit = await post('/v2/simulate/incoming/ach/push', {
  sub_account_id: account.id,
  amount: '500.00',
  description: 'Seed funds',
  counterparty: { name: 'Pat Rowe', routing_number: '021000021' },
});
say(4, `deposit    ${deposit.id} is ${deposit.status}: ${figures(await get(accountPath))}`);
const funded = await until(accountPath, ({ available_balance }) => available_balance === '500.00');
say(4, `funded     ${figures(funded)}`);

// 5. A counterparty to pay, with an account at another bank.
const payee = await post('/v2/payments/counterparty', {
  sub_account_id: account.id,
  label: 'Landlord',
  type: 'business',
  business: { legal_name: 'Harbor Lofts LP', entity_type: 'limited_partnership' },
  ach: { account_number: '5500112233', routing_number: '121042882', account_type: 'business_checking' },
});
say(5, `payee      ${payee.id} is ${payee.status}, at ${payee.ach.bank_name}`);

// 6. A payment to it. The available balance decreases at once. The money leaves the account when the payment has settled.
const payment = await post('/v2/payments/ach/push', {
  sub_account_id: account.id,
  counterparty_id: payee.id,
  amount: '120.00',
  description: 'Rent of May',
});
say(6, `payment    ${payment.id} is ${payment.status}: ${figures(payment)}`);
const paid = await until(`/v2/payments/transaction/${payment.id}`, ({ status }) => status === 'settled');
say(6, `paid       trace number ${paid.ach.trace_number}: ${figures(await get(accountPath))}`);

// 7. A card holder.
const cardHolder = await post('/v2/issuing/card_holder', { sub_account_id: account.id, person });
say(7, `cardholder ${cardHolder.id} is ${cardHolder.status}`);

// 8. A virtual card with a limit.
const card = await post('/v2/issuing/card', {
  card_holder_id: cardHolder.id,
  type: 'virtual',
  label: 'Online',
  controls: { limit: { period: 'daily', max_spend_amount: '100.00' } },
});
say(8, `card       ${card.id} ends in ${card.last4} and is ${card.status}`);

// 9. A purchase with it, authorized and settled at once.
const purchase = await post('/v2/simulate/incoming/card_issuing', {
  card_id: card.id,
  amount: '14.90',
  type: 'auth',
  status: 'settled',
});
const left = purchase.card.available_limit.max_spend_amount;
say(9, `purchase   ${purchase.id} at ${purchase.card.merchant}: ${figures(purchase)}, ${left} left today`);

// 10. All transactions, newest first.
const { total, data: entries } = await get(`/v2/payments/transaction?sub_account_id=${account.id}`);
say(10, `entries    ${total}`);
for (const { id, direction, method, type, amount, status } of entries) {
  console.log(
    `    ${id}  ${direction.padEnd(6)}  ${`${method} ${type}`.padEnd(18)}  ${amount.padStart(7)}  ${status}`,
  );
}
