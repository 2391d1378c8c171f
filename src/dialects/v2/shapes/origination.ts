/**
 * The bodies that originate payments. The platform flags no field of an origination as required; its guides name the sub
 * account, the counterparty and the amount as what every origination needs, and a check cannot be deposited unseen.
 * Source: the origination operations of the platform's v2 reference; rows 186 and 187 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import {
  AmountInput,
  body,
  bodyPart,
  DateInput,
  ExternalIdInput,
  FlagInput,
  IdInput,
  TextInput,
} from './fields.ts';

/** v1 publishes that a check's memo line takes no more. */
const MEMO_LENGTH = 200;
/** What RTP and FedNow carry to the beneficiary. */
const REFERENCE_LENGTH = 140;
/** 10 MB in base64; how much a whole body may be is a setting. */
const IMAGE_LENGTH = 14_000_000;

const ImageInput = Type.String({ minLength: 4, maxLength: IMAGE_LENGTH, description: 'An image in base64.' });

const originationFields = {
  sub_account_id: IdInput,
  counterparty_id: IdInput,
  amount: AmountInput,
  description: Type.Optional(TextInput),
  external_reference_id: Type.Optional(ExternalIdInput),
};

/** What every origination takes; those within the bank, of wires and of debit cards take nothing else. */
export const PlainOrigination = body('PlainOrigination', 'An order to pay.', originationFields);

export const AchOrigination = body('AchOrigination', 'An order to pay or to collect by ACH.', {
  ...originationFields,
  same_day: Type.Optional(FlagInput),
  effective_date: Type.Optional(DateInput),
  company_discretionary_data: Type.Optional({
    ...TextInput,
    description: "The client's own field of the ACH batch.",
  }),
  company_entry_description: Type.Optional({
    ...TextInput,
    description: 'What the payment is for, in the ACH batch.',
  }),
});

/** RTP and FedNow. */
export const InstantOrigination = body('InstantOrigination', 'An order to pay by RTP or FedNow.', {
  ...originationFields,
  reference_number: Type.Optional(
    Type.String({ maxLength: REFERENCE_LENGTH, description: 'Carried to the beneficiary.' }),
  ),
});

export const CheckOrigination = body('CheckOrigination', 'An order to send a check.', {
  ...originationFields,
  description: Type.Optional(Type.String({ maxLength: MEMO_LENGTH, description: 'The memo line.' })),
});

export const CheckDeposit = body('CheckDeposit', 'A check that is paid in, with its two sides.', {
  ...originationFields,
  image: bodyPart({ front: ImageInput, back: ImageInput }),
});
