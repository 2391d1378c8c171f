/**
 * Real-time authorization in the control plane: the URL of the decision endpoint, and the decisions so far.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatV2 } from '../../bank/api/ids.ts';
import { maskAddresses } from '../../bank/kernel/address.ts';
import { formatMoney } from '../../bank/kernel/money.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import type { RtaDecision } from '../../bank/model/records.ts';
import type { RtaSettings } from '../../bank/verbs/real-time.ts';
import { requireUrl } from '../../bank/verbs/webhooks.ts';
import { Amount, enumOf, HttpStatus, Instant, Milliseconds, Problem, TransactionId, text } from './fields.ts';
import { PageQuery, parsePage } from './ledger.ts';
import { controlOperation } from './operation.ts';

const StandIn = enumOf(
  ['approve', 'decline'] as const satisfies RtaSettings['standIn'][],
  'The decision if no answer arrives in time.',
);

/** The platform's own limit. */
const DEFAULT_TIMEOUT_MS = 2000;

const RtaInput = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'The URL of the program; http or https.',
  }),
  secret: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Signs the requests; default: a random secret.',
    }),
  ),
  stand_in: Type.Optional(StandIn),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60_000,
      description: `Real milliseconds; default: ${DEFAULT_TIMEOUT_MS}.`,
    }),
  ),
  card: Type.Optional(Type.Boolean()),
  ach: Type.Optional(Type.Boolean()),
});

export const RtaView = Type.Object({
  configured: Type.Boolean(),
  url: text('The URL of the program, with `***` for a user and password; "" if none is configured.'),
  secret: text('Signs the requests.'),
  stand_in: StandIn,
  timeout_ms: Milliseconds,
  card: Type.Boolean(),
  ach: Type.Boolean(),
});

/** The setting, or the defaults for a sandbox without one. */
function formatRta(settings: RtaSettings | undefined): Static<typeof RtaView> {
  return {
    configured: settings !== undefined,
    url: maskAddresses(settings?.url ?? ''),
    secret: settings?.secret ?? '',
    stand_in: settings?.standIn ?? 'decline',
    timeout_ms: settings?.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    card: settings?.card ?? false,
    ach: settings?.ach ?? false,
  };
}

const RtaDecisionView = Type.Object({
  id: text('The id of the request, in the format of v2.'),
  kind: enumOf(['card', 'ach']),
  sub_account_id: text('In the format of v2.'),
  card_id: text('In the format of v2; "" for an ACH debit.'),
  transaction_id: TransactionId,
  amount: Amount,
  answer: enumOf(['approved', 'declined']),
  decided_by: enumOf(['receiver', 'stand_in']),
  http_status: HttpStatus,
  duration_ms: Milliseconds,
  error: Problem,
  asked_at: Instant,
});

/** One decision, with the transaction that it was about. */
function formatRtaDecision(row: RtaDecision): Static<typeof RtaDecisionView> {
  return {
    id: formatV2('authorization', row.id),
    kind: row.kind,
    sub_account_id: formatV2('account', row.accountId),
    card_id: formatV2('card', row.cardId),
    transaction_id: formatV2('transaction', row.transactionId),
    amount: formatMoney(row.amount),
    answer: row.answer,
    decided_by: row.decidedBy,
    http_status: row.httpStatus,
    duration_ms: row.durationMs,
    error: row.error,
    asked_at: formatInstant(row.askedAt),
  };
}

export const REAL_TIME_OPERATIONS = [
  controlOperation({
    id: 'sandbox_retrieve_rta',
    method: 'GET',
    path: '/_sandbox/rta',
    group: 'Real-time authorization',
    summary: 'Show real-time authorization',
    description:
      'Shows the URL that authorizes debits in real time. The default decision applies if it does not answer in time.',
    answer: 'The URL and the default decision.',
    status: 200,
    response: RtaView,
    run: ({ sandbox }) => formatRta(sandbox.bank.realTime.settings()),
  }),

  controlOperation({
    id: 'sandbox_configure_rta',
    method: 'PUT',
    path: '/_sandbox/rta',
    group: 'Real-time authorization',
    summary: 'Configure real-time authorization',
    description:
      'Sets the URL that authorizes debits by cards and other banks in real time, and the default decision if no answer arrives in time. From then on, the bank sends a request for each simulated purchase and incoming debit.',
    answer: 'The URL and the default decision.',
    status: 200,
    refuses: ['url_invalid'],
    body: RtaInput,
    response: RtaView,
    example: {
      body: { url: 'http://hooks.example/rta', stand_in: 'approve', timeout_ms: 2000, card: true, ach: true },
    },
    command: ({ sandbox }, { body }) => {
      requireUrl(body.url);
      const { realTime } = sandbox.bank;
      const settings: RtaSettings = {
        url: body.url,
        // A second call changes only the given fields, not the key that a receiver already has.
        secret: body.secret ?? realTime.settings()?.secret ?? realTime.drawSecret(),
        standIn: body.stand_in ?? 'decline',
        timeoutMs: body.timeout_ms ?? DEFAULT_TIMEOUT_MS,
        card: body.card ?? true,
        ach: body.ach ?? true,
      };
      realTime.change(settings);
      return formatRta(settings);
    },
  }),

  controlOperation({
    id: 'sandbox_remove_rta',
    method: 'DELETE',
    path: '/_sandbox/rta',
    group: 'Real-time authorization',
    summary: 'Remove real-time authorization',
    description:
      'Switches real-time authorization off. Then only the bank decides purchases and incoming debits.',
    answer: 'Real-time authorization is off; there is no body.',
    status: 204,
    command: ({ sandbox }) => sandbox.bank.realTime.change(null),
  }),

  controlOperation({
    id: 'sandbox_list_rta_decisions',
    method: 'GET',
    path: '/_sandbox/rta/decisions',
    group: 'Real-time authorization',
    summary: 'List the real-time decisions',
    description:
      'Lists the real-time decisions, newest first. Each has the answer of your program or the default decision, and the transaction.',
    answer: 'The decisions, newest first.',
    status: 200,
    query: Type.Object(PageQuery),
    response: Type.Object({
      total: Type.Integer({ description: 'Number of decisions on all pages.' }),
      decisions: Type.Array(RtaDecisionView),
    }),
    run({ sandbox }, { query }) {
      const { limit, offset } = parsePage(query);
      const { total, data } = sandbox.bank.realTime.decisions(limit, offset);
      return { total, decisions: data.map(formatRtaDecision) };
    },
  }),
] as const;
