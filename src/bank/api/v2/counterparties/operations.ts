/**
 * The v2 operations on counterparties: create, list, retrieve and update one, and look up the bank of a routing
 * number.
 * Source: the counterparty operations of the platform's v2 reference; decisions `bank-numbers`, `counterparty-needs`,
 * `counterparty-name`, `counterparty-kept-fields`, `own-account-counterparty` and `debit-card-kept` in
 * docs/fidelity.md.
 */
import { operation } from '../../operation.ts';
import { PERSON, RAILS, VENDOR } from '../examples.ts';
import { parseId } from '../fields.ts';
import { formatPage, parsePageRequest } from '../paging.ts';
import { BankInfo, BankQuery, formatBankInfo } from './banks.ts';
import {
  COUNTERPARTY_VIEW,
  Counterparty,
  CounterpartyList,
  CounterpartyQuery,
  CounterpartyUpdate,
  formatCounterparty,
  NewCounterparty,
  parseCounterpartyChange,
  parseCounterpartyFilters,
  parseNewCounterparty,
} from './counterparty.ts';

export const COUNTERPARTY_OPERATIONS = [
  operation({
    id: 'v2_create_counterparty',
    method: 'POST',
    path: '/v2/payments/counterparty',
    summary: 'Create a counterparty',
    description:
      'Creates a counterparty of a sub account: its identity, and its details for each rail. A payment is refused if the counterparty has no details for its rail. For a payment within the bank, give the number of the other sub account in `intra_account`.',
    answer: 'The new counterparty.',
    decisions: [
      'counterparty-in-bank',
      'bank-numbers',
      'counterparty-needs',
      'counterparty-name',
      'counterparty-kept-fields',
      'own-account-counterparty',
      'debit-card-kept',
    ],
    status: 201,
    body: NewCounterparty,
    response: Counterparty,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        label: 'Printer',
        type: 'business',
        person: PERSON,
        business: VENDOR,
        intra_account: { sub_account_id: seed('other_sub_account_id') },
        ...RAILS,
        purpose: 'Print runs',
        external_reference_id: 'vendor-12',
        metadata: { vendor: '12' },
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(COUNTERPARTY_VIEW, bank.counterparties.create(parseNewCounterparty(body))),
  }),

  operation({
    id: 'v2_list_counterparties',
    method: 'GET',
    path: '/v2/payments/counterparty',
    summary: 'List counterparties',
    description:
      'Lists counterparties, newest first. Contacts that were deleted in v1 are listed as `deactivated`.',
    answer: 'A page of counterparties, newest first.',
    decisions: ['list-paging'],
    status: 200,
    query: CounterpartyQuery,
    response: CounterpartyList,
    example: {
      query: ({ seed }) => ({ sub_account_id: seed('sub_account_id'), status: 'activated', limit: '10' }),
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('counterparty', query);
      return formatPage(
        'counterparty',
        bank.counterparties.list(parseCounterpartyFilters(query), request),
        request,
        (counterparty) => formatCounterparty(counterparty, bank),
        ({ id }) => id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_bank_info',
    method: 'GET',
    path: '/v2/payments/counterparty/bank',
    summary: 'Retrieve the bank of a routing number',
    description:
      'Looks up the bank of a routing number or a SWIFT code. A number that is well formed but unknown here gets an empty name. A malformed one is refused.',
    answer: 'The name of the bank, if known.',
    decisions: ['bank-numbers'],
    status: 200,
    query: BankQuery,
    response: BankInfo,
    example: {
      query: { type: 'aba', routing_number: '121042882' },
    },
    run: ({ bank }, { query }) =>
      formatBankInfo(query, bank.counterparties.bankOf(query.type, query.routing_number)),
  }),

  operation({
    id: 'v2_retrieve_counterparty',
    method: 'GET',
    path: '/v2/payments/counterparty/:counterparty_id',
    summary: 'Retrieve a counterparty',
    description:
      'Retrieves a counterparty with its details for every rail. The number of a debit card is shown as a token.',
    answer: 'The counterparty.',
    status: 200,
    response: Counterparty,
    example: {
      params: ({ seed }) => ({ counterparty_id: seed('ach_counterparty_id') }),
    },
    run: ({ bank }, { params }) =>
      formatCounterparty(bank.counterparties.byId(parseId('counterparty', params.counterparty_id)), bank),
  }),

  operation({
    id: 'v2_update_counterparty',
    method: 'PATCH',
    path: '/v2/payments/counterparty/:counterparty_id',
    summary: 'Update a counterparty',
    description:
      'Updates a counterparty: its person or business field by field, a rail as a whole, its metadata and its status. A field that is not sent keeps its value. A suspended counterparty cannot be used in payments, and `deactivated` is final.',
    answer: 'The counterparty after the change.',
    decisions: [
      'deleted-things',
      'bank-numbers',
      'counterparty-needs',
      'counterparty-name',
      'counterparty-kept-fields',
      'own-account-counterparty',
      'debit-card-kept',
    ],
    status: 200,
    refuses: ['illegal_step'],
    body: CounterpartyUpdate,
    response: Counterparty,
    example: {
      params: ({ seed }) => ({ counterparty_id: seed('ach_counterparty_id') }),
      body: ({ seed }) => ({
        label: 'Harbor',
        type: 'business',
        person: PERSON,
        business: VENDOR,
        intra_account: { sub_account_id: seed('other_sub_account_id') },
        ...RAILS,
        purpose: 'Moorings',
        external_reference_id: 'vendor-7',
        metadata: { vendor: '7' },
        status: 'suspended',
      }),
    },
    run: ({ bank, show }, { params, body }) => {
      const id = parseId('counterparty', params.counterparty_id);
      return show(COUNTERPARTY_VIEW, bank.counterparties.change(id, parseCounterpartyChange(body)));
    },
  }),
] as const;
