/**
 * The v2 operations on cards: create, list, retrieve, update, activate, provision for a wallet, and replace.
 * Source: the card operations of the platform's v2 reference; decisions `card-creation-needs`, `card-status-changes`,
 * `controls-update` and `card-provision` in docs/fidelity.md.
 */
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';
import { parseId } from '../fields.ts';
import { formatPage, parsePageRequest } from '../paging.ts';
import { CARD_VIEW, formatCard } from './format.ts';
import {
  parseCardChange,
  parseCardDetails,
  parseCardFilters,
  parseCardReplacement,
  parseNewCard,
  parseWallet,
} from './parse.ts';
import {
  Card,
  CardActivation,
  CardList,
  CardQuery,
  CardReplacementInput,
  CardUpdate,
  NewCardInput,
} from './shapes.ts';
import { formatProvisioned, Provisioned, ProvisionInput } from './vault.ts';

export const CARD_OPERATIONS = [
  operation({
    id: 'v2_create_card',
    method: 'POST',
    path: '/v2/issuing/card',
    summary: 'Create a card',
    description:
      "Creates a card for a card holder, on the card holder's sub account. A virtual card is `open` at once. A physical card is `locked` until it is activated with the data printed on it. The controls limit where and how much the card can spend; send an allowed or a blocked list, not both.",
    answer: 'The new card: virtual cards are open, physical ones locked.',
    decisions: ['card-holder-id-names', 'card-status-changes', 'card-creation-needs'],
    status: 201,
    refuses: [
      'card_holder_not_active',
      'account_not_active',
      'cards_full',
      'card_type_off',
      'card_controls_both',
    ],
    body: NewCardInput,
    response: Card,
    example: {
      body: ({ seed }) => ({
        card_holder_id: seed('card_holder_id'),
        cardholder_id: seed('card_holder_id'),
        type: 'physical',
        product: 'consumer_debit',
        theme: 'midnight',
        label: 'Fuel',
        card_fulfilment: {
          embossing: { card_holder_name: 'MARA QUILL', business_name: 'QUILL PRESS' },
          shipping_address: ADDRESS,
        },
        controls: {
          allowed: { merchants: [], categories: ['5541', '5542'], countries: ['US'] },
          blocked: { merchants: ['Harbor Casino'], categories: [], countries: [] },
          limit: {
            period: 'weekly',
            max_spend_amount: '400.00',
            max_spend_per_transaction: '150.00',
            max_spend_count: '6',
          },
          atm_enabled: 'false',
        },
        external_reference_id: 'card-req-9',
        metadata: { team: 'field' },
      }),
    },
    run: ({ bank, show }, { body }) => show(CARD_VIEW, bank.cards.issue(parseNewCard(body))),
  }),

  operation({
    id: 'v2_list_cards',
    method: 'GET',
    path: '/v2/issuing/card',
    summary: 'List cards',
    description:
      'Lists cards, newest first: all of them, those of a sub account, or those of a card holder. Closed cards are included.',
    answer: 'A page of cards, newest first.',
    decisions: ['card-holder-id-names', 'list-paging'],
    status: 200,
    query: CardQuery,
    response: CardList,
    example: {
      query: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        card_holder_id: seed('card_holder_id'),
        limit: '10',
      }),
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('card', query);
      return formatPage(
        'card',
        bank.cards.list(parseCardFilters(query), request),
        request,
        (file) => formatCard(file, bank),
        ({ card }) => card.id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_card',
    method: 'GET',
    path: '/v2/issuing/card/:card_id',
    summary: 'Retrieve a card',
    description:
      'Retrieves a card without its number. To show the number, request a show token and call the operation that shows a card.',
    answer: 'The card without its number.',
    status: 200,
    response: Card,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
    },
    run: ({ bank }, { params }) => formatCard(bank.cards.byId(parseId('card', params.card_id)), bank),
  }),

  operation({
    id: 'v2_update_card',
    method: 'PATCH',
    path: '/v2/issuing/card/:card_id',
    summary: 'Update a card',
    description:
      'Updates the label, the controls, the references, the metadata or the status of a card; a field that is not sent keeps its value. `closed` is final: the status and controls of a closed card cannot change. An update does not open a physical card that waits for activation.',
    answer: 'The card after the change.',
    decisions: ['card-status-changes', 'one-control-list', 'controls-update', 'metadata-changes'],
    status: 200,
    refuses: ['card_status_fixed', 'card_closed', 'card_unchanged', 'card_controls_both'],
    body: CardUpdate,
    response: Card,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
      body: {
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
      },
    },
    run: ({ bank, show }, { params, body }) =>
      show(CARD_VIEW, bank.cards.change(parseId('card', params.card_id), parseCardChange(body))),
  }),

  operation({
    id: 'v2_activate_card',
    method: 'PATCH',
    path: '/v2/issuing/card/:card_id/activate',
    summary: 'Activate a card',
    description:
      'Activates a physical card. The request repeats the last four digits and the expiry that are printed on the card, so only a person who has the card can activate it. The card is `open` afterwards.',
    answer: 'The card, open.',
    decisions: ['card-status-changes', 'card-creation-needs'],
    status: 200,
    refuses: ['card_not_physical', 'card_not_inactive', 'card_details_mismatch'],
    body: CardActivation,
    response: Card,
    example: {
      params: ({ seed }) => ({ card_id: seed('physical_card_id') }),
      body: ({ seed }) => ({
        expiry_month: seed('inactive_card_expiry_month'),
        expiry_year: seed('inactive_card_expiry_year'),
        last4: seed('inactive_card_last4'),
      }),
    },
    run: ({ bank, show }, { params, body }) =>
      show(CARD_VIEW, bank.cards.activate(parseId('card', params.card_id), parseCardDetails(body))),
  }),

  operation({
    id: 'v2_provision_card',
    method: 'POST',
    path: '/v2/issuing/card/:card_id/provision',
    summary: 'Provision a card for a wallet',
    description:
      "Adds a card to a phone's wallet. The response has the data that the wallet's SDK requires on the device; the values are invented, and no real wallet accepts them. The card must be open.",
    answer: "The data for the wallet's SDK.",
    decisions: ['card-provision'],
    status: 200,
    refuses: ['card_closed_for_wallet', 'card_not_open'],
    body: ProvisionInput,
    response: Provisioned,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
      body: {
        wallet: 'apple_pay',
        apple_pay: { device_cert: 'MIIB', nonce_signature: 'c2lnbmF0dXJl', nonce: 'bm9uY2U' },
        google_pay: { client_customer_id: 'customer-1', device_id: 'device-1' },
        samsung_pay: { client_customer_id: 'customer-1', device_id: 'device-1' },
      },
    },
    run: ({ bank }, { params, body }) =>
      formatProvisioned(bank.cardVault.provision(parseId('card', params.card_id), parseWallet(body))),
  }),

  operation({
    id: 'v2_replace_card',
    method: 'POST',
    path: '/v2/issuing/card/:card_id/replace',
    summary: 'Replace a card',
    description:
      'Replaces a card: the old one is closed and a new one with another number is created, with the same card holder, account, label and controls. A virtual replacement is open at once, and a physical one waits for its activation. Only an open card can be replaced, at the earliest seven days after its previous replacement, and a virtual card cannot be damaged.',
    answer: 'The new card.',
    decisions: ['card-replacement', 'replacement-carries-over'],
    status: 200,
    refuses: [
      'card_reason_wrong',
      'card_replaced_recently',
      'card_not_replaceable',
      'card_holder_not_active',
      'account_not_active',
    ],
    body: CardReplacementInput,
    response: Card,
    example: {
      params: ({ seed }) => ({ card_id: seed('virtual_card_id') }),
      body: { reason: 'lost', card_fulfilment: { shipping_address: ADDRESS } },
    },
    run: ({ bank, show }, { params, body }) =>
      show(CARD_VIEW, bank.cards.replace(parseId('card', params.card_id), parseCardReplacement(body))),
  }),
] as const;
