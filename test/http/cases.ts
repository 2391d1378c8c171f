/**
 * Every operation of both generations with a request that succeeds in a fresh sandbox, for the tests that try the same
 * on all of them. An operation that is added to the interface and not here fails the first test of `bad-input`.
 */

import type { AnyOperation } from '../../src/http/operation.ts';
import { OPERATIONS as V1_OPERATIONS } from '../../src/http/v1/operations.ts';
import { V2_OPERATIONS } from '../../src/http/v2/operations.ts';
import type { Answer, Caller } from './support.ts';

export interface Case {
  readonly name: string;
  readonly dialect: 'v1' | 'v2';
  readonly operation: AnyOperation;
  /** The path of a record that is there. */
  path(caller: Caller): string;
  /** A body with every field; absent where the operation takes none. */
  body?: (caller: Caller) => Record<string, unknown>;
}

const ADDRESS = {
  line1: '1 Quay Street',
  line2: '',
  city: 'Astoria',
  state: 'OR',
  country: 'US',
  postal_code: '97103',
};
const PERSON = {
  first_name: 'Mara',
  middle_name: '',
  last_name: 'Quill',
  id_type: 'ssn',
  id_number: '999999999',
  date_of_birth: '1988-03-14',
  phone: '+15035550123',
  email: 'mara@quill.example',
  address: ADDRESS,
};
const ADDRESS_V1 = {
  addressType: 'check',
  line1: '9 Pier Road',
  line2: '',
  city: 'Salem',
  state: 'OR',
  country: 'US',
  postalCode: '97301',
};
const BANK_V1 = {
  accountNumber: '000123456789',
  routingNumber: '122235821',
  accountType: 'businessSavings',
  bankName: 'Example Bank',
};

const V2: Record<string, Pick<Case, 'path' | 'body'>> = {
  v2_create_sub_account_holder: {
    path: () => '/v2/accounts/sub_account_holder',
    body: (caller) => ({
      master_account_id: caller.seed('master_account_id'),
      type: 'business',
      business: {
        legal_name: 'Quill Press LLC',
        dba: 'Quill',
        entity_type: 'limited_liability_company',
        id_type: 'ein',
        id_number: '999999999',
        phone: '+15035550124',
        email: 'desk@quill.example',
        formation_date: '2015-02-28',
        address: ADDRESS,
        members: [
          { ...PERSON, ownership: '60.00', title: 'CEO', designation: 'president', control_person: 'true' },
        ],
      },
      person: PERSON,
      verification: { status: 'pass', method: 'alloy', url: 'https://alloy.example/1' },
      external_reference_id: 'crm-1',
      purpose: 'Operating',
      metadata: { team: 'north' },
    }),
  },
  v2_retrieve_sub_account_holder: {
    path: (caller) => `/v2/accounts/sub_account_holder/${caller.seed('person_holder_id')}`,
  },
  v2_submit_kyc: {
    path: (caller) => `/v2/accounts/sub_account_holder/${caller.seed('person_holder_id')}/kyc`,
  },
  v2_submit_kyb: {
    path: (caller) => `/v2/accounts/sub_account_holder/${caller.seed('business_holder_id')}/kyb`,
  },
  v2_retrieve_sub_account: { path: (caller) => `/v2/accounts/sub_account/${caller.seed('sub_account_id')}` },
  v2_retrieve_card: { path: (caller) => `/v2/issuing/card/${caller.seed('virtual_card_id')}` },
  v2_update_card: {
    path: (caller) => `/v2/issuing/card/${caller.seed('virtual_card_id')}`,
    body: () => ({
      label: 'Fuel',
      controls: {
        allowed: { merchants: ['Harbor Books'], categories: ['5942'], countries: [] },
        blocked: { merchants: [], categories: [], countries: ['CA'] },
        limit: {
          period: 'weekly',
          max_spend_amount: '400.00',
          max_spend_per_transaction: '150.00',
          max_spend_count: '6',
        },
        atm_enabled: 'false',
      },
      external_reference_id: 'card-9',
      metadata: { team: 'field' },
      status: 'open',
    }),
  },
  v2_retrieve_transaction: {
    path: (caller) => `/v2/payments/transaction/txn_${firstTransaction(caller)}`,
  },
  v2_originate_intra_account_pull: {
    path: () => '/v2/payments/intra_account/pull',
    body: (caller) => ({
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('intra_counterparty_id'),
      amount: '1.25',
      description: 'Rent share',
      external_reference_id: 'rent-11',
    }),
  },
  v2_originate_ach_pull: {
    path: () => '/v2/payments/ach/pull',
    body: (caller) => ({
      sub_account_id: caller.seed('sub_account_id'),
      counterparty_id: caller.seed('ach_counterparty_id'),
      amount: '62.40',
      description: 'February dues',
      same_day: 'false',
      effective_date: '2026-11-25',
      company_discretionary_data: 'HARBOR',
      company_entry_description: 'DUES',
      external_reference_id: 'dues-2',
    }),
  },
  v2_create_webhook: {
    path: () => '/v2/webhook',
    body: () => ({
      url: 'http://hooks.example/v2',
      events: ['transaction.created'],
      description: 'Ledger feed',
    }),
  },
  v2_list_webhooks: { path: () => '/v2/webhook' },
  v2_retrieve_webhook: { path: (caller) => `/v2/webhook/${caller.seed('webhook_id')}` },
  v2_delete_webhook: { path: (caller) => `/v2/webhook/${caller.seed('webhook_id')}` },
};

const V1: Record<string, Pick<Case, 'path' | 'body'>> = {
  createPersonDocument: {
    path: (caller) => `/v1/person/${caller.seed('person_id')}/document`,
    body: () => ({
      name: 'Passport',
      description: 'front page',
      docType: 'passport',
      documentNumber: 'P0012345',
      expirationDate: '2031-05-01',
      issuingCountry: 'US',
      issuingState: 'OR',
    }),
  },
  retrieveAccount: { path: (caller) => `/v1/account/${caller.seed('account_id')}` },
  updateContact: {
    path: (caller) => `/v1/contact/${caller.seed('contact_id')}`,
    body: (caller) => ({
      accountId: caller.seed('account_id'),
      name: 'Harbor Supply LLC',
      email: 'new@harbor.example',
      phone: '+15125550100',
      intrabank: { accountId: caller.seed('other_sub_account_id') },
      ach: BANK_V1,
      wire: {
        domestic: { ...BANK_V1, address: ADDRESS_V1 },
        international: {
          accountNumber: 'DE89370400440532013000',
          bankIdentifierCode: 'COBADEFF',
          bankIdentifierType: 'swift',
          beneficiaryAddress: ADDRESS_V1,
        },
      },
      check: { address: ADDRESS_V1 },
      card: { address: ADDRESS_V1 },
      metadata: { externalId: '7' },
    }),
  },
  testCard: {
    path: (caller) => `/v1/card/${caller.seed('card_id')}/test`,
    body: () => ({
      amount: '1.40',
      txnType: 'refund',
      merchant: {
        merchantName: 'Harbor Books',
        merchantCity: 'Monterey',
        merchantState: 'CA',
        merchantCountry: 'US',
        postalCode: '93940',
        merchantCategory: 'Book Stores',
        merchantCategoryCode: '5942',
        merchantId: 'HB-1',
      },
      authMethod: 'keyedIn',
    }),
  },
  receiveAch: {
    path: () => '/v1/receive/ach',
    body: (caller) => ({
      accountId: caller.seed('account_id'),
      contactId: caller.seed('contact_id'),
      amount: '41.20',
      description: 'Top up',
      title: 'Monthly',
      type: 'sameDay',
      metadata: { order: '7' },
    }),
  },
  createWebhook: {
    path: () => '/v1/webhook',
    body: () => ({
      url: 'http://hooks.example/v1',
      events: ['card.spend'],
      description: 'Mine',
      status: 'active',
    }),
  },
  retrieveWebhook: { path: (caller) => `/v1/webhook/${caller.seed('webhook_id')}` },
  retrieveWebhookSecret: { path: (caller) => `/v1/webhook/${caller.seed('webhook_id')}/secret` },
  updateWebhook: {
    path: (caller) => `/v1/webhook/${caller.seed('webhook_id')}`,
    body: () => ({
      url: 'http://hooks.example/v1',
      events: ['card.spend'],
      description: 'Ledger feed',
      status: 'paused',
    }),
  },
};

/** The opening deposit of the seeded account. */
function firstTransaction(caller: Caller): string {
  const { facts } = { facts: caller.sandbox.outbox };
  for (let seq = 1; seq <= facts.latestSeq(); seq += 1) {
    const fact = facts.fact(seq);
    if (fact?.resource === 'transaction') return fact.resourceId;
  }
  throw new Error('the bank was founded without a transaction');
}

const named = (dialect: Case['dialect'], operations: readonly AnyOperation[], table: typeof V2): Case[] =>
  operations.flatMap((operation) => {
    const found = table[operation.id];
    return found === undefined
      ? []
      : [{ name: `${operation.method} ${operation.path}`, dialect, operation, ...found }];
  });

export const CASES: readonly Case[] = [...named('v2', V2_OPERATIONS, V2), ...named('v1', V1_OPERATIONS, V1)];

/** Those that take a body. */
export const WITH_BODY = CASES.filter(
  (entry): entry is Case & { body: NonNullable<Case['body']> } => entry.body !== undefined,
);

/** Calls the operation of a case, with its own body unless another is given. */
export function callCase(
  caller: Caller,
  { dialect, operation, path, body }: Case,
  given: unknown = body?.(caller),
  headers?: Record<string, string>,
): Promise<Answer> {
  return (dialect === 'v1' ? caller.v1 : caller.v2)(operation.method, path(caller), given, headers);
}
