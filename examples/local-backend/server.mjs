// A backend that pays. POST /pay orders an ACH push, webhooks of the bank report its status, and GET /payments shows the
// status of each payment. The address and the key are Sandbank's here; in production they are the platform's.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { json, text } from 'node:stream/consumers';

const { SANDBANK_URL = 'http://127.0.0.1:4800', SANDBANK_API_KEY = 'test_default' } = process.env;
// A bank in a container requires this token to list the ids of its records.
const { SANDBANK_CONTROL_TOKEN } = process.env;
// SELF is the address at which the bank reaches this server. From a container this is not 127.0.0.1.
const { PORT = '3000', HOST = '127.0.0.1', SELF = `http://${HOST}:${PORT}` } = process.env;
const KINDS = ['transaction.status.clearing', 'transaction.status.settled', 'transaction.status.returned'];

const payments = new Map();

async function bank(method, path, body) {
  const answer = await fetch(SANDBANK_URL + path, {
    method,
    headers: {
      'api-key': SANDBANK_API_KEY,
      ...(body && { 'content-type': 'application/json' }),
      ...(SANDBANK_CONTROL_TOKEN &&
        path.startsWith('/_sandbox') && { 'x-control-token': SANDBANK_CONTROL_TOKEN }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${said.error?.message}`);
  return said;
}

// The ids of the accounts differ in each sandbox. A real backend has them in its settings.
const { seeded } = await bank('GET', '/_sandbox');
// The secret is only in this answer.
const { secret } = await bank('POST', '/v2/webhook', {
  url: `${SELF}/webhooks`,
  events: KINDS,
  description: 'Payments',
});

async function pay(request) {
  const { amount } = await json(request);
  const { id, status } = await bank('POST', '/v2/payments/ach/push', {
    sub_account_id: seeded.sub_account_id,
    counterparty_id: seeded.ach_counterparty_id,
    amount,
  });
  payments.set(id, { id, amount, status });
  return [201, payments.get(id)];
}

async function hear(request) {
  const body = await text(request);
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(String(request.headers['sd-webhook-sha256-signature']), 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return [401, {}];
  const { id, status } = JSON.parse(body).data;
  const payment = payments.get(id);
  if (payment !== undefined) payment.status = status;
  return [200, {}];
}

const ROUTES = {
  'POST /pay': pay,
  'POST /webhooks': hear,
  'GET /payments': () => [200, [...payments.values()]],
};

const server = createServer(async (request, response) => {
  const run = ROUTES[`${request.method} ${request.url}`] ?? (() => [404, {}]);
  const [status, body] = await Promise.resolve(run(request)).catch(({ message }) => [502, { message }]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
server.listen(Number(PORT), HOST, () => console.log(`open at ${SELF}, paying through ${SANDBANK_URL}`));
process.once('SIGTERM', () => server.close(() => process.exit(0)));
