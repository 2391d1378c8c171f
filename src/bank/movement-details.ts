/**
 * What a step adds to the details of a movement: the references that a clearing house gives, the code of a return, where
 * a check is, when an ACH posts that was held up. Most steps add nothing, and the details stay the same object.
 * Source: rows 105 and 242 of docs/fidelity.md.
 */
import { type Sequence, UPPER_ALPHANUMERIC } from '../kernel/sequence.ts';
import { DAY_MS, type Instant, utcDate } from '../kernel/time.ts';
import type { RailEvent } from '../model/rails.ts';
import type { CheckDetails, Program, RailDetails, Reason, Transaction } from '../model/records.ts';
import { effectiveDateOfSent, isSameDay } from '../model/timetable.ts';

const TRACE_DIGITS = 5;
const WIRE_REFERENCE_LENGTH = 9;
const RETURN_CODE = /^R\d\d$/;
const MAIL_DAYS = 5;

/** The details after a step; `reason` is that of the record after it. */
export function detailsAfter(
  { details, otherSide, createdAt }: Transaction,
  event: RailEvent,
  reason: Reason | null,
  now: Instant,
  { sequence, program }: { sequence: Sequence; program: Program },
): RailDetails {
  switch (details.kind) {
    case 'ach':
      if (event === 'send') {
        const sameDay = isSameDay(createdAt, details.sameDay);
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
      return event === 'settle' ? { ...details, networkSettlementAt: now } : details;
    default:
      return details;
  }
}

/** A check that is sent is on its way when it is mailed, and there when it is cashed. */
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

/** The references that Fedwire gives a payment, as sandboxes of the platform show them: nine random characters. */
export function wireReferences(sequence: Sequence): RailDetails {
  return {
    kind: 'wire',
    imad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
    omad: sequence.text(WIRE_REFERENCE_LENGTH, UPPER_ALPHANUMERIC),
  };
}
