/** Events of payments, over the control plane. */
import { expect } from 'vitest';
import type { RailEvent } from '../../../src/bank/model/rails/index.ts';
import type { Reason } from '../../../src/bank/model/records.ts';
import type { Caller } from './support.ts';

/** Makes something happen to a payment, as the timetable or the other bank would. */
export async function simulate(caller: Caller, id: string, event: RailEvent, reason?: Reason): Promise<void> {
  const body = reason === undefined ? {} : { reason: reason.code, message: reason.message };
  const answer = await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/${event}`, body);
  expect(answer.status, answer.text).toBe(200);
}
