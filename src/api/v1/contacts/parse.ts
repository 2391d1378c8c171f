/**
 * Reads the bodies that create and change a contact, its debit card, and the filters of lists. A rail that is sent
 * replaces the details of that rail whole, and `null` removes them, so that a contact that was read can be sent back.
 * An account of this bank is named by its number or its id, and the bank looks the other up.
 * Source: "create a contact", "update a contact" and "list all contacts" of the platform's v1 reference; decisions
 * `deleted-things` and `contact-update` in docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CounterpartyChange, NewCounterparty, NewDebitCard, RailsChange } from '../../../bank/inputs.ts';
import { refuse } from '../../../kernel/refusal.ts';
import { on } from '../../../model/conditions.ts';
import type { CounterpartyCondition } from '../../../model/filters.ts';
import type { CounterpartyRails, ForeignBank } from '../../../model/records.ts';
import { tryParseId } from '../../ids.ts';
import { parseAddress, parseAddressOrNull, parseEmail, parseId, parsePhone, pickSent } from '../fields.ts';
import { idFilter, parseCommonFilters, textFilters } from '../paging.ts';
import { BANK_ACCOUNT_TYPES } from '../vocabulary.ts';
import type {
  AchInput,
  ContactChangeBody,
  ContactQuery,
  DebitCardBody,
  DomesticWireInput,
  InternationalWireInput,
  NewContactBody,
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

/** Refuses: `account_not_found`, and as `parseContactChange` does. */
export function parseNewContact(body: Static<typeof NewContactBody>): NewCounterparty {
  return {
    accountId: parseId('account', body.accountId, 'accountId'),
    name: body.name,
    ...pickSent(body, ['label']),
    ...relationOf(body),
    ...parseTexts(body),
  };
}

/** Without a type, a contact with `intrabank` alone may be another account of the same holder. */
function relationOf(body: Static<typeof NewContactBody>): Pick<NewCounterparty, 'relation' | 'rails'> {
  const { intraAccount, ...others } = parseRails(body);
  const rails = { ...others, ...(intraAccount !== undefined && { intraAccount }) };
  const isAlone = intraAccount != null && Object.values(others).every((rail) => rail == null);
  if (body.type !== undefined || !isAlone) return { relation: body.type ?? 'others', rails };
  return { relation: 'others', rails: { ...rails, intraAccount: { ...intraAccount, maySelf: true } } };
}

/** Refuses: `phone_invalid`, `field_invalid`, `intra_account_unknown`. */
export function parseContactChange(body: Body): CounterpartyChange {
  const rails = parseRails(body);
  return {
    ...pickSent(body, ['name']),
    ...(Object.keys(rails).length > 0 && { rails }),
    ...parseTexts(body),
  };
}

/** Reads a debit card. */
export function parseDebitCard({ debitCard }: Static<typeof DebitCardBody>): NewDebitCard {
  const { cardNumber, expiryMonth, expiryYear, address } = debitCard;
  return { cardNumber, expiryMonth, expiryYear, address: parseAddressOrNull(address) };
}

/** The conditions of a list, which has deleted contacts only with the filter `status`. Refuses: `field_invalid`. */
export function parseContactFilters(query: Query): CounterpartyCondition[] {
  return [
    ...idFilter('id', 'counterparty', query.id),
    ...idFilter('accountId', 'account', query.accountId),
    query.status === 'deleted' ? on('status', { is: 'deactivated' }) : on('status', { not: 'deactivated' }),
    ...textFilters(query, FILTERS),
    ...parseCommonFilters(query),
  ];
}

type Texts = Pick<Body, 'email' | 'phone' | 'metadata'>;

function parseTexts(body: Texts) {
  return {
    ...(body.email !== undefined && { email: parseEmail('email', body.email) }),
    ...(body.phone !== undefined && { phone: parsePhone('phone', body.phone) }),
    ...(body.metadata != null && { metadata: body.metadata }),
  };
}

function parseRails({ intrabank, ach, wire, check, card }: Body): RailsChange {
  const domestic = wire === null ? null : wire?.domestic;
  const international = wire === null ? null : wire?.international;
  return {
    ...(intrabank !== undefined && { intraAccount: intrabank && parseIntrabank(intrabank) }),
    ...(ach !== undefined && { ach: ach && parseBankDetails(ach) }),
    ...(domestic !== undefined && { domesticWire: domestic && parseDomesticWire(domestic) }),
    ...(international !== undefined && {
      internationalWire: international && parseForeignWire(international),
    }),
    ...(check !== undefined && { check: check && { address: parseAddress(check.address) } }),
    ...(card !== undefined && { card: card && { address: parseAddress(card.address) } }),
  };
}

type Intrabank = NonNullable<Body['intrabank']>;

function parseIntrabank({ accountNumber, accountId }: Intrabank): NonNullable<RailsChange['intraAccount']> {
  // A record that was read carries both; the number is what the platform's own sample sends.
  if (accountNumber !== undefined && accountNumber !== '') return { accountNumber };
  if (accountId === undefined || accountId === '')
    throw refuse('field_invalid', {
      field: 'intraAccount',
      message: 'must name an accountNumber or an accountId',
    });
  const id = tryParseId('account', accountId);
  if (id === undefined) throw refuse('intra_account_unknown', { field: 'intraAccount.accountId' });
  return { accountId: id };
}

function parseBankDetails({ accountNumber, routingNumber, accountType, bankName }: Static<typeof AchInput>) {
  return {
    accountNumber,
    routingNumber,
    accountType: accountType === '' ? accountType : BANK_ACCOUNT_TYPES.parse(accountType),
    bankName: bankName ?? '',
  };
}

function parseDomesticWire(wire: Static<typeof DomesticWireInput>): CounterpartyRails['domesticWire'] {
  return { ...parseBankDetails(wire), address: parseAddressOrNull(wire.address) };
}

function parseForeignWire(
  wire: Static<typeof InternationalWireInput>,
): CounterpartyRails['internationalWire'] {
  const correspondent: ForeignBank = {
    identifierCode: wire.correspondentBankIdentifierCode ?? '',
    name: wire.correspondentBank ?? '',
    address: parseAddressOrNull(wire.correspondentBankAddress),
  };
  return {
    accountNumber: wire.accountNumber,
    accountType: wire.accountType ?? '',
    identifierType: wire.bankIdentifierType || 'swift',
    beneficiaryAddress: parseAddressOrNull(wire.beneficiaryAddress),
    beneficiaryBank: {
      identifierCode: wire.bankIdentifierCode,
      name: wire.beneficiaryBank ?? '',
      address: parseAddressOrNull(wire.beneficiaryBankAddress),
    },
    correspondentBank:
      correspondent.identifierCode === '' && correspondent.name === '' && correspondent.address === null
        ? null
        : correspondent,
  };
}
