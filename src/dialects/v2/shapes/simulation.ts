/**
 * The bodies of the simulate operations. Money from outside names a sub account, or the master account alone and then no
 * sub account yet; what a merchant does names a card, a type and a status, of which five pairs mean something.
 * Source: the simulation operations of the platform's v2 reference; rows 181 and 185 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { AddressInput, AmountInput, body, bodyPart, IdInput, TextInput, word } from './fields.ts';

const RoutingNumberInput = Type.String({ pattern: '^$|^\\d{9}$', description: 'Nine digits.' });

const incomingFields = {
  master_account_id: Type.Optional(IdInput),
  sub_account_id: Type.Optional(IdInput),
  amount: AmountInput,
  description: Type.Optional(TextInput),
};

export const IncomingAch = body(
  'IncomingAch',
  'An ACH payment that another bank is made to send or to collect.',
  {
    ...incomingFields,
    counterparty: Type.Optional(
      bodyPart({ name: Type.Optional(TextInput), routing_number: Type.Optional(RoutingNumberInput) }),
    ),
  },
);

export const IncomingDomesticWire = body(
  'IncomingDomesticWire',
  'A wire that another bank of the country is made to send.',
  {
    ...incomingFields,
    counterparty: Type.Optional(
      bodyPart({
        name: Type.Optional(TextInput),
        account_number: Type.Optional({
          ...TextInput,
          description: 'The number of the account at the other bank.',
        }),
        routing_number: Type.Optional(RoutingNumberInput),
      }),
    ),
  },
);

export const IncomingInternationalWire = body(
  'IncomingInternationalWire',
  'A wire that a bank abroad is made to send.',
  {
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
        account_number: Type.Optional({
          ...TextInput,
          description: 'The number of the account at the other bank.',
        }),
        address: Type.Optional(AddressInput),
      }),
    ),
  },
);

export const CardSimulation = body('CardSimulation', 'What a merchant is made to do with a card.', {
  card_id: IdInput,
  amount: AmountInput,
  parent_transaction_id: Type.Optional(IdInput),
  type: word(['auth', 'adjust', 'reverse', 'refund']),
  status: word(['pending', 'settled']),
});
