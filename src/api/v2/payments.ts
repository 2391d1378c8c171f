/**
 * The v2 operations that originate payments. The platform flags no field as required; its guides need a sub account,
 * a counterparty and an amount, and a check deposit needs its images. A payment over the available balance is
 * recorded as declined, so every origination asks the bank to record a decline.
 * Source: the origination operations of the platform's v2 reference; decisions `check-images`, `payment-text-lengths`
 * and `too-little-money` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Origination, UploadedFile } from '../../bank/inputs.ts';
import { refuse } from '../../kernel/refusal.ts';
import { ORIGINATION, operation } from '../operation.ts';
import { CHECK_IMAGE } from './examples.ts';
import {
  AmountInput,
  body,
  bodyObject,
  DateInput,
  ExternalIdInput,
  FlagInput,
  IdInput,
  ifPresent,
  parseAmount,
  parseDate,
  parseFlag,
  parseId,
  TextInput,
} from './fields.ts';
import { formatTransaction } from './transactions/format.ts';
import { Transaction } from './transactions/shapes.ts';

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
const InstantOrigination = body('InstantOrigination', 'An order to pay by RTP or FedNow.', {
  ...originationFields,
  reference_number: Type.Optional(
    Type.String({ maxLength: REFERENCE_LENGTH, description: 'Carried to the beneficiary.' }),
  ),
});

const CheckOrigination = body('CheckOrigination', 'An order to send a check.', {
  ...originationFields,
  description: Type.Optional(Type.String({ maxLength: MEMO_LENGTH, description: 'The memo line.' })),
});

const CheckDeposit = body('CheckDeposit', 'A check that is paid in, with its two sides.', {
  ...originationFields,
  image: bodyObject({ front: ImageInput, back: ImageInput }),
});

/** Parses the fields that every origination takes. Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function parseOrigination(body: Static<typeof PlainOrigination>): Origination {
  return {
    accountId: parseId('account', body.sub_account_id),
    counterpartyId: parseId('counterparty', body.counterparty_id),
    amount: parseAmount(body.amount),
    ...ifPresent('description', body.description),
    ...ifPresent('externalReferenceId', body.external_reference_id),
    shortage: 'record',
  };
}

/** Parses an ACH payment. Refuses as every origination does, and `field_invalid` for a date that is none. */
export function parseAchOrigination(body: Static<typeof AchOrigination>): Origination {
  const date = parseDate('effective_date', body.effective_date ?? '');
  return {
    ...parseOrigination(body),
    ...ifPresent('sameDay', body.same_day === undefined ? undefined : parseFlag(body.same_day)),
    ...ifPresent('effectiveDate', date === '' ? undefined : date),
    ...ifPresent('companyDiscretionaryData', body.company_discretionary_data),
    ...ifPresent('companyEntryDescription', body.company_entry_description),
  };
}

/** Parses a payment by RTP or FedNow. Refuses as every origination does. */
function parseInstantOrigination(body: Static<typeof InstantOrigination>): Origination {
  return { ...parseOrigination(body), ...ifPresent('referenceNumber', body.reference_number) };
}

/** Parses the deposit of a check. Refuses as every origination does, and `field_invalid` for an image that is no base64. */
function parseCheckDeposit(body: Static<typeof CheckDeposit>): Origination {
  return {
    ...parseOrigination(body),
    images: {
      front: parseImage('image.front', body.image.front),
      back: parseImage('image.back', body.image.back),
    },
  };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** The first bytes of the accepted image files. */
const BEGINNINGS: readonly (readonly [contentType: string, hex: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['image/gif', '47494638'],
];

function parseImage(field: string, text: string): UploadedFile {
  if (text.length % 4 !== 0 || !BASE64.test(text)) {
    throw refuse('field_invalid', { field, message: `${field} is an image in base64, padded with =` });
  }
  const content = Buffer.from(text, 'base64');
  const start = content.subarray(0, 8).toString('hex');
  const found = BEGINNINGS.find(([, hex]) => start.startsWith(hex));
  return { contentType: found?.[0] ?? 'application/octet-stream', content };
}

export const PAYMENT_OPERATIONS = [
  /**
   * Pushes money to another sub account; it posts at once.
   * Source: the intra-account operations of the platform's v2 reference; decisions `too-little-money` and
   * `unfit-payment-side` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_intra_account_push',
    method: 'POST',
    path: '/v2/payments/intra_account/push',
    summary: 'Originate an intra-account push',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('intra_counterparty_id'),
        amount: '3.10',
        description: 'Lunch',
        external_reference_id: 'lunch-4',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('intra_push', parseOrigination(body)), bank.program),
  }),

  /**
   * Pulls money from another sub account into the caller's; it posts at once.
   * Source: the intra-account operations of the platform's v2 reference; decisions `too-little-money` and
   * `unfit-payment-side` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_intra_account_pull',
    method: 'POST',
    path: '/v2/payments/intra_account/pull',
    summary: 'Originate an intra-account pull',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('intra_counterparty_id'),
        amount: '1.25',
        description: 'Rent share',
        external_reference_id: 'rent-11',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('intra_pull', parseOrigination(body)), bank.program),
  }),

  /**
   * Sends money to another bank by ACH; it leaves the balance at once and settles with the timetable.
   * Source: the ACH operations of the platform's v2 reference; decisions `too-little-money`, `outgoing-money-pending`,
   * `ach-timing` and `payment-text-lengths` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_ach_push',
    method: 'POST',
    path: '/v2/payments/ach/push',
    summary: 'Originate an ACH push',
    status: 201,
    refuses: ORIGINATION,
    body: AchOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('ach_counterparty_id'),
        amount: '18.75',
        description: 'Paper and ink',
        same_day: 'false',
        effective_date: '2026-11-25',
        company_discretionary_data: 'HARBOR',
        company_entry_description: 'DUES',
        external_reference_id: 'paper-7',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('ach_push', parseAchOrigination(body)), bank.program),
  }),

  /**
   * Pulls money from another bank by ACH; it is pending until the timetable settles it.
   * Source: the ACH operations of the platform's v2 reference; decisions `unfit-payment-side`,
   * `incoming-money-pending`, `ach-timing` and `payment-text-lengths` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_ach_pull',
    method: 'POST',
    path: '/v2/payments/ach/pull',
    summary: 'Originate an ACH pull',
    status: 201,
    refuses: ORIGINATION,
    body: AchOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('ach_counterparty_id'),
        amount: '62.40',
        description: 'February dues',
        same_day: 'false',
        effective_date: '2026-11-25',
        company_discretionary_data: 'HARBOR',
        company_entry_description: 'DUES',
        external_reference_id: 'dues-2',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('ach_pull', parseAchOrigination(body)), bank.program),
  }),

  /**
   * Wires money to another bank in the country; IMAD and OMAD are set when it has cleared.
   * Source: the wire operations of the platform's v2 reference; decisions `too-little-money`, `unfit-payment-side` and
   * `wire-timing` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_domestic_wire',
    method: 'POST',
    path: '/v2/payments/domestic_wire/push',
    summary: 'Originate a domestic wire',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '950.00',
        description: 'Press deposit',
        external_reference_id: 'press-1',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('domestic_wire', parseOrigination(body)), bank.program),
  }),

  /**
   * Wires money to a bank abroad; IMAD and OMAD are set when it has cleared.
   * Source: the wire operations of the platform's v2 reference; decisions `too-little-money`, `unfit-payment-side` and
   * `wire-timing` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_international_wire',
    method: 'POST',
    path: '/v2/payments/international_wire/push',
    summary: 'Originate an international wire',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '410.00',
        description: 'Type from Frankfurt',
        external_reference_id: 'type-3',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('international_wire', parseOrigination(body)), bank.program),
  }),

  /**
   * Sends money to another bank within seconds, by RTP.
   * Source: the RTP operations of the platform's v2 reference; decisions `too-little-money`, `other-rails-timing` and
   * `payment-text-lengths` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_rtp_push',
    method: 'POST',
    path: '/v2/payments/rtp/push',
    summary: 'Originate an RTP push',
    status: 201,
    refuses: ORIGINATION,
    body: InstantOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '12.00',
        description: 'Courier',
        reference_number: 'COURIER 9',
        external_reference_id: 'courier-9',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('rtp_push', parseInstantOrigination(body)), bank.program),
  }),

  /**
   * Sends money to another bank within seconds, by FedNow.
   * Source: the FedNow operations of the platform's v2 reference; decisions `too-little-money`, `other-rails-timing`
   * and `payment-text-lengths` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_fednow_push',
    method: 'POST',
    path: '/v2/payments/fednow/push',
    summary: 'Originate a FedNow push',
    status: 201,
    refuses: ORIGINATION,
    body: InstantOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '12.50',
        description: 'Courier',
        reference_number: 'COURIER 10',
        external_reference_id: 'courier-10',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('fednow_push', parseInstantOrigination(body)), bank.program),
  }),

  /**
   * Pays to the debit card of a counterparty, within seconds.
   * Source: the debit card operations of the platform's v2 reference; decisions `too-little-money`,
   * `other-rails-timing` and `debit-card-method` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_debit_card_push',
    method: 'POST',
    path: '/v2/payments/debitcard/push',
    summary: 'Originate a debit card push',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '20.00',
        description: 'Refund of postage',
        external_reference_id: 'postage-2',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('debit_card_push', parseOrigination(body)), bank.program),
  }),

  /**
   * Takes money from the debit card of a counterparty, within seconds.
   * Source: the debit card operations of the platform's v2 reference; decisions `unfit-payment-side`,
   * `other-rails-timing` and `debit-card-method` in docs/fidelity.md.
   */
  operation({
    id: 'v2_originate_debit_card_pull',
    method: 'POST',
    path: '/v2/payments/debitcard/pull',
    summary: 'Originate a debit card pull',
    status: 201,
    refuses: ORIGINATION,
    body: PlainOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '25.00',
        description: 'Top-up',
        external_reference_id: 'top-up-5',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('debit_card_pull', parseOrigination(body)), bank.program),
  }),

  /**
   * Has a check printed and mailed; it settles when the counterparty has cashed it.
   * Source: the check operations of the platform's v2 reference; decisions `too-little-money`, `check-timing`,
   * `payment-text-lengths` and `sent-check-status` in docs/fidelity.md.
   */
  operation({
    id: 'v2_send_check',
    method: 'POST',
    path: '/v2/payments/check/send',
    summary: 'Send a check',
    status: 201,
    refuses: ORIGINATION,
    body: CheckOrigination,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '75.00',
        description: 'Invoice 118',
        external_reference_id: 'invoice-118',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('check_send', parseOrigination(body)), bank.program),
  }),

  /**
   * Deposits a check by the images of its two sides; the money is available after the bank's hold.
   * Source: the check operations of the platform's v2 reference; decisions `incoming-money-pending`, `check-timing` and
   * `check-images` in docs/fidelity.md.
   */
  operation({
    id: 'v2_deposit_check',
    method: 'POST',
    path: '/v2/payments/check/deposit',
    summary: 'Deposit a check',
    status: 201,
    refuses: ORIGINATION,
    body: CheckDeposit,
    response: Transaction,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        counterparty_id: seed('vendor_counterparty_id'),
        amount: '120.00',
        description: 'Check of May',
        image: { front: CHECK_IMAGE, back: CHECK_IMAGE },
        external_reference_id: 'check-may',
      }),
    },
    run: ({ bank }, { body }) =>
      formatTransaction(bank.payments.originate('check_deposit', parseCheckDeposit(body)), bank.program),
  }),
] as const;
