/**
 * The shapes of a business with its KYB, its expected yearly volumes, and its ownership disclosure. The industry is
 * free text, because no list of names is published. Volumes are stored by direction and rail as they were sent; the
 * platform has undocumented rails, so any rail name is accepted.
 * Source: the business object, "create a business", "submit business projections" and "business ownership disclosure"
 * of the platform's v1 reference; decisions `shared-records`, `naics-codes`, `business-projections` and
 * `ownership-disclosure` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { MONEY_OR_DOLLARS_PATTERN } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { as, codec, fields, plain } from '../../codec.ts';
import {
  anyEmail,
  anyPhone,
  body,
  dateCodec,
  enumOf,
  filledText,
  IdNumber,
  IdText,
  keptWordCodec,
  MAILING,
  METADATA,
  Money,
  object,
  orNull,
  record,
  Text,
  Time,
  Timestamp,
  text,
  URI,
  URI_OR_EMPTY,
} from '../fields.ts';
import { Filter, listOf, listQuery } from '../paging.ts';
import { Kyb } from '../verification.ts';
import {
  BUSINESS_ID_TYPES,
  ENTITY_TYPES,
  HOLDER_STATUS_CHANGES,
  HOLDER_STATUSES,
  VERIFICATION_STATUSES,
} from '../vocabulary.ts';

const STATUSES = [...new Set(Object.values(HOLDER_STATUSES)), 'dormant'] as const;

const EntityType = enumOf(ENTITY_TYPES.words);
const upTo = (maxLength: number) => Type.String({ maxLength });

export const DETAILS = fields(
  {
    legalName: as('legalName', plain(filledText(100), text('The registered name.'))),
    entityType: as('entityType', keptWordCodec(ENTITY_TYPES)),
    dba: as('dba', plain(upTo(100), text('The trade name.'))),
    email: as('email', anyEmail),
    idType: as('idType', keptWordCodec(BUSINESS_ID_TYPES)),
    idNumber: as(
      'idNumber',
      codec(
        Type.String({ maxLength: 50, description: '9 to 50 characters' }),
        IdNumber,
        parseIdNumber,
        (number: string) => number,
      ),
    ),
    phone: as('phone', anyPhone),
    formationDate: as('formationDate', dateCodec),
    website: as('website', plain(upTo(100), Text)),
    about: as('about', plain(upTo(500), Text)),
    industry: as('industry', plain(upTo(100), text('Industry of the business, as text.'))),
    naicsCode: as(
      'naicsCode',
      plain(
        Type.String({
          pattern: '^(\\d{2,6}|\\d\\d-\\d\\d)?$',
          description: 'a code of GET /v1/business/naicscode',
        }),
        text('A code of GET /v1/business/naicscode.'),
      ),
    ),
  },
  ['legalName', 'entityType'],
);

const SHORTEST_ID_NUMBER = 9;

function parseIdNumber(text: string): string {
  if (text === '' || text.trim().length >= SHORTEST_ID_NUMBER) return text;
  // The number itself must not appear in a response or a log.
  throw refuse('field_invalid', { field: 'idNumber', message: 'idNumber has 9 to 50 characters' });
}

export const Business = record('Business', 'A business, with its verification.', {
  id: IdText,
  ...DETAILS.outputs,
  disclosureStatus: enumOf(['notStarted', 'pending', 'completed']),
  ...MAILING.outputs,
  kyb: Kyb,
  createdPersonId: IdText,
  programId: IdText,
  status: enumOf(STATUSES),
  ...METADATA.outputs,
  createdAt: Timestamp,
  modifiedAt: Timestamp,
});

export const BusinessList = listOf('BusinessList', Business);

export const NewBusinessBody = body('NewBusiness', 'The fields of a new business.', {
  ...DETAILS.inputs,
  ...MAILING.inputs,
  ...METADATA.inputs,
});

/** Fields that are not sent do not change. */
export const BusinessChangeBody = body(
  'BusinessChange',
  'The fields of a business that can be updated; fields that are not sent keep their values.',
  {
    ...DETAILS.changes,
    ...MAILING.changes,
    ...METADATA.changes,
    status: Type.Optional(enumOf(HOLDER_STATUS_CHANGES.words)),
  },
);

export const BusinessQuery = listQuery({
  id: Filter,
  phone: Filter,
  email: Filter,
  createdPersonId: Filter,
  idNumber: Filter,
  status: Type.Optional(enumOf(STATUSES)),
  kybstatus: Type.Optional(enumOf(Object.values(VERIFICATION_STATUSES))),
  entityType: Type.Optional(EntityType),
  industry: Filter,
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only businesses whose legal name contains this text.' }),
  ),
});

const MAX_WAYS = 20;

/** `ach`, `domesticWire`, ... */
const WAY = Type.String({ pattern: '^[a-z][A-Za-z]{0,39}$' });
const COUNT = Type.String({
  pattern: '^\\d{1,9}$',
  description: 'a number of payments per year, like "30"',
});
const VOLUME = Type.String({
  pattern: MONEY_OR_DOLLARS_PATTERN,
  description: 'dollars, with or without cents, like "1000" or "12.50"',
});
const Ways = Type.Record(WAY, object({ count: text('Number per year, like "30".'), amount: Money }));
const WaysInput = Type.Optional(
  Type.Record(WAY, Type.Object({ count: COUNT, amount: VOLUME }), {
    additionalProperties: false,
    maxProperties: MAX_WAYS,
    description: 'expected payments by method, like `ach` or `domesticWire`',
  }),
);

export const DIRECTIONS = ['send', 'receive', 'incoming'] as const;

/** `transactions` is `null` until it is set. */
export const Projection = record(
  'Projection',
  'The yearly volumes that a business expects; null until they are set.',
  {
    transactions: orNull(
      object({
        annual: object({ send: orNull(Ways), receive: orNull(Ways), incoming: orNull(Ways) }),
      }),
    ),
  },
);

export const ProjectionBody = body('ProjectionChange', 'The expected yearly volumes.', {
  transactions: Type.Object({
    annual: Type.Object({ send: WaysInput, receive: WaysInput, incoming: WaysInput }),
  }),
});

export const OwnershipDisclosure = record('OwnershipDisclosure', 'The ownership disclosure of a business.', {
  businessId: IdText,
  url: Type.String({
    description: 'the link that signs the disclosure, valid for 5 minutes; "" if there is no valid link',
    ...URI_OR_EMPTY,
  }),
  redirectUri: text('URL to which the signer is redirected.', URI),
  status: enumOf(['pending', 'completed']),
  signedAt: Time,
  expiresAt: Time,
  modifiedAt: Timestamp,
});

export const DisclosureBody = body('DisclosureRequest', 'The fields of a request for a disclosure link.', {
  redirectUri: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'the URL to which the signer is redirected',
    ...URI,
  }),
  action: Type.Optional(enumOf(['regenerate'])),
  frameancestor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'ignored: the page signs at once and is not embedded in a frame',
    }),
  ),
});

const NAMED = { code: Type.Integer({ description: 'Two to six digits.' }), name: Text };
const howMany = (what: string) => Type.Integer({ description: `Number of ${what} in this list.` });

/** A sector has two digits, an industry five, and a national industry, like the code of a business, six. */
export const NaicsCodeList = listOf(
  'NaicsCodeList',
  record('NaicsSector', 'A sector with its industry codes.', {
    ...NAMED,
    total: howMany('industries'),
    industries: Type.Array(
      object({
        ...NAMED,
        total: howMany('national industries'),
        nationalIndustries: Type.Array(object(NAMED)),
      }),
    ),
  }),
);
