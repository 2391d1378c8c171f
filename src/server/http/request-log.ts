/**
 * The log line of each request. Most of it is the same for all requests of one key to one operation, so that part is
 * cached as text: pino would serialize each field again, which takes a tenth of a payment's time. The lines are
 * identical to pino's.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { maskKey } from '../../bank/kernel/masks.ts';
import type { Sandbox } from '../../sandboxes/sandbox/sandbox.ts';
import { pathOf } from './answers.ts';

/** Logs a request. `broken` is the way in which a fault ended the connection instead of a response. */
type LogRequest = (request: FastifyRequest, reply: FastifyReply, broken?: string) => void;

/** The cached parts of a line: the fields before the path, and those after the id of the request. */
interface Frame {
  readonly method: string;
  readonly key: string | undefined;
  readonly begin: string;
  readonly end: string;
}

const MESSAGE = 'request';
/** Numbers below a tenth of a second in hundredths of a millisecond, as text: formatting one takes a while. */
const MAX_TIMES = 10_000;

/** Writes a line from serialized fields: each begins with a comma, and the closing brace follows the last. */
export type WriteLine = (level: 'info', fields: string) => void;

/** Creates the request logger; `write` is used if the log accepts lines as text. */
export function createRequestLog(log: Logger, write: WriteLine | undefined): LogRequest {
  if (write === undefined) {
    return (request, reply, broken) => log.info(fieldsOf(request, reply, broken), MESSAGE);
  }
  /** The last frame of each operation, by sandbox: nearly all requests of a sandbox have the same key. */
  const frames = new WeakMap<Sandbox, Map<string, Frame>>();
  const knownFrame = (request: FastifyRequest, sandbox: Sandbox): Frame => {
    const ofSandbox = frames.get(sandbox) ?? new Map<string, Frame>();
    const known = ofSandbox.get(request.operationId);
    if (known?.method === request.method && known.key === keyOf(request)) return known;
    const frame = frameOf(request);
    ofSandbox.set(request.operationId, frame);
    frames.set(sandbox, ofSandbox);
    return frame;
  };
  const times: string[] = [];
  const timeOf = (ms: number): string => {
    const hundredths = Math.round(ms * 100);
    if (hundredths >= MAX_TIMES) return String(ms);
    times[hundredths] ??= String(ms);
    return times[hundredths];
  };
  return (request, reply, broken) => {
    const { call } = request;
    // A key without a sandbox may be of any length.
    const { begin, end } = call === null ? frameOf(request) : knownFrame(request, call.sandbox);
    const { status, fault, connection, ms, request_id } = changing(request, reply, broken);
    write(
      'info',
      `${begin},"path":${JSON.stringify(pathOf(request))}${status === undefined ? '' : `,"status":${status}`}${field('fault', fault)}${field('connection', connection)},"ms":${timeOf(ms)}${field('request_id', request_id)}${end}`,
    );
  };
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['api-key'] ?? headers['sd-api-key'];
  return typeof key === 'string' ? key : undefined;
}

const same = (request: FastifyRequest) => ({
  sandbox: request.call?.sandbox.name,
  operation: request.operationId || undefined,
  method: request.method,
});

const maskedKey = (request: FastifyRequest): string | undefined => {
  const key = keyOf(request);
  return key === undefined ? undefined : maskKey(key);
};

const changing = (request: FastifyRequest, reply: FastifyReply, broken?: string) => ({
  status: broken === undefined ? reply.statusCode : undefined,
  fault: request.call?.faultHit?.fault.id,
  connection: broken,
  ms: Math.round(reply.elapsedTime * 100) / 100,
  request_id: reply.getHeader('x-request-id') as string | undefined,
});

/** The fields of the line, in their order. */
function fieldsOf(request: FastifyRequest, reply: FastifyReply, broken?: string): object {
  return {
    ...same(request),
    path: pathOf(request),
    ...changing(request, reply, broken),
    key: maskedKey(request),
  };
}

function frameOf(request: FastifyRequest): Frame {
  const { sandbox, operation, method } = same(request);
  return {
    method,
    key: keyOf(request),
    begin: `${field('sandbox', sandbox)}${field('operation', operation)}${field('method', method)}`,
    end: `${field('key', maskedKey(request))}${field('msg', MESSAGE)}}`,
  };
}

/** A field after others; `''` if it has no value. */
function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}
