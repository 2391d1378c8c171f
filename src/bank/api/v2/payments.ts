/**
 * The v2 operations that originate payments. The platform flags no field as required; its guides need a sub account,
 * a counterparty and an amount, and a check deposit needs its images. A payment over the available balance is
 * refused, or recorded as declined if the setting `shortfall` says so.
 * Source: the origination operations of the platform's v2 reference; decisions `check-images`, `payment-text-lengths`
 * and `too-little-money` in docs/fidelity.md.
 */

import { type Static, type TObject, Type } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { OriginationRail } from '../../model/rails/index.ts';
import type { Origination, UploadedFile } from '../../verbs/inputs.ts';
import { ORIGINATION, operation, SHORTFALL } from '../operation.ts';
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
import { TRANSACTION_VIEW } from './transactions/format.ts';
import { Transaction } from './transactions/shapes.ts';

/** The maximum length of a check's memo line, which v1 publishes. */
const MEMO_LENGTH = 200;
/** The maximum length of the text that RTP and FedNow transfer to the beneficiary. */
const REFERENCE_LENGTH = 140;
/** 10 MB in base64; a setting limits the whole body. */
const IMAGE_LENGTH = 14_000_000;

const ImageInput = Type.String({ minLength: 4, maxLength: IMAGE_LENGTH, description: 'An image in base64.' });

const originationFields = {
  sub_account_id: IdInput,
  counterparty_id: IdInput,
  amount: AmountInput,
  description: Type.Optional(TextInput),
  external_reference_id: Type.Optional(ExternalIdInput),
};

/** The fields of every origination; intra-account payments, wires and debit card payments have no others. */
const PlainOrigination = body('PlainOrigination', 'The fields of a payment.', originationFields);

const AchOrigination = body('AchOrigination', 'An ACH push or pull.', {
  ...originationFields,
  same_day: Type.Optional(FlagInput),
  effective_date: Type.Optional(DateInput),
  company_discretionary_data: Type.Optional({
    ...TextInput,
    description: 'A field of the ACH batch for the client.',
  }),
  company_entry_description: Type.Optional({
    ...TextInput,
    description: 'The purpose of the payment, in the ACH batch.',
  }),
});

/** RTP and FedNow. */
const InstantOrigination = body('InstantOrigination', 'A payment by RTP or FedNow.', {
  ...originationFields,
  reference_number: Type.Optional(
    Type.String({ maxLength: REFERENCE_LENGTH, description: 'Sent to the beneficiary.' }),
  ),
});

const CheckOrigination = body('CheckOrigination', 'A check to send.', {
  ...originationFields,
  description: Type.Optional(Type.String({ maxLength: MEMO_LENGTH, description: 'The memo line.' })),
});

const CheckDeposit = body('CheckDeposit', 'A check to deposit, with images of both sides.', {
  ...originationFields,
  image: bodyObject({ front: ImageInput, back: ImageInput }),
});

/** Parses the fields that every origination takes. Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
function parseOrigination(body: Static<typeof PlainOrigination>): Origination {
  return {
    accountId: parseId('account', body.sub_account_id),
    counterpartyId: parseId('counterparty', body.counterparty_id),
    amount: parseAmount(body.amount),
    ...ifPresent('description', body.description),
    ...ifPresent('externalReferenceId', body.external_reference_id),
    shortage: 'record_rules',
  };
}

/** Parses an ACH payment. Refuses like every origination, and `field_invalid` for an invalid date. */
function parseAchOrigination(body: Static<typeof AchOrigination>): Origination {
  const date = parseDate('effective_date', body.effective_date ?? '');
  return {
    ...parseOrigination(body),
    ...ifPresent('sameDay', body.same_day === undefined ? undefined : parseFlag(body.same_day)),
    ...ifPresent('effectiveDate', date === '' ? undefined : date),
    ...ifPresent('companyDiscretionaryData', body.company_discretionary_data),
    ...ifPresent('companyEntryDescription', body.company_entry_description),
  };
}

/** Parses a payment by RTP or FedNow. Refuses like every origination. */
function parseInstantOrigination(body: Static<typeof InstantOrigination>): Origination {
  return { ...parseOrigination(body), ...ifPresent('referenceNumber', body.reference_number) };
}

/**
 * Parses the deposit of a check. Refuses like every origination, and `field_invalid` for an image that is not base64.
 */
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

/** Creates an origination operation from its rail, its texts and its fields. */
function origination<const Id extends string, B extends TObject>({
  rail,
  parse,
  counterparty,
  example,
  answer = 'The payment, originated.',
  ...row
}: {
  readonly id: Id;
  readonly path: string;
  readonly rail: OriginationRail;
  readonly summary: string;
  readonly description: string;
  readonly answer?: string;
  readonly decisions: readonly string[];
  readonly body: B;
  parse(body: Static<B>): Origination;
  /** The seeded counterparty of the example. */
  readonly counterparty: string;
  /** The other fields of the example. */
  readonly example: Omit<Static<B>, 'sub_account_id' | 'counterparty_id'>;
}) {
  return operation({
    ...row,
    method: 'POST',
    answer,
    status: 201,
    refuses: [...ORIGINATION, ...SHORTFALL],
    response: Transaction,
    example: {
      body: ({ seed }) =>
        ({
          sub_account_id: seed('sub_account_id'),
          counterparty_id: seed(counterparty),
          ...example,
        }) as unknown as Static<B>,
    },
    run({ bank, show, hint }, { body }) {
      const order = parse(body);
      const { shortfall } = bank.outcomes.settings();
      const input: Origination = shortfall === 'declined' ? { ...order, shortage: 'record' } : order;
      const payment = bank.payments.originate(rail, input);
      const remark = bank.payments.changedTerms(payment, input.effectiveDate);
      if (remark !== '') hint(remark);
      return show(TRANSACTION_VIEW, payment);
    },
  });
}

export const PAYMENT_OPERATIONS = [
  origination({
    id: 'v2_originate_intra_account_push',
    path: '/v2/payments/intra_account/push',
    rail: 'intra_push',
    summary: 'Originate an intra-account push',
    description:
      'Pushes money from a sub account to another sub account of this bank. It settles at once. If the available balance is too low, the payment is refused and nothing is created.',
    answer: 'The payment, settled.',
    decisions: ['too-little-money', 'unfit-payment-side'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'intra_counterparty_id',
    example: {
      amount: '3.10',
      description: 'Lunch',
      external_reference_id: 'lunch-4',
    },
  }),
  origination({
    id: 'v2_originate_intra_account_pull',
    path: '/v2/payments/intra_account/pull',
    rail: 'intra_pull',
    summary: 'Originate an intra-account pull',
    description:
      'Pulls money from another sub account of this bank into yours. It settles at once. If the balance of the other account is too low, the payment is refused and nothing is created.',
    answer: 'The payment, settled.',
    decisions: ['too-little-money', 'unfit-payment-side'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'intra_counterparty_id',
    example: {
      amount: '1.25',
      description: 'Rent share',
      external_reference_id: 'rent-11',
    },
  }),
  origination({
    id: 'v2_originate_ach_push',
    path: '/v2/payments/ach/push',
    rail: 'ach_push',
    summary: 'Originate an ACH push',
    description:
      'Sends money to another bank by ACH. The amount leaves the available balance at once, and the payment then goes through `pending`, `clearing` and `cleared` to `settled` with the ACH windows of banking days. `same_day` shortens this if the request arrives before the last same-day window. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'outgoing-money-pending', 'ach-timing', 'payment-text-lengths'],
    body: AchOrigination,
    parse: parseAchOrigination,
    counterparty: 'ach_counterparty_id',
    example: {
      amount: '18.75',
      description: 'Paper and ink',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'paper-7',
    },
  }),
  origination({
    id: 'v2_originate_ach_pull',
    path: '/v2/payments/ach/pull',
    rail: 'ach_pull',
    summary: 'Originate an ACH pull',
    description:
      'Collects money from another bank by ACH. The amount counts as a pending credit while the payment goes through `pending`, `clearing` and `cleared`; it is available when it is `settled`, two banking days after the effective date. Use a rule or the control plane to have it returned.',
    answer: 'The payment, originated.',
    decisions: ['unfit-payment-side', 'incoming-money-pending', 'ach-timing', 'payment-text-lengths'],
    body: AchOrigination,
    parse: parseAchOrigination,
    counterparty: 'ach_counterparty_id',
    example: {
      amount: '62.40',
      description: 'February dues',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'dues-2',
    },
  }),
  origination({
    id: 'v2_originate_domestic_wire',
    path: '/v2/payments/domestic_wire/push',
    rail: 'domestic_wire',
    summary: 'Originate a domestic wire',
    description:
      'Sends a wire to a bank in the United States. It is sent while the wire network is open on banking days, otherwise when the network next opens; IMAD and OMAD are set when it has cleared. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'unfit-payment-side', 'wire-timing'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '950.00',
      description: 'Press deposit',
      external_reference_id: 'press-1',
    },
  }),
  origination({
    id: 'v2_originate_international_wire',
    path: '/v2/payments/international_wire/push',
    rail: 'international_wire',
    summary: 'Originate an international wire',
    description:
      'Sends a wire to a bank abroad, with the SWIFT code of the counterparty. It is sent while the wire network is open on banking days, otherwise when the network next opens. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'unfit-payment-side', 'wire-timing'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '410.00',
      description: 'Type from Frankfurt',
      external_reference_id: 'type-3',
    },
  }),
  origination({
    id: 'v2_originate_rtp_push',
    path: '/v2/payments/rtp/push',
    rail: 'rtp_push',
    summary: 'Originate an RTP push',
    description:
      'Sends money to another bank by RTP. The payment is `originated` and settles in the next step of its rail, by the timetable or a simulation. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'other-rails-timing', 'payment-text-lengths'],
    body: InstantOrigination,
    parse: parseInstantOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '12.00',
      description: 'Courier',
      reference_number: 'COURIER 9',
      external_reference_id: 'courier-9',
    },
  }),
  origination({
    id: 'v2_originate_fednow_push',
    path: '/v2/payments/fednow/push',
    rail: 'fednow_push',
    summary: 'Originate a FedNow push',
    description:
      'Sends money to another bank by FedNow. The payment is `originated` and settles in the next step of its rail, by the timetable or a simulation. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'other-rails-timing', 'payment-text-lengths'],
    body: InstantOrigination,
    parse: parseInstantOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '12.50',
      description: 'Courier',
      reference_number: 'COURIER 10',
      external_reference_id: 'courier-10',
    },
  }),
  origination({
    id: 'v2_originate_debit_card_push',
    path: '/v2/payments/debitcard/push',
    rail: 'debit_card_push',
    summary: 'Originate a debit card push',
    description:
      'Pays money out to the debit card of a counterparty. The payment is `originated` and settles in the next step of its rail. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'other-rails-timing', 'debit-card-method'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '20.00',
      description: 'Refund of postage',
      external_reference_id: 'postage-2',
    },
  }),
  origination({
    id: 'v2_originate_debit_card_pull',
    path: '/v2/payments/debitcard/pull',
    rail: 'debit_card_pull',
    summary: 'Originate a debit card pull',
    description:
      'Takes money from the debit card of a counterparty into a sub account. The payment is `originated`, and the money is available when it settles in the next step of its rail.',
    answer: 'The payment, originated.',
    decisions: ['unfit-payment-side', 'other-rails-timing', 'debit-card-method'],
    body: PlainOrigination,
    parse: parseOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '25.00',
      description: 'Top-up',
      external_reference_id: 'top-up-5',
    },
  }),
  origination({
    id: 'v2_send_check',
    path: '/v2/payments/check/send',
    rail: 'check_send',
    summary: 'Send a check',
    description:
      'Prints and mails a check to a counterparty. The amount leaves the available balance at once; the check is mailed two banking days later and cashed five banking days after that. If the balance is too low, the payment is refused and nothing is created.',
    decisions: ['too-little-money', 'check-timing', 'payment-text-lengths', 'sent-check-status'],
    body: CheckOrigination,
    parse: parseOrigination,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '75.00',
      description: 'Invoice 118',
      external_reference_id: 'invoice-118',
    },
  }),
  origination({
    id: 'v2_deposit_check',
    path: '/v2/payments/check/deposit',
    rail: 'check_deposit',
    summary: 'Deposit a check',
    description:
      'Deposits a check with images of its two sides, in base64. The contents of the images are not checked. The money is available three banking days after the file of 16:00 Pacific with the check.',
    answer: 'The payment, originated.',
    decisions: ['incoming-money-pending', 'check-timing', 'check-images'],
    body: CheckDeposit,
    parse: parseCheckDeposit,
    counterparty: 'vendor_counterparty_id',
    example: {
      amount: '120.00',
      description: 'Check of May',
      image: { front: CHECK_IMAGE, back: CHECK_IMAGE },
      external_reference_id: 'check-may',
    },
  }),
] as const;
