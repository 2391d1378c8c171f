/**
 * The state of a bank with a data directory that survives a restart: faults, chaos, rules and the built-in receiver; and
 * the parts of it in copies, exports and imports. restart-journal.test.ts has the journal.
 */
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/folder.ts';
import { type Bank, openBank, pull } from './server.ts';
import { surround } from './surround.ts';

interface Fault {
  readonly id: string;
  readonly match: object;
  readonly error: object;
}

it('a restart keeps what a call has set', async () => {
  const data = makeFolder();
  const before = await openBank({ data });
  const { webhook } = await surround(before);
  const settings = async ({ call }: Bank) => [
    (await call('GET', '/_sandbox/faults')).body.faults.map(({ id, match, error }: Fault) => [
      id,
      match,
      error,
    ]),
    (await call('GET', `/_sandbox/webhooks/${webhook}/chaos`)).body.drop,
    (await call('GET', '/_sandbox/rules')).body.rules,
    (await call('GET', '/_sandbox/receiver')).body.answers.status,
  ];
  const expected = await settings(before);
  await before.end();
  expect(await settings(await openBank({ data }))).toEqual(expected);
  expect(expected).toMatchObject([[['flt_1', {}, { status: 503 }]], { every: 3 }, [{}], 503]);
});

it('a copy, an export and an import contain none of them', async () => {
  const server = await openBank({ data: makeFolder() });
  const { call } = server;
  const of = await surround(server);
  // Writes what was kept until now.
  await pull(server, '1.00');
  // A copy would send an event whose delivery is in progress again.
  await server.idle();
  const image = (await call('GET', '/_sandbox/export')).bytes;
  // What a call set is in the file of the bank, and not in its image.
  expect(image.includes('"made":1')).toBe(false);
  await call('POST', '/_sandbox/sandboxes', { name: 'copy', from: 'default' });
  await call('POST', '/_sandbox/sandboxes', { name: 'imported' });
  expect((await call('POST', '/_sandbox/import', image, 'test_imported')).status).toBeLessThan(300);
  for (const key of ['test_copy', 'test_imported']) {
    expect((await call('GET', '/_sandbox/faults', undefined, key)).body).toEqual({ faults: [] });
    expect((await call('GET', '/_sandbox/requests', undefined, key)).body.requests).toEqual([]);
    expect((await call('GET', '/_sandbox/receiver', undefined, key)).body.deliveries).toEqual([]);
    const chaos = await call('GET', `/_sandbox/webhooks/${of.webhook}/chaos`, undefined, key);
    expect(chaos.body.active).toBe(false);
    expect((await call('GET', '/_sandbox/rules', undefined, key)).body.rules).toHaveLength(1);
  }
});
