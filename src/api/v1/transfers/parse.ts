/**
 * Reads the orders of v1's send and receive calls, what of them is said anew, and the filters of their lists. Where the
 * account cannot do it, v1 answers with an error and makes nothing, which is what `shortage: 'refuse'` asks of the bank.
 * Source: the send and receive pages of the platform's v1 reference; decision `too-little-money` in docs/fidelity.md.
 * [[dialects/v1/readers/batch.ts]] Reads a batch. What cannot be read refuses all of it; what the bank refuses is the
 * item's own affair.
 * Source: "create an intrabank batch" of the platform's v1 reference; decisions `too-little-money` and `v1-batch` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { BatchItem, CardOrder, Origination, TransactionChange } from '../../../bank/inputs.ts';
import { type Cents, formatMoney } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { OrderedRail } from '../../../model/rails/index.ts';
import type { Condition } from '../../../store/lists.ts';
import { parseAmount, parseId, sent } from '../fields.ts';
import { idFilter, parseCommonFilters, textFilters, transferTypeFilter } from '../paging.ts';
import { transfersThatAre } from '../transactions/status.ts';
import type {
  AchBody,
  BatchBody,
  CheckBody,
  DebitPullBody,
  IntrabankBody,
  ProgramTransferQuery,
  SendCardBody,
  WordsBody,
} from './shapes.ts';

const DEBIT_PULL_MOST: Cents = 2500_00;
const WEB_ADDRESS = /^https?:\/\//i;
/** What a page that is printed may not have in it. */
const NOT_PRINTED = /href|["']|<img/i;

type Words = Static<typeof WordsBody>;

function parseWords(body: Words): TransactionChange {
  return {
    ...sent(body, ['title', 'description']),
    ...(body.metadata != null && { metadata: body.metadata }),
  };
}

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function parseOrder(body: Static<typeof IntrabankBody>): Origination {
  return {
    amount: parseAmount('amount', body.amount),
    accountId: parseId('account', body.accountId, 'accountId'),
    counterpartyId: parseId('counterparty', body.contactId, 'counterpartyId'),
    ...parseWords(body),
    shortage: 'refuse',
  };
}

/** Refuses as `readOrder` does. */
export function parseAch(body: Static<typeof AchBody>): Origination {
  return { ...parseOrder(body), sameDay: body.type === 'sameDay' };
}

/** Refuses as `readOrder` does, and `field_invalid` for an attachment that cannot be printed. */
export function parseCheck({ attachment = '', ...body }: Static<typeof CheckBody>): Origination {
  if (WEB_ADDRESS.test(attachment) ? !URL.canParse(attachment) : NOT_PRINTED.test(attachment)) {
    throw refuse('field_invalid', {
      field: 'attachment',
      message: 'attachment is an http or https address, or HTML without quotes, href and images',
    });
  }
  return { ...parseOrder(body), attachment };
}

/** Refuses as `readOrder` does. */
export function parseCardOrder(body: Static<typeof SendCardBody>): CardOrder {
  return { ...parseOrder(body), ...sent(body, ['bin']) };
}

/** Refuses as `readOrder` does, and `limit_exceeded`. */
export function parseDebitPull(body: Static<typeof DebitPullBody>): Origination {
  const order = parseOrder(body);
  if (order.amount <= DEBIT_PULL_MOST) return order;
  const message = `amount is at most ${formatMoney(DEBIT_PULL_MOST)} from a debit card`;
  throw refuse('limit_exceeded', { field: 'amount', message });
}

/** What is said anew of a transfer; what is not sent stays. */
export function parseTransferChange(body: Words): TransactionChange {
  return parseWords(body);
}

/** The transfers of these rails that a list asks for. Refuses: `field_invalid` for a time that is none. */
export function parseTransferFilters(
  rails: readonly OrderedRail[],
  query: Static<typeof ProgramTransferQuery>,
): Condition[] {
  return [
    { field: 'rail', oneOf: rails },
    ...idFilter('accountId', 'account', query.accountId),
    ...textFilters(query, { txnType: 'direction' }),
    ...(query.status === undefined ? [] : [transfersThatAre(query.status)]),
    ...transferTypeFilter(query.transferType),
    ...parseCommonFilters(query),
  ];
}

const RAILS = { send: 'intra_push', receive: 'intra_pull' } as const;

/** Refuses: `account_not_found`, `counterparty_not_found`, `amount_invalid`. */
export function parseBatch({ data }: Static<typeof BatchBody>): BatchItem[] {
  return data.map((item, place) => ({
    label: item.sequence,
    rail: RAILS[item.api],
    order: {
      accountId: parseId('account', item.accountId, `data.${place}.accountId`),
      counterpartyId: parseId('counterparty', item.contactId, `data.${place}.contactId`),
      amount: parseAmount(`data.${place}.amount`, item.amount),
      ...sent(item, ['title', 'description']),
      shortage: 'refuse',
    },
  }));
}
