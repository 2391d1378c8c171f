/**
 * Parses a new business, a change, the filters of the list, and projections. An empty string clears a field. Only the
 * volumes of projections are stored, so that the response contains exactly what was sent.
 * Source: "create a business", "update a business", "list all businesses" and "submit business projections" of the
 * platform's v1 reference; decisions `v1-business-fields` and `business-projections` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Id } from '../../../kernel/sequence.ts';
import { on } from '../../../model/conditions.ts';
import type { HolderCondition } from '../../../model/filters.ts';
import { BLANK_BUSINESS, requireSsnOfV1 } from '../../../model/people.ts';
import type { Holder } from '../../../model/records.ts';
import type { HolderChange, NewHolder } from '../../../verbs/inputs.ts';
import { MAILING, METADATA } from '../fields.ts';
import { idFilter, parseCommonFilters, textFilters, wordFilter } from '../paging.ts';
import {
  ENTITY_TYPES,
  HOLDER_STATUS_CHANGES,
  HOLDER_STATUSES,
  VERIFICATION_STATUSES,
} from '../vocabulary.ts';
import {
  type BusinessChangeBody,
  type BusinessQuery,
  DETAILS,
  DIRECTIONS,
  type NewBusinessBody,
  type Projection,
  type ProjectionBody,
} from './shapes.ts';

type NewBody = Static<typeof NewBusinessBody>;
type ChangeBody = Static<typeof BusinessChangeBody>;

/** Parses a new business, created by a person or without one (`''`). Refuses: `field_invalid`, `phone_invalid`. */
export function parseNewBusiness(createdBy: Id | '', body: NewBody): NewHolder {
  const business = { ...BLANK_BUSINESS, ...parseDetails(body) };
  requireSsnOfV1(null, business);
  return {
    business,
    ...METADATA.parse(body),
    ...(createdBy !== '' && { createdBy }),
  };
}

/** Parses a change of a business, given its current record. Refuses: `field_invalid`, `phone_invalid`. */
export function parseBusinessChange(body: ChangeBody, { status: present, business }: Holder): HolderChange {
  const { status } = body;
  const details = parseDetails(body);
  requireSsnOfV1(business, { ...BLANK_BUSINESS, ...business, ...details });
  return {
    ...(Object.keys(details).length > 0 && { business: details }),
    ...METADATA.parse(body),
    // Several states of the bank have the same word in v1; requesting the current word changes nothing.
    ...(status !== undefined &&
      status !== HOLDER_STATUSES[present] && { status: HOLDER_STATUS_CHANGES.parse(status) }),
    lockNames: true,
  };
}

/** Parses the filters of the list. Refuses: `field_invalid`. */
export function parseBusinessFilters(query: Static<typeof BusinessQuery>): HolderCondition[] {
  const { id, createdPersonId, status, kybstatus, entityType, query: name } = query;
  return [
    on('type', { is: 'business' }),
    ...parseCommonFilters(query),
    ...idFilter('id', 'business', id),
    ...idFilter('createdBy', 'person', createdPersonId),
    ...textFilters(query, {
      phone: 'businessPhone',
      email: 'businessEmail',
      industry: 'industry',
      idNumber: 'idNumber',
    }),
    ...wordFilter('status', HOLDER_STATUSES, status),
    ...wordFilter('verificationStatus', VERIFICATION_STATUSES, kybstatus),
    ...(entityType === undefined ? [] : [on('entityType', { is: ENTITY_TYPES.parse(entityType) })]),
    ...(name ? [on('name', { contains: name })] : []),
  ];
}

const parseDetails = (body: ChangeBody) => ({ ...DETAILS.parse(body), ...MAILING.parse(body) });

type Ways = Readonly<Record<string, { count: string; amount: string }>>;

/** Parses the volumes by direction; a direction that was not sent is `null`. */
export function parseProjection({ transactions }: Static<typeof ProjectionBody>): Static<typeof Projection> {
  const { annual } = transactions;
  const [send, receive, incoming] = DIRECTIONS.map((direction) => parseWays(annual[direction]));
  return {
    transactions: { annual: { send: send ?? null, receive: receive ?? null, incoming: incoming ?? null } },
  };
}

function parseWays(ways: Ways | undefined): Record<string, { count: string; amount: string }> | null {
  if (ways === undefined) return null;
  return Object.fromEntries(
    Object.entries(ways).map(([way, { count, amount }]) => [
      way,
      { count, amount: amount.includes('.') ? amount : `${amount}.00` },
    ]),
  );
}
