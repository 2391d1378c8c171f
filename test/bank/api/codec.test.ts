/**
 * The tables of fields: the shape of a body, its parsing, the shape of a response, and the types of enums from the
 * table to the shapes.
 */
import { type Static, Type } from '@sinclair/typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  always,
  as,
  codec,
  constant,
  each,
  fields,
  plain,
  responseOnly,
  shown,
} from '../../../src/bank/api/codec.ts';
import type { AccountConfig } from '../../../src/bank/api/v1/accounts/config.ts';
import type { NewContactBody } from '../../../src/bank/api/v1/contacts/shapes.ts';
import type { NewPersonBody, Person } from '../../../src/bank/api/v1/persons.ts';
import type { Counterparty, NewCounterparty } from '../../../src/bank/api/v2/counterparties/counterparty.ts';
import type { RAILS } from '../../../src/bank/api/v2/counterparties/rails.ts';
import { enumOf, Flag, flagCodec, formatFlag, Ignored, Text } from '../../../src/bank/api/v2/fields.ts';
import type { BankDetails, CounterpartyRails } from '../../../src/bank/model/records.ts';

const CARD = fields(
  {
    holder_name: as('holderName', plain(Type.String({ maxLength: 5 }), Text)),
    kind: as('kind', plain(enumOf(['a', 'b']), enumOf(['a', 'b', '']))),
    count: as(
      'count',
      codec(
        Text,
        Text,
        (text) => (text === '' ? undefined : Number(text)),
        (count: number) => String(count),
      ),
    ),
    is_on: as('isOn', flagCodec),
    pull: shown('pull', { input: Ignored, output: Flag, format: formatFlag }),
    code: always(Text, Text, ''),
  },
  ['holder_name'],
);
const RECORD = { holderName: 'Mara', kind: 'a', count: 3, isOn: false, pull: true } as const;

describe('a table of fields', () => {
  it('creates the shapes of request and response in its order', () => {
    const names = ['holder_name', 'kind', 'count', 'is_on', 'pull', 'code'];
    expect(Object.keys(CARD.inputs)).toEqual(names);
    expect(Object.keys(CARD.outputs)).toEqual(names);
    expect(Type.Object(CARD.inputs).required).toEqual(['holder_name']);
    expect(Type.Object(CARD.outputs).required).toEqual(names);
  });

  it('puts required fields of a request first, and makes all fields optional in a change', () => {
    const { inputs, changes } = fields({ a: as('a', plain(Text, Text)), b: as('b', plain(Text, Text)) }, [
      'b',
    ]);
    expect(Object.keys(inputs)).toEqual(['b', 'a']);
    expect(Type.Object(inputs).required).toEqual(['b']);
    expect(Object.keys(changes)).toEqual(['b', 'a']);
    expect(Type.Object(changes).required).toBeUndefined();
  });

  it('excludes response-only fields from request bodies', () => {
    const number = fields({
      number: as('number', plain(Text, Text)),
      last4: responseOnly('number', Text, (text: string) => text.slice(-4)),
      verified: constant(Type.Boolean(), true),
    });
    expect(Object.keys(number.inputs)).toEqual(['number']);
    expect(Object.keys(number.changes)).toEqual(['number']);
    expect(number.parse({ number: '123456', ...{ last4: '0000', verified: false } })).toEqual({
      number: '123456',
    });
    expect(number.format({ number: '123456' })).toEqual({ number: '123456', last4: '3456', verified: true });
    // @ts-expect-error: no body has the field
    number.parse({ last4: '0000' });
  });

  it('gives every field its name', () => {
    const ways = fields(each(['ach', 'wire'], flagCodec));
    expect(ways.parse({ wire: 'true' })).toEqual({ wire: true });
    expect(ways.format({ ach: false, wire: true })).toEqual({ ach: 'false', wire: 'true' });
    expectTypeOf<keyof ReturnType<typeof ways.format>>().toEqualTypeOf<'ach' | 'wire'>();
  });

  it('parses the sent fields under the keys of the record, and ignores fields that only the bank sets', () => {
    expect(CARD.parse({ holder_name: 'Mara', is_on: 'true', pull: 'true', code: '123' })).toEqual({
      holderName: 'Mara',
      isOn: true,
    });
  });

  it('treats a value as absent where its codec says so', () => {
    expect(CARD.parse({ count: '' })).toEqual({});
    expect(CARD.parse({ count: '7' })).toEqual({ count: 7 });
  });

  it('formats every field, including constants', () => {
    const written = { holder_name: 'Mara', kind: 'a', count: '3', is_on: 'false', pull: 'true', code: '' };
    expect(CARD.format(RECORD)).toEqual(written);
    expect(Object.keys(CARD.format(RECORD))).toEqual(Object.keys(written));
  });

  it('formats every field that a request can set', () => {
    const { parse, format } = CARD;
    const sent = { holder_name: 'Mara', kind: 'b', count: '9', is_on: 'true' } as const;
    expect(format({ ...RECORD, ...parse(sent) })).toMatchObject(sent);
  });
});

describe('the types', () => {
  it('keep the literal types of an enum', () => {
    expectTypeOf(CARD.parse({}).kind).toEqualTypeOf<'a' | 'b' | undefined>();
    expectTypeOf(CARD.format(RECORD).kind).toEqualTypeOf<'a' | 'b' | ''>();
    expectTypeOf(CARD.format(RECORD).is_on).toEqualTypeOf<'true' | 'false'>();
    expectTypeOf<Static<typeof Counterparty>['type']>().toEqualTypeOf<'person' | 'business'>();
    type Ach = NonNullable<Static<typeof Counterparty>['ach']>;
    expectTypeOf<Ach['verification_status']>().toEqualTypeOf<'pass' | 'fail' | 'review'>();
    type SentAch = NonNullable<Static<typeof NewCounterparty>['ach']>;
    expectTypeOf<SentAch['account_type']>().toEqualTypeOf<BankDetails['accountType'] | undefined>();
    type Config = Static<typeof AccountConfig>;
    expectTypeOf<keyof Config['receive']>().toEqualTypeOf<'intrabank' | 'ach' | 'check' | 'debitCard'>();
    type Contact = NonNullable<Static<typeof NewContactBody>['ach']>;
    expectTypeOf<Contact['accountType']>().toEqualTypeOf<
      'businessChecking' | 'businessSavings' | 'personalChecking' | 'personalSavings' | ''
    >();
    expectTypeOf<Static<typeof Person>['idType']>().toEqualTypeOf<'ssn' | 'passport' | 'otherId' | ''>();
    expectTypeOf<Static<typeof NewPersonBody>['firstName']>().toEqualTypeOf<string>();
    expectTypeOf<Static<typeof NewPersonBody>['middleName']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ReturnType<typeof RAILS.parse>['domesticWire']>().toExtend<
      Omit<NonNullable<CounterpartyRails['domesticWire']>, 'address'> | null | undefined
    >();
  });

  it('reject a record with a missing field, an unknown enum value and a body of a wrong type', () => {
    const { isOn, ...rest } = RECORD;
    expect(isOn).toBe(false);
    // @ts-expect-error: isOn is missing
    CARD.format(rest);
    // @ts-expect-error: no word of the enum
    CARD.format({ ...RECORD, kind: 'c' });
    // @ts-expect-error: the input takes a word that the answer does not have
    plain(enumOf(['a', 'c']), enumOf(['a', 'b']));
    // @ts-expect-error: a field of a body is either parsed, or stated as decided by the bank
    fields({ kind: { key: 'kind', input: Text, output: Text } });
    expect(Object.keys(CARD.parse({ kind: 'a' }))).toEqual(['kind']);
  });
});
