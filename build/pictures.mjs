// `npm run pictures`: makes the screenshots of the guide from a running bank, with Debian's Chromium.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { importTool } from './tools.mjs';

const { chromium } = (await importTool('test/long', 'playwright-core')).default;
const FOLDER = new URL('../docs/pictures/', import.meta.url);
const MAIN = fileURLToPath(new URL('../bin/sandbank.mjs', import.meta.url));
const QUALITY = 82;

function startBank() {
  const args = [MAIN, 'start', '--port', '0', '--data', '', '--secrets', 'seeded'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', () => reject(new Error(`the bank did not start:\n${printed}`)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (url !== undefined) resolve({ child, url });
    });
  });
}

const { child, url } = await startBank();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

async function call(method, path, body) {
  const answer = await fetch(url + path, {
    method,
    headers: { 'api-key': 'test_default', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 400) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

const post = (path, body = {}) => call('POST', path, body);
const advance = (by) => post('/_sandbox/clock/advance', { by });

async function shoot(name, path, { theme = 'light', width = 1180, height = 760, before } = {}) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: 1,
  });
  await page.goto(`${url}/_sandbox/ui/default${path}`);
  await page.waitForTimeout(700);
  await before?.(page);
  await page.waitForTimeout(700);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(new URL(`inspector-${name}.webp`, FOLDER), Buffer.from(data, 'base64'));
  await page.close();
}

try {
  await call('PUT', '/_sandbox/clock', { mode: 'frozen' });
  const { seeded } = await call('GET', '/_sandbox');
  const { sub_account_id, ach_counterparty_id: counterparty_id, virtual_card_id: card } = seeded;
  const ach = (way, amount, description) =>
    post(`/v2/payments/ach/${way}`, { sub_account_id, counterparty_id, amount, description });
  const authorize = (amount, name, mcc) =>
    post(`/_sandbox/simulate/cards/${card}/authorize`, { amount, merchant: { name, mcc } });

  await post('/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] });
  await ach('push', '840.00', 'Rent of November');
  await advance('P1D');
  await post('/_sandbox/simulate/incoming/rtp', {
    sub_account_id,
    amount: '1250.00',
    sender: { name: 'Harbor Payroll' },
  });
  const { transaction } = await authorize('62.00', 'Harbor Hotel', '7011');
  await advance('PT2M');
  await post(`/_sandbox/simulate/authorizations/${transaction.id}/increment`, { amount: '18.00' });
  await advance('PT4H');
  await post(`/_sandbox/simulate/authorizations/${transaction.id}/capture`, {
    amount: '50.00',
    final: false,
  });
  await advance('P1D');
  const pull = await ach('pull', '40.00', 'Subscription');
  await advance('P2D');
  await post(`/_sandbox/simulate/transactions/${pull.id}/return`, { return_code: 'R01' });
  await call('PUT', '/_sandbox/receiver', { status: 503, times: 3 });
  await ach('pull', '75.00', 'Invoice 1042');
  await post('/_sandbox/drain');
  await advance('PT1M');
  const { deliveries } = await call('GET', '/_sandbox/receiver');
  const retried = deliveries.find(({ status }) => status === 503);

  await shoot('now', '', {
    async before() {
      await ach('push', '125.50', 'Groceries');
      await post('/v2/payments/ach/push', { sub_account_id, counterparty_id, amount: '1.2' });
      await authorize('9.99', 'Corner Market', '5411');
      await ach('pull', '18.00', 'Refill');
    },
  });
  await shoot('clock', '', {
    async before(page) {
      await page.getByRole('button', { name: 'Advance …' }).click();
      await page.getByRole('dialog').locator('select').selectOption('1 week');
    },
  });
  await shoot('account', `/accounts/${sub_account_id}`);
  await shoot('transaction', `/transactions/${pull.id}`);
  await shoot('authorization', `/transactions/${transaction.id}`, { theme: 'dark' });
  await shoot('retries', `/events/${retried?.event_id}`);
  await shoot('phone', '/transactions', { theme: 'dark', width: 390, height: 760 });
} finally {
  await browser.close();
  child.kill();
}
