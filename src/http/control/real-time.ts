/**
 * Real-time authorization on the wire: whom to ask, and what was answered.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { RtaSettings } from '../../bank/rta.ts';
import { spellV2 } from '../../dialects/identifiers.ts';
import { formatMoney } from '../../kernel/money.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { RtaDecision } from '../../model/decisions.ts';

const StandIn = Type.Unsafe<RtaSettings['standIn']>(Type.String({ enum: ['approve', 'decline'] }));

/** The platform's own limit. */
export const USUAL_TIMEOUT_MS = 2000;

export const RtaInput = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  secret: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Signs the questions; drawn when not sent.' }),
  ),
  stand_in: Type.Optional(StandIn),
  timeout_ms: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60_000,
      description: `Of real time; ${USUAL_TIMEOUT_MS} when not sent.`,
    }),
  ),
  card: Type.Optional(Type.Boolean()),
  ach: Type.Optional(Type.Boolean()),
});

export const RtaView = Type.Object({
  configured: Type.Boolean(),
  url: Type.String(),
  secret: Type.String(),
  stand_in: StandIn,
  timeout_ms: Type.Integer(),
  card: Type.Boolean(),
  ach: Type.Boolean(),
});

/** The setting; of a sandbox that asks nobody, what would be usual. */
export function viewRta(settings: RtaSettings | undefined): Static<typeof RtaView> {
  return {
    configured: settings !== undefined,
    url: settings?.url ?? '',
    secret: settings?.secret ?? '',
    stand_in: settings?.standIn ?? 'decline',
    timeout_ms: settings?.timeoutMs ?? USUAL_TIMEOUT_MS,
    card: settings?.card ?? false,
    ach: settings?.ach ?? false,
  };
}

const Text = Type.String();

export const RtaDecisionView = Type.Object({
  id: Text,
  kind: Text,
  sub_account_id: Text,
  card_id: Text,
  transaction_id: Text,
  amount: Text,
  answer: Text,
  decided_by: Text,
  http_status: Type.Unsafe<number | null>({ type: 'integer', nullable: true }),
  duration_ms: Type.Integer(),
  error: Text,
  asked_at: Text,
});

/** One answer, with what it was about. */
export function viewRtaDecision(row: RtaDecision): Static<typeof RtaDecisionView> {
  return {
    id: spellV2('authorization', row.id),
    kind: row.kind,
    sub_account_id: spellV2('account', row.accountId),
    card_id: spellV2('card', row.cardId),
    transaction_id: spellV2('transaction', row.transactionId),
    amount: formatMoney(row.amount),
    answer: row.answer,
    decided_by: row.decidedBy,
    http_status: row.httpStatus,
    duration_ms: row.durationMs,
    error: row.error,
    asked_at: formatInstant(row.askedAt),
  };
}
