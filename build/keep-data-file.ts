/**
 * Stores a data file of this version, which later versions must be able to open in a test:
 * `test/bank/store/released/<version>.sqlite.br`, with its records in the format of the API. `npm run prepare-release` runs
 * it. Its clock is frozen and its secrets come from the seed, so that the same sources write the same file.
 *
 *   node build/keep-data-file.ts            writes the files, unless they already have the same contents
 *   node build/keep-data-file.ts --check    exits with 1 if their contents differ from those that this version writes
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import pino from 'pino';
import { packageVersion } from '../src/bank/kernel/project.ts';
import { connectSandbank } from '../src/kit/index.ts';
import { readConfig } from '../src/server/process/config.ts';
import { startServer } from '../src/server/server.ts';
import { whatClientsSee } from '../test/bank/store/released/view.ts';

const FOLDER = new URL('../test/bank/store/released/', import.meta.url);
const NOW = '2026-11-25T15:00:00Z';
// The initial records are created before the clock can be frozen, so the bank runs in this process, with its clock.
Date.now = () => Date.parse(NOW);
const data = mkdtempSync(join(tmpdir(), 'sandbank-data-'));
const values = {
  profile: 'ci',
  host: '127.0.0.1',
  port: 0,
  data,
  rails: 'manual',
  randomSeed: 'kept',
  secrets: 'seeded',
};
const read = readConfig({}, { file: { path: 'the options', values } });
if ('problems' in read) throw new Error(read.problems.join('\n'));
const server = await startServer(read.config, pino({ level: 'silent' }));
const bank = connectSandbank({ url: server.url, apiKey: server.apiKey });
await bank.clock.freeze(NOW);
const {
  sub_account_id,
  ach_counterparty_id,
  intra_counterparty_id,
  card_id,
  contact_id,
  account_id,
  webhook_id,
} = await bank.seeded();
const pull = (amount: string) =>
  bank.v2.originateAchPull({ body: { sub_account_id, counterparty_id: ach_counterparty_id, amount } });
const [settled, returned] = [await pull('40.00'), await pull('75.00')];
await bank.clock.settle();
await bank.sandbox.simulateTransaction({
  params: { id: returned.id, event: 'return' },
  body: { return_code: 'R01' },
});
await bank.v2.originateIntraAccountPull({
  body: { sub_account_id, counterparty_id: intra_counterparty_id, amount: '12.34', description: settled.id },
});
await bank.v1.testCard({ params: { cardId: card_id }, body: { amount: '14.90', authMethod: 'keyedIn' } });
await bank.v1.updateContact({ params: { contactId: contact_id }, body: { email: 'billing@harbor.example' } });
await bank.v1.updateWebhook({
  params: { webhookId: webhook_id },
  body: { url: 'http://127.0.0.1:9/webhooks', status: 'paused' },
});
await bank.v1.receiveAch({
  body: { accountId: account_id, contactId: contact_id, amount: '41.20', type: 'nextDay' },
});

const image = new Uint8Array(await (await bank.fetch('/_sandbox/export')).arrayBuffer());
const version = packageVersion();
const contents = {
  [`${version}.sqlite.br`]: Buffer.from(image),
  [`${version}.json.br`]: Buffer.from(JSON.stringify(await whatClientsSee(bank))),
};
/** Compares the contents, because another brotli may compress differently. */
const isKept = (name: string, content: Buffer): boolean => {
  const file = new URL(name, FOLDER);
  if (!existsSync(file)) return false;
  try {
    return brotliDecompressSync(readFileSync(file)).equals(content);
  } catch {
    // The file is damaged.
    return false;
  }
};
const others = Object.entries(contents).filter(([name, content]) => !isKept(name, content));
await server.stop();
rmSync(data, { recursive: true, force: true });
if (process.argv.includes('--check')) process.exitCode = others.length === 0 ? 0 : 1;
else for (const [name, content] of others) writeFileSync(new URL(name, FOLDER), brotliCompressSync(content));
