/**
 * `sandbank trigger`: it causes a new event each time and prints it, and with `--on` it executes only the last step.
 * test/bank/model tests that every kind can be caused.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { Sandbank } from '../../src/kit/bank.ts';
import { causedTypes, causeOf } from '../../src/kit/causes/trigger.ts';
import type { EventType } from '../../src/kit/client/event-types.ts';
import { startSandbank } from '../../src/kit/start.ts';
import { type Printed, sandbank } from './support.ts';

let server: Sandbank;
let bank: Sandbank;
let made = 0;

beforeAll(async () => {
  // A bank as a person has it who only started one: payments settle by themselves.
  server = await startSandbank({ strictPersonHeader: true });
});
afterAll(() => server.close());
beforeEach(async () => {
  made += 1;
  bank = await server.inSandbox(`trigger_${made}`);
});

const run = (...words: string[]): Promise<Printed> => sandbank(['trigger', ...words], bank.env);

/** The events in a JSON response. */
const eventsIn = ({
  stdout,
}: Printed): { id: string; type: string; api_version: string; resource_id: string }[] =>
  JSON.parse(stdout).events;

const countOf = async (type: EventType): Promise<number> => (await bank.events.list(type)).length;

describe('without a record', () => {
  test.each(causedTypes() as EventType[])('%s is caused, repeatedly', async (kind) => {
    const before = await countOf(kind);
    for (const time of [1, 2]) {
      const text = await run(kind, '--json');
      expect(text, `time ${time}`).toMatchObject({ code: 0, stderr: '' });
      const events = eventsIn(text);
      expect(new Set(events.map(({ type }) => type))).toEqual(new Set([kind]));
      const logged = await bank.events.list(kind);
      expect(logged.map(({ id }) => id)).toEqual(expect.arrayContaining(events.map(({ id }) => id)));
    }
    expect(await countOf(kind)).toBeGreaterThanOrEqual(before + 2);
  });

  it('the event and its record are printed', async () => {
    const { stdout } = await run('transaction.status.returned');
    expect(stdout).toMatch(/^evt_\w+ {2}v2 {2}transaction\.status\.returned {2}txn_\w+\n$/);
  });

  it('a kind of both versions is caused once', async () => {
    const events = eventsIn(await run('card.updated', '--json'));
    expect(events.map(({ api_version: apiVersion }) => apiVersion)).toEqual(['v1', 'v2']);
  });
});

describe('with --on', () => {
  it('the last step is applied to this record, in either spelling of its id', async () => {
    const { card_id = '', virtual_card_id = '' } = await bank.seeded();
    const [spent] = eventsIn(await run('card.spend', '--on', card_id, '--json'));
    const [payment] = await bank.events.list('transaction.created', { limit: 1 });
    expect(payment?.data).toMatchObject({ card: { id: virtual_card_id } });
    expect(spent?.resource_id.replace(/^\w+-/, '').replaceAll('-', '')).toBe(
      payment?.resource_id.replace('txn_', ''),
    );
  });

  it('no other records are created', async () => {
    await bank.clock.freeze();
    const [made] = eventsIn(await run('transaction.created', '--json'));
    const id = made?.resource_id ?? '';
    const { cursor: since } = await bank.sandbox.listEvents();
    const text = await run('transaction.status.canceled', '--on', id, '--json');
    expect(eventsIn(text)).toMatchObject([{ type: 'transaction.status.canceled', resource_id: id }]);
    const { events } = await bank.sandbox.listEvents({ query: { since, api_version: 'v2' } });
    expect(new Set(events.map(({ resource }) => resource))).toEqual(new Set(['transaction']));
  });

  it('an impossible event is refused with the possible ones', async () => {
    const { transaction_id = '' } = await bank.seeded();
    const { code, stdout, stderr } = await run('transaction.status.canceled', '--on', transaction_id);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: illegal_step: .* cannot cancel.*\n$/);
  });

  it('an event that requires a new record is refused', async () => {
    const { code, stderr } = await run('family.created', '--on', 'fam_0');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'sandbank: family.created occurs only when a record is created: it cannot happen to an existing one\n',
    );
  });
});

describe('an event that no action causes', () => {
  it.each([
    [
      'master_account.status.closed',
      'no operation causes master_account.status.closed: the one master account exists from the start',
    ],
    ['wallet.credit', 'no operation causes wallet.credit: a wallet is only a record'],
  ])('%s exits with 1 and the reason', async (kind, reason) => {
    const { code, stdout, stderr } = await run(kind);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^sandbank: .+\n$/);
    expect(stderr).toContain(reason);
  });

  it('is requested by name, or listed', async () => {
    expect((await run()).stderr).toContain('sandbank trigger --list');
    const { stdout } = await run('--list');
    expect(stdout.trimEnd().split('\n')).toHaveLength(causedTypes().length);
    expect(stdout).toMatch(/^card\.spend {2}--on <card>$/m);
    const listed = JSON.parse((await run('--list', '--json')).stdout);
    expect(listed.types).toContainEqual({ type: 'family.created', on: null });
    expect(causeOf('card.spend').on).toBe('card');
  });
});
