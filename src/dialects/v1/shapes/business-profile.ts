/**
 * What is asked of a business beside its record: the volumes that it expects in a year, and the disclosure of its owners.
 * Volumes are kept by direction and way as they were sent; the platform's page shows more ways than are known to us, so
 * any name of one is taken.
 * Source: "submit business projections" and "business ownership disclosure" of the platform's v1 reference; rows 144 and
 * 145 of docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { listOf } from '../paging.ts';
import {
  Amount,
  body,
  IdText,
  Money,
  orNull,
  part,
  record,
  Text,
  Timestamp,
  text,
  wordOf,
} from './scalars.ts';

const MAX_WAYS = 20;

/** `ach`, `domesticWire`, ... */
const WAY = Type.String({ pattern: '^[a-z][A-Za-z]{0,39}$' });
const COUNT = Type.String({ pattern: '^\\d{1,9}$', description: 'how many in a year, like "30"' });
const Ways = Type.Record(WAY, part({ count: text('How many in a year, like "30".'), amount: Money }));
const WaysInput = Type.Optional(
  Type.Record(WAY, Type.Object({ count: COUNT, amount: Amount }), {
    additionalProperties: false,
    maxProperties: MAX_WAYS,
    description: 'by ways, like `ach` or `domesticWire`',
  }),
);

export const DIRECTIONS = ['send', 'receive', 'incoming'] as const;

/** `transactions` is `null` until it is set. */
export const Projection = record(
  'Projection',
  'The volumes that a business expects in a year; null until they are set.',
  {
    transactions: orNull(
      part({
        annual: part({ send: orNull(Ways), receive: orNull(Ways), incoming: orNull(Ways) }),
      }),
    ),
  },
);

export const ProjectionBody = body('ProjectionChange', 'The volumes that are expected in a year.', {
  transactions: Type.Object({
    annual: Type.Object({ send: WaysInput, receive: WaysInput, incoming: WaysInput }),
  }),
});

export const OwnershipDisclosure = record(
  'OwnershipDisclosure',
  'How the disclosure of the owners of a business stands.',
  {
    businessId: IdText,
    url: Type.String({
      description: 'where the disclosure is signed, within 5 minutes; "" when no link is open',
    }),
    redirectUri: text('Where the signer is sent afterwards.'),
    status: wordOf(['notStarted', 'pending', 'completed']),
    expiresAt: Timestamp,
    modifiedAt: Timestamp,
  },
);

export const DisclosureBody = body('DisclosureRequest', 'What opens a link for the disclosure of owners.', {
  redirectUri: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'where the signer is sent afterwards',
  }),
  action: Type.Optional(wordOf(['regenerate'])),
});

const NAMED = { code: Type.Integer({ description: 'Two to six digits.' }), name: Text };
const howMany = (what: string) => Type.Integer({ description: `How many ${what} it has here.` });

/** A sector goes by two digits, an industry by five, a national industry by the six that a business carries. */
export const NaicsCodeList = listOf(
  'NaicsCodeList',
  record('NaicsSector', 'A sector of industries, with the codes below it.', {
    ...NAMED,
    total: howMany('industries'),
    industries: Type.Array(
      part({
        ...NAMED,
        total: howMany('national industries'),
        nationalIndustries: Type.Array(part(NAMED)),
      }),
    ),
  }),
);
