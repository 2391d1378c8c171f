/**
 * Parses the bodies that create and change a contact, its debit card, and the filters of lists.
 * Source: "create a contact", "update a contact" and "list all contacts" of the platform's v1 reference; decisions
 * `deleted-things` and `contact-update` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import { on } from '../../../model/conditions.ts';
import type { CounterpartyCondition } from '../../../model/filters.ts';
import type { CounterpartyChange, NewCounterparty, NewDebitCard } from '../../../verbs/inputs.ts';
import { METADATA, parseAddressOrNull, parseId, pickSent } from '../fields.ts';
import { idFilter, parseCommonFilters, textFilters } from '../paging.ts';
import { RAILS } from './rails.ts';
import {
  type ContactChangeBody,
  type ContactQuery,
  type DebitCardBody,
  NAMES,
  type NewContactBody,
  REACHED,
} from './shapes.ts';

type Body = Static<typeof ContactChangeBody>;
type Query = Static<typeof ContactQuery>;

/** The field of the record that each filter compares. */
const FILTERS = {
  type: 'relation',
  intrabankAccountNumber: 'intraAccountNumber',
  achAccountNumber: 'achAccountNumber',
  achRoutingNumber: 'achRoutingNumber',
  wireDomesticAccountNumber: 'domesticWireAccountNumber',
  wireDomesticRoutingNumber: 'domesticWireRoutingNumber',
  wireInternationalAccountNumber: 'internationalWireAccountNumber',
  wireInternationalBankIdentifierCode: 'internationalWireBankCode',
} as const satisfies Partial<Record<keyof Query, string>>;

/** Parses a new contact. Refuses: `account_not_found`, and like `parseContactChange`. */
export function parseNewContact(body: Static<typeof NewContactBody>): NewCounterparty {
  return {
    accountId: parseId('account', body.accountId, 'accountId'),
    ...NAMES.parse(body),
    ...relationOf(body),
    ...parseWords(body),
  };
}

/**
 * The relation of a contact. Without a type, a contact with only `intrabank` may be another account of the same
 * holder.
 */
function relationOf(body: Static<typeof NewContactBody>): Pick<NewCounterparty, 'relation' | 'rails'> {
  const { intraAccount, ...others } = RAILS.parse(body);
  const rails = { ...others, ...(intraAccount !== undefined && { intraAccount }) };
  const isAlone = intraAccount != null && Object.values(others).every((rail) => rail == null);
  if (body.type !== undefined || !isAlone) return { relation: body.type ?? 'others', rails };
  return { relation: 'others', rails: { ...rails, intraAccount: { ...intraAccount, maySelf: true } } };
}

/** Parses a change of a contact. Refuses: `phone_invalid`, `field_invalid`, `intra_account_unknown`. */
export function parseContactChange(body: Body): CounterpartyChange {
  const rails = RAILS.parse(body);
  return {
    ...pickSent(body, ['name']),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...parseWords(body),
  };
}

const parseWords = (body: Body) => ({ ...REACHED.parse(body), ...METADATA.parse(body) });

/** Parses a debit card. */
export function parseDebitCard({ debitCard }: Static<typeof DebitCardBody>): NewDebitCard {
  const { cardNumber, expiryMonth, expiryYear, address } = debitCard;
  return { cardNumber, expiryMonth, expiryYear, address: parseAddressOrNull(address) };
}

/**
 * Parses the filters of a list, which contains deleted contacts only with the filter `status`. Refuses:
 * `field_invalid`.
 */
export function parseContactFilters(query: Query): CounterpartyCondition[] {
  return [
    ...idFilter('id', 'counterparty', query.id),
    ...idFilter('accountId', 'account', query.accountId),
    query.status === 'deleted' ? on('status', { is: 'deactivated' }) : on('status', { not: 'deactivated' }),
    ...textFilters(query, FILTERS),
    ...parseCommonFilters(query),
  ];
}
