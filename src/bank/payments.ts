/**
 * Payments: what a client originates from a sub account, and what arrives from outside. Every check comes before the
 * first write; too little money is a recorded decline in one generation and a refusal in the other.
 * Source: rows 28 to 32 of docs/fidelity.md.
 */
import { type Cents, formatMoney } from '../kernel/money.ts';
import { refuse } from '../kernel/refusal.ts';
import type { Id } from '../kernel/sequence.ts';
import type { Instant } from '../kernel/time.ts';
import { totalsOf } from '../ledger/ledger.ts';
import { bankName } from '../model/banks.ts';
import { type RailEvent, railOf } from '../model/rails.ts';
import type {
  Account,
  BankDetails,
  Counterparty,
  OtherSide,
  PlannedOutcome,
  RailDetails,
  Reason,
  Transaction,
} from '../model/records.ts';
import { reasonOfReturn } from '../model/return-codes.ts';
import { effectiveDate, isSameDay } from '../model/timetable.ts';
import type { Direction } from '../model/vocabulary.ts';
import type { Accounts } from './accounts.ts';
import type { Counterparties } from './counterparties.ts';
import type { AccountFile, Incoming, IncomingRail, Origination, OriginationRail } from './inputs.ts';
import { mergeMetadata } from './metadata.ts';
import { type Movements, wireReferences } from './movements.ts';
import { note } from './notes.ts';
import { type Chosen, effectOf, type Magic, type Outcomes, plannedOutcome } from './outcomes.ts';
import type { Parts } from './parts.ts';
import { type RealTime, traceNumberFor } from './rta.ts';

export interface Payments {
  /**
   * Originates a payment. Refuses: `account_not_found`, `counterparty_not_found`, `account_not_active`,
   * `account_debit_blocked`, `account_credit_blocked`, `counterparty_elsewhere`, `counterparty_not_active`,
   * `counterparty_rail_missing`, and with `shortage: 'refuse'` `insufficient_funds`.
   */
  originate(rail: OriginationRail, input: Origination): Transaction;
  /** Money from outside, or another bank's wish for ours. Refuses: `account_not_found`. */
  receive(rail: IncomingRail, input: Incoming): Transaction;
  /**
   * The account that a client is to be asked about before `receive`; `undefined` when it is decided without asking: by
   * a rule, by the state of the account, by too little money. Changes nothing. Refuses: `account_not_found`.
   */
  questionOf(rail: IncomingRail, input: Incoming): AccountFile | undefined;
  /** Refuses: `transaction_not_found`. */
  byId(id: Id): Transaction;
  /** Makes `event` happen to a transaction. Refuses: `transaction_not_found`, `illegal_step` with the legal events. */
  happen(id: Id, event: RailEvent, reason?: Reason): Transaction;
}

/** NACHA's words for the two returns that the bank makes by itself. */
const INSUFFICIENT_FUNDS: Reason = { code: 'R01', message: 'insufficient funds' };
const ACCOUNT_CLOSED: Reason = { code: 'R02', message: 'account closed' };

const LOW_BALANCE: Reason = { code: 'lowBalance', message: 'the account has not enough available balance' };
const INCOMING_ENTRY_DESCRIPTION = 'Payment';

/** The rails of an origination, each with the part of a counterparty that it needs. */
const RAIL_OBJECTS = {
  intra_push: 'intraAccount',
  intra_pull: 'intraAccount',
  ach_push: 'ach',
  ach_pull: 'ach',
  domestic_wire: 'domesticWire',
  international_wire: 'internationalWire',
  rtp_push: 'rtp',
  fednow_push: 'fednow',
  debit_card_push: 'debitCard',
  debit_card_pull: 'debitCard',
  check_send: 'check',
  check_deposit: 'check',
} as const satisfies Record<OriginationRail, keyof Counterparty['rails']>;

/** The verbs of payments. */
export function createPayments(
  parts: Parts,
  accounts: Accounts,
  counterparties: Counterparties,
  movements: Movements,
  outcomes: Outcomes,
  realTime: RealTime,
): Payments {
  const { clock, sequence } = parts;

  const noteShortage = (transaction: Transaction, available: Cents): void =>
    note(parts, {
      subjectId: transaction.id,
      source: 'control',
      name: 'available_balance',
      effect: `declined ${LOW_BALANCE.code}`,
      message: LOW_BALANCE.message,
      numbers: { amount: formatMoney(transaction.amount), available_balance: formatMoney(available) },
    });

  const noteChoice = ({ id, rail, status, reason }: Transaction, chosen: Chosen): void => {
    const { source, name, message, numbers } = chosen;
    const effect = status === 'declined' ? `declined ${reason?.code}` : effectOf(rail, chosen);
    note(parts, { subjectId: id, source, name, effect, message, numbers });
  };

  const noteRefusal = ({ id, amount }: Transaction, own: AccountFile, reason: Reason): void => {
    const short = reason === INSUFFICIENT_FUNDS;
    note(parts, {
      subjectId: id,
      source: 'control',
      name: short ? 'available_balance' : 'account_status',
      effect: `return ${reason.code} in received`,
      message: short ? 'the account has less than is asked for' : `the account is ${own.account.status}`,
      numbers: short
        ? {
            amount: formatMoney(amount),
            available_balance: formatMoney(totalsOf(own.balance).availableBalance),
          }
        : {},
    });
  };

  /** Notes a choice, and does what of it does not wait for the timetable. */
  const conclude = (transaction: Transaction, chosen: Chosen | undefined): Transaction => {
    if (chosen === undefined) return transaction;
    noteChoice(transaction, chosen);
    const reviewed = chosen.event === 'review' && chosen.afterMs === null;
    return reviewed ? movements.happen(transaction, 'review') : transaction;
  };

  const choose = (
    rail: OriginationRail | IncomingRail,
    amount: Cents,
    { name, accountNumber, routingNumber }: Partial<OtherSide>,
    magic?: Magic,
  ): Chosen | undefined => outcomes.choose({ rail, amount, name, accountNumber, routingNumber, magic });

  const originateWithin = (
    rail: 'intra_push' | 'intra_pull',
    input: Origination,
    own: AccountFile,
    counterparty: Counterparty,
  ): Transaction => {
    const other = accounts.byId((counterparty.rails.intraAccount as { accountId: Id }).accountId);
    const push = rail === 'intra_push';
    const payer = push ? own : other;
    requireMoves(other.account, push ? 'credit' : 'debit', 'counterpartyId');
    const shared = {
      amount: input.amount,
      description: input.description ?? '',
      metadata: mergeMetadata(null, input.metadata),
    };
    const { availableBalance } = totalsOf(payer.balance);
    const otherSide = otherSideOf(rail, counterparty);
    const chosen = choose(rail, input.amount, otherSide, input.magic);
    const declined = declinedAtOnce(chosen, rail, input.shortage, availableBalance < input.amount);
    const now = clock.now();
    const [ownId, otherId] = [sequence.id(now), sequence.id(now)];
    const transaction = movements.open({
      ...shared,
      id: ownId,
      rail,
      ...own,
      details: { kind: 'intra', partnerId: declined === undefined ? otherId : '' },
      title: input.title || titleOf(rail, counterparty.name),
      otherSide,
      counterpartyId: counterparty.id,
      externalReferenceId: input.externalReferenceId ?? '',
      against: other.account.id,
      ...(declined !== undefined && { declined }),
    });
    if (declined === undefined) {
      const seen = accounts.byId(other.account.id);
      movements.open({
        ...shared,
        id: otherId,
        details: { kind: 'intra', partnerId: ownId },
        rail: push ? 'intra_received_push' : 'intra_received_pull',
        ...seen,
        title: titleOf(push ? 'intra_received_push' : 'intra_received_pull', own.account.holderName),
        otherSide: { ...NOBODY, name: own.account.holderName, accountNumber: own.account.accountNumber },
        moved: push ? input.amount : -input.amount,
        metadata: null,
      });
    }
    if (declined !== LOW_BALANCE) return conclude(transaction, chosen);
    noteShortage(transaction, availableBalance);
    return transaction;
  };

  return {
    byId: movements.byId,

    happen: (id, event, reason) => movements.happen(movements.byId(id), event, reason ?? null),

    originate(rail, input) {
      const own = accounts.byId(input.accountId);
      const counterparty = counterparties.byId(input.counterpartyId);
      const { direction } = railOf(rail);
      requireMoves(own.account, direction, 'accountId');
      requireUsable(counterparty, own.account, rail);
      if (rail === 'intra_push' || rail === 'intra_pull') {
        return originateWithin(rail, input, own, counterparty);
      }
      const { availableBalance } = totalsOf(own.balance);
      const short = direction === 'debit' && availableBalance < input.amount;
      const otherSide = otherSideOf(rail, counterparty);
      const chosen = choose(rail, input.amount, otherSide, input.magic);
      const declined = declinedAtOnce(chosen, rail, input.shortage, short);
      const now = clock.now();
      const outcome = chosen === undefined ? null : plannedOutcome(rail, chosen, now);
      const opened = movements.open({
        rail,
        ...own,
        amount: input.amount,
        title: input.title || titleOf(rail, counterparty.name),
        description: input.description ?? '',
        otherSide,
        details: detailsOf(rail, input, now, () => sequence.digits(4)),
        counterpartyId: counterparty.id,
        externalReferenceId: input.externalReferenceId ?? '',
        metadata: mergeMetadata(null, input.metadata),
        ...(declined === undefined ? { outcome } : { declined }),
      });
      if (declined !== LOW_BALANCE) return conclude(opened, chosen);
      noteShortage(opened, availableBalance);
      return opened;
    },

    receive(rail, input) {
      const own = accounts.byId(input.accountId);
      const now = clock.now();
      const { sender, amount, rta } = input;
      const refusal = refusalOf(own, railOf(rail).direction, amount);
      const chosen = choose(rail, amount, sender);
      const declined = rta?.answer === 'declined' ? notAuthorized(own.account) : undefined;
      const usual = plannedReturn(refusal ?? declined);
      const outcome = chosen === undefined ? null : plannedOutcome(rail, chosen, now);
      const routingNumber = sender.routingNumber ?? '';
      const transaction = movements.open({
        rail,
        ...own,
        amount,
        title: titleOf(rail, sender.name ?? ''),
        description: input.description ?? '',
        otherSide: {
          ...NOBODY,
          verificationStatus: rail.startsWith('ach') ? 'pass' : '',
          bankName: bankName(routingNumber),
          ...sender,
        },
        details: incomingDetails(rail, routingNumber, now, rta?.id ?? ''),
        holdless: refusal !== undefined,
        outcome: outcome?.event === 'review' ? { ...outcome, afterReview: usual } : (outcome ?? usual),
      });
      if (rta !== undefined) realTime.record(transaction, 'ach', rta);
      if (outcome === null && refusal !== undefined) noteRefusal(transaction, own, refusal);
      return conclude(transaction, chosen);
    },

    questionOf(rail, input) {
      const own = accounts.byId(input.accountId);
      const chosen = choose(rail, input.amount, input.sender);
      if (chosen !== undefined && chosen.event !== null) return undefined;
      return refusalOf(own, railOf(rail).direction, input.amount) === undefined ? own : undefined;
    },
  };

  function traceNumber(routingNumber: string, rtaId: Id | ''): string {
    return rtaId === '' ? routingNumber + sequence.digits(5) : traceNumberFor(rtaId, routingNumber);
  }

  function incomingDetails(
    rail: IncomingRail,
    routingNumber: string,
    now: Instant,
    rtaId: Id | '',
  ): RailDetails {
    switch (rail) {
      case 'ach_received_push':
      case 'ach_received_pull':
        return {
          kind: 'ach',
          sameDay: true,
          effectiveDate: effectiveDate(now, true, ''),
          companyDiscretionaryData: '',
          companyEntryDescription: INCOMING_ENTRY_DESCRIPTION,
          traceNumber: traceNumber(routingNumber || parts.program.routingNumber, rtaId),
          returnCode: '',
          rtaId,
        };
      case 'domestic_wire_received':
      case 'international_wire_received':
        return wireReferences(sequence);
      default:
        return { kind: 'instant', referenceNumber: '' };
    }
  }
}

const NOBODY: OtherSide = {
  id: '',
  name: '',
  verificationStatus: '',
  accountNumber: '',
  routingNumber: '',
  accountType: '',
  bankName: '',
  beneficiaryBank: null,
  correspondentBank: null,
  address: null,
};

/** A wish of another bank that the client said no to: a business has its own code for that. */
function notAuthorized({ holderType }: Account): Reason {
  return reasonOfReturn(holderType === 'business' ? 'R29' : 'R10');
}

function plannedReturn(reason: Reason | undefined): PlannedOutcome | null {
  return reason === undefined ? null : { status: 'received', event: 'return', reason };
}

/**
 * Why an origination is recorded as declined: a rule says so, or there is too little money. v1 refuses what it would
 * not record, and declines later what it has accepted. Refuses: `insufficient_funds`, `limit_exceeded`.
 */
function declinedAtOnce(
  chosen: Chosen | undefined,
  rail: OriginationRail,
  shortage: Origination['shortage'],
  short: boolean,
): Reason | undefined {
  if (chosen?.source === 'rule' && chosen.event === 'decline' && chosen.afterMs === null) {
    if (shortage === 'record') return chosen.reason ?? undefined;
    if (railOf(rail).against === 'sub_account') {
      throw refuse('limit_exceeded', { field: 'amount', message: `${chosen.name}: ${chosen.reason?.code}` });
    }
  }
  if (short && shortage === 'refuse') throw refuse('insufficient_funds', { field: 'amount' });
  return short ? LOW_BALANCE : undefined;
}

/** Why an incoming payment will be sent back, if it will. */
function refusalOf(own: AccountFile, direction: Direction, amount: number): Reason | undefined {
  const { status } = own.account;
  if (status === 'closed' || status === 'blocked' || status === 'locked') return ACCOUNT_CLOSED;
  if (direction === 'credit') return status === 'credit_blocked' ? ACCOUNT_CLOSED : undefined;
  if (status === 'debit_blocked') return ACCOUNT_CLOSED;
  return totalsOf(own.balance).availableBalance < amount ? INSUFFICIENT_FUNDS : undefined;
}

function requireMoves(account: Account, direction: Direction, field: string): void {
  const { status } = account;
  if (status === 'open') return;
  if (status === 'debit_blocked') {
    if (direction === 'debit') throw refuse('account_debit_blocked', { field });
    return;
  }
  if (status === 'credit_blocked') {
    if (direction === 'credit') throw refuse('account_credit_blocked', { field });
    return;
  }
  throw refuse('account_not_active', { field, message: `the account is ${status}` });
}

function requireUsable(counterparty: Counterparty, account: Account, rail: OriginationRail): void {
  const field = 'counterpartyId';
  if (counterparty.deletedAt !== null) throw refuse('counterparty_not_found');
  if (counterparty.accountId !== account.id) throw refuse('counterparty_elsewhere', { field });
  if (counterparty.status !== 'activated') {
    throw refuse('counterparty_not_active', {
      field,
      message: `the counterparty is ${counterparty.status}; it must be activated`,
    });
  }
  if (counterparty.ofacStatus !== 'pass') throw refuse('counterparty_ofac_failed', { field });
  const needed = RAIL_OBJECTS[rail];
  if (counterparty.rails[needed] === null) {
    throw refuse('counterparty_rail_missing', {
      field,
      message: `the counterparty has no ${snake(needed)}, which this payment needs: add it first`,
    });
  }
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function titleOf(
  rail: OriginationRail | IncomingRail | 'intra_received_push' | 'intra_received_pull',
  name: string,
): string {
  if (rail === 'check_send') return `Check created for ${name}`;
  if (rail === 'check_deposit') return `Received check from ${name}`;
  return railOf(rail).direction === 'debit' ? `Paid to ${name}` : `Received from ${name}`;
}

function otherSideOf(rail: OriginationRail, counterparty: Counterparty): OtherSide {
  const { id, name, rails } = counterparty;
  const side: OtherSide = { ...NOBODY, id, name, verificationStatus: 'pass' };
  switch (RAIL_OBJECTS[rail]) {
    case 'intraAccount':
      return { ...side, accountNumber: rails.intraAccount?.accountNumber ?? '' };
    case 'ach':
      return { ...side, ...bankOf(rails.ach) };
    case 'domesticWire':
      return { ...side, ...bankOf(rails.domesticWire), address: rails.domesticWire?.address ?? null };
    case 'rtp':
      return { ...side, ...bankOf(rails.rtp) };
    case 'fednow':
      return { ...side, ...bankOf(rails.fednow) };
    case 'internationalWire':
      return {
        ...side,
        accountNumber: rails.internationalWire?.accountNumber ?? '',
        beneficiaryBank: rails.internationalWire?.beneficiaryBank ?? null,
        correspondentBank: rails.internationalWire?.correspondentBank ?? null,
        address: rails.internationalWire?.beneficiaryAddress ?? null,
      };
    case 'check':
      return { ...side, address: rails.check?.address ?? null };
    case 'debitCard':
      return { ...side, accountNumber: rails.debitCard?.last4 ?? '' };
  }
}

function bankOf(bank: BankDetails | null) {
  return bank === null
    ? {}
    : {
        accountNumber: bank.accountNumber,
        routingNumber: bank.routingNumber,
        accountType: bank.accountType,
        bankName: bank.bankName,
      };
}

function detailsOf(
  rail: OriginationRail,
  input: Origination,
  now: Instant,
  fourDigits: () => string,
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
        checkNumber: fourDigits(),
        cashed: false,
        trackingStatus: rail === 'check_send' ? 'pending' : '',
        eta: '',
        attachment: input.attachment ?? '',
      };
    default:
      return { kind: 'none' };
  }
}
