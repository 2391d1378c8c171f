/**
 * The journal in the control plane: each request, its response, and its effects. Numbers and secrets are masked when
 * the journal is read or stored, and not when a request is recorded.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatEventId } from '../../bank/api/events.ts';
import { formatV1, formatV2, tryParseId } from '../../bank/api/ids.ts';
import { found, refuse } from '../../bank/kernel/refusal.ts';
import { formatInstant } from '../../bank/kernel/time.ts';
import {
  JOURNAL_LENGTH,
  type JournalEntry,
  maskEntry,
  type PlatformAnswer as StoredAnswer,
} from '../sandbox/journal.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { ApiVersion, Bodies, DATE_TIME, EventId, EventType, text, wrong } from './fields.ts';
import { controlOperation } from './operation.ts';
import { errorCodeOf } from './stream-items.ts';

const PLATFORM_BODY_LIMIT = 256 * 1024;
const PlatformDifference = Type.Object({
  cause: Type.String({
    description: 'The kind of difference, like `missing`, `type` or `value`.',
    maxLength: 40,
  }),
  field: Type.String({ description: 'The path of the field, or the name of the header.', maxLength: 400 }),
  here: Type.String({ description: 'The value of this bank.', maxLength: 400 }),
  there: Type.String({ description: 'The value of the platform.', maxLength: 400 }),
  decision: Type.String({
    description: 'The slug of the decision that explains it; "" for none.',
    maxLength: 80,
  }),
});
const PlatformAnswer = Type.Object(
  {
    address: Type.String({ description: 'The address of the platform.', maxLength: 400 }),
    status: Type.Integer({ minimum: 100, maximum: 599, description: 'The status of its response.' }),
    body: Type.Unknown({ description: 'The body of its response; null for none.' }),
    differences: Type.Array(PlatformDifference, {
      maxItems: 200,
      description: "The differences from this bank's response.",
    }),
  },
  { title: 'PlatformAnswer', description: "The platform's response to the same request." },
);

export const RequestView = Type.Object({
  id: Type.String({ description: 'The request id, as in x-request-id of the response.' }),
  at: text("When it arrived, on the sandbox's clock: ISO 8601 in UTC.", DATE_TIME),
  method: Type.String(),
  path: text('Path of the request, without the query.'),
  query: Type.Record(Type.String(), Type.Unknown(), { description: 'Query of the request, masked.' }),
  operation: Type.String({ description: 'The operationId; "" for none.' }),
  status: Type.Integer({ description: '0 if a fault broke the connection before a response.' }),
  error_code: text('The code of the error, in the words of its API version; "" for none.'),
  ms: Type.Number({ description: 'Real milliseconds until the response.' }),
  hint: text('The header x-sandbox-hint of the response; "" for none.'),
  idempotency_key: text('Idempotency key of the request, as it was sent; "" for none.'),
  replayed: Type.Boolean({
    description: 'Whether the response was stored under the idempotency key by an earlier request.',
  }),
  fault: Type.String({ description: 'The id of the fault that was applied; "" for none.' }),
  request_body: Type.Unknown({ description: 'Body of the request, masked; null if there was none.' }),
  answer_body: Type.Unknown({ description: 'Body of the response, masked; null if there was none.' }),
  caused: Type.Object(
    {
      known: Type.Boolean({ description: 'False if the bank that responded has been replaced since.' }),
      facts: Type.Union(
        [
          Type.Object({
            from: Type.Integer({ description: 'Number of the first fact.' }),
            to: Type.Integer({ description: 'Number of the last fact.' }),
          }),
          Type.Null(),
        ],
        { description: 'The range of facts that the request wrote; null if it wrote none.' },
      ),
      transactions: Type.Array(Type.String(), {
        description: 'Their ids, in the format of this version.',
      }),
      events: Type.Array(Type.Object({ id: EventId, type: EventType, api_version: ApiVersion })),
    },
    {
      description: 'The effects of the request: facts, payments, and their events.',
    },
  ),
  platform: Type.Union([PlatformAnswer, Type.Null()], {
    description: "The platform's response to the same request, masked; null unless `sandbank proxy` sent it.",
  }),
});

/** Formats an entry of the sandbox's journal. */
function formatRequest(sandbox: Sandbox, stored: JournalEntry, hasBodies = true): Static<typeof RequestView> {
  const entry = maskEntry(hasBodies ? stored : withoutBodies(stored));
  const [path = '', query = ''] = entry.url.split('?', 2);
  return {
    id: (entry.apiVersion === 'v1' ? formatV1 : formatV2)('request', entry.id),
    at: formatInstant(entry.at),
    method: entry.method,
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    operation: entry.operation,
    status: entry.status,
    error_code: errorCodeOf(stored),
    ms: Math.round(entry.ms * 100) / 100,
    hint: entry.hint,
    idempotency_key: entry.idempotencyKey,
    replayed: entry.replayed,
    fault: entry.fault,
    request_body: parsed(entry.requestBody),
    answer_body: parsed(entry.answerBody),
    caused: formatCaused(sandbox, entry),
    platform: entry.platform === undefined ? null : formatPlatform(entry.platform),
  };
}

function withoutBodies({ platform, ...entry }: JournalEntry): JournalEntry {
  const head = { ...entry, requestBody: '', answerBody: '' };
  return platform === undefined ? head : { ...head, platform: { ...platform, body: '' } };
}

function formatPlatform({ address, status, body, differences }: StoredAnswer): Static<typeof PlatformAnswer> {
  return { address, status, body: parsed(body), differences: [...differences] };
}

const parsed = (body: string): unknown => (body === '' ? null : JSON.parse(body));

function formatCaused(sandbox: Sandbox, entry: JournalEntry): Static<typeof RequestView>['caused'] {
  const { factsBefore, factsAfter, bank, apiVersion } = entry;
  const known = factsAfter === factsBefore || bank === sandbox.bankNumber;
  const facts = factsAfter === factsBefore ? null : { from: factsBefore + 1, to: factsAfter };
  const transactions = new Set<string>();
  const events: Static<typeof RequestView>['caused']['events'] = [];
  for (let seq = factsBefore + 1; known && seq <= factsAfter; seq += 1) {
    const fact = sandbox.outbox.fact(seq);
    if (fact === undefined) continue;
    if (fact.resource === 'transaction') {
      transactions.add((apiVersion === 'v1' ? formatV1 : formatV2)('transaction', fact.resourceId));
    }
    for (const [apiVersion, kinds] of [
      ['v2', fact.kindsV2],
      ['v1', fact.kindsV1],
    ] as const) {
      kinds.forEach((kind, ordinal) => {
        events.push({ id: formatEventId(apiVersion, fact, ordinal), type: kind, api_version: apiVersion });
      });
    }
  }
  return { known, facts, transactions: [...transactions], events };
}

const DEFAULT_LIMIT = 100;

/** Whether the short form of a request (method, path, operation, status, code of its error) contains a text. */
function hasText(entry: JournalEntry, text: string): boolean {
  const { method, url, operation, status } = entry;
  const short = `${method} ${url.split('?', 1)[0]} ${operation} ${status} ${errorCodeOf(entry)}`;
  return short.toLowerCase().includes(text);
}

/** The position after the request of a cursor; the end if the request is no longer kept. */
function placeAfter(entries: readonly JournalEntry[], cursor: string): number {
  const id = tryParseId('request', cursor);
  if (id === undefined) throw wrong('cursor', 'must be the `cursor` of an earlier response');
  const place = entries.findIndex((entry) => entry.id === id);
  return place === -1 ? entries.length : place + 1;
}

function fitsStatus(wanted: string, status: number): boolean {
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);
}

export const REQUEST_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_requests',
    method: 'GET',
    path: '/_sandbox/requests',
    group: 'Inspect',
    summary: 'List the last requests',
    description:
      'Lists the last 1000 requests to both API versions with their responses, newest first, a page at a time. The filters search all of them. Numbers of accounts and cards are masked. A bank with a data directory keeps them over a restart.',
    answer: 'The last requests, newest first.',
    status: 200,
    query: Type.Object({
      operation: Type.Optional(Type.String({ maxLength: 100, description: 'An operationId.' })),
      status: Type.Optional(
        Type.String({
          pattern: '^([1-5]\\d\\d|[1-5]xx|0)$',
          description: 'A status like 409 or a class like 4xx; 0 for a broken connection.',
        }),
      ),
      text: Type.Optional(
        Type.String({
          maxLength: 200,
          description:
            'A part of the method with the path, of the operationId, of the status or of the code of the error.',
        }),
      ),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9]\\d{0,2}|1000)$',
          description: `A whole number from 1 to ${JOURNAL_LENGTH}; default: ${DEFAULT_LIMIT}.`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: 100, description: 'The `cursor` of an earlier response, for older ones.' }),
      ),
      bodies: Bodies('the bodies of requests and responses are null.'),
    }),
    response: Type.Object({
      kept: Type.Integer({ description: 'Number of requests in the journal.' }),
      dropped: Type.Integer({ description: 'Number of older requests that were discarded.' }),
      requests: Type.Array(RequestView),
      cursor: text('Send it to get older ones; "" if there are none.'),
    }),
    example: { query: { status: '2xx', limit: '10', bodies: 'false' } },
    run: ({ sandbox }, { query }) => {
      const { operation, status, text: wanted = '', cursor = '', bodies } = query;
      const limit = Number(query.limit ?? DEFAULT_LIMIT);
      const words = wanted.trim().toLowerCase();
      const all = sandbox.journal.entries();
      const found = all
        .slice(cursor === '' ? 0 : placeAfter(all, cursor))
        .filter(
          (entry) =>
            (operation === undefined || entry.operation === operation) &&
            (status === undefined || fitsStatus(status, entry.status)) &&
            (words === '' || hasText(entry, words)),
        );
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        ...sandbox.journal.counts(),
        requests: found.slice(0, limit).map((entry) => formatRequest(sandbox, entry, bodies !== 'false')),
        cursor: last === undefined ? '' : formatV2('request', last.id),
      };
    },
  }),

  controlOperation({
    id: 'sandbox_retrieve_request',
    method: 'GET',
    path: '/_sandbox/requests/:id',
    group: 'Inspect',
    summary: 'Show a request',
    description:
      'Retrieves a request by the id in the header `x-request-id` of its response, in the format of either version.',
    answer: 'The request with its response.',
    status: 200,
    refuses: ['request_not_found'],
    response: RequestView,
    run: ({ sandbox }, { params }) => {
      const id = tryParseId('request', params.id);
      const entry = found(id === undefined ? undefined : sandbox.journal.byId(id), 'request_not_found');
      return formatRequest(sandbox, entry);
    },
  }),

  controlOperation({
    id: 'sandbox_keep_platform_answer',
    method: 'PUT',
    path: '/_sandbox/requests/:id/platform',
    group: 'Inspect',
    summary: "Store the platform's response to a request",
    description:
      "Stores the platform's response to the same request beside the response of this bank, so that the inspector shows both. `sandbank proxy` sends it for each forwarded request. It is kept as long as the request: among the last 1000.",
    answer: 'The response was stored; there is no body.',
    status: 204,
    refuses: ['request_not_found'],
    body: PlatformAnswer,
    example: {
      body: {
        address: 'https://test-api.example',
        status: 200,
        body: { description: '', url: 'https://example.com/hooks' },
        differences: [{ cause: 'missing', field: 'status', here: '"active"', there: 'absent', decision: '' }],
      },
    },
    run: ({ sandbox }, { params, body: { address, status, body, differences } }) => {
      const kept = body === null ? '' : JSON.stringify(body);
      if (kept.length > PLATFORM_BODY_LIMIT) {
        throw refuse('field_invalid', {
          field: 'body',
          message: `body has ${kept.length} characters of JSON; the maximum is ${PLATFORM_BODY_LIMIT}`,
        });
      }
      const id = tryParseId('request', params.id);
      const answer = { address, status, body: kept, differences };
      if (id === undefined || !sandbox.journal.keepPlatformAnswer(id, answer))
        throw refuse('request_not_found');
    },
  }),
] as const;
