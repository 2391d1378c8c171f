/**
 * The journal of a bank with a data directory survives a restart, so that links to requests stay valid; and so do the
 * counts of faults.
 */
import { expect, it } from 'vitest';
import { makeFolder } from '../../../support/folder.ts';
import { type Bank, openBank } from './server.ts';
import { surround } from './surround.ts';

const look = async ({ call }: Bank, { webhook, request }: { webhook: string; request: string }) => {
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
  const before = await openBank({ data });
  const of = await surround(before);
  const expected = await look(before, of);
  const activity = (await before.call('GET', '/_sandbox/activity')).body.items;
  await before.end();
  const after = await openBank({ data });
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

it('a reset removes faults and chaos, also after a restart', async () => {
  const data = makeFolder();
  const before = await openBank({ data });
  const of = await surround(before);
  await before.call('POST', '/_sandbox/reset');
  await before.end();
  const after = await openBank({ data });
  expect((await after.call('GET', '/_sandbox/faults')).body).toEqual({ faults: [] });
  expect((await after.call('GET', '/_sandbox/receiver')).body.answers.status).toBe(200);
  const { body } = await after.call('GET', `/_sandbox/requests/${of.request}`);
  expect(body).toMatchObject({ status: 503, fault: 'flt_1' });
  // The payment of the old bank is in the journal, without its effects.
  const { requests } = (await after.call('GET', '/_sandbox/requests?operation=v2_originate_ach_pull')).body;
  expect(requests.map((one: { caused: object }) => one.caused)).toMatchObject([{ known: false }]);
});
