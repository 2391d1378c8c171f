/**
 * What a payment says of its rail when it is made: what the client sent, and what a bank or a clearing house has given it
 * by then. What comes later is added step by step, in `movement-details.ts`.
 * Source: rows 105 to 108 of docs/fidelity.md.
 */
import type { Id, Sequence } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import type { Program, RailDetails } from '../model/records.ts';
import { effectiveDate, isSameDay } from '../model/timetable.ts';
import type { IncomingRail, Origination, OriginationRail } from './inputs.ts';
import { wireReferences } from './movement-details.ts';
import { traceNumberFor } from './rta.ts';

const INCOMING_ENTRY_DESCRIPTION = 'Payment';
const TRACE_DIGITS = 5;
const CHECK_DIGITS = 4;

/** The files of a check that is deposited with its images. */
export type CheckFiles = { frontId: Id; backId: Id };

/** The details of a payment that a client originates. */
export function originatedDetails(
  rail: OriginationRail,
  input: Origination,
  now: Instant,
  sequence: Sequence,
  keepImages: (images: NonNullable<Origination['images']>) => CheckFiles,
): RailDetails {
  switch (rail) {
    case 'ach_push':
    case 'ach_pull': {
      const sameDay = isSameDay(now, input.sameDay ?? false);
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
    case 'domestic_wire':
    case 'international_wire':
      return { kind: 'wire', imad: '', omad: '' };
    case 'rtp_push':
    case 'fednow_push':
      return { kind: 'instant', referenceNumber: input.referenceNumber ?? '' };
    case 'check_send':
    case 'check_deposit':
      return {
        kind: 'check',
        checkNumber: sequence.digits(CHECK_DIGITS),
        cashed: false,
        trackingStatus: rail === 'check_send' ? 'pending' : '',
        eta: '',
        attachment: input.attachment ?? '',
        awaitsImages: input.awaitsImages ?? false,
        ...(input.images === undefined ? { frontId: '', backId: '' } : keepImages(input.images)),
      };
    default:
      return { kind: 'none' };
  }
}

/** The details of money that another bank sends or asks for; `rtaId` where the client was asked. */
export function incomingDetails(
  rail: IncomingRail,
  routingNumber: string,
  now: Instant,
  rtaId: Id | '',
  { sequence, program }: { sequence: Sequence; program: Program },
): RailDetails {
  switch (rail) {
    case 'ach_received_push':
    case 'ach_received_pull': {
      const bank = routingNumber || program.routingNumber;
      return {
        kind: 'ach',
        sameDay: true,
        effectiveDate: effectiveDate(now, true, ''),
        companyDiscretionaryData: '',
        companyEntryDescription: INCOMING_ENTRY_DESCRIPTION,
        traceNumber: rtaId === '' ? bank + sequence.digits(TRACE_DIGITS) : traceNumberFor(rtaId, bank),
        returnCode: '',
        rtaId,
      };
    }
    case 'domestic_wire_received':
    case 'international_wire_received':
      return wireReferences(sequence);
    default:
      return { kind: 'instant', referenceNumber: '' };
  }
}
