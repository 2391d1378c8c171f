/**
 * The codes of countries (ISO 3166-1, two letters) and of the states of the United States and provinces of Canada. Of
 * other countries a state is taken as it is written there.
 * Source: the Debian package iso-codes, version 4.15.0, and the military and associated states of the United States
 * Postal Service; decision `known-places` in docs/fidelity.md.
 */
import places from '../../data/places.json' with { type: 'json' };

const COUNTRIES = new Set(places.countries);
const STATES: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(places.states).map(([country, states]) => [country, new Set(states)]),
);
/** v2 lets an address have no country; its page calls the state one of the United States. */
const HOME = 'US';

/** True for a code of a country, in letters of any case. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code.toUpperCase());
}

/** True for a state of the country, or where there is no list of its states; `''` is none. */
export function isStateOf(country: string, state: string): boolean {
  return state === '' || (STATES[country.toUpperCase() || HOME]?.has(state.toUpperCase()) ?? true);
}
