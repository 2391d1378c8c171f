/**
 * Card holders in v2: the person who may use a card, created under a sub account. A card holder is screened, but not
 * verified like the holder of an account. A change replaces single fields of a person, but a whole address.
 * Source: the card holder record and operations of the platform's v2 reference; decision `card-holder-status` in
 * docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { readAt } from '../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { CardHolderCondition } from '../../model/filters.ts';
import type { CardHolder as CardHolderRecord, Program } from '../../model/records.ts';
import { HOLDER_STATUSES } from '../../model/vocabulary.ts';
import type { CardHolderChange, NewCardHolder } from '../../verbs/inputs.ts';
import { tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import { type Viewer, viewV2 } from '../view.ts';
import { formatAttachments } from './attachments.ts';
import { PERSON } from './examples.ts';
import {
  Attachments,
  body,
  enumOf,
  formatId,
  formatOfac,
  formatOwner,
  IdInput,
  IdText,
  ifPresent,
  METADATA,
  Ofac,
  object,
  parseId,
  record,
  Time,
  Timestamp,
  WORDS,
} from './fields.ts';
import { formatPage, listOf, PageQuery, parsePageRequest } from './paging.ts';
import { formatPerson, Person, PersonInput, parsePerson, parsePersonChange } from './people.ts';

export const CardHolder = record('CardHolder', 'A person who can use cards of a sub account.', {
  id: IdText,
  client_id: IdText,
  master_account_holder_id: IdText,
  master_account_id: IdText,
  sub_account_holder_id: IdText,
  sub_account_id: IdText,
  person: Person,
  ...WORDS.outputs,
  ofac: Ofac,
  attachments: Attachments,
  ...METADATA.outputs,
  status: enumOf(HOLDER_STATUSES),
  timestamps: object({ created_at: Timestamp, updated_at: Timestamp, deactivated_at: Time }),
});

const CardHolderList = listOf('CardHolderList', CardHolder);

const CardHolderQuery = Type.Object({
  ...PageQuery.properties,
  master_account_id: Type.Optional(IdInput),
});

const CHANGEABLE = { ...WORDS.inputs, ...METADATA.inputs };

const NewCardHolderInput = body('NewCardHolderInput', 'The fields of a new card holder.', {
  sub_account_id: IdInput,
  person: PersonInput,
  ...CHANGEABLE,
});

const CardHolderUpdate = body(
  'CardHolderUpdate',
  'The fields of a card holder that can be updated; fields that are not sent keep their values.',
  {
    person: Type.Optional(PersonInput),
    ...CHANGEABLE,
    status: Type.Optional(enumOf(['pending_activation', 'activated', 'suspended', 'deactivated'])),
  },
);

/** Parses a new card holder. Refuses: `account_not_found`, `field_invalid`, `phone_invalid`. */
function parseNewCardHolder(body: Static<typeof NewCardHolderInput>): NewCardHolder {
  return {
    accountId: parseId('account', body.sub_account_id),
    person: readAt('person', () => parsePerson(body.person)),
    ...WORDS.parse(body),
    ...METADATA.parse(body),
  };
}

/** Parses a change of a card holder. Refuses: `field_invalid`, `phone_invalid`. */
function parseCardHolderChange(body: Static<typeof CardHolderUpdate>): CardHolderChange {
  const { person } = body;
  return {
    ...ifPresent('person', person && readAt('person', () => parsePersonChange(person))),
    ...WORDS.parse(body),
    ...METADATA.parse(body),
    ...ifPresent('status', body.status),
  };
}

/** Parses the filter of the list. All card holders belong to the one master account. */
function parseCardHolderFilters(
  { master_account_id: master = '' }: Static<typeof CardHolderQuery>,
  { masterAccountId }: Program,
): CardHolderCondition[] {
  const elsewhere = master !== '' && tryParseId('master_account', master) !== masterAccountId;
  return elsewhere ? [on('id', { is: '' })] : [];
}

export const CARD_HOLDER_VIEW = viewV2('card_holder', formatCardHolder);

/** Formats a card holder. */
export function formatCardHolder(
  cardHolder: CardHolderRecord,
  { program, attachments }: Viewer,
): Static<typeof CardHolder> {
  return {
    id: formatId('card_holder', cardHolder.id),
    ...formatOwner(program),
    sub_account_holder_id: formatId('holder', cardHolder.holderId),
    sub_account_id: formatId('account', cardHolder.accountId),
    person: formatPerson(cardHolder.person, null, null),
    ...WORDS.format(cardHolder),
    ofac: formatOfac(cardHolder.ofacStatus, cardHolder.ofacAt),
    attachments: formatAttachments(attachments, cardHolder.id),
    ...METADATA.format(cardHolder),
    status: cardHolder.status,
    timestamps: {
      created_at: formatInstant(cardHolder.createdAt),
      updated_at: formatInstant(cardHolder.updatedAt),
      deactivated_at: formatInstantOrEmpty(cardHolder.deactivatedAt),
    },
  };
}

export const CARD_HOLDER_OPERATIONS = [
  operation({
    id: 'v2_create_card_holder',
    method: 'POST',
    path: '/v2/issuing/card_holder',
    summary: 'Create a card holder',
    description:
      'Creates a card holder: a person who can use cards of a sub account. The account must be open. The card holder is `activated` at once and can then get cards.',
    answer: 'The new card holder, activated.',
    decisions: ['card-holder-status'],
    status: 201,
    refuses: ['account_not_active'],
    body: NewCardHolderInput,
    response: CardHolder,
    example: {
      body: ({ seed }) => ({
        sub_account_id: seed('sub_account_id'),
        person: PERSON,
        external_reference_id: 'emp-0042',
        purpose: 'Field purchases',
        metadata: { team: 'field' },
      }),
    },
    run: ({ bank, show }, { body }) =>
      show(CARD_HOLDER_VIEW, bank.cardHolders.create(parseNewCardHolder(body))),
  }),

  operation({
    id: 'v2_list_card_holders',
    method: 'GET',
    path: '/v2/issuing/card_holder',
    summary: 'List card holders',
    description:
      'Lists card holders, newest first. With `master_account_id`, those of a master account are listed.',
    answer: 'A page of card holders, newest first.',
    decisions: ['list-paging'],
    status: 200,
    query: CardHolderQuery,
    response: CardHolderList,
    example: {
      query: ({ seed }) => ({ master_account_id: seed('master_account_id'), limit: '10' }),
    },
    run: ({ bank }, { query }) => {
      const request = parsePageRequest('card_holder', query);
      return formatPage(
        'card_holder',
        bank.cardHolders.list(parseCardHolderFilters(query, bank.program), request),
        request,
        (cardHolder) => formatCardHolder(cardHolder, bank),
        ({ id }) => id,
      );
    },
  }),

  operation({
    id: 'v2_retrieve_card_holder',
    method: 'GET',
    path: '/v2/issuing/card_holder/:card_holder_id',
    summary: 'Retrieve a card holder',
    description: 'Retrieves a card holder with the details of the person.',
    answer: 'The card holder.',
    status: 200,
    response: CardHolder,
    run: ({ bank }, { params }) =>
      formatCardHolder(bank.cardHolders.byId(parseId('card_holder', params.card_holder_id)), bank),
  }),

  operation({
    id: 'v2_update_card_holder',
    method: 'PATCH',
    path: '/v2/issuing/card_holder/:card_holder_id',
    summary: 'Update a card holder',
    description:
      'Updates details of the person, references, metadata or the status of a card holder; a field that is not sent keeps its value. The status can change between `activated` and `suspended`; `deactivated` is final, and only the platform sets `locked`.',
    answer: 'The card holder after the change.',
    decisions: ['holder-status-changes', 'metadata-changes', 'card-holder-status'],
    status: 200,
    refuses: ['illegal_step'],
    body: CardHolderUpdate,
    response: CardHolder,
    example: {
      body: {
        person: PERSON,
        external_reference_id: 'emp-0043',
        purpose: 'Travel',
        metadata: { team: 'road' },
        status: 'activated',
      },
    },
    run: ({ bank, show }, { params, body }) => {
      const id = parseId('card_holder', params.card_holder_id);
      return show(CARD_HOLDER_VIEW, bank.cardHolders.change(id, parseCardHolderChange(body)));
    },
  }),
] as const;
