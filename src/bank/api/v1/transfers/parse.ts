/**
 * Parses the bodies of the send and receive calls, the update of a transfer, the filters of lists, and a batch. If
 * the account cannot pay, v1 answers with an error and creates nothing, which `shortage: 'refuse'` selects. An
 * invalid field refuses the whole batch; a refusal of the bank concerns only its item.
 * Source: the send and receive pages and "create an intrabank batch" of the platform's v1 reference; decisions
 * `too-little-money` and `v1-batch` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { type Cents, formatMoney } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { on } from '../../../model/conditions.ts';
import type { TransactionCondition } from '../../../model/filters.ts';
import type { OrderedRail } from '../../../model/rails/index.ts';
import type { BatchItem, CardOrder, Origination, TransactionChange } from '../../../verbs/inputs.ts';
import { parseAmount, parseId, pickSent } from '../fields.ts';
import { idFilter, parseCommonFilters, textFilters, transferTypeFilter } from '../paging.ts';
import { transferStatusFilter } from '../transactions/status.ts';
import type {
  AchBody,
  BatchBody,
  CheckBody,
  DebitPullBody,
  IntrabankBody,
  ProgramTransferQuery,
  SendCardBody,
  TransferChangeBody,
} from './shapes.ts';

const MAX_DEBIT_PULL: Cents = 2500_00;
const WEB_ADDRESS = /^https?:\/\//i;
/** The forbidden parts of an HTML attachment. */
const NOT_PRINTED = /href|["']|<img/i;

type Texts = Static<typeof TransferChangeBody>;

function parseTexts(body: Texts): TransactionChange {
  return {
    ...pickSent(body, ['title', 'description']),
    ...(body.metadata != null && { metadata: body.metadata }),
  };
}

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function parseOrder(body: Static<typeof IntrabankBody>): Origination {
  return {
    amount: parseAmount(body.amount),
    accountId: parseId('account', body.accountId, 'accountId'),
    counterpartyId: parseId('counterparty', body.contactId, 'counterpartyId'),
    ...parseTexts(body),
    shortage: 'refuse',
  };
}

/** Refuses as `parseOrder` does. */
export function parseAch(body: Static<typeof AchBody>): Origination {
  return { ...parseOrder(body), sameDay: body.type === 'sameDay' };
}

/** Refuses like `parseOrder`, and `field_invalid` for an attachment that cannot be printed. */
export function parseCheck({ attachment = '', ...body }: Static<typeof CheckBody>): Origination {
  if (WEB_ADDRESS.test(attachment) ? !URL.canParse(attachment) : NOT_PRINTED.test(attachment)) {
    throw refuse('field_invalid', {
      field: 'attachment',
      message: 'attachment must be an http or https URL, or HTML without quotes, href and images',
    });
  }
  return { ...parseOrder(body), attachment };
}

/** Refuses as `parseOrder` does. */
export function parseCardOrder(body: Static<typeof SendCardBody>): CardOrder {
  return { ...parseOrder(body), ...pickSent(body, ['bin']) };
}

/** Refuses like `parseOrder`, and `limit_exceeded`. */
export function parseDebitPull(body: Static<typeof DebitPullBody>): Origination {
  const order = parseOrder(body);
  if (order.amount <= MAX_DEBIT_PULL) return order;
  const message = `amount must be at most ${formatMoney(MAX_DEBIT_PULL)} for a debit card`;
  throw refuse('limit_exceeded', { field: 'amount', message });
}

/** Parses the update of a transfer; fields that are not sent do not change. */
export function parseTransferChange(body: Texts): TransactionChange {
  return parseTexts(body);
}

/** Parses the filters of a list of transfers of these rails. Refuses: `field_invalid` for an invalid time. */
export function parseTransferFilters(
  rails: readonly OrderedRail[],
  query: Static<typeof ProgramTransferQuery>,
): TransactionCondition[] {
  return [
    on('rail', { oneOf: rails }),
    ...idFilter('accountId', 'account', query.accountId),
    ...textFilters(query, { txnType: 'direction' }),
    ...(query.status === undefined ? [] : [transferStatusFilter(query.status)]),
    ...transferTypeFilter(query.transferType),
    ...parseCommonFilters(query),
  ];
}

const BATCH_RAILS = { send: 'intra_push', receive: 'intra_pull' } as const;

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function parseBatch({ data }: Static<typeof BatchBody>): BatchItem[] {
  return data.map((item, place) => ({
    label: item.sequence,
    rail: BATCH_RAILS[item.api],
    order: {
      accountId: parseId('account', item.accountId, `data.${place}.accountId`),
      counterpartyId: parseId('counterparty', item.contactId, `data.${place}.contactId`),
      amount: parseAmount(item.amount, `data.${place}.amount`),
      ...pickSent(item, ['title', 'description']),
      shortage: 'refuse',
    },
  }));
}
