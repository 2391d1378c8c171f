/**
 * The rails of v1's send and receive calls, as data: the path of each, its rails of the bank, its body and its
 * parser. `operations.ts` creates the operations of each row.
 * Source: the send and receive pages of the platform's v1 reference; decisions `v1-transfer-texts`,
 * `v1-transfer-status`, `bad-check-address`, `v1-send-card` and `v1-debit-push` in docs/fidelity.md.
 */
import type { Static, TObject } from '@sinclair/typebox';
import { formatMoney } from '../../../kernel/money.ts';
import type { OrderedRail } from '../../../model/rails/index.ts';
import type { Transaction } from '../../../model/records.ts';
import {
  RECEIVE_DECLINED_FROM,
  RECEIVE_RETURNED_FROM,
  SEND_DECLINED_FROM,
  SEND_RETURNED_AMOUNT,
  UNKNOWN_ACCOUNT_NUMBER,
} from '../../../model/test-values.ts';
import type { Bank } from '../../../verbs/bank.ts';
import { parseAch, parseCardOrder, parseCheck, parseDebitPull, parseOrder } from './parse.ts';
import {
  AchBody,
  CheckBody,
  CheckChangeBody,
  CheckDepositBody,
  DebitPullBody,
  DebitPushBody,
  IntrabankBody,
  SendCardBody,
  TransferChangeBody,
  WireBody,
  WireChangeBody,
} from './shapes.ts';

/** A send or receive call. */
export interface TransferRail<Name extends string, B extends TObject, W extends TObject> {
  /** The name of the creating operation: `sendAch`. */
  readonly name: Name;
  /** Below `/v1`. */
  readonly path: string;
  /** The summary of the creating operation, and the words for one transfer and for several. */
  readonly summaries: { readonly order: string; readonly one: string; readonly many: string };
  /** The description of the creating operation. */
  readonly description: string;
  readonly decisions: readonly string[];
  readonly rails: readonly OrderedRail[];
  readonly body: B;
  /** The body of an update. */
  readonly change: W;
  /** Executes the request. */
  place(bank: Bank, body: Static<B>): Transaction;
  /** The fields of the example besides account, contact, amount, title, description and metadata. */
  readonly example: object;
}

/** A row, with the types of its name and shapes. */
function row<const Name extends string, B extends TObject, W extends TObject>(
  rail: TransferRail<Name, B, W>,
): TransferRail<Name, B, W> {
  return rail;
}

export const SEND_INTRABANK = row({
  name: 'sendIntrabank',
  path: 'send/intrabank',
  summaries: {
    order: 'Push money to an account of this bank',
    one: 'an intrabank push',
    many: 'intrabank pushes',
  },
  description:
    'Pushes money to another account of this bank. It is settled at once, and the other account gets a credit.',
  decisions: ['too-little-money', 'unfit-payment-side', 'family-money'],
  rails: ['intra_push'],
  body: IntrabankBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('intra_push', parseOrder(body)),
  example: {},
});

export const SEND_ACH = row({
  name: 'sendAch',
  path: 'send/ach',
  summaries: { order: 'Push money by ACH', one: 'an ACH push', many: 'ACH pushes' },
  description: `Sends money to another bank by ACH. The amount leaves the available balance at once, and the transfer proceeds with the ACH windows of banking days. Test amounts: exactly ${formatMoney(SEND_RETURNED_AMOUNT)} is returned with R03, and ${formatMoney(SEND_DECLINED_FROM)} or more is declined, unless \`magic_values\` is off in the settings of the sandbox.`,
  decisions: ['ach-timing', 'v1-magic-amounts', 'too-little-money', 'v1-transfer-status'],
  rails: ['ach_push'],
  body: AchBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('ach_push', { ...parseAch(body), magic: 'v1_send_ach' }),
  example: { type: 'nextDay' },
});

export const SEND_WIRE = row({
  name: 'sendWire',
  path: 'send/wire',
  summaries: { order: 'Send a wire', one: 'a wire', many: 'wires' },
  description:
    'Sends a domestic or international wire, depending on `type`. It is sent while the wire network is open on banking days, otherwise when the network next opens.',
  decisions: ['wire-timing', 'too-little-money', 'v1-transfer-status'],
  rails: ['domestic_wire', 'international_wire'],
  body: WireBody,
  change: WireChangeBody,
  place: (bank, body) =>
    bank.payments.originate(
      body.type === 'domestic' ? 'domestic_wire' : 'international_wire',
      parseOrder(body),
    ),
  example: { type: 'domestic' },
});

export const SEND_CHECK = row({
  name: 'sendCheck',
  path: 'send/check',
  summaries: { order: 'Send a check', one: 'a sent check', many: 'sent checks' },
  description:
    'Prints and mails a check. The amount leaves the available balance at once, and the check is mailed two banking days later and cashed five banking days after that.',
  decisions: ['check-timing', 'bad-check-address', 'too-little-money'],
  rails: ['check_send'],
  body: CheckBody,
  change: CheckChangeBody,
  place: (bank, body) => bank.payments.originate('check_send', parseCheck(body)),
  example: { type: 'physical', attachment: '<p>Invoice 88</p>' },
});

export const SEND_CARD = row({
  name: 'sendCard',
  path: 'send/card',
  summaries: { order: 'Send a card', one: 'a sent card', many: 'sent cards' },
  description:
    'Sends money as a new card: it opens an account of type `cardAccount` with the amount, and issues a virtual card of this account in the name of the contact, with the amount as its limit. The transfer contains the card.',
  decisions: ['v1-send-card'],
  rails: ['solid_card_send'],
  body: SendCardBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.solidCards.send(parseCardOrder(body)),
  example: { bin: 'credit' },
});

export const SEND_DEBIT_PUSH = row({
  name: 'sendDebitpush',
  path: 'send/debitpush',
  summaries: { order: 'Push money to a debit card', one: 'a debit push', many: 'debit pushes' },
  description:
    'Pays money out to the debit card of a contact. The money leaves the account at once, and the transfer is completed in the next step of its rail.',
  decisions: ['v1-debit-push', 'other-rails-timing'],
  rails: ['debit_card_push'],
  body: DebitPushBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('debit_card_push', parseOrder(body)),
  example: {},
});

export const RECEIVE_INTRABANK = row({
  name: 'receiveIntrabank',
  path: 'receive/intrabank',
  summaries: {
    order: 'Pull money from an account of this bank',
    one: 'an intrabank pull',
    many: 'intrabank pulls',
  },
  description:
    'Pulls money from another account of this bank. It is settled at once, and the other account gets a debit.',
  decisions: ['unfit-payment-side', 'family-money'],
  rails: ['intra_pull'],
  body: IntrabankBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('intra_pull', parseOrder(body)),
  example: {},
});

export const RECEIVE_ACH = row({
  name: 'receiveAch',
  path: 'receive/ach',
  summaries: { order: 'Pull money by ACH', one: 'an ACH pull', many: 'ACH pulls' },
  description: `Collects money from another bank by ACH. The money is available when the transfer is settled, some banking days later. Test values: ${formatMoney(RECEIVE_RETURNED_FROM)} or more is returned with R01, ${formatMoney(RECEIVE_DECLINED_FROM)} or more is declined, and a debit of the account ${UNKNOWN_ACCOUNT_NUMBER} is returned with R03, unless \`magic_values\` is off in the settings of the sandbox.`,
  decisions: ['ach-timing', 'v1-magic-amounts', 'incoming-money-pending'],
  rails: ['ach_pull'],
  body: AchBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('ach_pull', { ...parseAch(body), magic: 'v1_receive_ach' }),
  example: { type: 'sameDay' },
});

export const RECEIVE_CHECK = row({
  name: 'receiveCheck',
  path: 'receive/check',
  summaries: { order: 'Deposit a check', one: 'a check deposit', many: 'check deposits' },
  description:
    'Deposits a check. The deposit waits until both sides were uploaded, and the money is available three banking days after the file with the check is sent.',
  decisions: ['check-timing', 'check-images', 'v1-check-image-upload'],
  rails: ['check_deposit'],
  body: CheckDepositBody,
  change: CheckChangeBody,
  place: (bank, body) =>
    bank.payments.originate('check_deposit', { ...parseOrder(body), awaitsImages: true }),
  example: {},
});

export const RECEIVE_DEBIT_PULL = row({
  name: 'receiveDebitpull',
  path: 'receive/debitpull',
  summaries: { order: 'Pull money from a debit card', one: 'a debit pull', many: 'debit pulls' },
  description:
    'Takes money from the debit card of a contact. The money is available when the transfer is completed in the next step of its rail.',
  decisions: ['other-rails-timing'],
  rails: ['debit_card_pull'],
  body: DebitPullBody,
  change: TransferChangeBody,
  place: (bank, body) => bank.payments.originate('debit_card_pull', parseDebitPull(body)),
  example: {},
});
