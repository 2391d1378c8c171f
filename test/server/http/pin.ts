/** Sets the PIN of a card like its holder; withdrawals at ATMs require it. */
import type { Caller } from './support.ts';

/** With the token of v2 and the call that accepts it; for the seeded virtual card by default. */
export async function setPin(caller: Caller, card = caller.seed('virtual_card_id')): Promise<void> {
  const { body } = await caller.v2('GET', `/v2/issuing/card/${card}`);
  const { expiry_month: expiryMonth, expiry_year: expiryYear, last4 } = body as Record<string, string>;
  const token = (await caller.v2('POST', `/v2/issuing/card/${card}/set_pin_token`)).id('set_pin_token');
  const printed = { expiryMonth, expiryYear, last4, pin: '2580' };
  const set = await caller.v1('POST', `/v1/card/${card}/pin`, printed, { 'sd-pin-token': token });
  if (set.status !== 200) throw new Error(`the PIN was not set: ${set.status} ${set.text}`);
}
