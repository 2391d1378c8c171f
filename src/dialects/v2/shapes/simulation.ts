/**
 * The bodies of the simulate operations. Money from outside names a sub account, or the master account alone and then no
 * sub account yet; what a merchant does names a card, a type and a status, of which five pairs mean something.
 * Source: the simulation operations of the platform's v2 reference; rows 181 and 185 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { AddressInput, AmountInput, body, bodyPart, TextInput, word } from './fields.ts';

const RoutingNumberInput = Type.String({ pattern: '^$|^\\d{9}$', description: 'Nine digits.' });

const incomingFields = {
  master_account_id: Type.Optional(TextInput),
  sub_account_id: Type.Optional(TextInput),
  amount: AmountInput,
  description: Type.Optional(TextInput),
};

export const IncomingAch = body('IncomingAch', {
  ...incomingFields,
  counterparty: Type.Optional(
    bodyPart({ name: Type.Optional(TextInput), routing_number: Type.Optional(RoutingNumberInput) }),
  ),
});

export const IncomingDomesticWire = body('IncomingDomesticWire', {
  ...incomingFields,
  counterparty: Type.Optional(
    bodyPart({
      name: Type.Optional(TextInput),
      account_number: Type.Optional(TextInput),
      routing_number: Type.Optional(RoutingNumberInput),
    }),
  ),
});

export const IncomingInternationalWire = body('IncomingInternationalWire', {
  ...incomingFields,
  counterparty: Type.Optional(
    bodyPart({
      name: Type.Optional(TextInput),
      identifier_code: Type.Optional(
        Type.String({
          pattern: '^$|^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$',
          description: 'The BIC of the other bank.',
        }),
      ),
      account_number: Type.Optional(TextInput),
      address: Type.Optional(AddressInput),
    }),
  ),
});

export const CardSimulation = body('CardSimulation', {
  card_id: TextInput,
  amount: AmountInput,
  parent_transaction_id: Type.Optional(TextInput),
  type: word(['auth', 'adjust', 'reverse', 'refund']),
  status: word(['pending', 'settled']),
});
