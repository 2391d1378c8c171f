/**
 * Who a counterparty is. What it is called follows its person or business for as long as nobody calls it otherwise: v2
 * has no name besides those, v1 has only the name.
 * Source: rows 161 and 162 of docs/fidelity.md.
 */
import { refuse } from '../kernel/refusal.ts';
import { BLANK_BUSINESS, BLANK_PERSON, requireFullSsn } from '../model/people.ts';
import type { Counterparty } from '../model/records.ts';
import { nameOf } from './holder-changes.ts';
import type { CounterpartyChange, NewCounterparty } from './inputs.ts';

type Details = Pick<Counterparty, 'type' | 'person' | 'business' | 'name'>;

/** Who a new counterparty is. */
export function detailsOfNew({ type, person, business, name, label }: NewCounterparty): Details {
  const details = { person: person ?? null, business: business ?? null };
  return {
    ...details,
    type: type ?? (business === undefined ? 'person' : 'business'),
    name: name ?? (ownName(details) || (label ?? '')),
  };
}

/** Who it is after a change. Refuses: `field_invalid` for another type without its object, and for an id number. */
export function detailsAfter(present: Details, change: CounterpartyChange): Details {
  const { type = present.type, person, business } = change;
  if (type !== present.type && change[type] === undefined) {
    throw refuse('field_invalid', {
      field: type,
      message: `a counterparty of type ${type} needs the object ${type}`,
    });
  }
  const details =
    type === 'person'
      ? { person: merge(BLANK_PERSON, present.person, person), business: null }
      : { person: null, business: merge(BLANK_BUSINESS, present.business, business) };
  requireFullSsn(present.person, details.person);
  const follows = present.name === ownName(present);
  return { ...details, type, name: change.name ?? ((follows && ownName(details)) || present.name) };
}

function merge<T extends object>(unset: T, present: T | null, change: Partial<T> | undefined): T | null {
  return change === undefined ? present : { ...(present ?? unset), ...change };
}

function ownName({ person, business }: Pick<Details, 'person' | 'business'>): string {
  const details = person ?? business;
  return details === null ? '' : nameOf(details);
}
