/**
 * Parses the bodies that open and change an account, and the filters of its lists. The owner of an account is the
 * business or family in the body, otherwise the person of the call.
 * Source: "create an account" of the platform's v1 reference; decisions `opening-balance` and `v1-account-owner` in
 * docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { Cents } from '../../../kernel/money.ts';
import { refuse } from '../../../kernel/refusal.ts';
import type { Id } from '../../../kernel/sequence.ts';
import { on } from '../../../model/conditions.ts';
import type { AccountCondition } from '../../../model/filters.ts';
import type { AccountRole, AccountType, HolderType } from '../../../model/vocabulary.ts';
import type { AccountChange, NewAccount } from '../../../verbs/inputs.ts';
import { METADATA, parseId } from '../fields.ts';
import { businessFilter, idFilter, parseCommonFilters, wordFilter } from '../paging.ts';
import { ACCOUNT_STATUSES, ROLES } from '../vocabulary.ts';
import { CONFIG } from './config.ts';
import { type AccountChangeBody, type AccountQuery, LABEL, type NewAccountBody } from './shapes.ts';

type NewBody = Static<typeof NewAccountBody>;
type V1Type = NonNullable<NewBody['type']>;
type V1Status = NonNullable<Static<typeof AccountChangeBody>['status']>;
/** The opening balance of an account in the platform's sandbox. */
const OPENING_CREDIT: Cents = 1000_00;

/** The account types of v1, with their owners and roles. */
const TYPES: Readonly<Record<V1Type, { type: AccountType; owner: HolderType | null }>> = {
  businessChecking: { type: 'checking', owner: 'business' },
  personalChecking: { type: 'checking', owner: 'person' },
  cardAccount: { type: 'prepaid', owner: null },
  clearingAccount: { type: 'checking', owner: null },
  fallbackAccount: { type: 'checking', owner: null },
  fundingAccount: { type: 'checking', owner: null },
};

/** The statuses that a client may set. A locked account is `blocked` in v1, and only the platform unlocks it. */
const STATUSES: Readonly<Record<V1Status, NonNullable<AccountChange['status']>>> = {
  active: 'open',
  creditBlocked: 'credit_blocked',
  debitBlocked: 'debit_blocked',
  blocked: 'blocked',
  closed: 'closed',
};

/** Parses a new account. Refuses: `field_invalid`, `holder_not_found`, `family_not_found`, `person_header_missing`. */
export function parseNewAccount(body: NewBody, personId: Id | ''): NewAccount {
  if (body.acceptedTerms === false) {
    throw refuse('field_invalid', {
      field: 'acceptedTerms',
      message: 'acceptedTerms must be true: the owner of an account must accept the terms',
    });
  }
  const owner = parseOwner(body, personId);
  const role = roleOf(body.type);
  return {
    ...owner,
    type: parseType(body.type, owner.holderType),
    ...(role !== '' && { role }),
    ...(role !== 'fallback' && { openingCredit: OPENING_CREDIT }),
    ...LABEL.parse(body),
    ...METADATA.parse(body),
  };
}

function parseOwner({ businessId = '', familyId = '' }: NewBody, personId: Id | '') {
  if (businessId !== '' && familyId !== '') {
    throw refuse('field_invalid', {
      field: 'familyId',
      message: 'familyId and businessId cannot both be sent: an account has one owner',
    });
  }
  if (businessId !== '') {
    return {
      holderId: parseId('business', businessId, 'businessId'),
      holderType: 'business' as const,
      ...(personId !== '' && { createdBy: personId }),
    };
  }
  if (personId === '') throw refuse('person_header_missing');
  return {
    holderId: personId,
    holderType: 'person' as const,
    ...(familyId !== '' && { familyId: parseId('family', familyId, 'familyId') }),
  };
}

function roleOf(word: V1Type | undefined): AccountRole | '' {
  const known = Object.entries<string>(ROLES.v1).find(([, v1]) => v1 === word);
  return known === undefined ? '' : (known[0] as AccountRole);
}

function parseType(word: V1Type | undefined, owner: HolderType): AccountType {
  if (word === undefined) return 'checking';
  const known = TYPES[word];
  if ((known.owner ?? owner) === owner) return known.type;
  const own = Object.entries(TYPES).flatMap(([name, { owner: of }]) =>
    (of ?? owner) === owner ? [name] : [],
  );
  throw refuse('field_invalid', {
    field: 'type',
    message: `the type of an account of this owner must be one of ${own.join(', ')}; got ${word}`,
  });
}

/** Parses a change of an account; fields that are not sent do not change. Refuses: `field_invalid`. */
export function parseAccountChange(body: Static<typeof AccountChangeBody>): AccountChange {
  const { status, fallback } = body;
  if (fallback !== undefined && body.config?.fallback !== undefined) {
    throw refuse('field_invalid', {
      field: 'fallback',
      message: 'fallback can be sent at the top level of the body or below config, but not in both places',
    });
  }
  const config = fallback === undefined ? body.config : { ...body.config, fallback };
  return {
    ...LABEL.parse(body),
    ...METADATA.parse(body),
    ...(status !== undefined && { status: STATUSES[status], mailsBalance: true }),
    ...(config !== undefined && { config: CONFIG.parse(config) }),
  };
}

/** Parses the filters of a list of accounts; an unknown id matches nothing. Refuses: `field_invalid`. */
export function parseAccountFilters(query: Static<typeof AccountQuery>): AccountCondition[] {
  return [
    ...idFilter('id', 'account', query.id),
    ...businessFilter(query.businessId),
    ...idFilter('createdBy', 'person', query.personId),
    ...idFilter('familyId', 'family', query.familyId),
    ...wordFilter('status', ACCOUNT_STATUSES, query.status),
    ...(query.type === undefined ? [] : conditionsOfType(query.type)),
    ...parseCommonFilters(query),
  ];
}

function conditionsOfType(word: V1Type): AccountCondition[] {
  const { type, owner } = TYPES[word];
  return [
    on('role', { is: roleOf(word) }),
    type === 'prepaid' ? on('type', { is: type }) : on('type', { not: 'prepaid' }),
    ...(owner === null ? [] : [on('holderType', { is: owner })]),
  ];
}
