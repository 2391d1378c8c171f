/**
 * Faults in the control plane: the parameters of a fault, and its format with the numbers of affected requests.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Duration } from 'luxon';
import { V1_OPERATIONS } from '../../bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../bank/api/v2/index.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { REFUSALS, type RefusalCode, statusOf } from '../../bank/kernel/refusals.ts';
import { formatInstant, formatInstantOrEmpty } from '../../bank/kernel/time.ts';
import { V2_CODES, type V2Code } from '../../bank/kernel/v2-codes.ts';
import { requireAvailable } from '../registry/unavailable.ts';
import {
  CONNECTION_FAULTS,
  FAULT_TIMES,
  type Fault,
  type FaultError,
  type FaultMatch,
  type FaultSetting,
  type Latency as LatencySetting,
  LONGEST_LATENCY_MS,
} from '../sandbox/faults.ts';
import { enumOf, FrequencyInput, Instant, text, wrong } from './fields.ts';
import { controlOperation } from './operation.ts';

const Latency = Type.Number({ minimum: 0, maximum: LONGEST_LATENCY_MS, description: 'Real milliseconds.' });

const FaultInput = Type.Object(
  {
    match: Type.Optional(
      Type.Object(
        {
          method: Type.Optional(
            Type.String({
              enum: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'],
              description: 'Default: any.',
            }),
          ),
          route: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description:
                'A path without a query; `:name` or `{name}` matches one path segment, and `*` at the end matches any rest: `/v2/payments/*`.',
            }),
          ),
          operation: Type.Optional(
            Type.String({ description: 'An operationId of /openapi/v2.json or v1.json.' }),
          ),
        },
        { description: 'The requests that the fault applies to; default: all requests of the sandbox.' },
      ),
    ),
    latency: Type.Optional(
      Type.Object(
        {
          fixed_ms: Type.Optional(Latency),
          min_ms: Type.Optional(Latency),
          max_ms: Type.Optional(Latency),
          median_ms: Type.Optional(Latency),
          sigma: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 10,
              description: 'The spread: the sigma of the logarithm.',
            }),
          ),
        },
        {
          description:
            'Real milliseconds before the response: fixed_ms, or evenly distributed from min_ms to max_ms, or log-normal with median_ms and sigma.',
        },
      ),
    ),
    error: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(
            Type.Integer({
              minimum: 400,
              maximum: 599,
              description: 'The HTTP status; default: that of the code.',
            }),
          ),
          code: Type.Optional(
            Type.String({
              pattern: '^[A-Za-z0-9_]{1,100}$',
              description:
                'A code of the platform like ERROR_CODE_HOLD_BALANCE_ERROR or EC_QLDB_OCC_ERROR_RETRY, or a code of this bank like insufficient_funds; default: the usual code of the status.',
            }),
          ),
        },
        {
          description:
            'An error response in the format of the called API version. The operation is not executed.',
        },
      ),
    ),
    connection: Type.Optional(
      Type.String({
        enum: [...CONNECTION_FAULTS],
        description:
          'reset: TCP RST; empty: closed without a response; hang: open without a response; truncate: closed halfway through the body.',
      }),
    ),
    when: Type.Optional(
      Type.String({
        enum: [...FAULT_TIMES],
        description:
          'before (the default): the request is not executed. after_commit: the request is executed, and its response is lost. truncate is always after_commit.',
      }),
    ),
    ...FrequencyInput,
    seed: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The seed of its random choices; default: derived from the seed of the sandbox.',
      }),
    ),
    ttl: Type.Optional(
      Type.String({
        maxLength: 100,
        description: "An ISO 8601 duration on the sandbox's clock, like PT30S.",
      }),
    ),
  },
  { description: 'The effect of the fault: at least one of latency, error and connection.' },
);

export const FaultView = Type.Object({
  id: text('The id of the fault.'),
  match: Type.Object({
    method: Type.Optional(text('The HTTP method; absent for any.')),
    route: Type.Optional(text('A path without a query.')),
    operation: Type.Optional(text('An operationId.')),
  }),
  latency: Type.Optional(
    Type.Record(Type.String(), Type.Number(), {
      description: 'Real milliseconds, and sigma, as in the request.',
    }),
  ),
  error: Type.Optional(
    Type.Object({
      status: Type.Integer({ description: 'The HTTP status.' }),
      code: Type.Optional(Type.String()),
    }),
  ),
  connection: Type.Optional(enumOf(CONNECTION_FAULTS)),
  when: enumOf(FAULT_TIMES),
  ...FrequencyInput,
  seed: Type.Optional(text('Seed of its random choices.')),
  ttl: Type.Optional(text("An ISO 8601 duration on the sandbox's clock.")),
  created_at: Instant,
  expires_at: text('ISO 8601 in UTC; "" without a ttl.', { form: 'date-time', orEmpty: true }),
  seen: Type.Integer({ description: 'Number of matching requests that no earlier fault affected.' }),
  hits: Type.Integer({ description: 'Number of requests that it affected.' }),
  over: Type.Boolean({
    description: 'Whether it has ended: it has expired, or has reached its number of times.',
  }),
});

/** The maximum number of faults in a sandbox. */
const MAX_FAULTS = 100;

const OPERATION_IDS = new Set([...V2_OPERATIONS, ...V1_OPERATIONS].map(({ id }) => id));

/** Parses a fault. Refuses: `field_invalid` for a fault that is impossible or would never apply. */
function parseFault(input: Static<typeof FaultInput>): FaultSetting {
  const { match = {}, latency, error, connection, when, times, every, probability, seed, ttl } = input;
  if (latency === undefined && error === undefined && connection === undefined) {
    throw wrong('latency', 'or error or connection is required: a fault must have an effect');
  }
  if (error !== undefined && connection !== undefined) {
    throw wrong('connection', 'and error exclude each other: a broken connection has no error response');
  }
  if (connection === 'truncate' && when === 'before') {
    throw wrong(
      'when',
      'must be after_commit with truncate: before the operation there is no response to truncate',
    );
  }
  if (match.operation !== undefined && !OPERATION_IDS.has(match.operation)) {
    throw wrong('match.operation', 'is not an operationId; /openapi/v2.json and /openapi/v1.json list them');
  }
  return {
    match: parseMatch(match),
    ...(latency !== undefined && { latency: parseLatency(latency) }),
    ...(error !== undefined && { error: parseError(error) }),
    ...(connection !== undefined && { connection: connection as NonNullable<FaultSetting['connection']> }),
    when: connection === 'truncate' ? 'after_commit' : ((when ?? 'before') as FaultSetting['when']),
    ...(times !== undefined && { times }),
    ...(every !== undefined && { every }),
    ...(input.skip_first !== undefined && { skipFirst: input.skip_first }),
    ...(probability !== undefined && { probability }),
    ...(seed !== undefined && { seed }),
    ...(ttl !== undefined && { ttlMs: parseTtl(ttl) }),
  };
}

function parseMatch({
  method,
  route,
  operation,
}: NonNullable<Static<typeof FaultInput>['match']>): FaultMatch {
  return {
    ...(method !== undefined && { method }),
    ...(route !== undefined && { route }),
    ...(operation !== undefined && { operation }),
  };
}

function parseError({ status, code }: NonNullable<Static<typeof FaultInput>['error']>): FaultError {
  const known = status ?? statusOfCode(code ?? '');
  if (known === undefined) {
    throw wrong(
      'error.status',
      'is required: the code is none of the platform or of this bank with a known status',
    );
  }
  return { status: known, ...(code !== undefined && { code }) };
}

function statusOfCode(code: string): number | undefined {
  if (Object.hasOwn(V2_CODES, code)) return V2_CODES[code as V2Code].status;
  return Object.hasOwn(REFUSALS, code) ? statusOf(code as RefusalCode) : undefined;
}

function parseLatency(input: NonNullable<Static<typeof FaultInput>['latency']>): LatencySetting {
  const { fixed_ms, min_ms, max_ms, median_ms, sigma } = input;
  switch (Object.keys(input).sort().join(' ')) {
    case 'fixed_ms':
      if (fixed_ms !== undefined) return { kind: 'fixed', ms: fixed_ms };
      break;
    case 'max_ms min_ms':
      if (min_ms === undefined || max_ms === undefined) break;
      if (min_ms > max_ms) throw wrong('latency.min_ms', 'must not be greater than max_ms');
      return { kind: 'even', minMs: min_ms, maxMs: max_ms };
    case 'median_ms sigma':
      if (median_ms !== undefined && sigma !== undefined) {
        return { kind: 'log_normal', medianMs: median_ms, sigma };
      }
      break;
  }
  throw wrong('latency', 'must be {fixed_ms}, {min_ms, max_ms} or {median_ms, sigma}');
}

function parseTtl(ttl: string): number {
  const ms = Duration.fromISO(ttl).toMillis();
  if (!(ms > 0))
    throw wrong('ttl', `must be an ISO 8601 duration greater than zero, like PT30S; got "${ttl}"`);
  return ms;
}

/** Formats a fault. */
function formatFault(fault: Fault): Static<typeof FaultView> {
  const { id, match, latency, error, connection, when, times, every, skipFirst, probability, seed } = fault;
  return {
    id,
    match,
    ...(latency !== undefined && { latency: formatLatency(latency) }),
    ...(error !== undefined && { error }),
    ...(connection !== undefined && { connection }),
    when,
    ...(times !== undefined && { times }),
    ...(every !== undefined && { every }),
    ...(skipFirst !== undefined && { skip_first: skipFirst }),
    ...(probability !== undefined && { probability }),
    ...(seed !== undefined && { seed }),
    ...(fault.ttlMs !== undefined && { ttl: Duration.fromMillis(fault.ttlMs).rescale().toISO() ?? '' }),
    created_at: formatInstant(fault.createdAt),
    expires_at: formatInstantOrEmpty(fault.expiresAt),
    seen: fault.seen,
    hits: fault.hits,
    over: fault.over,
  };
}

function formatLatency(latency: LatencySetting): Record<string, number> {
  switch (latency.kind) {
    case 'fixed':
      return { fixed_ms: latency.ms };
    case 'even':
      return { min_ms: latency.minMs, max_ms: latency.maxMs };
    case 'log_normal':
      return { median_ms: latency.medianMs, sigma: latency.sigma };
  }
}

export const FAULT_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_faults',
    method: 'GET',
    path: '/_sandbox/faults',
    group: 'Faults',
    summary: 'List the faults',
    description:
      'Lists the faults in the order in which they are applied. `seen` and `hits` count the requests that each has matched and affected.',
    answer: 'The faults with the numbers of affected requests.',
    status: 200,
    response: Type.Object({ faults: Type.Array(FaultView) }),
    run: ({ sandbox }) => ({ faults: sandbox.faults.list().map(formatFault) }),
  }),

  controlOperation({
    id: 'sandbox_create_fault',
    method: 'POST',
    path: '/_sandbox/faults',
    group: 'Faults',
    summary: 'Create a fault',
    description:
      'Makes matching requests of the sandbox slow, fail with an error, or lose their connection. `when` decides whether the operation runs before the answer is lost. `times`, `every`, `probability` and `ttl` limit the fault, and a sandbox has at most 100.',
    answer: 'The new fault.',
    status: 201,
    body: FaultInput,
    response: FaultView,
    example: {
      body: { match: { method: 'POST', route: '/v2/payments/*' }, error: { status: 503 }, times: 1 },
    },
    command: ({ sandbox, registry }, { body }) => {
      const setting = parseFault(body);
      if (setting.connection !== undefined) requireAvailable(registry, 'connection faults');
      if (sandbox.faults.list().length >= MAX_FAULTS) {
        throw refuse('field_invalid', {
          message: `a sandbox has at most ${MAX_FAULTS} faults; delete faults that have ended`,
        });
      }
      return formatFault(sandbox.surroundings.change('faults', () => sandbox.faults.add(setting)));
    },
  }),

  controlOperation({
    id: 'sandbox_delete_faults',
    method: 'DELETE',
    path: '/_sandbox/faults',
    group: 'Faults',
    summary: 'Delete all faults',
    description:
      'Deletes all faults of the sandbox. A request that already hangs stays open until its client disconnects.',
    answer: 'All faults were deleted; there is no body.',
    status: 204,
    command: ({ sandbox }) => sandbox.surroundings.change('faults', () => sandbox.faults.clear()),
  }),

  controlOperation({
    id: 'sandbox_delete_fault',
    method: 'DELETE',
    path: '/_sandbox/faults/:id',
    group: 'Faults',
    summary: 'Delete a fault',
    description: 'Deletes a fault. Requests that it already delays keep their delay.',
    answer: 'The fault was deleted; there is no body.',
    status: 204,
    refuses: ['fault_not_found'],
    command: ({ sandbox: { surroundings, faults } }, { params }) => {
      if (!surroundings.change('faults', () => faults.remove(params.id))) throw refuse('fault_not_found');
    },
  }),
] as const;
