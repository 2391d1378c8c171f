/** What tests do to a bank from outside. */
import { expect } from 'vitest';
import { formatExample } from '../../../../src/bank/api/operation.ts';
import { V2_OPERATIONS } from '../../../../src/bank/api/v2/index.ts';
import type { OriginationRail } from '../../../../src/bank/model/rails/index.ts';
import type { Caller } from '../support.ts';

const PATHS: Readonly<Record<OriginationRail, string>> = {
  intra_push: 'intra_account/push',
  intra_pull: 'intra_account/pull',
  ach_push: 'ach/push',
  ach_pull: 'ach/pull',
  domestic_wire: 'domestic_wire/push',
  international_wire: 'international_wire/push',
  rtp_push: 'rtp/push',
  fednow_push: 'fednow/push',
  debit_card_push: 'debitcard/push',
  debit_card_pull: 'debitcard/pull',
  check_send: 'check/send',
  check_deposit: 'check/deposit',
};

/** Stops the clock of the caller's sandbox at an instant. */
export async function freezeAt(caller: Caller, at: number): Promise<void> {
  const now = new Date(at).toISOString();
  const { status, text } = await caller.v2('PUT', '/_sandbox/clock', { mode: 'frozen', now });
  expect(status, text).toBe(200);
}

/** Orders a payment of 100.00 on a rail; answers its id. */
export async function originate(caller: Caller, rail: OriginationRail): Promise<string> {
  const path = `/v2/payments/${PATHS[rail]}`;
  const operation = V2_OPERATIONS.find((one) => one.method === 'POST' && one.path === path);
  if (operation === undefined) throw new Error(`no operation at ${path}`);
  const { body } = formatExample(operation, caller);
  const answer = await caller.v2('POST', path, { ...body, amount: '100.00' });
  expect(answer.status, answer.text).toBe(201);
  return answer.id();
}
