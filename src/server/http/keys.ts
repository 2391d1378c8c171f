/**
 * The key of a request. v1 accepts it in its header, or with the person in a user token; the token is converted to
 * the two headers before they are read. A hint explains a missing or unknown key, because the documented body of a
 * 401 does not.
 * Source: decisions `api-keys` and `user-tokens` in docs/fidelity.md.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../../bank/kernel/refusal.ts';
import type { RefusalCode } from '../../bank/kernel/refusals.ts';
import type { Api } from './api-versions.ts';

const KEY_HEADERS = { v1: 'sd-api-key', v2: 'api-key' } as const;
const PERSON_HEADER = 'sd-person-id';
const BEARER = /^Bearer +([^\s:]+)(?::(\S+))?\s*$/i;
const NO_PERSON = /^Bearer +[^\s:]+:\s*$/i;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const KEY_PREFIX = 'test_';

const A_NAME = 'with 1 to 64 letters, digits, "_" and "-" in the name, the first a letter or a digit';
const A_TOKEN = 'Authorization: Bearer <key> or Bearer <key>:<person id>';

/** The key and the person in a user token, if it contains them. */
export function bearerOf(authorization: string): { key: string | undefined; person: string | undefined } {
  const [, key, person] = BEARER.exec(authorization) ?? [];
  return { key, person };
}

/** Converts the user token of v1 to the headers for its key and its person. Refuses: `field_invalid`. */
export function takeUserTokens(server: FastifyInstance): void {
  server.addHook('onRequest', (request, _, done) => {
    const { headers } = request;
    const { authorization = '' } = headers;
    if (authorization === '' || !/^\/v1(\/|\?|$)/.test(request.url)) return done();
    // A call with a vault token needs no key.
    const { tokenHeader } = request.routeOptions.config;
    if (tokenHeader !== undefined && headers[tokenHeader] !== undefined) return done();
    const { key, person } = bearerOf(authorization);
    for (const [name, value] of [
      [KEY_HEADERS.v1, key],
      [PERSON_HEADER, person],
    ] as const) {
      const sent = headers[name];
      if (value === undefined || sent === value) continue;
      if (sent !== undefined && sent !== '') {
        const message = `${name} and the Bearer token are not the same; send one of the two`;
        return done(refuse('field_invalid', { field: 'authorization', message }));
      }
      request.headers[name] = value;
    }
    done();
  });
}

/** Why a key opens no sandbox; `how` says how to send one. */
export function keyProblem(key: string, how: string): string {
  if (!key.startsWith(KEY_PREFIX)) return `a key begins with ${KEY_PREFIX}; ${how}, ${A_NAME}`;
  if (!NAME.test(key.slice(KEY_PREFIX.length)))
    return `the name in the key is not valid for a sandbox; ${how}, ${A_NAME}`;
  return 'no sandbox has this key; POST /_sandbox/sandboxes creates one';
}

/** The reason for a 401 and the format of a key; `''` for any other refusal. */
export function keyHint({ name, keyHeader }: Api, code: RefusalCode, { headers }: FastifyRequest): string {
  if (code !== 'key_missing' && code !== 'key_unknown') return '';
  const key = headers[keyHeader];
  const otherHeader = KEY_HEADERS[name === 'v1' ? 'v2' : 'v1'];
  const how =
    name === 'v1' ? `send ${keyHeader}: test_<name>, or ${A_TOKEN}` : `send ${keyHeader}: test_<name>`;
  if (typeof key === 'string' && key !== '') {
    return keyProblem(key, how);
  }
  if (headers[otherHeader] !== undefined) {
    return `${otherHeader} is the header of ${name === 'v1' ? 'v2' : 'v1'}; ${how}`;
  }
  if (headers.authorization !== undefined) {
    if (name === 'v1' && NO_PERSON.test(headers.authorization)) {
      return `no person id follows the colon in the Authorization header; send ${A_TOKEN}`;
    }
    return name === 'v1'
      ? `there is no key in the Authorization header; send ${A_TOKEN}`
      : `v2 does not accept an Authorization header; ${how}`;
  }
  return `there is no key; ${how}`;
}
