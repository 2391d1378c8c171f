/**
 * The nouns that both generations know: how each of the two makes one, and where each reads it.
 */
import { expect } from 'vitest';
import type { Answer, Caller } from '../../server/http/support.ts';
import type { Pair } from './pairs.ts';

export const API_VERSIONS = ['v1', 'v2'] as const;
type Generation = (typeof API_VERSIONS)[number];

export const HOLDERS = '/v2/accounts/sub_account_holder';
const ADDRESS = { line1: '9 Pier Road', line2: 'Floor 2', city: 'Salem', state: 'OR', country: 'US' };
const V1_ADDRESS = { ...ADDRESS, postalCode: '97301' };
const V2_ADDRESS = { ...ADDRESS, postal_code: '97301' };
const METADATA = { region: 'west' };

/** Whatever is asked has to succeed. */
export async function ok(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer;
  expect(given.status, given.text).toBeLessThan(300);
  return given;
}
export const simulate = (caller: Caller, path: string, body?: object) =>
  ok(caller.v2('POST', `/_sandbox/simulate/${path}`, body));

/** Where a thing is read in each API version. */
const PATHS = {
  person: ['/v1/person/', `${HOLDERS}/`],
  business: ['/v1/business/', `${HOLDERS}/`],
  account: ['/v1/account/', '/v2/accounts/sub_account/'],
  counterparty: ['/v1/contact/', '/v2/payments/counterparty/'],
  card: ['/v1/card/', '/v2/issuing/card/'],
} as const;

/** A thing by its id in either spelling, as each API version shows it. */
export async function both(caller: Caller, thing: keyof typeof PATHS, id: string): Promise<Pair> {
  const [v1, v2] = PATHS[thing];
  return {
    v1: (await ok(caller.v1('GET', v1 + id))).body,
    v2: (await ok(caller.v2('GET', v2 + id))).body,
  };
}

/** How each API version makes a thing. The answer of the making is the record. */
export type Make = Readonly<Record<Generation, (caller: Caller) => Promise<Answer>>>;

export const person: Make = {
  v1: (caller) =>
    caller.v1('POST', '/v1/person', {
      firstName: 'Mara',
      middleName: 'Jo',
      lastName: 'Quill',
      phone: '+15035550123',
      email: 'mara@quill.example',
      dateOfBirth: '1988-03-14',
      idType: 'otherId',
      idNumber: '512345678',
      address: V1_ADDRESS,
      metadata: METADATA,
    }),
  v2: (caller) =>
    caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'person',
      person: {
        first_name: 'Mara',
        middle_name: 'Jo',
        last_name: 'Quill',
        phone: '+15035550123',
        email: 'mara@quill.example',
        date_of_birth: '1988-03-14',
        id_type: 'other',
        id_number: '512345678',
        address: V2_ADDRESS,
      },
      metadata: METADATA,
    }),
};

export const business: Make = {
  v1: (caller) =>
    caller.v1('POST', '/v1/business', {
      legalName: 'Quill Press',
      dba: 'Quill',
      entityType: 'nonProfit',
      idType: 'ein',
      idNumber: '871230088',
      phone: '+15035550124',
      email: 'desk@quill.example',
      formationDate: '2015-02-28',
      address: V1_ADDRESS,
      metadata: METADATA,
    }),
  v2: (caller) =>
    caller.v2('POST', HOLDERS, {
      master_account_id: caller.seed('master_account_id'),
      type: 'business',
      business: {
        legal_name: 'Quill Press',
        dba: 'Quill',
        entity_type: 'non_profit',
        id_type: 'ein',
        id_number: '871230088',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: V2_ADDRESS,
      },
      metadata: METADATA,
    }),
};

export const account: Make = {
  v1: (caller) =>
    caller.v1(
      'POST',
      '/v1/account',
      { label: 'Travel', acceptedTerms: true, metadata: METADATA },
      { 'sd-person-id': caller.seed('person_id') },
    ),
  v2: (caller) =>
    caller.v2('POST', '/v2/accounts/sub_account', {
      sub_account_holder_id: caller.seed('person_holder_id'),
      label: 'Travel',
      type: 'checking',
      metadata: METADATA,
    }),
};

const BANK = { number: '5500112233', routing: '121042882' };
const SWIFT = { number: 'DE89370400440532013000', code: 'COBADEFF' };

export const counterparty: Make = {
  v1: (caller) => {
    const bank = { accountNumber: BANK.number, routingNumber: BANK.routing, accountType: 'personalSavings' };
    return caller.v1('POST', '/v1/contact', {
      accountId: caller.seed('account_id'),
      name: 'Harbor Supplies',
      label: 'Harbor',
      intrabank: { accountId: caller.seed('other_sub_account_id') },
      ach: bank,
      wire: {
        domestic: { ...bank, address: V1_ADDRESS },
        international: { accountNumber: SWIFT.number, bankIdentifierCode: SWIFT.code },
      },
      check: { address: V1_ADDRESS },
      metadata: METADATA,
    });
  },
  v2: (caller) => {
    const bank = {
      account_number: BANK.number,
      routing_number: BANK.routing,
      account_type: 'personal_savings',
    };
    return caller.v2('POST', '/v2/payments/counterparty', {
      sub_account_id: caller.seed('sub_account_id'),
      label: 'Harbor',
      type: 'business',
      business: { legal_name: 'Harbor Supplies' },
      intra_account: { sub_account_id: caller.seed('other_sub_account_id') },
      ach: bank,
      domestic_wire: bank,
      international_wire: {
        account_number: SWIFT.number,
        beneficiary_bank: { identifier_code: SWIFT.code },
      },
      check: { address: V2_ADDRESS },
      debit_card: { card_number: '4000056655665556', expiry_month: '04', expiry_year: '2030' },
      metadata: METADATA,
    });
  },
};

export const card = (type: 'virtual' | 'physical'): Make => ({
  v1: (caller) =>
    caller.v1(
      'POST',
      '/v1/card',
      {
        accountId: caller.seed('account_id'),
        cardType: type,
        label: 'Fuel',
        limitAmount: '400.00',
        limitInterval: 'allTime',
        blockedMerchants: ['Harbor Casino'],
        blockedCategories: ['7995'],
        atmAccess: false,
        metadata: METADATA,
        ...(type === 'physical' && {
          embossingPerson: 'MARA QUILL',
          shipping: { shippingAddress: V1_ADDRESS },
        }),
      },
      { 'sd-person-id': caller.seed('person_id') },
    ),
  v2: (caller) =>
    caller.v2('POST', '/v2/issuing/card', {
      card_holder_id: caller.seed('card_holder_id'),
      type,
      label: 'Fuel',
      controls: {
        limit: { period: 'all_time', max_spend_amount: '400.00' },
        blocked: { merchants: ['Harbor Casino'], categories: ['7995'] },
        atm_enabled: 'false',
      },
      metadata: METADATA,
      ...(type === 'physical' && {
        card_fulfilment: {
          embossing: { card_holder_name: 'MARA QUILL' },
          shipping_address: V2_ADDRESS,
        },
      }),
    }),
});
