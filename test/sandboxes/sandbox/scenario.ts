/**
 * A day of a bank: commands of every kind, some refused, with advances of the clock. The results in two banks can be
 * compared byte by byte.
 */

import { DAY_MS } from '../../../src/bank/kernel/time.ts';
import type { Bank } from '../../../src/bank/verbs/bank.ts';
import type { TestSandbox } from '../../support/sandbox.ts';

type Step = (bank: Bank, id: TestSandbox['id']) => unknown;

const person = (idNumber: string) => ({
  firstName: 'Ivy',
  middleName: '',
  lastName: 'Marsh',
  idType: 'ssn' as const,
  idNumber,
  dateOfBirth: '1991-01-01',
  phone: '',
  email: '',
  address: null,
});

const ach =
  (rail: 'ach_push' | 'ach_pull', amount: number): Step =>
  ({ payments }, id) =>
    payments.originate(rail, {
      accountId: id('account'),
      counterpartyId: id('ach_counterparty'),
      amount,
      shortage: 'record',
    });

const intra =
  (amount: number): Step =>
  ({ payments }, id) =>
    payments.originate('intra_push', {
      accountId: id('account'),
      counterpartyId: id('intra_counterparty'),
      amount,
      shortage: 'refuse',
    });

const spend =
  (amount: number): Step =>
  ({ cardPayments }, id) =>
    cardPayments.authorize({ cardId: id('virtual_card'), amount });

const receive =
  (rail: 'ach_received_pull' | 'rtp_received' | 'domestic_wire_received', amount: number): Step =>
  ({ payments }, id) =>
    payments.receive(rail, { accountId: id('account'), amount, sender: { name: 'Acme' } });

/** Each command with the milliseconds that pass after it. */
export const SCENARIO: [Step, number][] = [
  [({ holders }) => holders.create({ person: person('298765432') }), 0],
  [({ holders }) => holders.create({ person: person('298765432') }), 250],
  [({ holders }, id) => holders.submitKyb(id('business')), 0],
  [({ accounts }, id) => accounts.open({ holderId: id('business'), type: 'cash' }), 10],
  [ach('ach_pull', 12_345), 700],
  [ach('ach_push', 4_000), 1],
  [receive('ach_received_pull', 99_999_999), 0],
  [spend(2_500), 1_300],
  [intra(99_999_999), 0],
  [intra(1_000), 0],
  [ach('ach_push', 99_999_999), 2_000],
  [receive('rtp_received', 77), 0],
  [({ cards }, id) => cards.change(id('virtual_card'), { label: 'again' }), 0],
  [({ cards }, id) => cards.issue({ cardHolderId: id('card_holder'), type: 'physical' }), DAY_MS],
  [spend(1), 0],
  [({ cards }, id) => cards.change(id('physical_card'), { status: 'open' }), 0],
  [
    ({ webhooks }) =>
      webhooks.create({
        apiVersion: 'v2',
        url: 'http://127.0.0.1:9/',
        events: ['card.updated'],
        status: 'paused',
      }),
    6 * DAY_MS - 900,
  ],
  [receive('domestic_wire_received', 5), 900],
  [ach('ach_pull', 1), 3_000],
];

/** Runs a part of the commands; returns the result of each. */
export async function live({ run, pass, id }: TestSandbox, part = SCENARIO): Promise<string[]> {
  const ends: string[] = [];
  for (const [step, ms] of part) {
    await run((bank) => step(bank, id)).then(
      () => ends.push('done'),
      (error: { code: string }) => ends.push(error.code),
    );
    await pass(ms);
  }
  return ends;
}
