/**
 * A family: several persons who share accounts. This file contains its record, the bodies that create and change one,
 * its list, and the operations.
 * Source: the family pages of the platform's v1 reference; decision `family-changes` in docs/fidelity.md.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant } from '../../kernel/time.ts';
import { on } from '../../model/conditions.ts';
import type { FamilyCondition } from '../../model/filters.ts';
import type { Family as FamilyRecord, Program } from '../../model/records.ts';
import type { Bank } from '../../verbs/bank.ts';
import type { FamilyChange, NewFamily } from '../../verbs/inputs.ts';
import { as, fields, plain } from '../codec.ts';
import { formatV1, tryParseId } from '../ids.ts';
import { operation } from '../operation.ts';
import { viewV1 } from '../view.ts';
import { ownFamilies } from './callers.ts';
import { ADDRESS } from './examples.ts';
import {
  addressCodec,
  anyEmail,
  anyPhone,
  body,
  enumOf,
  filledText,
  IdText,
  METADATA,
  parseId,
  record,
  requireProgram,
  Text,
  Timestamp,
} from './fields.ts';
import {
  Filter,
  formatList,
  idFilter,
  listOf,
  listQuery,
  parseCommonFilters,
  parseWindow,
  textFilters,
  wordFilter,
} from './paging.ts';
import { FAMILY_STATUSES } from './vocabulary.ts';

const STATUSES = [...Object.values(FAMILY_STATUSES), 'dormant'] as const;

const DETAILS = fields(
  {
    name: as('name', plain(filledText(100), Text)),
    phone: as('phone', anyPhone),
    email: as('email', anyEmail),
    address: as('address', addressCodec('mailing')),
  },
  ['name'],
);

export const Family = record('Family', 'Several persons who share accounts.', {
  id: IdText,
  ...DETAILS.outputs,
  createdPersonId: IdText,
  programId: IdText,
  status: enumOf(STATUSES),
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

const FamilyList = listOf('FamilyList', Family);

const NewFamilyBody = body('NewFamily', 'The fields of a new family.', {
  ...DETAILS.inputs,
  ...METADATA.inputs,
});
const FamilyChangeBody = body(
  'FamilyChange',
  'The fields of a family that can be updated; fields that are not sent keep their values.',
  {
    ...DETAILS.changes,
    ...METADATA.changes,
  },
);

export const FamilyQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  personId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only families that this person created or is a member of.' }),
  ),
  status: Type.Optional(enumOf(STATUSES)),
});

/** Parses a new family, created by a person or without one (`''`). Refuses: `field_invalid`, `phone_invalid`. */
function parseNewFamily(createdBy: Id | '', body: Static<typeof NewFamilyBody>): NewFamily {
  return { name: body.name, ...parseFamilyChange(body), ...(createdBy !== '' && { createdBy }) };
}

/** Parses a change of a family; fields that are not sent do not change. Refuses: `field_invalid`, `phone_invalid`. */
function parseFamilyChange(body: Static<typeof FamilyChangeBody>): FamilyChange {
  return { ...DETAILS.parse(body), ...METADATA.parse(body) };
}

/** Parses the filters of the list; `familiesOf` returns those of a person. Refuses: `field_invalid`. */
function parseFamilyFilters(
  query: Static<typeof FamilyQuery>,
  familiesOf: (personId: Id) => Id[],
): FamilyCondition[] {
  const { id, personId = '', status } = query;
  const person = tryParseId('person', personId);
  return [
    ...parseCommonFilters(query),
    ...idFilter('id', 'family', id),
    ...textFilters(query, { phone: 'phone', email: 'email' }),
    ...wordFilter('status', FAMILY_STATUSES, status),
    ...(personId === '' ? [] : [on('id', { oneOf: person === undefined ? [] : familiesOf(person) })]),
  ];
}

export const FAMILY_VIEW = viewV1('family', formatFamily);

/** Formats a family. */
export function formatFamily(family: FamilyRecord, program: Program): Static<typeof Family> {
  return {
    id: formatV1('family', family.id),
    ...DETAILS.format(family),
    createdPersonId: formatV1('person', family.createdBy),
    programId: formatV1('program', program.programId),
    status: FAMILY_STATUSES[family.status],
    ...METADATA.format(family),
    createdAt: formatInstant(family.createdAt),
    modifiedAt: formatInstant(family.updatedAt),
  };
}

const FAMILY_QUERY = { limit: '10', status: 'active' } as const;

function listFamilies(
  { families, program }: Bank,
  query: Static<typeof FamilyQuery>,
  own: readonly FamilyCondition[] = [],
) {
  const where = [...own, ...parseFamilyFilters(query, families.idsOfPerson)];
  const page = families.list(where, parseWindow(query));
  return formatList(page, (family) => formatFamily(family, program));
}

const FAMILY_EXAMPLE: Static<typeof NewFamilyBody> = {
  name: 'Quill',
  phone: '+15035550180',
  email: 'home@quill.example',
  address: { ...ADDRESS, addressType: 'mailing' },
  metadata: { externalId: '12' },
};

export const FAMILY_OPERATIONS = [
  operation({
    id: 'createFamily',
    method: 'POST',
    path: '/v1/family',
    summary: 'Create a family',
    description:
      'Creates a family on behalf of the person of `sd-person-id`. Its members are added one by one.',
    answer: 'The new family, without members.',
    decisions: ['family-changes'],
    status: 201,
    body: NewFamilyBody,
    response: Family,
    example: {
      headers: ({ seed }) => ({ 'sd-person-id': seed('person_id') }),
      body: FAMILY_EXAMPLE,
    },
    run: ({ bank, personId, show }, { body }) =>
      show(FAMILY_VIEW, bank.families.create(parseNewFamily(personId, body))),
  }),

  operation({
    id: 'listFamilies',
    method: 'GET',
    path: '/v1/family',
    summary: 'List families',
    description:
      'Lists the families of the person of `sd-person-id`, newest first. Without `sd-person-id` it lists those of the whole program.',
    answer: 'A page of families, newest first.',
    decisions: ['list-paging', 'lists-by-person', 'v1-party-lists'],
    status: 200,
    query: FamilyQuery,
    response: FamilyList,
    example: { query: FAMILY_QUERY },
    run: (call, { query }) => listFamilies(call.bank, query, ownFamilies(call)),
  }),

  operation({
    id: 'listProgramFamilies',
    method: 'GET',
    path: '/v1/program/:programId/family',
    summary: 'List the families of a program',
    description:
      'Lists the families of the program, newest first. The header `sd-person-id` does not limit the list.',
    answer: 'A page of families, newest first.',
    decisions: ['v1-party-lists'],
    status: 200,
    query: FamilyQuery,
    response: FamilyList,
    example: { query: FAMILY_QUERY },
    run({ bank }, { params, query }) {
      requireProgram(bank.program, params.programId);
      return listFamilies(bank, query);
    },
  }),

  operation({
    id: 'retrieveFamily',
    method: 'GET',
    path: '/v1/family/:familyId',
    summary: 'Retrieve a family',
    description: 'Retrieves a family. Its members are listed by a separate operation.',
    answer: 'The family.',
    status: 200,
    response: Family,
    run: ({ bank }, { params }) =>
      formatFamily(bank.families.byId(parseId('family', params.familyId)), bank.program),
  }),

  operation({
    id: 'updateFamily',
    method: 'PATCH',
    path: '/v1/family/:familyId',
    summary: 'Update a family',
    description:
      'Updates the name, the contact details, the address or the metadata of a family; fields that are not sent keep their values.',
    answer: 'The family after the change.',
    decisions: ['family-changes'],
    status: 200,
    body: FamilyChangeBody,
    response: Family,
    example: {
      body: FAMILY_EXAMPLE,
    },
    run({ bank, show }, { params, body }) {
      const id = parseId('family', params.familyId);
      return show(FAMILY_VIEW, bank.families.change(id, parseFamilyChange(body)));
    },
  }),
] as const;
