/**
 * Requests that try to cause long processing or large responses: the time and the size of each response do not grow
 * faster than the request.
 */
import { describe, expect, it } from 'vitest';
import { usedMs } from '../../support/processor-time.ts';
import { expectRefusedV2 } from './expectations.ts';
import { writeForm } from './forms.ts';
import { type Answer, type Caller, type Method, useHttp } from './support.ts';

const http = useHttp({ small: true });
const strict = useHttp({ small: true, strictFields: true });

/** Processor time of this process; each request uses less than a tenth of it. */
const LONGEST_MS = 8000;
const LONGEST_ANSWER = 10_000;
const MANY = 100_000;

async function timed(make: () => Promise<Answer>): Promise<Answer> {
  const before = usedMs();
  const answer = await make();
  expect(usedMs() - before).toBeLessThan(LONGEST_MS);
  expect(answer.status, answer.text.slice(0, 300)).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.text.slice(0, 300)).toBeLessThan(500);
  expect(answer.text.length).toBeLessThan(LONGEST_ANSWER);
  expect(JSON.stringify(answer.headers).length).toBeLessThan(LONGEST_ANSWER);
  return answer;
}

const pairs = (value: (at: number) => string): string =>
  Array.from({ length: MANY }, (_, at) => `"k${at}":${value(at)}`).join(',');
const holder = (caller: Caller) => `/v2/accounts/sub_account_holder/${caller.seed('person_id')}`;

describe('a response does not repeat a megabyte of input', () => {
  const name = 'x'.repeat(900_000);
  it.each<[string, (caller: Caller) => Promise<Answer>]>([
    ['of a name of the control plane', ({ v2 }) => v2('POST', '/_sandbox/faults', `{"${name}":1}`)],
    ['of many names', ({ v2 }) => v2('POST', '/_sandbox/faults', `{${pairs(() => '1').slice(0, 900_000)}1}`)],
    [
      'of a value',
      ({ v2 }) => v2('POST', '/_sandbox/rules', { rules: [{ match: { rail: name }, outcome: {} }] }),
    ],
    ['of an instant', ({ v2 }) => v2('PUT', '/_sandbox/clock', { mode: 'frozen', now: name })],
    ['of a duration', ({ v2 }) => v2('POST', '/_sandbox/clock/advance', { by: name })],
    ['of a name of a snapshot', ({ v2 }) => v2('POST', '/_sandbox/sandboxes', { name })],
    ['of a key of the metadata', (caller) => caller.v2('PATCH', holder(caller), { metadata: { [name]: 1 } })],
    ['of an event', ({ v2 }) => v2('POST', '/v2/webhook', { url: 'http://a.example', events: [name] })],
    ['of an address', ({ v2 }) => v2('POST', '/v2/webhook', { url: name, events: ['card.created'] })],
    ['of an event of v1', ({ v1 }) => v1('POST', '/v1/webhook', { url: 'http://a.example', events: [name] })],
  ])('%s', async (_, make) => {
    await timed(() => make(http.caller()));
  });
});

describe('an error with many problems is short for', () => {
  it('invalid items of a list', async () => {
    const events = `[${Array.from({ length: 400_000 }, () => '0').join(',')}]`;
    const { v1, v2 } = http.caller();
    await timed(() => v2('POST', '/v2/webhook', `{"url":"http://a.example","events":${events}}`));
    await timed(() => v1('POST', '/v1/webhook', `{"url":"http://a.example","events":${events}}`));
    await timed(() =>
      v2('POST', '/_sandbox/webhooks', `{"api_version":"v2","url":"http://a.example","events":${events}}`),
    );
  });

  it('invalid pairs of metadata', async () => {
    const caller = http.caller();
    const body = `{"metadata":{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join(',')}}}`;
    await timed(() => caller.v2('PATCH', holder(caller), body));
  });

  it('unknown fields of an update, if they are refused', async () => {
    const caller = strict.caller();
    const body = `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":0`).join(',')}}`;
    await timed(() => caller.v2('PATCH', holder(caller), body));
  });

  it('parts of a form', async () => {
    const caller = http.caller();
    const parts = Array.from({ length: 80_000 }, () => ({ name: 'front', content: '' }));
    const { body, headers } = writeForm(parts);
    await timed(() =>
      http.call('PATCH', '/v1/receive/check/trf-1/files', {
        body,
        headers: { 'sd-api-key': caller.key, ...headers },
      }),
    );
  });
});

describe('a body that is nested deeper than the stack', () => {
  const DEEP = 400_000;
  it.each([
    ['POST', '/_sandbox/seed'],
    ['POST', '/_sandbox/faults'],
    ['PUT', '/_sandbox/rules'],
    ['PUT', '/_sandbox/settings'],
  ])('%s %s', async (method, path) => {
    const { v2 } = http.caller();
    for (const body of [
      `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
      `{"rules":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
      `{"persons":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
      `{"match":${'{"match":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ]) {
      await timed(() => v2(method as Method, path, body));
    }
  });

  it('of an operation that has no body changes nothing', async () => {
    const { v2 } = http.caller();
    const answer = await v2('DELETE', '/_sandbox/receiver', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`);
    expect(answer.status, answer.text).toBe(204);
  });
});

it.each(['%', '%E0%A4%A', '%zz', 'a%', '%c3%28'])(
  'an id that cannot be decoded is unknown: %s',
  async (id) => {
    const caller = http.caller();
    expectRefusedV2(await caller.v2('GET', `/v2/issuing/card/${id}`), {
      status: 404,
      code: 'ERROR_CODE_RESOURCE_NOT_FOUND',
    });
    expect((await caller.v1('GET', `/v1/account/${id}`)).status).toBe(404);
  },
);
