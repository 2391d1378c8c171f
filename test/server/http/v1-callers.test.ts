/** The person of a v1 request, and the records of that person. Decision `lists-by-person` in docs/fidelity.md. */
import { describe, expect, it } from 'vitest';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp();
const as = (personId: string) => ({ 'sd-person-id': personId });
const ids = (answer: Answer) => (answer.at('data') as { id: string }[]).map(({ id }) => id);
const list = async (caller: Caller, name: string, personId: string) =>
  ids(await caller.v1('GET', `/v1/${name}`, undefined, as(personId)));

/** A person who has passed KYC. */
async function person(caller: Caller, phone: string): Promise<string> {
  const body = { firstName: 'Mara', lastName: 'Quill', phone, email: 'mara@quill.example' };
  const id = (await caller.v1('POST', '/v1/person', body)).id();
  await caller.v2('POST', `/_sandbox/simulate/holders/${id}/pass`);
  return id;
}

async function open(caller: Caller, personId: string, owner: object = {}): Promise<string> {
  const answer = await caller.v1('POST', '/v1/account', { acceptedTerms: true, ...owner }, as(personId));
  expect(answer.status, answer.text).toBe(201);
  return answer.id();
}

describe('a list on behalf of a person', () => {
  it("contains the accounts of the person, and of the person's businesses and families", async () => {
    const caller = http.caller();
    const one = await person(caller, '+15035550123');
    const two = await person(caller, '+15035550124');
    expect(await list(caller, 'account', one)).toEqual([]);

    const own = await open(caller, one);
    const business = await caller.v1(
      'POST',
      '/v1/business',
      {
        legalName: 'Fir Clinic LLC',
        entityType: 'limitedLiabilityCompany',
        idType: 'ein',
        idNumber: '387654321',
      },
      as(one),
    );
    await caller.v2('POST', `/_sandbox/simulate/holders/${business.id()}/pass`);
    const firm = await open(caller, one, { businessId: business.id() });
    const family = (await caller.v1('POST', '/v1/family', { name: 'Quill' }, as(one))).id();
    const home = await open(caller, one, { familyId: family });
    expect(await list(caller, 'account', one)).toEqual([home, firm, own]);
    expect(await list(caller, 'business', one)).toEqual([business.id()]);
    expect(await list(caller, 'family', one)).toEqual([family]);

    for (const name of ['account', 'business', 'family']) expect(await list(caller, name, two)).toEqual([]);
    await caller.v1('POST', '/v1/member', { familyId: family, personId: two });
    await caller.v1('POST', '/v1/member', { businessId: business.id(), personId: two });
    expect(await list(caller, 'account', two)).toEqual([home, firm]);
    expect(await list(caller, 'business', two)).toEqual([business.id()]);
    expect(await list(caller, 'family', two)).toEqual([family]);
  });

  it('supports the filters, and a token of the person', async () => {
    const caller = http.caller();
    const one = await person(caller, '+15035550123');
    const own = await open(caller, one);
    const answer = await caller.v1('GET', '/v1/account?status=blocked', undefined, as(one));
    expect(answer.body).toEqual({ total: 0, data: [] });
    const headers = { authorization: `Bearer ${caller.key}:${one}` };
    expect(ids(await http.call('GET', '/v1/account', { headers }))).toEqual([own]);
  });
});
