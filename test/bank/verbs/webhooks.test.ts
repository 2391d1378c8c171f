// Webhooks in the bank: their URLs, their status changes, and the events that each receives.

import { describe, expect, test } from 'vitest';
import type { Webhook } from '../../../src/bank/model/records.ts';
import type { WebhookChange } from '../../../src/bank/verbs/inputs.ts';
import { openTestSandbox, START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';

const URL = 'https://receiver.example/hook';
const V2 = { apiVersion: 'v2', url: URL, events: ['card.updated', 'sub_account.created'] } as const;
const hook = () => ({ ...V2, events: [...V2.events] });

describe('a webhook', () => {
  test('is active after its creation, with a secret in the format of its version', async () => {
    const { run, bank } = openTestSandbox();
    const v2 = await run(({ webhooks }) => webhooks.create({ ...hook(), description: 'mine' }));
    expect(v2).toMatchObject({
      ...hook(),
      description: 'mine',
      status: 'active',
      createdAt: START,
      deletedAt: null,
    });
    expect(v2.secret).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(bank.webhooks.byId(v2.id)).toEqual(v2);
    const v1 = await run(({ webhooks }) =>
      webhooks.create({ apiVersion: 'v1', url: URL, events: ['card.spend'], status: 'paused' }),
    );
    expect(v1).toMatchObject({ status: 'paused', description: '' });
    expect(v1.secret).toMatch(/^sk_test_[0-9a-f]{32}$/);
  });

  test('is in the list, newest first, until it is deleted', async () => {
    const { run, bank } = openTestSandbox();
    const [seeded] = bank.webhooks.list();
    const first = await run(({ webhooks }) => webhooks.create(hook()));
    const second = await run(({ webhooks }) => webhooks.create(hook()));
    expect(bank.webhooks.list()).toEqual([second, first, seeded]);
    await run(({ webhooks }) => webhooks.remove(first.id));
    expect(bank.webhooks.list()).toEqual([second, seeded]);
    expect(bank.webhooks.byId(first.id)).toMatchObject({ status: 'deleted', deletedAt: START });
  });

  test('changes the sent fields, and keeps secret and events while it is paused', async () => {
    const { run, clock } = openTestSandbox();
    const webhook = await run(({ webhooks }) => webhooks.create(hook()));
    clock.advance(1_000);
    const paused = await run(({ webhooks }) =>
      webhooks.change(webhook.id, { status: 'paused', description: 'quiet' }),
    );
    expect(paused).toEqual({ ...webhook, status: 'paused', description: 'quiet', updatedAt: START + 1_000 });
    const moved = await run(({ webhooks }) =>
      webhooks.change(webhook.id, { url: 'http://127.0.0.1:1/', events: ['card.created'] }),
    );
    expect(moved).toEqual({ ...paused, url: 'http://127.0.0.1:1/', events: ['card.created'] });
  });
});

describe('the life cycle of a webhook', () => {
  type Requested = NonNullable<WebhookChange['status']>;
  const requests: Requested[] = ['active', 'paused', 'deactivated'];
  const from: Webhook['status'][] = ['active', 'paused', 'deactivated'];

  test.each(from.flatMap((status) => requests.map((requested) => [status, requested] as const)))(
    'goes from %s to %s',
    async (status, requested) => {
      const { run } = openTestSandbox();
      const { id } = await run(({ webhooks }) => webhooks.create(hook()));
      await run(({ webhooks }) => webhooks.change(id, { status: status as Requested }));
      const changed = await run(({ webhooks }) => webhooks.change(id, { status: requested }));
      expect(changed.status).toBe(requested);
    },
  );

  test.each(from)('can be deleted when it is %s, and then refuses changes', async (status) => {
    const { run, sandbox } = openTestSandbox();
    const { id } = await run(({ webhooks }) => webhooks.create(hook()));
    await run(({ webhooks }) => webhooks.change(id, { status: status as Requested }));
    await run(({ webhooks }) => webhooks.remove(id));
    const before = digestOf(sandbox);
    await expect(run(({ webhooks }) => webhooks.change(id, { status: 'active' }))).rejects.toMatchObject({
      code: 'webhook_deleted',
    });
    await expect(run(({ webhooks }) => webhooks.change(id, { description: 'x' }))).rejects.toMatchObject({
      code: 'webhook_deleted',
    });
    await expect(run(({ webhooks }) => webhooks.remove(id))).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
    expect(digestOf(sandbox)).toBe(before);
  });
});

describe('a refused webhook request has', () => {
  test.each([
    '',
    '/hook',
    'receiver.example',
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'javascript:1',
    'http://receiver.example/\r\nx-injected: yes',
    'http://receiver.example/\tpath',
    'http://receiver.example/\u0000',
    'http://receiver.example/\u007f',
  ])('the address %j', async (url) => {
    const { run } = openTestSandbox();
    const refusal = { code: 'url_invalid', field: 'url' };
    await expect(run(({ webhooks }) => webhooks.create({ ...hook(), url }))).rejects.toMatchObject(refusal);
    const { id } = await run(({ webhooks }) => webhooks.create(hook()));
    await expect(run(({ webhooks }) => webhooks.change(id, { url }))).rejects.toMatchObject(refusal);
  });

  test.each([
    ['v2', 'card.spend'],
    ['v2', 'transaction.status.originated'],
    ['v1', 'card.created'],
    ['v1', ''],
  ] as const)('the action %s with the event %j of the other version', async (apiVersion, kind) => {
    const { run } = openTestSandbox();
    const refusal = { code: 'event_unknown', field: 'events' };
    const events = ['card.updated', kind];
    await expect(
      run(({ webhooks }) => webhooks.create({ apiVersion, url: URL, events })),
    ).rejects.toMatchObject(refusal);
    const { id } = await run(({ webhooks }) =>
      webhooks.create({ apiVersion, url: URL, events: ['card.updated'] }),
    );
    await expect(run(({ webhooks }) => webhooks.change(id, { events }))).rejects.toMatchObject(refusal);
  });

  test('an unknown webhook id', async () => {
    const { run, bank } = openTestSandbox();
    const nothing = '0'.repeat(32);
    expect(() => bank.webhooks.byId(nothing)).toThrow(expect.objectContaining({ code: 'webhook_not_found' }));
    await expect(run(({ webhooks }) => webhooks.change(nothing, {}))).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
    await expect(run(({ webhooks }) => webhooks.remove(nothing))).rejects.toMatchObject({
      code: 'webhook_not_found',
    });
  });
});

describe('publishing an event', () => {
  test('creates deliveries for active webhooks that subscribe to it, and none for paused ones', async () => {
    const { run, id, sandbox, sent } = openTestSandbox();
    const relabel = (label: string) => run(({ cards }) => cards.change(id('virtual_card'), { label }));
    await relabel('not yet');
    const { id: webhookId } = await run(({ webhooks }) => webhooks.create(hook()));
    await relabel('told');
    await run(({ webhooks }) => webhooks.change(webhookId, { status: 'paused' }));
    await relabel('not told');
    await run(({ webhooks }) => webhooks.change(webhookId, { status: 'active' }));
    await relabel('told again');
    await run(({ cards }) => cards.change(id('virtual_card'), { status: 'blocked' }));
    await sandbox.courier?.idle();
    expect(
      sent.map(({ url, body }) => [url, JSON.parse(body).event_type, JSON.parse(body).data.label]),
    ).toEqual([
      [URL, 'card.updated', 'told'],
      [URL, 'card.updated', 'told again'],
    ]);
  });

  test('creates no delivery if the command was refused', async () => {
    const { run, id, sandbox, sent } = openTestSandbox();
    const refused = run(({ webhooks, cards }) => {
      webhooks.create(hook());
      cards.change(id('virtual_card'), { label: 'a' });
      return cards.change('0'.repeat(32), {});
    });
    await expect(refused).rejects.toMatchObject({ code: 'card_not_found' });
    await run(({ cards }) => cards.change(id('virtual_card'), { label: 'b' }));
    await sandbox.courier?.idle();
    expect(sent).toEqual([]);
  });
});
