// Responses from a long history are read in slices: they have the same bytes as in one piece, and other requests are
// answered meanwhile.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { formatV1 } from '../../../src/bank/api/ids.ts';
import { formatStatement } from '../../../src/bank/api/v1/statements.ts';
import { seededId } from '../../../src/sandboxes/sandbox/seeding.ts';
import { openServer, type Reply, type Server } from './control/server.ts';

const PAYMENTS = 1500;
/** Of 200 rows each; every slice takes one turn. */
const SLICES = Math.floor(PAYMENTS / 200);

/** An account with very many payments, and the path of its statement. */
async function openLong() {
  const server = await openServer();
  const sandbox = server.registry.default();
  const id = (name: string) => seededId(sandbox.seeded, name);
  const accountId = id('account');
  const pay = () =>
    sandbox.bank.payments.originate('intra_push', {
      accountId,
      counterpartyId: id('intra_counterparty'),
      amount: 1,
      description: 'Rent, "March"',
      shortage: 'refuse',
    });
  await sandbox.commit(() => {
    for (let count = 0; count < PAYMENTS; count += 1) pay();
  });
  return {
    server,
    sandbox,
    accountId,
    pay,
    path: `/v1/account/${formatV1('account', accountId)}/statement/2026/3`,
  };
}

/** The response, and how many turns others had before it. */
async function counted(
  { call }: Server,
  path: string,
  meanwhile: () => unknown = () => {},
): Promise<[Reply, number]> {
  let turns = 0;
  let isOver = false;
  const request = call('GET', path).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await nextTurn();
    turns += 1;
    if (turns === 3) meanwhile();
  }
  return [await request, turns];
}

test('a long statement equals the statement in one piece, and other requests run while it is created', async () => {
  const { server, sandbox, accountId, path } = await openLong();
  const { bank } = sandbox;
  const view = formatStatement(bank.statements.byId(accountId, '2026-03'), bank.program);
  expect(view.transactions.length).toBeGreaterThan(PAYMENTS);
  const [json, turns] = await counted(server, path);
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json.headers['content-disposition']).toBeUndefined();
  expect(json.bytes.toString()).toBe(JSON.stringify(view));
  expect(turns).toBeGreaterThanOrEqual(SLICES);
  const [csv, csvTurns] = await counted(server, `${path}?export=csv`);
  const [header = ''] = csv.bytes.toString().split('\n');
  expect(csv.bytes.toString()).toBe(
    stringify(view.transactions, { header: true, columns: header.split(',') }),
  );
  expect(csvTurns).toBeGreaterThanOrEqual(SLICES);
  const [pdf, pdfTurns] = await counted(server, `${path}?export=pdf`);
  expect(pdf.bytes.toString('latin1', 0, 5)).toBe('%PDF-');
  expect(pdfTurns).toBeGreaterThanOrEqual(SLICES);
});

test('a statement shows the moment of its request, whatever is paid while it is created', async () => {
  const { server, sandbox, path, pay } = await openLong();
  const before = (await server.call('GET', path)).bytes.toString();
  const paid: Promise<unknown>[] = [];
  const [during] = await counted(server, path, () => {
    paid.push(sandbox.commit(pay));
  });
  expect(paid.length).toBe(1);
  await Promise.all(paid);
  expect(during.bytes.toString()).toBe(before);
  const after = JSON.parse((await server.call('GET', path)).bytes.toString());
  expect(after.transactions.length).toBe(JSON.parse(before).transactions.length + 1);
});

test('an audit shows the books at its start, and other requests run meanwhile', async () => {
  const { server, sandbox, pay } = await openLong();
  // The first call of the control plane loads it, which takes turns before the audit begins.
  await server.call('GET', '/_sandbox/clock');
  const { transfers } = sandbox.audit();
  const paid: Promise<unknown>[] = [];
  const [audit] = await counted(server, '/_sandbox/ledger/verify', () => {
    paid.push(sandbox.commit(pay));
  });
  await Promise.all(paid);
  expect(audit.body).toMatchObject({ balanced: true, transfers, problems: [] });
  expect(paid.length).toBe(1);
});
