/**
 * The two lists of v1's operations: what is emulated, and what is documented and not emulated.
 */
import { describe, expect, test } from 'vitest';
import { DOCUMENTED } from '../../../src/api/v1/documented.ts';
import { V1_OPERATIONS } from '../../../src/api/v1/index.ts';

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
/** As a router sees it: parameters have no names. */
const placeOf = (one: { method: string; path: string }) => nameOf(one).replace(/:\w+/g, ':');

describe('the operations of v1', () => {
  test('the five of the contract are emulated, with their statuses', () => {
    const statuses = Object.fromEntries(V1_OPERATIONS.map((one) => [nameOf(one), one.status]));
    expect(statuses).toMatchObject({
      'POST /v1/card/:cardId/test': 200,
      'PATCH /v1/contact/:contactId': 200,
      'POST /v1/person/:personId/document': 201,
      'POST /v1/receive/ach': 201,
      'PATCH /v1/webhook/:webhookId': 200,
    });
  });

  test('an operation is either emulated or only documented, and stands in its list once', () => {
    const places = [...V1_OPERATIONS, ...DOCUMENTED].map(placeOf);
    expect(places.filter((place, at) => places.indexOf(place) !== at)).toEqual([]);
  });

  test('ids of operations are unique', () => {
    const ids = V1_OPERATIONS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every path is one of v1 and names its parameters in camel case', () => {
    for (const { path } of [...V1_OPERATIONS, ...DOCUMENTED]) {
      expect(path).toMatch(/^\/v1(\/:?[a-z][A-Za-z]*(-[a-z]+)?)+$/);
    }
  });

  test('an answer has every field of its record and no other', () => {
    for (const { id, response } of V1_OPERATIONS) {
      // One that answers with a record or a list, as it is called, is closed in both.
      for (const shape of response.anyOf ?? [response]) {
        expect(shape, id).toMatchObject({ type: 'object', additionalProperties: false });
        // A shape without fields has no list of those that are required.
        expect(shape.required ?? [], id).toEqual(Object.keys(shape.properties));
      }
    }
  });
});
