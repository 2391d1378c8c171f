/**
 * The response shows every sent field. Without this test a field that is accepted but not stored would not be
 * noticed, because every field of a body is optional.
 */
import { describe, expect, it } from 'vitest';
import { callCase, prepareCase, WITH_BODY } from './cases.ts';
import { useHttp } from './support.ts';

const http = useHttp();

/** The paths whose values are returned in another form, and the form. */
const OTHERWISE: Readonly<Record<string, string>> = {
  // A number is masked or replaced by a token, and the security code is not returned at all.
  'debit_card.card_number': 'tok_test_',
  'debit_card.cvv': '',
  'debitCard.cardNumber': '************',
  // The names of a contact's addresses are their uses.
  'card.address.addressType': 'card',
  'debitCard.address.addressType': 'card',
  'wire.domestic.address.addressType': 'wire',
  'wire.international.beneficiaryAddress.addressType': 'wire',
  'wire.international.beneficiaryBankAddress.addressType': 'wire',
  'wire.international.correspondentBankAddress.addressType': 'wire',
  // A percentage has two decimals.
  ownership: '50.00',
};
/** Fields of v1 whose name has another meaning in the response. */
const OTHER_MEANING: Readonly<Record<string, string>> = {
  'POST /v1/send/wire': 'type',
  'POST /v1/send/check': 'type',
  'POST /v1/send/card': 'bin',
};

/** Every value in a body under its path, for example `person.address.city`. */
function leavesOf(value: unknown, path = ''): [path: string, value: unknown][] {
  if (value === null || typeof value !== 'object') return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) =>
    leavesOf(inner, path === '' ? name : `${path}.${name}`),
  );
}

describe('the response to an example contains the sent values', () => {
  const met = new Set<string>();

  it.each(WITH_BODY.map((entry) => [entry.title, entry] as const))('%s', async (_, entry) => {
    const { name } = entry;
    const caller = http.caller();
    const { body } = prepareCase(caller, entry);
    const answer = await callCase(caller, entry);
    for (const [path, value] of leavesOf(body)) {
      const shown = answer.at(path);
      if (shown === undefined || shown === value) continue;
      if (OTHER_MEANING[name] === path) met.add(name);
      else {
        expect(OTHERWISE[path] ?? value, path).toBe(
          typeof shown === 'string' && path.toLowerCase().includes('number')
            ? shown.slice(0, OTHERWISE[path]?.length)
            : shown,
        );
        met.add(path);
      }
    }
  });

  it('except for the listed ones', () => {
    expect([...met].sort()).toEqual([...Object.keys(OTHERWISE), ...Object.keys(OTHER_MEANING)].sort());
  });
});
