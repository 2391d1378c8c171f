/**
 * The state that a bank with a data directory keeps over a restart: faults, chaos, rules, the built-in receiver and
 * the journal, so that links to requests stay valid; and the parts of it in copies, exports and imports.
 */
import { expect, it } from 'vitest';
import { makeFolder } from '../../support/folder.ts';
import { openServer, pull, type Server } from './server.ts';

async function surround(server: Server): Promise<{ webhook: string; request: string }> {
  const { call } = server;
  const webhook = (await call('POST', '/_sandbox/webhooks', { dialect: 'v2', receiver: true, events: ['*'] }))
    .body.id;
  await call('PUT', `/_sandbox/webhooks/${webhook}/chaos`, { drop: { every: 3 } });
  await call('PUT', '/_sandbox/rules', {
    rules: [{ match: { rail: 'ach_push' }, outcome: { return_code: 'R03' } }],
  });
  await pull(server, '12.00');
  await call('POST', '/_sandbox/drain', {});
  await call('PUT', '/_sandbox/receiver', { status: 503, times: 5 });
  await call('POST', '/_sandbox/faults', {
    match: { route: '/v2/webhook' },
    error: { status: 503 },
    every: 2,
  });
  await call('GET', '/v2/webhook');
  const { headers } = await call('GET', '/v2/webhook');
  return { webhook, request: headers['x-request-id'] ?? '' };
}

const look = async ({ call }: Server, { webhook, request }: { webhook: string; request: string }) => {
  const paths = [
    '/_sandbox/faults',
    `/_sandbox/webhooks/${webhook}/chaos`,
    '/_sandbox/rules',
    '/_sandbox/receiver',
    '/_sandbox/requests',
    `/_sandbox/requests/${request}`,
  ];
  const seen: unknown[] = [];
  for (const path of paths) seen.push((await call('GET', path)).body);
  return seen;
};

it('a restart keeps faults with their counts, chaos, rules, the receiver and the journal', async () => {
  const data = makeFolder();
  const before = await openServer({ data });
  const of = await surround(before);
  const expected = await look(before, of);
  const activity = (await before.call('GET', '/_sandbox/activity')).body.items;
  await before.end();
  const after = await openServer({ data });
  expect(await look(after, of)).toEqual(expected);
  expect(expected[0]).toMatchObject({ faults: [{ seen: 2, hits: 1 }] });
  expect(expected[5]).toMatchObject({ status: 503, fault: 'flt_1' });
  // The calls of the control plane are listed as well.
  expect((await after.call('GET', '/_sandbox/activity')).body.items).toEqual(activity);
  // They apply: the second next request has the fault.
  const statuses = [];
  for (let count = 0; count < 2; count += 1) statuses.push((await after.call('GET', '/v2/webhook')).status);
  expect(statuses).toEqual([200, 503]);
  expect((await after.call('POST', '/_sandbox/faults', { error: { status: 500 } })).body.id).toBe('flt_2');
});

it('a copy, an export and an import contain none of them', async () => {
  const server = await openServer({ data: makeFolder() });
  const { call } = server;
  const of = await surround(server);
  await server.registry.default().commit(() => undefined);
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

it('a reset removes faults and chaos, also after a restart', async () => {
  const data = makeFolder();
  const before = await openServer({ data });
  const of = await surround(before);
  await before.call('POST', '/_sandbox/reset');
  await before.end();
  const after = await openServer({ data });
  expect((await after.call('GET', '/_sandbox/faults')).body).toEqual({ faults: [] });
  expect((await after.call('GET', '/_sandbox/receiver')).body.answers.status).toBe(200);
  const { body } = await after.call('GET', `/_sandbox/requests/${of.request}`);
  expect(body).toMatchObject({ status: 503, fault: 'flt_1' });
  // The payment of the old bank is in the journal, without its effects.
  const { requests } = (await after.call('GET', '/_sandbox/requests?operation=v2_originate_ach_pull')).body;
  expect(requests.map((one: { caused: object }) => one.caused)).toMatchObject([{ known: false }]);
});
