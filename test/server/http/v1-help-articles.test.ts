/**
 * Rules in the help articles of v1 that its reference does not contain: contradicting limits, the images of a check
 * in review, the hourly ACH run of the sandbox, residences, and the requirements of a KYB.
 */
import { describe, expect, it } from 'vitest';
import { makeBusiness, makePerson } from '../../reference/register/checks.ts';
import { expectRefusedV1 } from './expectations.ts';
import { writeForm } from './forms.ts';
import { type Caller, useHttp } from './support.ts';
import { entries, giveRails, order, orderOf } from './v1-orders.ts';

const BAD_ADDRESS = { reason: 'invalidCheckAddress', message: 'invalid check address' };

describe('an ACH limit of an account', () => {
  const http = useHttp({ small: true });
  const limit = (caller: Caller, limits: object) =>
    caller.v1('PATCH', `/v1/account/${caller.seed('account_id')}`, { config: { limits } });

  it.each(['send', 'receive'])('to %s is not above the overall limit', async (side) => {
    const caller = http.caller();
    const limits = { daily: '100.00', monthly: '900.00' };
    expect((await limit(caller, { [side]: { ...limits, ach: { daily: '100.00' } } })).status).toBe(200);
    for (const [change, field] of [
      [{ ach: { daily: '100.01' } }, 'ach.daily'],
      [{ ach: { monthly: '900.01' } }, 'ach.monthly'],
      [{ daily: '99.99' }, 'ach.daily'],
    ] as const) {
      expectRefusedV1(await limit(caller, { [side]: change }), {
        status: 400,
        code: 'EC_ACCOUNT_INVALID_REQUEST',
        message: new RegExp(`^config.limits.${side}.${field} .* overall limit`),
      });
    }
    expect((await limit(caller, { [side]: { daily: '', ach: { daily: '5000.00' } } })).status).toBe(200);
    // A rule on a page about ACH applies only to ACH.
    expect((await limit(caller, { [side]: { intrabank: { monthly: '950.00' } } })).status).toBe(200);
  });
});

describe('the images of a check', () => {
  const http = useHttp({ small: true, rails: 'fast' });
  const upload = (caller: Caller, id: string, content: string) => {
    const parts = ['front', 'back'].map((name) => ({
      name,
      filename: `${name}.png`,
      contentType: 'image/png',
      content: `${content} ${name}`,
    }));
    const form = writeForm(parts);
    return caller.v1('PATCH', `/v1/receive/check/${id}/files`, form.body, form.headers);
  };

  it('can be sent again during the review, and the deposit continues', async () => {
    const caller = http.caller();
    await giveRails(caller);
    const id = (await order(caller, orderOf('/v1/receive/check'))).id();
    const read = async () => (await caller.v1('GET', `/v1/receive/check/${id}`)).body;
    await upload(caller, id, 'dark');
    await caller.v2('POST', `/_sandbox/simulate/transactions/${id}/review`, BAD_ADDRESS);
    expect(await read()).toMatchObject({ status: 'pending', reviewCode: 'invalidCheckAddress' });
    await caller.listen();
    const again = await upload(caller, id, 'light');
    expect(again.status, again.text).toBe(200);
    expect(again.body).toMatchObject({ status: 'pending', reviewCode: '', reviewMessage: '' });
    const { details } = caller.sandbox.store.transactions.byId(id.slice(4).replaceAll('-', '')) ?? {};
    if (details?.kind !== 'check') throw new Error('no check');
    expect(String(caller.sandbox.store.files.byId(details.frontId)?.content)).toBe('light front');
    expect((await caller.receivedEvents()).v1.map(({ kind }) => kind)).toEqual(['transfer.updated']);
    for (let second = 0; second < 8; second += 1) {
      http.clock.advance(1000);
      await caller.sandbox.agenda.runDue();
    }
    expect(await read()).toMatchObject({ status: 'completed' });
    expectRefusedV1(await upload(caller, id, 'late'), {
      status: 409,
      code: 'EC_TRANSFER_INVALID_STATE',
      message: /in review/,
    });
  });
});

describe('a card that is not being shipped', () => {
  const http = useHttp({ small: true });

  it('has no arrival date in v1', async () => {
    const caller = http.caller();
    const body = {
      accountId: caller.seed('account_id'),
      cardType: 'physical',
      shipping: {
        shippingAddress: {
          line1: '9 Pier Road',
          city: 'Salem',
          state: 'OR',
          country: 'US',
          postalCode: '97301',
        },
      },
    };
    await caller.listen();
    const made = await caller.v1('POST', '/v1/card', body, { 'sd-person-id': caller.seed('person_id') });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ shipping: { deliveryStatus: 'pending', eta: '' } });
    const { v2 } = await caller.receivedEvents();
    expect(v2[0]?.record).toMatchObject({
      card_fulfilment: { tracking: { eta: '2026-11-30' } },
    });
    await caller.v2('POST', `/_sandbox/simulate/cards/${made.id()}/ship`, {});
    const shipped = await caller.v1('GET', `/v1/card/${made.id()}`);
    expect(shipped.at('shipping.eta')).toBe('2026-11-25');
  });
});

describe('an ACH of v1 with a published magic amount, on the banking calendar', () => {
  const http = useHttp({ small: true, rails: 'calendar' });
  const run = async (caller: Caller, minutes: number) => {
    http.clock.advance(minutes * 60_000);
    await caller.sandbox.agenda.runDue();
  };

  it.each([
    ['99.99', 'accountNotFound'],
    ['1100.00', 'sendLimitExceeded'],
  ])('of %s that is sent is reversed at the next hourly run', async (amount, reviewCode) => {
    const caller = http.caller();
    await giveRails(caller);
    await run(caller, 7);
    const sent = await order(caller, orderOf('/v1/send/ach'), { amount });
    expect(sent.at('status')).toBe('completed');
    const usual = await order(caller, orderOf('/v1/send/ach'), { amount: '99.98' });
    const minutes = 59 - new Date(http.clock.now()).getUTCMinutes();
    await run(caller, minutes);
    expect((await entries(caller)).filter(({ subType }) => subType === 'reversal')).toEqual([]);
    await run(caller, 1);
    const reversals = (await entries(caller)).filter(({ subType }) => subType === 'reversal');
    expect(reversals).toMatchObject([{ amount, reviewCode }]);
    expect(String(reversals[0]?.createdAt)).toMatch(/T\d\d:00:00Z$/);
    expect((await caller.v1('GET', `/v1/send/ach/${usual.id()}`)).at('reviewCode')).toBe('');
  });
});

describe('a residence', () => {
  const http = useHttp({ small: true });
  const BOXES = ['PO Box 12', 'P.O. Box 12', 'p.o.box 12', 'P O BOX 12', 'Post Office Box 12', 'POB 12'];
  const STREETS = ['9 Boxwood Lane', '12 Postoffice Street', '4 Box Elder Court', '1 Poboda Street'];
  const at = (line1: string, line2 = '') => ({
    addressType: 'mailing',
    line1,
    line2,
    city: 'Salem',
    state: 'OR',
    country: 'US',
    postalCode: '97301',
  });

  it('with a P.O. box is refused at KYC in v1; a street with a similar name is not', async () => {
    const caller = http.caller();
    const person = await makePerson(caller);
    const kyc = async (address: object) => {
      const changed = await caller.v1('PATCH', `/v1/person/${person.id()}`, { address });
      expect(changed.status, changed.text).toBe(200);
      return caller.v1('POST', `/v1/person/${person.id()}/kyc`);
    };
    for (const box of BOXES) {
      expectRefusedV1(await kyc(at(box)), {
        status: 400,
        code: 'EC_PERSON_INVALID_REQUEST',
        message: /^address.line1 .*P\.O\. box/,
      });
    }
    expectRefusedV1(await kyc(at('9 Elm Street', 'PO Box 12')), {
      status: 400,
      code: 'EC_PERSON_INVALID_REQUEST',
      message: /^address.line2 /,
    });
    expect((await kyc(at(STREETS[0] ?? ''))).status).toBe(201);
    for (const [place, street] of STREETS.entries()) {
      const other = await makePerson(caller, {
        phone: `+1503555020${place}`,
        idNumber: `72345010${place}`,
        address: at(street),
      });
      expect((await caller.v1('POST', `/v1/person/${other.id()}/kyc`)).status, street).toBe(201);
    }
  });

  it('with a P.O. box is refused at KYC in v2', async () => {
    const caller = http.caller();
    const made = await caller.v2('POST', '/v2/accounts/sub_account_holder', {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: {
        first_name: 'Mara',
        last_name: 'Quill',
        id_number: '723450001',
        address: {
          line1: 'PO Box 12',
          line2: '',
          city: 'Salem',
          state: 'OR',
          country: 'US',
          postal_code: '97301',
        },
      },
    });
    expect(made.status, made.text).toBe(201);
    const refused = await caller.v2('POST', `/v2/accounts/sub_account_holder/${made.id()}/kyc`);
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body).toMatchObject({
      error: { code: 'ERROR_CODE_INVALID_FIELD', field_name: 'person.address.line1' },
    });
  });
});

describe('a KYB without a signed disclosure', () => {
  const http = useHttp({ small: true });

  it('is accepted, unless disclosure_required is set', async () => {
    const caller = http.caller();
    const business = async (idNumber: string) =>
      (await makeBusiness(caller, { idNumber }, { 'sd-person-id': caller.seed('person_id') })).id();
    const submit = (id: string) => caller.v1('POST', `/v1/business/${id}/kyb`);
    expect((await submit(await business('387654321'))).status).toBe(201);
    const set = await caller.v2('PUT', '/_sandbox/settings', { disclosure_required: true });
    expect(set.at('disclosure_required')).toBe(true);
    const id = await business('387654322');
    const refused = { status: 400, code: 'EC_BUSINESS_DISCLOSURE_REQUIRED', message: /ownershipDisclosure/ };
    expectRefusedV1(await submit(id), refused);
    const path = `/v1/business/${id}/ownershipDisclosure`;
    const link = await caller.v1('POST', path, { redirectUri: 'https://client.example/' });
    expectRefusedV1(await submit(id), refused);
    await http.call('GET', link.id('url').replace(/^https?:\/\/[^/]+/, ''));
    expect((await submit(id)).status).toBe(201);
  });
});
