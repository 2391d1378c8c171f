/**
 * A v2 counterparty, the other party of payments: its record, the bodies that create and change one, and the filters
 * of the list. A change omits fields that v2 does not have, so that the bank keeps their values from v1.
 * Source: the counterparty record and operations of the platform's v2 reference; decisions `counterparty-needs`,
 * `counterparty-name` and `counterparty-kept-fields` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import { readAt, refuse } from '../../../kernel/refusal.ts';
import { formatInstant, formatInstantOrEmpty } from '../../../kernel/time.ts';
import { on } from '../../../model/conditions.ts';
import type { CounterpartyCondition } from '../../../model/filters.ts';
import type { Counterparty as CounterpartyRecord } from '../../../model/records.ts';
import { HOLDER_STATUSES, HOLDER_TYPES, type HolderType } from '../../../model/vocabulary.ts';
import type { CounterpartyChange, NewCounterparty as NewCounterpartyRecord } from '../../../verbs/inputs.ts';
import { as, codec, fields, plain } from '../../codec.ts';
import { tryParseId } from '../../ids.ts';
import { type Viewer, viewV2 } from '../../view.ts';
import { formatAttachments } from '../attachments.ts';
import {
  Attachments,
  body,
  ExternalIdInput,
  enumOf,
  formatId,
  formatOfac,
  formatOwner,
  IdInput,
  IdText,
  ifPresent,
  Metadata,
  MetadataInput,
  nullable,
  Ofac,
  object,
  parseId,
  record,
  Text,
  Time,
  Timestamp,
  words,
} from '../fields.ts';
import { listOf, PageQuery } from '../paging.ts';
import {
  Business,
  BusinessPartyInput,
  formatBusiness,
  formatPerson,
  Person,
  PersonPartyInput,
  parseParty,
} from '../people.ts';
import { Label, RAILS } from './rails.ts';

const WORDS = fields({ purpose: words.purpose, external_reference_id: words.external_reference_id });
const LABEL = fields({ label: as('label', plain(Label, Text)) });
const METADATA = fields({
  metadata: as(
    'metadata',
    codec(
      nullable(MetadataInput),
      Metadata,
      (pairs) => pairs ?? undefined,
      (pairs: Static<typeof Metadata>) => pairs,
    ),
  ),
});

export const Counterparty = record(
  'Counterparty',
  'The other party of payments; a rail without details is null.',
  {
    id: IdText,
    client_id: IdText,
    master_account_holder_id: IdText,
    master_account_id: IdText,
    sub_account_holder_id: IdText,
    sub_account_id: IdText,
    ...LABEL.outputs,
    type: enumOf(HOLDER_TYPES),
    person: nullable(Person),
    business: nullable(Business),
    ...RAILS.outputs,
    ...WORDS.outputs,
    ofac: Ofac,
    attachments: Attachments,
    ...METADATA.outputs,
    status: enumOf(HOLDER_STATUSES),
    timestamps: object({ created_at: Timestamp, updated_at: Timestamp, deactivated_at: Time }),
  },
);

export const CounterpartyList = listOf('CounterpartyList', Counterparty);

/** The statuses that a client may send. */
const namedStatus = enumOf(['pending_activation', 'activated', 'suspended', 'deactivated']);

export const CounterpartyQuery = Type.Object({
  ...PageQuery.properties,
  sub_account_id: Type.Optional(IdInput),
  external_reference_id: Type.Optional(ExternalIdInput),
  status: Type.Optional(namedStatus),
});

const changeable = {
  ...LABEL.inputs,
  // The parser refuses any other value with the platform's message.
  type: Type.Optional(Type.String({ words: [...HOLDER_TYPES] })),
  person: Type.Optional(nullable(PersonPartyInput)),
  business: Type.Optional(nullable(BusinessPartyInput)),
  ...RAILS.inputs,
  ...WORDS.inputs,
  ...METADATA.inputs,
};

export const NewCounterparty = body('NewCounterparty', 'The fields of a new counterparty, with its rails.', {
  sub_account_id: IdInput,
  ...changeable,
});

export const CounterpartyUpdate = body(
  'CounterpartyUpdate',
  'The fields of a counterparty that can be updated; fields that are not sent keep their values, and null removes a rail.',
  { ...changeable, status: Type.Optional(namedStatus) },
);

type Body = Static<typeof CounterpartyUpdate>;

/** Parses a new counterparty. Refuses: `account_not_found`, `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function parseNewCounterparty(body: Static<typeof NewCounterparty>): NewCounterpartyRecord {
  const accountId = parseId('account', body.sub_account_id);
  return { accountId, ...parseOwn(body), rails: RAILS.parse(body), ...parseWords(body) };
}

/** Parses a change. Refuses: `field_invalid`, `phone_invalid`, `intra_account_unknown`. */
export function parseCounterpartyChange(body: Body): CounterpartyChange {
  const { type, person, business, status } = body;
  const rails = RAILS.parse(body);
  return {
    ...(type !== undefined && { type: parseType(type) }),
    ...(person && { person: readAt('person', () => parseParty.personChange(person)) }),
    ...(business && { business: readAt('business', () => parseParty.businessChange(business)) }),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...parseWords(body),
    ...ifPresent('status', status),
  };
}

const parseWords = (body: Body) => ({ ...LABEL.parse(body), ...WORDS.parse(body), ...METADATA.parse(body) });

/**
 * Parses the filters of the list. A filter by an id that does not exist matches nothing; an empty filter is ignored.
 */
export function parseCounterpartyFilters(query: Static<typeof CounterpartyQuery>): CounterpartyCondition[] {
  const { sub_account_id: account = '', external_reference_id: reference = '', status } = query;
  return [
    ...(account === '' ? [] : [on('accountId', { is: tryParseId('account', account) ?? '' })]),
    ...(reference === '' ? [] : [on('externalReferenceId', { is: reference })]),
    ...(status === undefined ? [] : [on('status', { is: status })]),
  ];
}

/** Parses the type and the object of that type; ignores the other object. */
function parseOwn({
  type: text = '',
  person,
  business,
}: Body): Pick<NewCounterpartyRecord, 'type' | HolderType> {
  const type = parseType(text);
  if (type === 'person' && person) return { type, person: readAt('person', () => parseParty.person(person)) };
  if (type === 'business' && business) {
    return { type, business: readAt('business', () => parseParty.business(business)) };
  }
  throw refuse('field_invalid', {
    field: type,
    message: `a counterparty of type ${type} needs the object ${type}`,
  });
}

/** Parses the type. The platform's refusal names no field. */
function parseType(text: string): HolderType {
  const type = HOLDER_TYPES.find((known) => known === text);
  if (type === undefined) throw refuse('field_invalid', { message: 'type must be properly set' });
  return type;
}

export const COUNTERPARTY_VIEW = viewV2('counterparty', formatCounterparty);

/** Formats a counterparty. */
export function formatCounterparty(
  counterparty: CounterpartyRecord,
  { program, attachments }: Viewer,
): Static<typeof Counterparty> {
  return {
    id: formatId('counterparty', counterparty.id),
    ...formatOwner(program),
    sub_account_holder_id: formatId('holder', counterparty.holderId),
    sub_account_id: formatId('account', counterparty.accountId),
    ...LABEL.format(counterparty),
    type: counterparty.type,
    person: counterparty.person && formatPerson(counterparty.person, null, null),
    business: counterparty.business && formatBusiness(counterparty.business, null, []),
    ...RAILS.format(counterparty.rails),
    ...WORDS.format(counterparty),
    ofac: formatOfac(counterparty.ofacStatus, counterparty.ofacAt),
    attachments: formatAttachments(attachments, counterparty.id),
    ...METADATA.format(counterparty),
    status: counterparty.status,
    timestamps: {
      created_at: formatInstant(counterparty.createdAt),
      updated_at: formatInstant(counterparty.updatedAt),
      deactivated_at: formatInstantOrEmpty(counterparty.deactivatedAt),
    },
  };
}
