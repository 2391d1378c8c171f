/**
 * Simulations of payments: an event of a transaction's rail, and money that another bank sends or requests.
 */

import { type Static, Type } from '@sinclair/typebox';
import { DATE_OR_EMPTY } from '../../../bank/api/fields.ts';
import { parseId } from '../../../bank/api/v2/fields.ts';
import { formatTransaction } from '../../../bank/api/v2/transactions/format.ts';
import { Transaction as TransactionShape } from '../../../bank/api/v2/transactions/shapes.ts';
import { dateIn, EASTERN } from '../../../bank/kernel/calendar.ts';
import { refuse } from '../../../bank/kernel/refusal.ts';
import type { RailEvent } from '../../../bank/model/rails/index.ts';
import type { Reason, Transaction } from '../../../bank/model/records.ts';
import {
  isInForce,
  RETURN_CLASSES,
  RETURN_CODES,
  RETURNED_BY,
  reasonOfReturn,
} from '../../../bank/model/return-codes.ts';
import { RAIL_EVENTS } from '../../../bank/model/vocabulary.ts';
import type { Bank } from '../../../bank/verbs/bank.ts';
import type { Incoming } from '../../../bank/verbs/inputs.ts';
import { requireReturnCode } from '../../../bank/verbs/transactions/outcomes.ts';
import { requestDebitDecision } from '../../sandbox/real-time.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { enumOf, ReturnCode, text, wrong } from '../fields.ts';
import { controlOperation } from '../operation.ts';
import {
  Amount,
  INCOMING_RAILS,
  parseAmount,
  parseEvent,
  parseIncomingRail,
  parseSender,
  SenderInput,
  TransactionAnswer,
} from './fields.ts';

/** The day of the sandbox in Eastern time, the time of the clearing house. */
const todayOf = ({ clock }: Sandbox): string => dateIn(EASTERN, clock.now());

function parseReason(
  event: RailEvent,
  { return_code: code, reason, message }: { return_code?: string; reason?: string; message?: string },
  today: string,
): Reason | undefined {
  requireReturn(event, 'return_code', code);
  if (code !== undefined) {
    if (reason !== undefined) {
      throw refuse('field_invalid', {
        field: 'reason',
        message: 'return_code is the reason of the return; send either return_code or reason',
      });
    }
    requireReturnCode(code, 'return_code', today);
    const usual = reasonOfReturn(code, today);
    return { ...usual, message: message ?? usual.message };
  }
  if (reason === undefined && message === undefined) return undefined;
  return { code: reason ?? '', message: message ?? '' };
}

/**
 * Refuses: `field_invalid` if `return_code` comes with another event than `return`, or `late` with another than
 * `return` and `reverse`.
 */
function requireReturn(event: RailEvent, field: 'return_code' | 'late', value: unknown): void {
  const events: readonly RailEvent[] = field === 'late' ? ['return', 'reverse'] : ['return'];
  if (value === undefined || events.includes(event)) return;
  throw refuse('field_invalid', {
    field,
    message: `${field} applies only to the event ${events.join(' or ')}, not to ${event}${field === 'late' ? '' : '; send reason instead'}`,
  });
}

/** Refuses: `field_invalid` for a reason that the rows of a card do not show. */
function requireShownReason({ cardId }: Transaction, body: { reason?: string; message?: string }): void {
  const field = (['reason', 'message'] as const).find((name) => body[name] !== undefined);
  if (field === undefined || cardId === '') return;
  throw refuse('field_invalid', {
    field,
    message: `${field} applies only to payments; a card transaction has a reason only if it is declined by POST /_sandbox/simulate/cards/{card_id}/authorize or by a rule`,
  });
}

interface Target {
  sub_account_id?: string;
  account_id?: string;
  account_number?: string;
}

/** The account that receives the money: by an id, or by a number, which need not be that of a sub account. */
function parseTarget(
  { accounts }: Pick<Bank, 'accounts'>,
  { account_number: accountNumber, ...named }: Target,
): Pick<Incoming, 'accountId' | 'accountNumber'> {
  const { sub_account_id: own, account_id: alias } = named;
  const id = own ?? alias;
  if (own !== undefined && alias !== undefined && parseId('account', own) !== parseId('account', alias)) {
    throw refuse('field_invalid', {
      field: 'account_id',
      message: 'account_id and sub_account_id are two names of the same field and differ; send one of them',
    });
  }
  if (accountNumber === undefined) {
    if (id !== undefined) return { accountId: parseId('account', id) };
    throw refuse('field_invalid', {
      field: 'sub_account_id',
      message: 'sub_account_id or account_number is required',
    });
  }
  if (id === undefined) return { accountId: accounts.idOfNumber(accountNumber), accountNumber };
  throw refuse('field_invalid', {
    field: 'account_number',
    message: 'send either account_number or the id of the account, not both',
  });
}

const IncomingInput = Type.Object({
  sub_account_id: Type.Optional(Type.String({ description: 'The account, in the format of v2 or v1.' })),
  account_id: Type.Optional(Type.String({ description: 'Alias of `sub_account_id`, as in v1.' })),
  account_number: Type.Optional(
    Type.String({
      maxLength: 34,
      description:
        'The account number, instead of the id. Money for an unknown number stays in suspense on the master account.',
    }),
  ),
  amount: Amount,
  description: Type.Optional(Type.String({ maxLength: 500 })),
  sender: Type.Optional(SenderInput),
});

function parseIncoming(bank: Pick<Bank, 'accounts'>, body: Static<typeof IncomingInput>): Incoming {
  return {
    ...parseTarget(bank, body),
    amount: parseAmount(body.amount),
    description: body.description ?? '',
    sender: parseSender(body.sender),
  };
}

const Text = Type.String();

export const SIMULATION_TRANSACTION_OPERATIONS = [
  controlOperation({
    id: 'sandbox_simulate_transaction',
    method: 'POST',
    path: '/_sandbox/simulate/transactions/:id/:event',
    group: 'Simulate',
    summary: 'Simulate an event of a payment',
    description:
      'Simulates an event of a payment now, such as `settle`, `return` or `reverse`. Earlier steps are executed first. The error for an event that the current state does not allow lists the allowed ones. A return or reversal after its window is refused too.',
    answer: 'The payment after the event.',
    status: 200,
    refuses: ['illegal_step', 'return_too_late', 'reversal_too_late', 'transaction_not_found'],
    params: Type.Object({
      id: Type.String(),
      event: Type.String({ description: RAIL_EVENTS.join(', ') }),
    }),
    body: Type.Object({
      return_code: Type.Optional(ReturnCode),
      late: Type.Optional(
        Type.Boolean({
          description:
            'For a return of an ACH payment: true allows it after the window of its code, which is otherwise 409 (return_too_late). For the reversal of an ACH payment that this bank sent: true allows it more than 24 hours after the settlement, which is otherwise 409 (reversal_too_late).',
        }),
      ),
      reason: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'The reason as a code, instead of return_code: v1 shows it as reviewCode.',
        }),
      ),
      message: Type.Optional(
        Type.String({
          maxLength: 500,
          description: 'The reason in a sentence; v1 shows it as reviewMessage if the code has no text.',
        }),
      ),
    }),
    response: Type.Object({
      transaction: TransactionShape,
      steps: Type.Array(Type.String(), { description: 'The events that happened, in order.' }),
    }),
    example: { params: { event: 'settle' }, body: {} },
    command: ({ sandbox }, { params, body }) => {
      const id = parseId('transaction', params.id);
      const event = parseEvent(params.event, RAIL_EVENTS);
      const reason = parseReason(event, body, todayOf(sandbox));
      requireReturn(event, 'late', body.late);
      const { payments, simulation } = sandbox.bank;
      const leg = payments.legById(id).transaction;
      requireShownReason(leg, body);
      if (body.late !== undefined && leg.method !== 'ach') {
        throw wrong(
          'late',
          'applies only to returns and reversals of ACH payments; nothing else has a window',
        );
      }
      const { transaction, steps } = simulation.transaction(leg.id, event, reason, body.late);
      return { transaction: formatTransaction(transaction, sandbox.bank), steps: [...steps] };
    },
  }),

  controlOperation({
    id: 'sandbox_simulate_incoming',
    method: 'POST',
    path: '/_sandbox/simulate/incoming/:rail',
    group: 'Simulate',
    summary: 'Simulate an incoming payment',
    description:
      'Simulates a payment that another bank sends or pulls. The payment is `received`, and the timetable, a rule, or your real-time authorization decides whether it settles or is returned.',
    answer: 'The incoming payment.',
    status: 201,
    refuses: ['account_not_found', 'amount_invalid', 'amount_too_large', 'master_account_not_found'],
    params: Type.Object({ rail: Type.String({ description: Object.keys(INCOMING_RAILS).join(', ') }) }),
    body: IncomingInput,
    response: TransactionAnswer,
    example: {
      params: { rail: 'rtp' },
      body: (world) => ({
        sub_account_id: world.seed('sub_account_id'),
        amount: '75.00',
        description: 'Rent',
        sender: { name: 'Pat Rowe', routing_number: '021000021' },
      }),
    },
    prepare: ({ sandbox }, { params, body }) =>
      requestDebitDecision(sandbox, parseIncomingRail(params.rail), parseIncoming(sandbox.bank, body)),
    command: ({ sandbox: { bank } }, { params, body }, rta) => {
      const transaction = bank.payments.receive(parseIncomingRail(params.rail), {
        ...parseIncoming(bank, body),
        ...(rta !== undefined && { rta }),
      });
      return { transaction: formatTransaction(transaction, bank) };
    },
  }),

  controlOperation({
    id: 'sandbox_list_return_codes',
    method: 'GET',
    path: '/_sandbox/return_codes',
    group: 'Simulate',
    summary: 'List the return codes of ACH',
    description:
      'Lists the return codes of ACH payments that are in force at the time of the sandbox, with their windows. Rules and simulated returns use them.',
    answer: 'The return codes with their windows.',
    status: 200,
    response: Type.Object({
      return_codes: Type.Array(
        Type.Object({
          code: Text,
          title: Text,
          meaning: text('Meaning of the code, in a sentence.'),
          class: enumOf(RETURN_CLASSES, 'The kind of problem.'),
          returned_by: enumOf(RETURNED_BY, 'The party that can send it.'),
          in_force_from: text(
            'The first day of this meaning, an ISO 8601 date (YYYY-MM-DD); "" if it has always been in force.',
            DATE_OR_EMPTY,
          ),
          in_force_until: text(
            'The first day without this meaning, an ISO 8601 date (YYYY-MM-DD); "" if no change is known.',
            DATE_OR_EMPTY,
          ),
          time_limit: text('The time limit in words.'),
          window: Type.Unsafe<{ days: number; of: 'banking' | 'calendar' } | null>({
            type: 'object',
            nullable: true,
            description:
              'The number of days after the effective date of the payment: to 08:30 Eastern on the last banking day, or to the end of the last calendar day; null if no number is fixed.',
            required: ['days', 'of'],
            properties: {
              days: { type: 'integer', description: 'How many days.' },
              of: { type: 'string', enum: ['banking', 'calendar'] },
            },
          }),
        }),
      ),
    }),
    run: ({ sandbox }) => ({
      return_codes: RETURN_CODES.filter((row) => isInForce(row, todayOf(sandbox))).map(
        ({ returnedBy, timeLimit, from, until, ...rest }) => ({
          ...rest,
          returned_by: returnedBy,
          in_force_from: from,
          in_force_until: until,
          time_limit: timeLimit.words,
          window: timeLimit.window,
        }),
      ),
    }),
  }),
] as const;
