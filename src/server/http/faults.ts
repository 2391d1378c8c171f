/**
 * The effects of a fault on a request: it delays the response in real time, responds with an error, or resets, ends,
 * holds or truncates the connection, as broken networks and proxies do. An error of the bank is formatted as the bank
 * would format it; any other status gets a code and a message from its HTTP name. All delays end when the server
 * stops.
 * Source: decisions `v2-error-body`, `v1-error-body` and `v1-error-codes` in docs/fidelity.md;
 * `EC_QLDB_OCC_ERROR_RETRY` is the code that the platform documents for 409.
 */
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../bank/kernel/refusal.ts';
import { inV2, REFUSALS, type RefusalCode } from '../../bank/kernel/refusals.ts';
import { V2_CODES } from '../../bank/kernel/v2-codes.ts';
import type { ConnectionFault, FaultError } from '../../sandboxes/sandbox/faults.ts';
import type { Api, RefusedCall } from './api-versions.ts';

// An import of the module would evaluate all of its exports. Its WebSocket loads undici, which takes 15 ms of a
// start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export interface FaultEffects {
  /** Resolves after `ms` real milliseconds, or when the server stops. */
  delay(ms: number): Promise<void>;
  /** Takes over the reply from Fastify and breaks the connection. A truncated connection sends half of `answer`. */
  breakConnection(
    kind: ConnectionFault,
    request: FastifyRequest,
    reply: FastifyReply,
    answer: { status: number; body: string },
  ): void;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Creates the effects for one scope of the server. */
export function createFaultEffects(app: FastifyInstance): FaultEffects {
  const waiting = new Set<() => void>();
  const held = new Set<FastifyReply>();

  app.addHook('preClose', (done) => {
    for (const go of waiting) go();
    for (const reply of held) destroy(reply);
    done();
  });

  return {
    delay(ms) {
      if (ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const go = (): void => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve();
        };
        const timer = setTimeout(go, ms);
        waiting.add(go);
      });
    },
    breakConnection(kind, request, reply, { status, body }) {
      const bytes = Buffer.from(body);
      reply.hijack();
      if (kind === 'hang') {
        held.add(reply);
        request.raw.socket.once('close', () => held.delete(reply));
      } else if (kind === 'reset') {
        const { socket } = request.raw;
        if (socket instanceof Socket) socket.resetAndDestroy();
        else destroy(reply);
      } else if (kind === 'empty' || bytes.length === 0) {
        endEarly(reply);
      } else {
        const headers = { ...reply.getHeaders(), 'content-type': JSON_TYPE, 'content-length': bytes.length };
        reply.raw.writeHead(status, headers as Record<string, string | number>);
        reply.raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => endEarly(reply));
      }
    },
  };
}

/** Sends the data that was written and ends the connection. */
function endEarly(reply: FastifyReply): void {
  const { socket } = reply.raw;
  if (socket instanceof Socket) socket.destroySoon();
  else destroy(reply);
}

/** A request that was injected has no socket, so its response is destroyed. */
function destroy({ raw }: FastifyReply): void {
  if (raw.socket instanceof Socket) raw.socket.destroy();
  else raw.destroy();
}

/** The default refusal for each status. */
const DEFAULT_CODES: Readonly<Record<number, RefusalCode>> = {
  400: 'field_invalid',
  401: 'key_unknown',
  404: 'path_unknown',
  405: 'method_wrong',
  409: 'write_conflict',
  410: 'link_expired',
  413: 'body_too_large',
  415: 'media_unsupported',
  429: 'rate_limited',
  501: 'not_emulated',
};

const PREFIXES = { v1: 'EC_', v2: 'ERROR_CODE_' } as const;
const WRITE_CONFLICT = 'EC_QLDB_OCC_ERROR_RETRY';

/** The bank's refusal with this name, or in v2 with this code. */
function refusalOf(version: Api['name'], code: string | undefined): RefusalCode | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(REFUSALS, code)) return code as RefusalCode;
  return version === 'v2'
    ? (Object.keys(REFUSALS) as RefusalCode[]).find((own) => inV2(own).code === code)
    : undefined;
}

const isV2Code = (code: string): boolean => Object.hasOwn(V2_CODES, code);

/** The words of a code of the platform that no refusal here has. */
const wordsOf = (code: string): string => code.replace('ERROR_CODE_', '').toLowerCase().replaceAll('_', ' ');

/** The answer of a fault with an error. */
export function formatFault(
  version: Pick<Api, 'name' | 'formatRefusal'>,
  { status, code }: FaultError,
  call: RefusedCall,
): { status: number; body: object } {
  const known = code === WRITE_CONFLICT ? 'write_conflict' : code;
  const own = refusalOf(version.name, known);
  const defaultCode = own ?? DEFAULT_CODES[status];
  const { body } = version.formatRefusal(refuse(defaultCode ?? 'failure'), call);
  const phrase = STATUS_CODES[status] ?? 'Error';
  const words: { code?: string; message?: string } = {};
  if (own === undefined && code !== undefined) words.code = code;
  else if (defaultCode === undefined)
    words.code = PREFIXES[version.name] + phrase.toUpperCase().replace(/\W+/g, '_');
  if (own === undefined && code !== undefined && isV2Code(code)) words.message = wordsOf(code);
  // The message of the bank's own failure says that nothing was changed, which is wrong after a commit.
  if (defaultCode === undefined) words.message ??= phrase.toLowerCase();
  return { status, body: version.name === 'v2' ? overV2(body, status, words) : overV1(body, status, words) };
}

/**
 * Whether the error of a fault is stored under the idempotency key, like the same response of the bank. Errors that a
 * client may retry with the same key are not stored. Decision `idempotency-kept-answers` in docs/fidelity.md.
 */
export function isStored({ status }: FaultError): boolean {
  return status < 500 && status !== 401 && status !== 429;
}

type ErrorWords = { code?: string; message?: string };

function overV2(body: object, status: number, words: ErrorWords): object {
  const { error } = body as { error: object };
  return { ...body, status, error: { ...error, ...words } };
}

function overV1(body: object, status: number, words: ErrorWords): object {
  const sysMessage =
    words.code === undefined ? {} : { sysMessage: words.code.replace(/^EC_/, '').toLowerCase() };
  return { ...body, status, ...words, ...sysMessage };
}
