/**
 * The codes of countries (ISO 3166-1, two letters) and of the states of the United States and provinces of Canada.
 * For other countries any state is accepted.
 * Source: the Debian package iso-codes, version 4.15.0, and the military and associated states of the United States
 * Postal Service; decision `known-places` in docs/fidelity.md.
 */
import places from '../../../data/places.json' with { type: 'json' };

const COUNTRIES = new Set(places.countries);
const STATES: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(places.states).map(([country, states]) => [country, new Set(states)]),
);
/** In v2 the country of an address is optional; its page describes the state as one of the United States. */
const HOME = 'US';

/** True for a country code in any case. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code.toUpperCase());
}

/** True for a state of the country, or if there is no list of its states; `''` means none. */
export function isStateOf(country: string, state: string): boolean {
  return state === '' || (STATES[country.toUpperCase() || HOME]?.has(state.toUpperCase()) ?? true);
}
