/**
 * Existing documents of people and businesses: listed, retrieved with a new link, and changed.
 * Decisions `list-paging`, `document-links` and `document-lists` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import type { Table } from '../../contract/rows.ts';
import { BUSINESS_DOCUMENT, DOCUMENT } from '../../contract/v1/people.ts';
import { digestOf } from './digest.ts';
import { expectRecord, expectRefusedV1 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true });
const BODY = {
  name: 'Passport',
  description: 'front page',
  docType: 'passport',
  documentNumber: 'P0012345',
  expirationDate: '2031-05-01',
  issuingCountry: 'US',
  issuingState: 'OR',
};

interface Owner {
  field: 'personId' | 'businessId';
  table: Table;
  prefix: string;
  code: string;
  /** The path of the caller's own documents, and that of another holder of the same type. */
  path(caller: Caller): string;
  other(caller: Caller): Promise<string>;
  wrongType(caller: Caller): string;
  operations: Record<'create' | 'list' | 'retrieve' | 'update', string>;
}

const dashed = (id: string) => id.slice(4).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');

const OWNERS: readonly [string, Owner][] = [
  [
    'a person',
    {
      field: 'personId',
      table: DOCUMENT,
      prefix: 'per-',
      code: 'EC_PERSON_NOT_FOUND',
      path: (caller) => `/v1/person/${caller.seed('person_id')}/document`,
      other: async (caller) => `/v1/person/${await newHolder(caller, 'person')}/document`,
      wrongType: (caller) => `/v1/person/${caller.seed('business_holder_id')}/document`,
      operations: {
        create: 'createPersonDocument',
        list: 'listPersonDocuments',
        retrieve: 'retrievePersonDocument',
        update: 'updatePersonDocument',
      },
    },
  ],
  [
    'a business',
    {
      field: 'businessId',
      table: BUSINESS_DOCUMENT,
      prefix: 'bus-',
      code: 'EC_BUSINESS_NOT_FOUND',
      path: (caller) => `/v1/business/bus-${dashed(caller.seed('business_holder_id'))}/document`,
      other: async (caller) => `/v1/business/${await newHolder(caller, 'business')}/document`,
      wrongType: (caller) => `/v1/business/${caller.seed('person_holder_id')}/document`,
      operations: {
        create: 'createBusinessDocument',
        list: 'listBusinessDocuments',
        retrieve: 'retrieveBusinessDocument',
        update: 'updateBusinessDocument',
      },
    },
  ],
];

/** Another holder, created in v2; v1 accepts its id unchanged. */
async function newHolder(caller: Caller, type: 'person' | 'business'): Promise<string> {
  const named = type === 'person' ? { first_name: 'Mara', last_name: 'Quill' } : { legal_name: 'Quill LLC' };
  const answer = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
    master_account_id: caller.seed('master_account_id'),
    type,
    [type]: named,
  });
  return answer.id();
}

const namesOf = (answer: Answer) => (answer.at('data') as { name: string }[]).map(({ name }) => name);

describe.each(OWNERS)('a document of %s', (_, owner) => {
  const create = (caller: Caller, body: object = BODY) => caller.v1('POST', owner.path(caller), body);

  it('has the id of its owner', async () => {
    const caller = http.caller();
    const answer = await create(caller);
    expectRecord(answer, owner.operations.create, owner.table);
    expect(answer.body).toMatchObject({
      ...BODY,
      [owner.field]: expect.stringMatching(new RegExp(`^${owner.prefix}`)),
    });
  });

  it('is listed newest first, paginated and without a link', async () => {
    const caller = http.caller();
    for (const name of ['one', 'two', 'three']) await create(caller, { name });
    const first = await caller.v1('GET', `${owner.path(caller)}?limit=2`);
    expectRecord(first, owner.operations.list, ['total', 'data']);
    expect([first.at('total'), namesOf(first), first.at('data.0.url')]).toEqual([3, ['three', 'two'], '']);
    const second = await caller.v1('GET', `${owner.path(caller)}?limit=2&offset=2`);
    expect([second.at('total'), namesOf(second)]).toEqual([3, ['one']]);
  });

  it('is listed only for its owner', async () => {
    const caller = http.caller();
    await create(caller);
    expect((await caller.v1('GET', await owner.other(caller))).body).toEqual({ total: 0, data: [] });
  });

  it('is retrieved with a new link to its file', async () => {
    const caller = http.caller();
    const made = await create(caller);
    const put = new URL(made.id('url'));
    await http.app.server.inject({
      method: 'PUT',
      url: put.pathname + put.search,
      payload: Buffer.from('x'),
    });
    http.clock.advance(900_000);
    const answer = await caller.v1('GET', `${owner.path(caller)}/${made.id()}`);
    expectRecord(answer, owner.operations.retrieve, owner.table);
    expect(answer.body).toEqual({ ...(made.body as object), url: expect.not.stringMatching(/^$/) });
    const { pathname, search } = new URL(answer.id('url'));
    expect((await http.app.server.inject({ method: 'GET', url: pathname + search })).payload).toBe('x');
  });

  it('is changed in the sent fields, and keeps the others', async () => {
    const caller = http.caller();
    const made = await create(caller);
    http.clock.advance(60_000);
    const path = `${owner.path(caller)}/${made.id()}`;
    const change = { name: 'Old passport', issuingCountry: 'ca', expirationDate: '' };
    const answer = await caller.v1('PATCH', path, change);
    expectRecord(answer, owner.operations.update, owner.table);
    expect(answer.body).toEqual({
      ...(made.body as object),
      ...change,
      issuingCountry: 'CA',
      url: '',
      modifiedAt: `${new Date(http.clock.now()).toISOString().slice(0, 19)}Z`,
    });
    const { url: _, ...stored } = (await caller.v1('GET', path)).body as Record<string, unknown>;
    expect({ ...stored, url: '' }).toEqual(answer.body);
  });

  it('publishes no event', async () => {
    const caller = http.caller();
    await caller.listen();
    const made = await create(caller);
    await caller.v1('PATCH', `${owner.path(caller)}/${made.id()}`, { name: 'x' });
    expect(await caller.receivedEvents()).toEqual({ v1: [], v2: [] });
  });

  it.each([
    ['a name that is a number', { name: 1 }, /name/],
    ['a kind that is too long', { docType: 'x'.repeat(101) }, /docType/],
    ['an invalid date', { expirationDate: '2031-02-29' }, /expirationDate/],
    ['a country in full', { issuingCountry: 'Canada' }, /issuingCountry/],
  ])('cannot be changed to %s', async (_, change, message) => {
    const caller = http.caller();
    const made = await create(caller);
    const before = digestOf(caller.sandbox);
    const answer = await caller.v1('PATCH', `${owner.path(caller)}/${made.id()}`, change);
    expectRefusedV1(answer, { status: 400, code: 'EC_DOCUMENT_INVALID_REQUEST', message });
    expect(digestOf(caller.sandbox)).toBe(before);
  });

  it.each(['GET', 'PATCH'] as const)('belongs only to its owner: %s', async (method) => {
    const caller = http.caller();
    const made = await create(caller);
    const body = method === 'PATCH' ? { name: 'x' } : undefined;
    const missing = { status: 404, code: 'EC_DOCUMENT_NOT_FOUND' };
    for (const id of [made.id(), `doc-${crypto.randomUUID()}`, 'doc-1']) {
      expectRefusedV1(await caller.v1(method, `${await owner.other(caller)}/${id}`, body), missing);
    }
  });

  it('cannot belong to a holder of the other type, or an unknown one', async () => {
    const caller = http.caller();
    const made = await create(caller);
    const wrong = owner.wrongType(caller);
    const missing = { status: 404, code: owner.code };
    const nobody = owner.path(caller).replace(/(per|bus)-[0-9a-f-]+/, `$1-${crypto.randomUUID()}`);
    for (const path of [wrong, nobody]) {
      expectRefusedV1(await caller.v1('POST', path, BODY), missing);
      expectRefusedV1(await caller.v1('GET', path), missing);
      expectRefusedV1(await caller.v1('GET', `${path}/${made.id()}`), missing);
      expectRefusedV1(await caller.v1('PATCH', `${path}/${made.id()}`, {}), missing);
    }
  });

  it.each(['limit=0', 'offset=-1', 'limit=x'])('is not listed by %s', async (query) => {
    const caller = http.caller();
    const answer = await caller.v1('GET', `${owner.path(caller)}?${query}`);
    expectRefusedV1(answer, { status: 400, code: 'EC_DOCUMENT_INVALID_REQUEST' });
  });
});
