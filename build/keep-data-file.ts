/**
 * Keeps a data file of this version for the test that later versions open it: `test/store/released/<version>.sqlite.br`, and
 * beside it what a client sees in it. Run it once, before a version is released (docs/guides/release.md).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { packageVersion } from '../src/kernel/project.ts';
import { startSandbank } from '../src/kit/index.ts';
import { whatClientsSee } from '../test/store/released/view.ts';

const FOLDER = new URL('../test/store/released/', import.meta.url);
const data = mkdtempSync(join(tmpdir(), 'sandbank-data-'));

await using bank = await startSandbank({
  data,
  rails: 'manual',
  now: '2026-11-25T15:00:00Z',
  randomSeed: 'kept',
});
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
writeFileSync(new URL(`${version}.sqlite.br`, FOLDER), brotliCompressSync(image));
writeFileSync(
  new URL(`${version}.json.br`, FOLDER),
  brotliCompressSync(JSON.stringify(await whatClientsSee(bank))),
);
rmSync(data, { recursive: true, force: true });
process.stdout.write(`${version}: ${image.length} bytes\n`);
