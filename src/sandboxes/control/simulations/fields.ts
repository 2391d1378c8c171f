/**
 * The fields that the simulations share: an amount, an event, a merchant, a sender, and the names of the incoming
 * rails.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Transaction } from '../../../bank/api/v2/transactions/shapes.ts';
import { type Cents, MONEY_PATTERN, parseMoney } from '../../../bank/kernel/money.ts';
import { refuse } from '../../../bank/kernel/refusal.ts';
import type { IncomingRail } from '../../../bank/model/rails/index.ts';
import type { Address, CounterpartySnapshot, Merchant } from '../../../bank/model/records.ts';
import { BANK_ACCOUNT_TYPES, type BankAccountType } from '../../../bank/model/vocabulary.ts';

const Text = Type.String({ maxLength: 200 });

export const Amount = Type.String({
  pattern: MONEY_PATTERN,
  description: 'Dollars and cents greater than zero, like "12.50".',
});

export const TransactionAnswer = Type.Object({ transaction: Transaction });

/** An amount greater than zero. Refuses: `amount_invalid`. */
export function parseAmount(text: string): Cents {
  const cents = parseMoney(text);
  if (cents === undefined || cents === 0) throw refuse('amount_invalid', { field: 'amount' });
  return cents;
}

/** One of the existing events. Refuses: `field_invalid`, with the list. */
export function parseEvent<E extends string>(text: string, events: readonly E[]): E {
  const event = events.find((one) => one === text);
  if (event !== undefined) return event;
  throw refuse('field_invalid', {
    field: 'event',
    message: `there is no event "${text}" here; the events are ${events.join(', ')}`,
  });
}

/** The incoming rails by their names in the call; a rail's own name is accepted too. */
export const INCOMING_RAILS = {
  ach_push: 'ach_received_push',
  ach_pull: 'ach_received_pull',
  domestic_wire: 'domestic_wire_received',
  international_wire: 'international_wire_received',
  rtp: 'rtp_received',
  fednow: 'fednow_received',
} as const satisfies Record<string, IncomingRail>;

/** Refuses: `field_invalid`, with the list. */
export function parseIncomingRail(text: string): IncomingRail {
  const found = Object.entries(INCOMING_RAILS).find(([word, rail]) => word === text || rail === text);
  if (found !== undefined) return found[1];
  throw refuse('field_invalid', {
    field: 'rail',
    message: `"${text}" is not an incoming rail; use one of ${Object.keys(INCOMING_RAILS).join(', ')}`,
  });
}

export const MerchantInput = Type.Object(
  {
    name: Type.Optional(Text),
    mcc: Type.Optional(Type.String({ pattern: '^\\d{4}$', description: 'Four digits of ISO 18245.' })),
    category: Type.Optional({ ...Text, description: 'The meaning of the code, in words.' }),
    city: Type.Optional(Text),
    state: Type.Optional(Text),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2}$', description: 'Two letters.', isCountry: true }),
    ),
    postal_code: Type.Optional(Text),
    id: Type.Optional({ ...Text, description: "The merchant's id at its own bank." }),
  },
  // Its country and its state are known codes.
  { isAddress: true },
);

/** The bank completes the missing fields of a merchant: decision `card-test-merchant` in docs/fidelity.md. */
export function parseMerchant(body: Static<typeof MerchantInput>): Partial<Merchant> {
  const { postal_code: postalCode, ...rest } = body;
  return {
    ...rest,
    ...(postalCode !== undefined && { postalCode }),
  };
}

const AddressInput = Type.Object(
  {
    line1: Type.Optional(Text),
    line2: Type.Optional(Text),
    city: Type.Optional(Text),
    state: Type.Optional(Text),
    country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two letters.' })),
    postal_code: Type.Optional(Text),
  },
  { isAddress: true },
);

export const SenderInput = Type.Object({
  name: Type.Optional(Text),
  account_number: Type.Optional({ ...Text, description: 'The number of the account at its bank.' }),
  routing_number: Type.Optional(Type.String({ pattern: '^\\d{9}$', description: 'Nine digits.' })),
  account_type: Type.Optional(Type.Unsafe<BankAccountType>(Type.String({ enum: [...BANK_ACCOUNT_TYPES] }))),
  bank_name: Type.Optional(
    Type.String({ maxLength: 200, description: 'Name of the bank; default: looked up by its number.' }),
  ),
  identifier_code: Type.Optional(Type.String({ maxLength: 11, description: 'BIC of a foreign bank.' })),
  address: Type.Optional(AddressInput),
});

/** The party that sends or requests money. Refuses: `field_invalid` for an address that no record would show. */
export function parseSender(body: Static<typeof SenderInput> = {}): Partial<CounterpartySnapshot> {
  const address = body.address === undefined ? null : parseAddress(body.address);
  const { identifier_code: identifierCode } = body;
  if (address !== null && identifierCode === undefined) {
    throw refuse('field_invalid', {
      field: 'sender.address',
      message: 'sender.address applies to a foreign bank and requires sender.identifier_code, its BIC',
    });
  }
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.account_number !== undefined && { accountNumber: body.account_number }),
    ...(body.routing_number !== undefined && { routingNumber: body.routing_number }),
    ...(body.account_type !== undefined && { accountType: body.account_type }),
    ...(body.bank_name !== undefined && { bankName: body.bank_name }),
    ...(identifierCode !== undefined && {
      correspondentBank: { identifierCode, name: body.bank_name ?? '', address },
    }),
  };
}

function parseAddress(body: Static<typeof AddressInput>): Address {
  const { line1 = '', line2 = '', city = '', state = '', country = '', postal_code: postalCode = '' } = body;
  return { line1, line2, city, state, country, postalCode };
}
