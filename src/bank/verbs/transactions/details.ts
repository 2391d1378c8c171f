/**
 * The details of a payment for its rail: the data from the client, the data that banks assign at the creation, and
 * the data of later steps, such as references, a return code or the delivery of a check. Most steps add nothing and
 * keep the same object.
 * Source: decisions `payment-references`, `ach-same-day`, `incoming-ach-fields`, `ach-effective-date` and `ach-held-up` in
 * docs/fidelity.md.
 */
import { type Id, type Sequence, UPPER_ALPHANUMERIC } from '../../kernel/sequence.ts';
import { DAY_MS, type Instant, utcDate } from '../../kernel/time.ts';
import {
  type IncomingRail,
  type OriginationRail,
  RAILS,
  type RailEvent,
  type RailName,
  railStep,
} from '../../model/rails/index.ts';
import type {
  CardDetails,
  CheckDetails,
  Program,
  RailDetails,
  Reason,
  Transaction,
} from '../../model/records.ts';
import {
  effectiveDate,
  effectiveDateOfReceived,
  effectiveDateOfSent,
  isSameDay,
  SAME_DAY_MAX,
} from '../../model/timetable.ts';
import type { TransactionStatus } from '../../model/vocabulary.ts';
import type { Incoming, Origination } from '../inputs.ts';
import { traceNumberFor } from '../real-time.ts';
import { isProcessedSameDay } from './plans.ts';

const INCOMING_ENTRY_DESCRIPTION = 'Payment';
const TRACE_DIGITS = 5;
const CHECK_DIGITS = 4;

/** The files of a deposited check's images. */
export type CheckFiles = { frontId: Id; backId: Id };

/** The details of a check that this bank mails. */
export function newCheck(sequence: Sequence): CheckDetails {
  return {
    kind: 'check',
    checkNumber: sequence.digits(CHECK_DIGITS),
    cashed: false,
    trackingStatus: 'pending',
    eta: '',
    attachment: '',
    awaitsImages: false,
    frontId: '',
    backId: '',
  };
}

/** The details of a payment that a client originates. */
export function originatedDetails(
  rail: OriginationRail,
  input: Origination,
  now: Instant,
  sequence: Sequence,
  keepImages: (images: NonNullable<Origination['images']>) => CheckFiles,
): RailDetails {
  switch (RAILS[rail].details) {
    case 'ach': {
      const sameDay = isSameDay(now, input.sameDay ?? false, input.amount);
      return {
        kind: 'ach',
        sameDay: input.sameDay ?? false,
        effectiveDate: effectiveDate(now, sameDay, input.effectiveDate ?? ''),
        companyDiscretionaryData: input.companyDiscretionaryData ?? '',
        companyEntryDescription: input.companyEntryDescription ?? '',
        traceNumber: '',
        returnCode: '',
        rtaId: '',
      };
    }
    case 'wire':
      return { kind: 'wire', imad: '', omad: '' };
    case 'instant':
      return { kind: 'instant', referenceNumber: input.referenceNumber ?? '' };
    case 'check':
      return {
        ...newCheck(sequence),
        trackingStatus: rail === 'check_send' ? 'pending' : '',
        attachment: input.attachment ?? '',
        awaitsImages: input.awaitsImages ?? false,
        ...(input.images === undefined ? { frontId: '', backId: '' } : keepImages(input.images)),
      };
    case 'intra':
    case 'none':
      return { kind: 'none' };
  }
}

/** The details of an incoming payment; with the id of its real-time request if one was sent. */
export function incomingDetails(
  rail: IncomingRail,
  { amount, sender: { routingNumber = '' }, rta }: Incoming,
  now: Instant,
  { sequence, program }: { sequence: Sequence; program: Program },
): RailDetails {
  switch (RAILS[rail].details) {
    case 'ach': {
      const bank = routingNumber || program.routingNumber;
      const sameDay = amount <= SAME_DAY_MAX;
      const rtaId = rta?.id ?? '';
      return {
        kind: 'ach',
        sameDay,
        effectiveDate: effectiveDateOfReceived(now, isSameDay(now, sameDay, amount)),
        companyDiscretionaryData: '',
        companyEntryDescription: INCOMING_ENTRY_DESCRIPTION,
        traceNumber: rtaId === '' ? bank + sequence.digits(TRACE_DIGITS) : traceNumberFor(rtaId, bank),
        returnCode: '',
        rtaId,
      };
    }
    case 'wire':
      return wireReferences(sequence);
    case 'instant':
      return { kind: 'instant', referenceNumber: '' };
  }
}

const WIRE_REFERENCE_LENGTH = 9;
const RETURN_CODE = /^R\d\d$/;
const MAIL_DAYS = 5;

/** The details after a step; `reason` is that of the record after it. */
export function detailsAfter(
  { details, otherSide, createdAt, amount, rail, status }: Transaction,
  event: RailEvent,
  reason: Reason | null,
  now: Instant,
  { sequence, program }: { sequence: Sequence; program: Program },
): RailDetails {
  switch (details.kind) {
    case 'ach':
      if (event === 'send') {
        const sameDay = isProcessedSameDay({ createdAt, amount }, details);
        const effectiveDate = effectiveDateOfSent(details.effectiveDate, now, sameDay);
        return effectiveDate === details.effectiveDate ? details : { ...details, effectiveDate };
      }
      if (event === 'clear' && details.traceNumber === '') {
        const routingNumber = otherSide?.routingNumber || program.routingNumber;
        return { ...details, traceNumber: routingNumber + sequence.digits(TRACE_DIGITS) };
      }
      if (event === 'return' && reason !== null && RETURN_CODE.test(reason.code)) {
        return { ...details, returnCode: reason.code };
      }
      return details;
    case 'wire':
      return event === 'clear' ? wireReferences(sequence) : details;
    case 'check':
      return checkAfter(details, event, now);
    case 'card':
      return cardAfter(details, rail, status, event, now);
    case 'instant':
    case 'intra':
    case 'none':
      return details;
  }
}

/** The details of a purchase after a step. A refund of all that is left ends an open dispute without its money. */
function cardAfter(
  details: CardDetails,
  rail: RailName,
  status: TransactionStatus,
  event: RailEvent,
  now: Instant,
): CardDetails {
  if (event === 'settle') return { ...details, networkSettlementAt: now };
  if (event === 'refund' && details.dispute === 'initiated') return { ...details, dispute: 'declined' };
  const dispute = railStep(rail, status, event).dispute?.to;
  return dispute === undefined ? details : { ...details, dispute };
}

/** A sent check is shipped when it is mailed, and delivered when it is cashed. */
function checkAfter(details: CheckDetails, event: RailEvent, now: Instant): RailDetails {
  const isMailed = details.trackingStatus !== '';
  if (event === 'clear') {
    return { ...details, cashed: true, trackingStatus: isMailed ? 'delivered' : '' };
  }
  if (event === 'send' && isMailed) {
    return { ...details, trackingStatus: 'shipped', eta: utcDate(now + MAIL_DAYS * DAY_MS) };
  }
  return details;
}

/** The references that Fedwire assigns, as in sandboxes of the platform: nine random characters. */
function wireReferences(sequence: Sequence): RailDetails {
  return {
    kind: 'wire',
    imad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
    omad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
  };
}
