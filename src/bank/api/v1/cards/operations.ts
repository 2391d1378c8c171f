/**
 * The operations on cards: create, list, retrieve, update, cancel, activate, replace, and add to a wallet. The cards of
 * a program are the same list under the path of the program.
 * Source: the card pages of the platform's v1 reference; decisions `card-status-changes` and `v1-card-filters` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Bank } from '../../../verbs/bank.ts';
import { operation } from '../../operation.ts';
import { ADDRESS } from '../examples.ts';
import { parseId, requireProgram } from '../fields.ts';
import { formatList } from '../paging.ts';
import { CARD_VIEW, formatActivatedCard, formatCanceledCard, formatCard } from './format.ts';
import {
  parseCardChange,
  parseCardDetails,
  parseCardQuery,
  parseCardReplacement,
  parseNewCard,
} from './parse.ts';
import {
  ActivatedCard,
  CanceledCard,
  Card,
  CardActivationBody,
  CardChangeBody,
  CardList,
  CardQuery,
  CardReplacementBody,
  NewCardBody,
  ProgramCardQuery,
} from './shapes.ts';
import { formatProvisioned, ProvisionBody, Provisioned, parseWallet } from './vault.ts';

function listCards({ cards, program }: Bank, query: Static<typeof ProgramCardQuery>) {
  const { where, window, left } = parseCardQuery(query);
  const page = left === undefined ? cards.list(where, window) : cards.listByLeft(where, window, left);
  return formatList(page, (file) => formatCard(file, program));
}

export const CARD_OPERATIONS = [
  operation({
    id: 'createCard',
    method: 'POST',
    path: '/v1/card',
    summary: 'Create a card',
    description:
      "Issues a card of an account for the person of `sd-person-id`, or otherwise for the account's own person. A virtual card is active at once, and a physical one is `pendingActivation` until it is activated.",
    answer: 'The new card; a physical one waits for its activation.',
    decisions: ['card-status-changes', 'v1-card-person', 'card-creation-needs'],
    status: 201,
    refuses: [
      'holder_not_active',
      'card_holder_not_active',
      'account_not_active',
      'cards_full',
      'card_type_off',
      'card_controls_both',
    ],
    body: NewCardBody,
    response: Card,
    example: {
      body: ({ seed }) => ({
        accountId: seed('account_id'),
        cardType: 'physical',
        label: 'Travel',
        bin: 'debit',
        currency: 'USD',
        limitAmount: '400.00',
        limitInterval: 'monthly',
        billingAddress: { ...ADDRESS, addressType: 'billing' },
        allowedCategories: ['4111', '7011'],
        blockedCategories: [],
        allowedMerchants: [],
        blockedMerchants: ['Harbor Casino'],
        atmAccess: false,
        theme: 'midnight',
        embossingPerson: 'ADA LOVEGOOD',
        embossingBusiness: 'HARBOR TRAVEL',
        shipping: { shippingAddress: { ...ADDRESS, addressType: 'shipping' } },
        metadata: { externalId: '31' },
      }),
    },
    run({ bank, personId, show }, { body }) {
      const card = parseNewCard(body);
      const cardHolder = bank.cardHolders.ofPerson(parseId('account', body.accountId, 'accountId'), personId);
      return show(CARD_VIEW, bank.cards.issue({ ...card, cardHolderId: cardHolder.id }));
    },
  }),

  operation({
    id: 'listCards',
    method: 'GET',
    path: '/v1/card',
    summary: 'List cards',
    description:
      'Lists the cards of the account that the query names, newest first. Canceled cards are included.',
    answer: 'A page of cards, newest first.',
    decisions: ['list-paging', 'v1-card-filters'],
    status: 200,
    refuses: ['account_not_found'],
    query: CardQuery,
    response: CardList,
    example: {
      query: ({ seed }) => ({ accountId: seed('account_id'), status: 'active', orderBy: '-createdAt' }),
    },
    run({ bank }, { query }) {
      bank.accounts.byId(parseId('account', query.accountId, 'accountId'));
      return listCards(bank, query);
    },
  }),

  operation({
    id: 'listProgramCards',
    method: 'GET',
    path: '/v1/program/:programId/card',
    summary: 'List the cards of a program',
    description:
      'Lists the cards of the program, newest first, with the filters of the list of cards. The account is optional.',
    answer: 'A page of cards, newest first.',
    decisions: ['list-paging', 'v1-card-filters'],
    status: 200,
    query: ProgramCardQuery,
    response: CardList,
    example: {
      query: { cardType: 'virtual', limit: '10' },
    },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listCards(bank, query);
    },
  }),

  operation({
    id: 'retrieveCard',
    method: 'GET',
    path: '/v1/card/:cardId',
    summary: 'Retrieve a card',
    description:
      'Retrieves a card without its number. To show the number, create a show token and call the operation that shows the card data.',
    answer: 'The card without its number.',
    status: 200,
    response: Card,
    run({ bank }, { params }) {
      return formatCard(bank.cards.byId(parseId('card', params.cardId)), bank.program);
    },
  }),

  operation({
    id: 'updateCard',
    method: 'PATCH',
    path: '/v1/card/:cardId',
    summary: 'Update a card',
    description:
      'Updates the label, the limit, the lists of merchants, the status or the metadata of a card; fields that are not sent keep their values. A canceled card cannot be updated. Send an allowed or a blocked list, not both.',
    answer: 'The card after the change.',
    decisions: ['card-status-changes', 'one-control-list', 'controls-update', 'v1-one-card-limit'],
    status: 200,
    refuses: ['card_status_fixed', 'card_closed', 'card_controls_both'],
    body: CardChangeBody,
    response: Card,
    example: {
      body: {
        label: 'Books',
        limitAmount: '150.00',
        limitInterval: 'allTime',
        billingAddress: { ...ADDRESS, addressType: 'billing' },
        allowedCategories: ['5942'],
        blockedCategories: [],
        allowedMerchants: ['Harbor Books'],
        blockedMerchants: [],
        atmAccess: false,
        metadata: { externalId: '32' },
        cardStatus: 'inactive',
      },
    },
    run({ bank, show }, { params, body }) {
      const id = parseId('card', params.cardId);
      const { card } = bank.cards.byId(id);
      return show(CARD_VIEW, bank.cards.change(id, parseCardChange(body, card)));
    },
  }),

  operation({
    id: 'cancelCard',
    method: 'DELETE',
    path: '/v1/card/:cardId',
    summary: 'Cancel a card',
    description: 'Cancels a card permanently. It stays readable and declines every purchase.',
    answer: 'The canceled card.',
    decisions: ['card-status-changes'],
    status: 200,
    refuses: ['card_status_fixed'],
    response: CanceledCard,
    run({ bank }, { params }) {
      return formatCanceledCard(bank.cards.change(parseId('card', params.cardId), { status: 'closed' }));
    },
  }),

  operation({
    id: 'activateCard',
    method: 'PATCH',
    path: '/v1/card/:cardId/activate',
    summary: 'Activate a card',
    description:
      'Activates a physical card that has arrived. The request repeats the last four digits and the expiry that are printed on the card.',
    answer: 'The activated card.',
    decisions: ['card-status-changes', 'card-creation-needs'],
    status: 200,
    refuses: ['card_not_physical', 'card_not_inactive', 'card_details_mismatch'],
    body: CardActivationBody,
    response: ActivatedCard,
    example: {
      params: ({ seed }) => ({ cardId: seed('inactive_card_id') }),
      body: ({ seed }) => ({
        expiryMonth: seed('inactive_card_expiry_month'),
        expiryYear: seed('inactive_card_expiry_year'),
        last4: seed('inactive_card_last4'),
      }),
    },
    run({ bank }, { params, body }) {
      return formatActivatedCard(bank.cards.activate(parseId('card', params.cardId), parseCardDetails(body)));
    },
  }),

  operation({
    id: 'replaceCard',
    method: 'POST',
    path: '/v1/card/:cardId/replace',
    summary: 'Replace a card',
    description:
      'Replaces a card: the old one is canceled and a new one with another number is issued, with the same account, person and limits. A physical replacement waits for its activation.',
    answer: 'The new card.',
    decisions: ['card-replacement', 'replacement-carries-over'],
    status: 201,
    refuses: [
      'card_reason_wrong',
      'card_replaced_recently',
      'card_not_replaceable',
      'card_holder_not_active',
    ],
    body: CardReplacementBody,
    response: Card,
    example: {
      body: {
        reason: 'lost',
        shipping: { shippingAddress: { ...ADDRESS, addressType: 'shipping' } },
      },
    },
    run({ bank, show }, { params, body }) {
      const id = parseId('card', params.cardId);
      return show(CARD_VIEW, bank.cards.replace(id, parseCardReplacement(body)));
    },
  }),

  operation({
    id: 'provisionCard',
    method: 'POST',
    path: '/v1/card/:cardId/provision',
    summary: 'Add a card to a wallet',
    description:
      "Adds a card to a phone's wallet and returns the data that the wallet's SDK requires on the device. The values are invented, and no real wallet accepts them. A wallet and its object can be written in lower case, as `applepay`; the answer then is too.",
    answer: "The data for the wallet's SDK.",
    decisions: ['card-provision'],
    status: 201,
    refuses: ['card_closed_for_wallet', 'card_not_open'],
    body: ProvisionBody,
    response: Provisioned,
    example: {
      body: {
        wallet: 'googlePay',
        applePay: { deviceCert: 'MIIB', nonceSignature: 'c2lnbmF0dXJl', nonce: 'bm9uY2U' },
        applepay: { deviceCert: 'MIIB', nonceSignature: 'c2lnbmF0dXJl', nonce: 'bm9uY2U' },
        googlePay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
        googlepay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
        samsungPay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
        samsungpay: { clientCustomerId: 'customer-1', deviceId: 'device-1' },
      },
    },
    run({ bank }, { params, body }) {
      const requested = parseWallet(body);
      const pass = bank.cardVault.provision(parseId('card', params.cardId), requested.wallet);
      return formatProvisioned(pass, requested);
    },
  }),
] as const;
