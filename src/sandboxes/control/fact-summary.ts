/** A fact in a few words, for a line of a list, without its record. */
import { type Static, Type } from '@sinclair/typebox';
import { formatMoney } from '../../bank/kernel/money.ts';
import type { Fact, FactRecords } from '../../bank/model/facts.ts';
import { enumOf, text } from './fields.ts';
import { labelOf } from './rails.ts';

export const FactSummary = Type.Object(
  {
    title: text('The kind of payment, or the name of the record.'),
    name: text('The other side of a payment: the counterparty or the merchant; "" for none.'),
    status: text('The status of the record at that time; "" for a record without a status.'),
    amount: text('The amount of a payment in dollars and cents, like "12.50"; "" for other records.'),
    direction: enumOf(['debit', 'credit', ''], 'For a payment; "" for other records.'),
    reason: text('Why a payment was declined or returned: a code like R01; "" otherwise.'),
  },
  { description: 'A readable name of the record.' },
);
type FactSummary = Static<typeof FactSummary>;

const NOTHING: FactSummary = { title: '', name: '', status: '', amount: '', direction: '', reason: '' };
const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`;

/** The title of each kind of record; one row for each. */
const SUMMARIES: { readonly [R in keyof FactRecords]: (record: FactRecords[R]) => Partial<FactSummary> } = {
  transaction: ({ rail, otherSide, details, status, amount, direction, reason }) => ({
    title: labelOf(rail),
    name: otherSide?.name || (details.kind === 'card' ? details.merchant.name : ''),
    status,
    amount: formatMoney(amount),
    direction,
    reason: reason?.code ?? '',
  }),
  holder: ({ holder: { name, status } }) => ({ title: name, status }),
  family: ({ name, status }) => ({ title: name, status }),
  wallet: ({ label, status }) => ({ title: label, status }),
  member: ({ member: { person } }) => ({ title: nameOf(person) }),
  account: ({ account: { label, holderName, status } }) => ({ title: label || holderName, status }),
  card_holder: ({ person, status }) => ({ title: nameOf(person), status }),
  counterparty: ({ label, name }) => ({ title: label || name }),
  card: ({ card: { label, last4, status } }) => ({ title: `${label || 'Card'} ${last4}`, status }),
};

export function summaryOf<R extends keyof FactRecords>({
  resource,
  record,
}: Pick<Fact<R>, 'resource' | 'record'>): FactSummary {
  return { ...NOTHING, ...SUMMARIES[resource](record) };
}
