/**
 * One search over a whole sandbox: records by a part of their texts, numbers or amounts; events and requests by their
 * ids.
 */

import { type Static, Type } from '@sinclair/typebox';
import { formatWebhookId } from '../../bank/api/events.ts';
import { formatV2, tryParseId } from '../../bank/api/ids.ts';
import { maskAddresses } from '../../bank/kernel/address.ts';
import { Refusal } from '../../bank/kernel/refusal.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import type { FoundRow } from '../../bank/store/search.ts';
import { findEvent } from '../sandbox/event-log.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { enumOf, Instant, text, wrong } from './fields.ts';
import { controlOperation } from './operation.ts';

const KINDS = [
  'holder',
  'account',
  'card',
  'card_holder',
  'counterparty',
  'transaction',
  'webhook',
  'event',
  'request',
] as const;
const DEFAULT_LIMIT = 20;
const MAX = 100;
const LONGEST = 200;
/** Fewer digits would match too many ids. */
const FEWEST_DIGITS = 6;

const Result = Type.Object({
  kind: enumOf(KINDS),
  id: text('In the format of v2, or of v1 for a record of v1.'),
  title: text('Name, label or title of the record.'),
  detail: text('Type, status and other distinguishing details of the record.'),
  at: Instant,
});
type Result = Static<typeof Result>;

/** The digits of an id or a part of an id, in the format of either version; `''` for any other text. */
function digitsOf(query: string): string {
  const digits = query
    .toLowerCase()
    .replace(/^[a-z]{3}[_-]/, '')
    .replaceAll('-', '');
  return new RegExp(`^[0-9a-f]{${FEWEST_DIGITS},32}$`).test(digits) ? digits : '';
}

/** An amount in cents, with or without a sign; `null` for any other text. */
function centsOf(query: string): number | null {
  const [, dollars, cents] = /^[-+]?\$?(\d{1,12})\.(\d\d)$/.exec(query.replaceAll(',', '')) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents);
}

function formatRow(sandbox: Sandbox, { kind, id, title, detail, at }: FoundRow): Result {
  const webhook = kind === 'webhook' ? sandbox.store.webhooks.byId(id) : undefined;
  const shown = webhook === undefined ? formatV2(kind, id) : formatWebhookId(webhook);
  return {
    kind,
    id: shown,
    title: maskAddresses(title),
    detail: detail.replace(/[, ]+$/, ''),
    at: formatInstant(at),
  };
}

/** The event or the request whose complete id is the text. */
function byId(sandbox: Sandbox, query: string): Result[] {
  if (query.startsWith('evt')) {
    try {
      const { id, fact, kind } = findEvent(sandbox.outbox, query);
      return [{ kind: 'event', id, title: kind, detail: fact.resource, at: formatInstant(fact.at) }];
    } catch (error) {
      if (error instanceof Refusal) return [];
      throw error;
    }
  }
  const requestId = tryParseId('request', query);
  const entry = requestId === undefined ? undefined : sandbox.journal.byId(requestId);
  if (entry === undefined) return [];
  const path = entry.url.split('?', 1)[0] ?? '';
  const id = formatV2('request', entry.id);
  const detail = `${entry.operation}, ${entry.status}`;
  return [{ kind: 'request', id, title: `${entry.method} ${path}`, detail, at: formatInstant(entry.at) }];
}

/** Records whose title starts with the text or equals it come first. */
function fitness({ title, id }: Result, query: string): number {
  const [name, wanted] = [title.toLowerCase(), query.toLowerCase()];
  if (id === query) return 0;
  if (name === wanted) return 1;
  return name.startsWith(wanted) ? 2 : 3;
}

export const SEARCH_OPERATIONS = [
  controlOperation({
    id: 'sandbox_search',
    method: 'GET',
    path: '/_sandbox/search',
    group: 'Inspect',
    summary: 'Find records',
    description:
      'Finds records of any kind by a part of a name, label, description or address, by the end of an account or card number, by an amount, by a trace number, by a return code like R01, or by an id or its first or last six digits. Events and requests are found by their whole id. Only the newest 100,000 transactions are searched.',
    answer: 'The matching records.',
    status: 200,
    query: Type.Object({
      q: Type.String({ description: `The text to find, 2 to ${LONGEST} characters.` }),
      limit: Type.Optional(
        Type.String({ description: `Maximum number of results, up to ${MAX}; default: ${DEFAULT_LIMIT}.` }),
      ),
    }),
    response: Type.Object({ results: Type.Array(Result) }),
    example: { query: { q: 'Ada' } },
    run: ({ sandbox }, { query }) => {
      const q = query.q.trim();
      if (q.length < 2 || q.length > LONGEST)
        throw wrong('q', `must have 2 to ${LONGEST} characters; got ${q.length}`);
      // SQLite ends a pattern at a NUL.
      if (/\p{Cc}/u.test(q)) throw wrong('q', 'must not contain control characters');
      const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX) {
        throw wrong('limit', `must be a number from 1 to ${MAX}; got ${query.limit}`);
      }
      const rows = sandbox.store.search({ text: q, idDigits: digitsOf(q), amount: centsOf(q), limit });
      const found = [...byId(sandbox, q), ...rows.map((row) => formatRow(sandbox, row))];
      const results = found
        .map((result) => ({ result, at: fitness(result, q) }))
        .toSorted((left, right) => left.at - right.at)
        .slice(0, limit)
        .map(({ result }) => result);
      return { results };
    },
  }),
] as const;
