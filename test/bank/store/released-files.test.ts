/**
 * Data files of every released version: each can be opened, keeps what clients saw in it, and accepts new payments.
 * `build/keep-data-file.ts` writes the file of a version before its release.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { packageVersion } from '../../../src/bank/kernel/project.ts';
import { startSandbank } from '../../../src/kit/index.ts';
import { whatClientsSee } from './released/view.ts';

const FOLDER = new URL('./released/', import.meta.url);
const VERSIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sqlite.br'))
  .map((name) => name.replace('.sqlite.br', ''));

const unpack = (name: string): Buffer => brotliDecompressSync(readFileSync(new URL(name, FOLDER)));

it('a file of this version is stored', () => {
  expect(VERSIONS).toContain(packageVersion());
});

it.each(VERSIONS)('a data file of %s can be opened, and is as its clients left it', async (version) => {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-released-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  writeFileSync(join(data, 'default.sqlite'), unpack(`${version}.sqlite.br`));
  await using bank = await startSandbank({ data, rails: 'manual' });
  const then = JSON.parse(unpack(`${version}.json.br`).toString('utf8'));
  // New fields of a response are additions; existing ones stay.
  expect(await whatClientsSee(bank)).toMatchObject(then);

  const { sub_account_id, ach_counterparty_id: counterparty_id } = await bank.seeded();
  const { id } = await bank.v2.originateAchPull({
    body: { sub_account_id, counterparty_id, amount: '1.00' },
  });
  await bank.clock.settle();
  expect((await bank.v2.retrieveTransaction({ params: { transaction_id: id } })).status).toBe('settled');
  expect((await (await bank.fetch('/_sandbox/ledger/verify')).json()) as object).toMatchObject({
    balanced: true,
  });
});
