/**
 * Why a transaction, a card, a holder or an account has its status, and why an event was not delivered: who decided,
 * on which figures, the previous statuses, and the next steps. Nothing is inferred: decisions were recorded when they
 * were made, and the history is that of the facts.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatResourceId } from '../../bank/api/events.ts';
import { formatV2, type IdKind, tryParseId } from '../../bank/api/ids.ts';
import { dateIn, EASTERN, isBankingDay } from '../../bank/kernel/calendar.ts';
import { formatMoney } from '../../bank/kernel/money.ts';
import { Refusal, refuse } from '../../bank/kernel/refusal.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import { DAY_MS, formatInstant, type Instant as Moment } from '../../bank/kernel/time.ts';
import { transfersOf } from '../../bank/ledger/entries.ts';
import { totalsOf } from '../../bank/model/balances.ts';
import type { Fact, FactRecords } from '../../bank/model/facts.ts';
import { isAuthorization, railEvents, railOf } from '../../bank/model/rails/index.ts';
import type { Balance, Card, Decision, Transaction } from '../../bank/model/records.ts';
import { RAIL_EVENTS, TRANSACTION_TYPES } from '../../bank/model/vocabulary.ts';
import { availableLimit, periodStart } from '../../bank/verbs/cards/controls.ts';
import { AUTHORIZATION_EVENTS } from '../../bank/verbs/cards/purchases.ts';
import { ACCOUNT_EVENTS, CARD_EVENTS, HOLDER_EVENTS } from '../../bank/verbs/simulation/records.ts';
import { lastStep, returnWindowsOf } from '../../bank/verbs/transactions/plans.ts';
import { findEvent } from '../sandbox/event-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { DeliveryWaitView, formatWaits, WhyView } from './event-waits.ts';
import { formatAttempts } from './events.ts';
import { Amount, DATE_TIME, enumOf, Instant, TransactionId, TransactionStatus, text } from './fields.ts';
import { formatTransfer, TransferView } from './ledger.ts';
import { controlOperation } from './operation.ts';

const Text = Type.String();
const Figures = Type.Record(Type.String(), Type.String(), {
  description: 'Amounts in dollars and cents, counts, and other values, by name.',
});

const Explanation = Type.Object({
  id: text('In the format of v2.'),
  kind: enumOf(['transaction', 'card', 'holder', 'account', 'batch', 'event']),
  summary: text('Why, in a sentence.'),
  status: text('The status in the words of v2; for an event the reason of `why`.'),
  figures: Figures,
  reason: Type.Unsafe<{ code: string; message: string } | null>({
    type: 'object',
    nullable: true,
    required: ['code', 'message'],
    description: 'Why it was declined, returned or put in review; null otherwise.',
    properties: { code: Text, message: Text },
  }),
  decisions: Type.Array(
    Type.Object({
      at: Instant,
      source: enumOf(
        [
          'simulate',
          'rule',
          'magic',
          'control',
          'real_time_authorization',
        ] as const satisfies Decision['source'][],
        'The source of the decision: a request, a rule, a published magic value, a control of the bank, or the client.',
      ),
      name: text('Name of the source, like `rule 2`.'),
      effect: text('The effect of the decision, or its planned effect.'),
      message: Text,
      numbers: Figures,
    }),
  ),
  path: Type.Array(
    Type.Object({
      at: Instant,
      change: text('The kind of change, like `created` or `status`.'),
      status: text('The status after the change.'),
      figures: Figures,
    }),
  ),
  next_step: Type.Unsafe<{ at: string; event: string } | null>({
    type: 'object',
    nullable: true,
    required: ['at', 'event'],
    description: 'The next scheduled step; null if there is none.',
    properties: { at: Instant, event: text('An event of the rail.') },
  }),
  legal_events: Type.Array(Text, { description: 'The events that the current state allows.' }),
  simulations: Type.Array(
    Type.Object({
      event: text('The event, as in the path.'),
      path: text('The path for the POST request.'),
      legal: Type.Boolean({ description: 'Whether the current state allows it.' }),
      reason: text('The error message of the request; "" if the event is legal.'),
    }),
    {
      description:
        'Every event that can be simulated. A return is checked with its default code; return_windows has the others.',
    },
  ),
  return_windows: Type.Array(
    Type.Object({
      time_limit: text('The time limit, in words.'),
      return_codes: Type.Array(Text, { description: 'Codes of GET /_sandbox/return_codes.' }),
      until: text('The last instant, ISO 8601 in UTC.', DATE_TIME),
    }),
    {
      description: 'The return windows of an ACH payment, by the codes of GET /_sandbox/return_codes.',
    },
  ),
  limits: Type.Array(
    Type.Object({
      name: text('The path in the configuration of the account, like `limits.send.ach`; for a card `limit`.'),
      period: text('Like `daily` or `monthly`.'),
      limit: Amount,
      used: Amount,
    }),
    { description: 'The money limits of an account or a card, with the used part of each.' },
  ),
  related: Type.Array(
    Type.Object({
      id: TransactionId,
      as: enumOf(['parent', 'partner', 'entry', 'part', 'child'], 'Its relation to this transaction.'),
      type: enumOf(TRANSACTION_TYPES),
      status: TransactionStatus,
      direction: enumOf(['debit', 'credit']),
      amount: Amount,
      at: text('When it was made, ISO 8601 in UTC.', DATE_TIME),
    }),
  ),
  transfers: Type.Array(TransferView),
  why: Type.Union([WhyView, Type.Null()], {
    description: 'For an event: why it has not arrived, or that it has; null for anything else.',
  }),
  deliveries: Type.Array(DeliveryWaitView, {
    description: 'For an event: each of its deliveries, and each webhook that missed it.',
  }),
});

type View = Static<typeof Explanation>;
type Kind = Exclude<View['kind'], 'event'>;

const NOTHING: Omit<View, 'id' | 'kind' | 'status'> = {
  summary: '',
  figures: {},
  reason: null,
  decisions: [],
  path: [],
  next_step: null,
  legal_events: [],
  simulations: [],
  return_windows: [],
  limits: [],
  related: [],
  transfers: [],
  why: null,
  deliveries: [],
};

const EXPLAINERS: { readonly [K in Kind]: (sandbox: Sandbox, id: Id) => Partial<View> & { status: string } } =
  {
    transaction: explainTransaction,
    card: explainCard,
    holder: explainHolder,
    account: explainAccount,
    batch: explainBatch,
  };

/**
 * The record with this id; `undefined` for an id that cannot be explained. An entry of the master account is
 * explained by its transaction. Refuses: `transaction_not_found`.
 */
export function findExplained({ bank }: Sandbox, text: string): { kind: Kind; id: Id } | undefined {
  for (const kind of Object.keys(EXPLAINERS) as Kind[]) {
    const named = tryParseId(kind satisfies IdKind, text);
    if (named === undefined) continue;
    return { kind, id: kind === 'transaction' ? bank.payments.legById(named).transaction.id : named };
  }
  return undefined;
}

/** Explains a record with its facts. Refuses like the bank for an id that does not exist. */
export function explainRecord(
  sandbox: Sandbox,
  { kind, id }: { kind: Kind; id: Id },
  facts: readonly Fact[],
): View {
  const own = EXPLAINERS[kind](sandbox, id);
  const decisions = sandbox.store.decisions.of(id);
  const view: View = {
    ...NOTHING,
    id: formatV2(kind, id),
    kind,
    decisions: decisions.map(formatDecision),
    path: facts.map(formatFact),
    ...own,
  };
  const last = decisions.at(-1);
  // A simulation acts at once, so a status that it did not cause came later, by a scheduled step.
  const isOver = last?.source === 'simulate' && !last.effect.endsWith(view.status);
  return { ...view, summary: summarize(view, isOver ? undefined : last) + expectation(sandbox, kind, id) };
}

const NEW_YORK = new Intl.DateTimeFormat('en-US', {
  timeZone: EASTERN,
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** When the money is expected, and the days without banks until then; `''` if no more than one step is scheduled. */
function expectation({ bank, store, clock, rails }: Sandbox, kind: Kind, id: Id): string {
  const transaction = kind === 'transaction' ? bank.payments.byId(id) : undefined;
  const dueAt = transaction?.dueAt ?? null;
  const event = dueAt === null ? undefined : store.agenda.eventAt(dueAt, id);
  if (transaction === undefined || dueAt === null || event === undefined) return '';
  const { at, status } = lastStep(transaction, { dueAt, event }, rails);
  if (at === dueAt) return '';
  const closed: string[] = [];
  for (let day: Moment = clock.now(); day < at && closed.length < MAX_CLOSED_DAYS; day += DAY_MS) {
    const date = dateIn(EASTERN, day);
    if (!isBankingDay(date)) closed.push(date);
  }
  const without = closed.length === 0 ? '' : `; days without banks until then: ${closed.join(', ')}`;
  return `; ${status} is expected at ${formatInstant(at)} (${NEW_YORK.format(at)} in New York)${without}`;
}

const MAX_CLOSED_DAYS = 10;

/** Refuses: `field_invalid` for an id of another kind, and the bank's own refusal for an id that does not exist. */
function explain(sandbox: Sandbox, text: string): View {
  if (tryParseId('event', text) !== undefined) return explainEvent(sandbox, text);
  const record = findExplained(sandbox, text);
  if (record === undefined) {
    throw refuse('field_invalid', {
      field: 'id',
      message: `"${text}" is not the id of a transaction, card, holder, account, batch or event (txn_, crd_, sah_, sub_, bch_, evt_, or the format of v1)`,
    });
  }
  const { outbox } = sandbox;
  const facts =
    record.kind === 'transaction'
      ? outbox.factsAbout([record.id], 0, outbox.latestSeq())
      : outbox.factsOfRecord(record.id);
  return explainRecord(sandbox, record, facts);
}

/** Why an event was not delivered, with its attempts as the path. */
function explainEvent(sandbox: Sandbox, text: string): View {
  const event = findEvent(sandbox.outbox, text);
  const { id, fact, version, kind } = event;
  const { why, deliveries } = formatWaits(sandbox, event);
  return {
    ...NOTHING,
    id,
    kind: 'event',
    summary: `${why.reason}; ${why.message}`,
    status: why.reason,
    figures: {
      type: kind,
      api_version: version,
      at: formatInstant(fact.at),
      resource: fact.resource,
      resource_id: formatResourceId(version, fact, kind),
    },
    path: formatAttempts(sandbox, event).map(({ at, webhook_id, number, status, duration_ms, error }) => ({
      at,
      change: `attempt ${number}`,
      status: status === null ? 'no response' : String(status),
      figures: { webhook_id, duration_ms: String(duration_ms), ...(error !== '' && { error }) },
    })),
    why,
    deliveries,
  };
}

/** The code with which v2 refuses the payment unless the setting `shortfall` is `declined`. */
function errorCodeOf(decisions: readonly Decision[]): { error_code?: string } {
  const code = decisions.findLast(({ numbers }) => numbers.error_code !== undefined)?.numbers.error_code;
  return code === undefined ? {} : { error_code: code };
}

/** The state, its last decision, and the next steps. */
function summarize({ status, reason, next_step: next }: View, last: Decision | undefined): string {
  const because = reason === null ? '' : ` (${[reason.code, reason.message].filter(Boolean).join(': ')})`;
  const by = last === undefined ? 'in its ordinary steps' : `${last.source} ${last.name}: ${last.message}`;
  const then = next === null ? '' : `; ${next.event} follows at ${next.at}`;
  return `${status}${because}; ${by}${then}`;
}

function formatDecision({ at, source, name, effect, message, numbers }: Decision): View['decisions'][number] {
  return { at: formatInstant(at), source, name, effect, message, numbers };
}

function formatFact(fact: Fact): View['path'][number] {
  const [status, figures] = stateOf(fact);
  return { at: formatInstant(fact.at), change: fact.change, status, figures };
}

function stateOf({ resource, record }: Fact): [string, Record<string, string>] {
  switch (resource) {
    case 'transaction': {
      const transaction = record as FactRecords['transaction'];
      return [
        transaction.status,
        { amount: formatMoney(transaction.amount), ...figuresOf(transaction), ...disputeOf(transaction) },
      ];
    }
    case 'card': {
      const { card } = record as FactRecords['card'];
      return [card.status, trackingOf(card)];
    }
    case 'holder': {
      const { holder } = record as FactRecords['holder'];
      return [holder.status, { verification: holder.verification.status }];
    }
    case 'account': {
      const { account, balance } = record as FactRecords['account'];
      return [account.status, balanceOf(balance)];
    }
    case 'family':
    case 'wallet':
    case 'member':
    case 'card_holder':
    case 'counterparty':
      return [(record as { status: string }).status, {}];
  }
}

function explainTransaction(sandbox: Sandbox, id: Id) {
  const { bank, store, program, connection } = sandbox;
  const transaction = bank.payments.byId(id);
  const { rail, status, amount, reason, dueAt, outcome } = transaction;
  const event = dueAt === null ? undefined : store.agenda.eventAt(dueAt, id);
  const mayReturn = railEvents(rail, status).includes('return');
  return {
    status,
    reason,
    figures: {
      rail,
      amount: formatMoney(amount),
      ...(isAuthorization(rail) &&
        status === 'pending' && { held: formatMoney(bank.cardPayments.amountsOf(transaction).held) }),
      ...figuresOf(transaction),
      ...disputeOf(transaction),
      ...(outcome !== null && { planned: [outcome.event, outcome.reason?.code].filter(Boolean).join(' ') }),
      ...errorCodeOf(store.decisions.of(id)),
    },
    next_step: dueAt === null || event === undefined ? null : { at: formatInstant(dueAt), event },
    legal_events: isAuthorization(rail)
      ? bank.cardPayments.legalEvents(transaction)
      : railEvents(rail, status),
    simulations: [
      ...simulationsOf('transactions', formatV2('transaction', id), RAIL_EVENTS, (step) =>
        bank.simulation.require.transaction(transaction, step),
      ),
      ...(isAuthorization(rail)
        ? simulationsOf('authorizations', formatV2('transaction', id), AUTHORIZATION_EVENTS, (step) =>
            bank.simulation.require.authorization(transaction, step),
          )
        : []),
    ],
    return_windows: (mayReturn ? returnWindowsOf(transaction) : []).map(({ words, codes, until }) => ({
      time_limit: words,
      return_codes: [...codes],
      until: formatInstant(until),
    })),
    related: relatedTo(sandbox, transaction),
    transfers: transfersOf(connection.db, id).map((transfer) => formatTransfer(transfer, program)),
  };
}

/** Every event of a simulation, each with the result of the check that the simulation itself runs. */
function simulationsOf<E extends string>(
  noun: string,
  id: string,
  events: readonly E[],
  requireEvent: (event: E) => void,
): View['simulations'] {
  return events.map((event) => {
    const reason = reasonAgainst(() => requireEvent(event));
    return { event, path: `/_sandbox/simulate/${noun}/${id}/${event}`, legal: reason === '', reason };
  });
}

function reasonAgainst(check: () => void): string {
  try {
    check();
    return '';
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function relatedTo(
  { store }: Sandbox,
  { id, parentId, details, rail, masterId, subLedger }: Transaction,
): View['related'] {
  const view = (row: Transaction | undefined, as: View['related'][number]['as']): View['related'] =>
    row === undefined
      ? []
      : [
          {
            id: formatV2('transaction', row.id),
            as,
            type: row.type,
            status: row.status,
            direction: row.direction,
            amount: formatMoney(row.amount),
            at: formatInstant(row.createdAt),
          },
        ];
  const partnerId = details.kind === 'intra' ? details.partnerId : '';
  return [
    ...(parentId === '' ? [] : view(store.transactions.byId(parentId), 'parent')),
    ...(partnerId === '' ? [] : view(store.transactions.byId(partnerId), 'partner')),
    ...(railOf(rail).isPart ? view(store.transactions.byId(masterId), 'entry') : []),
    ...(subLedger ?? []).flatMap((part) => view(store.transactions.byId(part.transactionId), 'part')),
    ...store.transactions.ofParent(id).flatMap((row) => view(row, 'child')),
  ];
}

function explainCard({ bank, store, clock }: Sandbox, id: Id) {
  const { card } = bank.cards.byId(id);
  const { account, balance } = bank.accounts.byId(card.accountId);
  const { period, maxSpendAmount, maxSpendCount, maxSpendPerTransaction } = card.controls.limit;
  const since = periodStart(period, clock.now());
  const usage = store.cardUsage.since(id, since);
  const left = availableLimit(card, usage);
  return {
    status: card.status,
    figures: {
      account_status: account.status,
      ...balanceOf(balance),
      ...trackingOf(card),
      pin_set: String(card.pinSetAt !== null),
      period,
      period_from: since,
      spent: formatMoney(usage.amount),
      uses: String(usage.count),
      ...(maxSpendAmount !== null && { max_spend_amount: formatMoney(maxSpendAmount) }),
      ...(maxSpendCount !== null && { max_spend_count: String(maxSpendCount) }),
      ...(maxSpendPerTransaction !== null && {
        max_spend_per_transaction: formatMoney(maxSpendPerTransaction),
      }),
      ...(left?.amount != null && { left_amount: formatMoney(left.amount) }),
      ...(left?.count != null && { left_count: String(left.count) }),
    },
    limits:
      maxSpendAmount === null
        ? []
        : [{ name: 'limit', period, limit: formatMoney(maxSpendAmount), used: formatMoney(usage.amount) }],
    legal_events: bank.simulation.legal.card(card),
    simulations: simulationsOf('cards', formatV2('card', id), CARD_EVENTS, (event) =>
      bank.simulation.require.card(card, event),
    ),
  };
}

function explainHolder({ bank, store }: Sandbox, id: Id) {
  const { holder } = bank.holders.byId(id);
  const due = store.agenda.verificationDueAt(id);
  return {
    status: holder.status,
    figures: {
      verification: holder.verification.status,
      ...(holder.idv !== null && holder.idv.status !== 'not_started' && { idv: holder.idv.status }),
      ofac: holder.ofacStatus,
      ...(holder.idNumber !== '' && { id_number_begins_with: holder.idNumber.slice(0, 1) }),
    },
    next_step: due === undefined ? null : { at: formatInstant(due), event: 'decide' },
    legal_events: bank.simulation.legal.holder(holder),
    simulations: simulationsOf('holders', formatV2('holder', id), HOLDER_EVENTS, (event) =>
      bank.simulation.require.holder(holder, event),
    ),
  };
}

function explainAccount({ bank }: Sandbox, id: Id) {
  const { account, balance } = bank.accounts.byId(id);
  return {
    status: account.status,
    figures: balanceOf(balance),
    limits: bank.accounts.limits(id).map(({ name, period, max, used }) => ({
      name,
      period,
      limit: formatMoney(max),
      used: formatMoney(used),
    })),
    legal_events: bank.simulation.legal.account(account),
    simulations: simulationsOf('accounts', formatV2('account', id), ACCOUNT_EVENTS, (event) =>
      bank.simulation.require.account(account, event),
    ),
  };
}

/** Only the decisions of a batch are recorded. */
function explainBatch({ store }: Sandbox, id: Id) {
  if (store.decisions.of(id).length === 0) throw refuse('batch_not_found');
  return { status: 'completed' };
}

function balanceOf(balance: Balance): Record<string, string> {
  return figuresOf(totalsOf(balance));
}

function figuresOf(totals: Pick<Transaction, 'availableBalance' | 'pendingCredits' | 'pendingDebits'>) {
  return {
    available_balance: formatMoney(totals.availableBalance),
    pending_credits: formatMoney(totals.pendingCredits),
    pending_debits: formatMoney(totals.pendingDebits),
  };
}

/** The dispute of a card purchase, in the words of v1; nothing before it is opened. */
function disputeOf({ details }: Transaction): Record<string, string> {
  return details.kind === 'card' && details.dispute !== undefined ? { dispute: details.dispute } : {};
}

function trackingOf({ shipment }: Card): Record<string, string> {
  return shipment === null ? {} : { tracking: shipment.trackingStatus };
}

export const EXPLAIN_OPERATIONS = [
  controlOperation({
    id: 'sandbox_explain',
    method: 'GET',
    path: '/_sandbox/explain/:id',
    group: 'Inspect',
    summary: 'Explain a record',
    description:
      'Explains a transaction, card, holder, account, event or batch: the decisions with their figures, the past states, the next scheduled step, and its ledger entries. Use it to find out why a payment was declined. The id can be in the format of either version.',
    answer: "The explanation of the record's state.",
    status: 200,
    refuses: [
      'field_invalid',
      'holder_not_found',
      'account_not_found',
      'card_holder_not_found',
      'card_not_found',
      'counterparty_not_found',
      'transaction_not_found',
      'batch_not_found',
      'event_not_found',
    ],
    response: Explanation,
    example: { params: (world) => ({ id: world.seed('transaction_id') }) },
    run: ({ sandbox }, { params }) => explain(sandbox, params.id),
  }),
] as const;
