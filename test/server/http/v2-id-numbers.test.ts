/**
 * A social security number in v2 must be complete: nine digits without dashes, for every person in a body. v1 accepts
 * the last four digits, and v2 can read such records. Decision `v2-ssn` in docs/fidelity.md.
 */
import { describe, expect, it } from 'vitest';
import { digestOf } from './digest.ts';
import { expectRefusedV2 } from './expectations.ts';
import { type Answer, type Caller, useHttp } from './support.ts';

const http = useHttp({ small: true });
const NAMES = { first_name: 'Mara', last_name: 'Quill' };
const REFUSED = {
  status: 400,
  code: 'ERROR_CODE_INVALID_FIELD',
  field: 'person.id_number',
  message: /nine digits, without dashes/,
};

/** The fields of a person: where it is created and where it is changed, and the fields around it. */
const NOUNS = {
  'a holder': {
    path: '/v2/accounts/sub_account_holder',
    body: (caller: Caller, person: object) => ({
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person,
    }),
    change: (person: object) => ({ person }),
    read: 'person',
  },
  'a member': {
    path: '/v2/accounts/sub_account_holder',
    body: (caller: Caller, person: object) => ({
      master_account_id: caller.seed('master_account_id'),
      type: 'business',
      business: { legal_name: 'Quill Press LLC', members: [person] },
    }),
    change: (person: object, made: Answer) => ({
      business: { members: [{ id: made.at('business.members.0.id'), ...person }] },
    }),
    read: 'business.members.0',
  },
  'a card holder': {
    path: '/v2/issuing/card_holder',
    body: (caller: Caller, person: object) => ({ sub_account_id: caller.seed('sub_account_id'), person }),
    change: (person: object) => ({ person }),
    read: 'person',
  },
  'a counterparty': {
    path: '/v2/payments/counterparty',
    body: (caller: Caller, person: object) => ({
      sub_account_id: caller.seed('sub_account_id'),
      type: 'person',
      person,
    }),
    change: (person: object) => ({ person }),
    read: 'person',
  },
} as const;

describe.each(Object.entries(NOUNS))(
  'the social security number of %s',
  (_, { path, body, change, read }) => {
    const make = (caller: Caller, person: object) =>
      caller.v2('POST', path, body(caller, { ...NAMES, ...person }));
    const patch = (caller: Caller, made: Answer, person: object) =>
      caller.v2('PATCH', `${path}/${made.id()}`, change(person, made));

    it.each(['7321', '712-34-5678', '71234567', 'A12345678'])('is refused as %s', async (id_number) => {
      const caller = http.caller();
      const before = digestOf(caller.sandbox);
      const answer = await make(caller, { id_type: 'ssn', id_number });
      const field = read.startsWith('business') ? 'business.members.id_number' : 'person.id_number';
      expectRefusedV2(answer, { ...REFUSED, field });
      expect(answer.text).not.toContain(id_number);
      expect(digestOf(caller.sandbox)).toBe(before);
    });

    it('is accepted with nine digits, and other types with any number', async () => {
      const caller = http.caller();
      const whole = { id_type: 'ssn', id_number: '712345678' };
      const made = await make(caller, whole);
      expect([made.status, made.at(read)]).toMatchObject([201, whole]);
      const passport = { id_type: 'passport', id_number: 'C01-X00' };
      expect((await make(caller, passport)).at(read)).toMatchObject(passport);
      expect((await make(caller, { id_type: 'ssn' })).at(`${read}.id_number`)).toBe('');
    });

    it('is validated in the record that results from a change', async () => {
      const caller = http.caller();
      const field = read.startsWith('business') ? 'business.members.id_number' : 'person.id_number';
      const made = await make(caller, { id_type: 'other', id_number: '7321' });
      const before = digestOf(caller.sandbox);
      for (const person of [
        { id_type: 'ssn' },
        { id_type: 'ssn', id_number: '7321' },
        { id_type: 'ssn', id_number: '732-11-2345' },
      ]) {
        expectRefusedV2(await patch(caller, made, person), { ...REFUSED, field });
      }
      expect(digestOf(caller.sandbox)).toBe(before);
      const whole = { id_type: 'ssn', id_number: '732112345' };
      expect((await patch(caller, made, whole)).at(read)).toMatchObject(whole);
      expectRefusedV2(await patch(caller, made, { id_number: '7321' }), { ...REFUSED, field });
      expect((await patch(caller, made, { first_name: 'Ida' })).at(read)).toMatchObject({
        ...whole,
        first_name: 'Ida',
      });
    });
  },
);

describe('the last four digits, which v1 accepts,', () => {
  const four = { id_type: 'ssn', id_number: '7321' };
  const person = async (caller: Caller): Promise<string> => {
    const made = await caller.v1('POST', '/v1/person', {
      firstName: 'Mara',
      lastName: 'Quill',
      phone: '+15035550187',
      email: 'mara@quill.example',
      idType: 'ssn',
      idNumber: '7321',
    });
    expect(made.status, made.text).toBe(201);
    return `/v2/accounts/sub_account_holder/${made.id()}`;
  };

  it('are returned in v2, and stay while other fields of the person change', async () => {
    const caller = http.caller();
    const path = await person(caller);
    expect((await caller.v2('GET', path)).at('person')).toMatchObject(four);
    const renamed = await caller.v2('PATCH', path, { person: { first_name: 'Ida' }, purpose: 'Rent' });
    expect([renamed.status, renamed.at('person.first_name')]).toEqual([200, 'Ida']);
    const sentBack = await caller.v2('PATCH', path, { person: { ...four, middle_name: 'J' } });
    expect(sentBack.at('person')).toMatchObject({ ...four, middle_name: 'J' });
    expectRefusedV2(await caller.v2('PATCH', path, { person: { id_number: '7322' } }), REFUSED);
    const whole = await caller.v2('PATCH', path, { person: { id_number: '712347321' } });
    expect(whole.at('person.id_number')).toBe('712347321');
  });

  it('are returned for a member of v1, and stay while the membership changes', async () => {
    const caller = http.caller();
    const business = caller.seed('business_holder_id');
    const member = await caller.v1('POST', '/v1/member', {
      businessId: business,
      person: {
        firstName: 'Mara',
        lastName: 'Quill',
        phone: '+15035550187',
        email: 'mara@quill.example',
        idType: 'ssn',
        idNumber: '7321',
      },
    });
    expect(member.status, member.text).toBe(201);
    const path = `/v2/accounts/sub_account_holder/${business}`;
    const members = (await caller.v2('GET', path)).at('business.members') as { id: string }[];
    const { id } = members.at(-1) ?? { id: '' };
    expect(members.at(-1)).toMatchObject(four);
    const change = (fields: object) =>
      caller.v2('PATCH', path, { business: { members: [{ id, ...fields }] } });
    const titled = await change({ title: 'CFO', first_name: 'Ida', ...four });
    expect(titled.at('business.members')).toContainEqual(
      expect.objectContaining({ id, title: 'CFO', first_name: 'Ida', ...four }),
    );
    const field = 'business.members.id_number';
    expectRefusedV2(await change({ id_number: '7322' }), { ...REFUSED, field });
  });
});
