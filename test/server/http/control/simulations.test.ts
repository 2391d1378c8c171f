// The events in an explanation match the simulations: legal ones succeed, and others are refused with the stated
// reason.

import { describe, expect, it } from 'vitest';
import { IS_WORKERD } from '../../process/support.ts';
import { type Bank, openBank } from './server.ts';

interface Offered {
  event: string;
  path: string;
  legal: boolean;
  reason: string;
}

/** Creates one record and returns its id. */
type Make = (server: Bank, seeded: Record<string, string>) => Promise<string>;

const incoming =
  (rail: string, ...events: string[]): Make =>
  async ({ call }, { sub_account_id }) => {
    const { body } = await call('POST', `/_sandbox/simulate/incoming/${rail}`, {
      sub_account_id,
      amount: '7.00',
    });
    for (const event of events) {
      await call('POST', `/_sandbox/simulate/transactions/${body.transaction.id}/${event}`, {});
    }
    return body.transaction.id;
  };
const authorization =
  (...steps: [event: string, body: object][]): Make =>
  async ({ call }, { virtual_card_id }) => {
    const { body } = await call('POST', `/_sandbox/simulate/cards/${virtual_card_id}/authorize`, {
      amount: '40.00',
    });
    const { id } = body.transaction;
    for (const [event, input] of steps)
      await call('POST', `/_sandbox/simulate/authorizations/${id}/${event}`, input);
    return id;
  };
const seed =
  (name: string, ...events: string[]): Make =>
  async ({ call }, seeded) => {
    for (const event of events)
      await call('POST', `/_sandbox/simulate/${event.replace('{id}', `${seeded[name]}`)}`, {});
    return `${seeded[name]}`;
  };

const THINGS: readonly [what: string, make: Make][] = [
  ['a received RTP', incoming('rtp')],
  ['a settled RTP', incoming('rtp', 'settle')],
  ['a returned RTP', incoming('rtp', 'settle', 'return')],
  [
    'an ACH whose window has closed',
    async (server, seeded) => {
      const id = await incoming('ach_push', 'settle')(server, seeded);
      await server.call('POST', '/_sandbox/clock/advance', { by: 'P90D' });
      return id;
    },
  ],
  [
    'an originated ACH',
    async ({ call }, { sub_account_id, ach_counterparty_id }) => {
      const { body } = await call('POST', '/v2/payments/ach/push', {
        sub_account_id,
        counterparty_id: ach_counterparty_id,
        amount: '5.00',
      });
      return body.id;
    },
  ],
  [
    'a transfer within the bank',
    async ({ call }, { sub_account_id, intra_counterparty_id }) => {
      const { body } = await call('POST', '/v2/payments/intra_account/push', {
        sub_account_id,
        counterparty_id: intra_counterparty_id,
        amount: '5.00',
      });
      return body.id;
    },
  ],
  ['an open authorization', authorization()],
  ['a partially captured authorization', authorization(['capture', { amount: '5.00', final: false }])],
  ['a captured authorization', authorization(['capture', {}])],
  ['a partially refunded authorization', authorization(['capture', {}], ['refund', { amount: '5.00' }])],
  ['a reversed authorization', authorization(['reverse', {}])],
  ['a refunded authorization', authorization(['capture', {}], ['refund', {}])],
  ['a person', seed('person_holder_id')],
  ['a locked person', seed('person_holder_id', 'holders/{id}/lock')],
  ['a virtual card', seed('virtual_card_id')],
  ['a physical card', seed('physical_card_id')],
  ['a shipped physical card', seed('physical_card_id', 'cards/{id}/ship')],
  ['an account', seed('sub_account_id')],
  ['a locked account', seed('sub_account_id', 'accounts/{id}/lock')],
];

describe('the simulations of', () => {
  // Another process takes longer for each request.
  it.each(IS_WORKERD ? THINGS.slice(0, 4) : THINGS)('%s are those that the calls accept', async (_, make) => {
    const server = await openBank({ rails: 'manual' });
    const { seeded } = (await server.call('GET', '/_sandbox')).body;
    const id = await make(server, seeded);
    const offered: Offered[] = (await server.call('GET', `/_sandbox/explain/${id}`)).body.simulations;
    expect(offered.length).toBeGreaterThan(1);
    await server.call('PUT', '/_sandbox/snapshots/before');
    for (const { event, path, legal, reason } of offered) {
      const body = event === 'increment' ? { amount: '1.00' } : {};
      const answer = await server.call('POST', path, body);
      expect([event, answer.status, answer.body.error?.message ?? '']).toEqual([
        event,
        legal ? 200 : 409,
        reason,
      ]);
      await server.call('POST', '/_sandbox/snapshots/before/restore');
    }
  });

  it('any object are listed without a change', async () => {
    const { call } = await openBank({ rails: 'manual' });
    const { seeded } = (await call('GET', '/_sandbox')).body;
    await call('PUT', '/_sandbox/clock', { mode: 'frozen' });
    const before = (await call('GET', '/_sandbox/export')).bytes;
    await call('GET', `/_sandbox/explain/${seeded.transaction_id}`);
    await call('GET', `/_sandbox/explain/${seeded.virtual_card_id}`);
    expect((await call('GET', '/_sandbox/export')).bytes.equals(before)).toBe(true);
  });
});
