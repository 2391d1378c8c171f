/**
 * Rows of the register that cannot be checked in one sandbox over HTTP: processes, files, kills, weeks of
 * waiting. Another test checks each of them; this table has its name and the text of the row. Together with the
 * checks of this folder these are all rows.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { REGISTER } from '../../../src/bank/model/fidelity.ts';
import { hasTest, rowsHeldIn, rowsWithCheck } from './checked.ts';

/** By slug: the text of the row, the file, and the title of the test in it. */
const HELD: Readonly<Record<string, readonly [says: string, file: string, title: string]>> = {
  'repeated-events': [
    "If the process ends before it has recorded the receiver's response, the event is sent again with the same id.",
    'test/bank/delivery/courier.test.ts',
    'repeats only the deliveries that were in flight',
  ],
  'plain-http': [
    'This server serves plain HTTP, or HTTPS if you give it a certificate',
    'test/server/process/tls.test.ts',
    'has links with https, and its health check succeeds',
  ],
  'data-directory-lock': [
    'and a second process does not start: it would send each event twice and create duplicate ids.',
    'test/server/process/start.test.ts',
    'for data that another process uses does not change them',
  ],
  'older-rows-repaired': [
    'An authorization that was reversed in part gets its amount back.',
    'test/bank/store/older-data.test.ts',
    'the transactions of an older bank are corrected so that they add up, without events',
  ],
  'restart-and-seed': [
    '`seeded.json` contains the time at which sandboxes were seeded',
    'test/sandboxes/registry/registry.test.ts',
    'is seeded at the first use of its settings, with or without an earlier use of a key',
  ],
  'refused-start': [
    'If the start fails, everything that it created is removed.',
    'test/sandboxes/registry/registry.test.ts',
    'that could not be opened removes the folders and files that it created',
  ],
  'delivery-queue-length': [
    'First attempts: any number',
    'test/sandboxes/sandbox/deliveries-kept.test.ts',
    'no first attempt is dropped, however many wait and whether the receiver stalls',
  ],
  'delivery-wait': [
    "30 days of the sandbox's clock from the time at which it was due. An older delivery, whose webhook was paused or whose bank was down, is dropped and counted as in `delivery-queue-length`.",
    'test/sandboxes/sandbox/deliveries-kept.test.ts',
    'a delivery that has waited for thirty days is dropped and logged',
  ],
  'clock-set-back': [
    'A retry keeps its remaining delay',
    'test/sandboxes/sandbox/clocks-that-go-back.test.ts',
    'keeps the remaining delay of a retry',
  ],
  'machine-clock-changes': [
    'a live clock continues from its last time',
    'test/sandboxes/sandbox/clocks-that-go-back.test.ts',
    'does not delay steps and retries of a live bank',
  ],
  'image-size': [
    'checked in a separate thread, and the bank answers other requests meanwhile.',
    'test/server/http/control/images.test.ts',
    'a large image is checked while other requests run, and is accepted or refused',
  ],
  'long-statement': [
    'its transactions, amounts and sums are fixed then.',
    'test/server/http/long-history.test.ts',
    'a statement shows the moment of its request, whatever is paid while it is created',
  ],
  'random-secrets': [
    'so ids and numbers do not depend on secrets.',
    'test/sandboxes/sandbox/secrets.test.ts',
    'secrets created later also differ, and ids and numbers are the same',
  ],
  'secret-lifetimes': [
    'A random root is stored in `secrets.json` of the data directory',
    'test/sandboxes/sandbox/secrets.test.ts',
    'the next process with the data has the same secrets, in every sandbox',
  ],
  'seeded-secrets': [
    'and such a start is refused except on loopback.',
    'test/server/process/start.test.ts',
    'cannot be seeded on other addresses: the start is refused',
  ],
  'card-disputes': [
    'A dispute that is won returns what the merchant has not refunded as a separate transaction with the purchase as its parent',
    'test/server/http/control/card-disputes.test.ts',
    'opens it and returns the money as a separate transaction when it is won',
  ],
  'debit-card-chargeback': [
    'The pull becomes `returned`, and a separate transaction of type `return` (v1: `reversal`) debits the account, also below zero.',
    'test/server/http/control/card-disputes.test.ts',
    'sandbox_simulate_transaction takes the money back and publishes debitcard.chargeback',
  ],
  'address-credentials': [
    'No log, trace, page or message shows them: they print `***`.',
    'test/server/http/control/webhooks.test.ts',
    'shows no user and password of an address, nor does the journal or a search',
  ],
  'seed-history': [
    'three payrolls, a rent by ACH, card purchases with a refund and a decline, savings to another account, and a payment that was returned with R03',
    'test/sandboxes/sandbox/seed-history.test.ts',
    'has payroll, rent, purchases and a return at different times, and books that balance',
  ],
};

describe('a row that is held elsewhere', () => {
  test.each(Object.entries(HELD).map(([slug, held]) => [slug, ...held] as const))(
    '%s: %s',
    (slug, says, file, title) => {
      const row = REGISTER.find((one) => one.slug === slug);
      expect(row?.answer).toContain(says);
      expect(file).toMatch(/^test\/.*\.test\.ts$/);
      const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
      expect(hasTest(text, title), `${file} has no test "${title}"`).toBe(true);
    },
  );

  it('is found by the title of a test, and by no other text', () => {
    const text = `// 'is so'\nit('is there', () => {});\nit.each([1])(\n  'is for each',\n  () => {});\nit.skip('is left out', () => {});`;
    const titles = ['is so', 'is there', 'is for each', 'is left out', 'is'];
    expect(titles.filter((title) => hasTest(text, title))).toEqual(['is there', 'is for each']);
  });
});

describe('the register', () => {
  it('has no row that nothing holds to the running server', () => {
    const held = new Set([...rowsWithCheck(), ...Object.keys(HELD)]);
    expect(REGISTER.filter(({ slug }) => !held.has(slug)).map(({ slug }) => slug)).toEqual([]);
    expect(rowsWithCheck().filter((slug) => slug in HELD)).toEqual([]);
  });

  it('is held by the tables that run, not by any list of slugs', () => {
    const text = `const NAMES = {\n  'a-b': [\n};\nholdRows(http, 'rails', {\n  'c-d': [\n    'is so',\n    call,\n  ],\n});\n`;
    expect(rowsHeldIn(text)).toEqual(['c-d']);
  });
});
