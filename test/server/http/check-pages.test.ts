/**
 * The pages on which checks of people and businesses are decided. Decision `check-pages` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp();
const BACK = 'https://client.example/done?case=7';

const open = (url: string, query: Record<string, string> = {}) => {
  const more = new URLSearchParams(query).toString();
  return http.call('GET', url.replace(/^https?:\/\/[^/]+/, '') + (more === '' ? '' : `&${more}`));
};
const beginIdv = async (caller: Caller, body: object = {}) => {
  const answer = await caller.v1('POST', `/v1/person/${caller.seed('person_id')}/idv`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer;
};
const holderOf = async (caller: Caller, name = 'person_holder_id') =>
  caller.v2('GET', `/v2/accounts/sub_account_holder/${caller.seed(name)}`);
const idvOf = async (caller: Caller) => (await holderOf(caller)).at('person.idv.status');
const refusal = ({ status, at }: Answer) => [status, at('code') ?? at('error.code')];

describe('the page of an identity check', () => {
  it('shows the person and its purpose, and offers three outcomes', async () => {
    const caller = http.caller();
    const idv = await beginIdv(caller);
    const url = idv.id('url');
    expect(url).toContain('?');
    const page = await open(url, { 'redirect-uri': BACK });
    expect(page.status, page.text).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; .*frame-ancestors 'none'; style-src 'self'; img-src data:$/);
    const { person } = (await holderOf(caller)).body as { person: Record<string, string> };
    expect(page.text).toContain(`${person.first_name} ${person.last_name}`);
    expect(page.text).toContain('imitation');
    const links = [...page.text.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(([, href = '', label]) => [
      label,
      new URLSearchParams(href.replaceAll('&amp;', '&').slice(1)).get('decision'),
    ]);
    expect(links).toEqual([
      ['Pass', 'pass'],
      ['Fail', 'fail'],
      ['Needs review', 'review'],
    ]);
    expect(await idvOf(caller)).toBe('review');
  });

  it.each([
    ['pass', 'completed', 'approved', 'pass'],
    ['fail', 'failed', 'declined', 'fail'],
    ['review', 'needs_review', 'inReview', 'review'],
  ])('decides %s, and redirects with the published parameters', async (decision, word, v1, v2) => {
    const caller = http.caller();
    const idv = await beginIdv(caller);
    const answer = await open(idv.id('url'), { 'redirect-uri': BACK, decision });
    expect(answer.status, answer.text).toBe(302);
    const back = new URL(String(answer.headers.location));
    expect(back.origin + back.pathname).toBe('https://client.example/done');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      case: '7',
      'inquiry-id': idv.id(),
      status: word,
      'reference-id': caller.seed('person_id'),
    });
    expect((await beginIdv(caller, { action: 'resume' })).at('status')).toBe(v1);
    expect(await idvOf(caller)).toBe(v2);
  });

  it('has the same URL in events and in the record', async () => {
    const caller = http.caller();
    await caller.listen();
    const url = (await beginIdv(caller)).id('url');
    await open(url, { decision: 'pass' });
    const { v2 } = await caller.receivedEvents();
    const shown = (await holderOf(caller)).at('person.idv.url');
    expect(v2.map(({ record }) => (record as { person: { idv: { url: string } } }).person.idv.url)).toEqual([
      shown,
      shown,
    ]);
    expect((await open(String(shown))).text).toContain('It passed.');
  });

  it('changes nothing after the check passed or failed, and links on with its result', async () => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    const once = await open(url, { decision: 'pass' });
    expect([once.status, once.text.includes('It passed.'), once.text.includes('close this page')]).toEqual([
      200,
      true,
      true,
    ]);
    const again = await open(url, { decision: 'fail', 'redirect-uri': BACK });
    expect([again.status, again.headers.location]).toEqual([
      302,
      expect.stringContaining('status=completed'),
    ]);
    const looked = await open(url, { 'redirect-uri': BACK });
    expect(looked.text).not.toContain('decision=');
    expect(looked.text).toContain('">Continue</a>');
    expect(await idvOf(caller)).toBe('pass');
  });

  it('can still decide after a review', async () => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    await open(url, { decision: 'review' });
    expect((await open(url)).text).toMatch(/It is in review\.[\s\S]*decision=pass/);
    await open(url, { decision: 'pass' });
    expect(await idvOf(caller)).toBe('pass');
  });

  it('belongs to one check: another check has another page', async () => {
    const caller = http.caller();
    const first = (await beginIdv(caller)).id('url');
    expect((await beginIdv(caller, { action: 'resume' })).id('url')).toBe(first);
    const second = (await beginIdv(caller, { action: 'new' })).id('url');
    expect(refusal(await open(first, { decision: 'pass' }))).toEqual([410, 'EC_PERSON_LINK_EXPIRED']);
    expect(await idvOf(caller)).toBe('review');
    http.clock.advance(400 * 86_400_000);
    expect((await open(second, { decision: 'pass' })).status).toBe(200);
    expect(await idvOf(caller)).toBe('pass');
  });

  it('is refused for an invented or modified link', async () => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    const other = (await caller.v1('POST', `/v1/person/${caller.seed('new_person_id')}/idv`)).id('url');
    const seal = (text: string): string => text.slice(text.indexOf('?'));
    for (const forged of [
      url.replace(/signature=.*/, 'signature=0'),
      url.replace(/\?.*/, '?'),
      url.replace(seal(url), seal(other)),
      url.replace(caller.sandbox.name, 'nobody'),
      url.replace('/idv-', '/kyc-'),
      `${url}&signature=1`,
    ]) {
      expect(refusal(await open(forged, { decision: 'pass' })), forged).toEqual([
        404,
        'EC_PERSON_LINK_NOT_FOUND',
      ]);
    }
    const path = url.replace(/^https?:\/\/[^/]+/, '');
    expect((await http.app.server.inject({ method: 'HEAD', url: `${path}&decision=pass` })).statusCode).toBe(
      404,
    );
    expect(await idvOf(caller)).toBe('review');
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'done',
    '//x',
  ])('does not redirect to %s, and then decides nothing', async (redirectUri) => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    for (const more of [{}, { decision: 'pass' }]) {
      const answer = await open(url, { 'redirect-uri': redirectUri, ...more });
      expect(refusal(answer)).toEqual([400, 'EC_PERSON_INVALID_REQUEST']);
      expect(answer.at('message')).toMatch(/^redirect-uri must be the address of a web page/);
    }
    expect(await idvOf(caller)).toBe('review');
  });

  it.each(['bankapp://idv/done', 'com.example.app:/done', 'http://localhost:5000'])(
    'redirects to %s',
    async (uri) => {
      const caller = http.caller();
      const url = (await beginIdv(caller)).id('url');
      const answer = await open(url, { 'redirect-uri': uri, decision: 'pass' });
      expect([answer.status, String(answer.headers.location).startsWith(uri)]).toEqual([302, true]);
    },
  );

  it('refuses unknown decisions', async () => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    expect(refusal(await open(url, { decision: 'approve' }))).toEqual([400, 'EC_PERSON_INVALID_REQUEST']);
    expect(refusal(await open(`${url}&decision=pass&decision=fail`))).toEqual([
      400,
      'EC_PERSON_INVALID_REQUEST',
    ]);
  });

  it('escapes a hostile name', async () => {
    const caller = http.caller();
    const person = {
      firstName: '<script>alert(1)</script>',
      lastName: '"><img src=x onerror=alert(1)>&',
      phone: '+15555555555',
      email: 'a@b.example',
    };
    const id = (await caller.v1('POST', '/v1/person', person)).id();
    const url = (await caller.v1('POST', `/v1/person/${id}/idv`)).id('url');
    const hostile = 'https://x.example/"><script>alert(2)</script>';
    await open(url, { decision: 'pass' });
    for (const page of [await open(url), await open(url, { 'redirect-uri': hostile })]) {
      expect(page.text).not.toMatch(/<script|<img/);
      expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &quot;&gt;&lt;img src=x');
    }
  });

  it('cannot decide for a deactivated person', async () => {
    const caller = http.caller();
    const url = (await beginIdv(caller)).id('url');
    await caller.v1('PATCH', `/v1/person/${caller.seed('person_id')}`, { status: 'deactivated' });
    expect((await open(url, { decision: 'pass' })).status).toBe(409);
    expect(await idvOf(caller)).toBe('review');
  });
});

describe('the pages of KYC and KYB in v2', () => {
  const post = async (caller: Caller, name: string, path: string) => {
    const answer = await caller.v2('POST', `/v2/accounts/sub_account_holder/${caller.seed(name)}/${path}`);
    expect(answer.status, answer.text).toBe(201);
    return answer;
  };
  const person = (more: object) => ({
    type: 'person',
    person: {
      first_name: 'Ida',
      last_name: 'Moss',
      id_type: 'ssn',
      id_number: '199999999',
      date_of_birth: '1990-01-01',
      phone: '+15035550199',
      email: 'ida@moss.example',
      address: { line1: '1 A', city: 'Salem', state: 'OR', country: 'US', postal_code: '97301' },
    },
    ...more,
  });
  const create = (caller: Caller, more: object = {}) =>
    caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      ...person(more),
    });

  it('decide a KYC in review, with the terms of v2', async () => {
    const caller = http.caller();
    const made = await create(caller);
    expect(made.at('person.kyc.url')).toBe('');
    const holder = await caller.v2('POST', `/v2/accounts/sub_account_holder/${made.id()}/kyc`);
    expect(holder.at('person.kyc.status')).toBe('review');
    const url = holder.id('person.kyc.url');
    const answer = await open(url, { 'redirect-uri': BACK, decision: 'pass' });
    const back = new URL(String(answer.headers.location));
    expect([back.searchParams.get('inquiry-id'), back.searchParams.get('reference-id')]).toEqual([
      holder.at('person.kyc.id'),
      made.id(),
    ]);
    const passed = await caller.v2('GET', `/v2/accounts/sub_account_holder/${made.id()}`);
    expect([passed.at('status'), passed.at('person.kyc.status')]).toEqual(['activated', 'pass']);
    expect(passed.at('person.kyc.url')).toBe(url);
    expect(refusal(await open(url.replace(/signature=.*/, 'signature=0')))).toEqual([
      404,
      'ERROR_CODE_RESOURCE_NOT_FOUND',
    ]);
  });

  it('are those of the business for its members, and exist for a KYB', async () => {
    const caller = http.caller();
    const holder = await post(caller, 'business_holder_id', 'kyb');
    const url = holder.id('business.kyb.url');
    const page = await open(url);
    expect(page.text).toContain('Birch Tools LLC');
    expect(page.text).toContain('It passed.');
    const members = holder.at('business.members') as { kyc: { url: string }; idv: { url: string } }[];
    expect(members.map(({ kyc, idv }) => [kyc.url, idv.url])).toEqual([
      [url, ''],
      [url, ''],
    ]);
  });

  it("do not replace the client's own page", async () => {
    const caller = http.caller();
    const verification = { status: 'pass', method: 'alloy', url: 'https://alloy.example/1' };
    const made = await create(caller, { verification });
    expect(made.at('person.kyc')).toMatchObject({ method: 'alloy', url: 'https://alloy.example/1' });
  });
});
