/**
 * Parses and formats the controls of a v2 card: where it works, and how much it may spend. Fields that a body does
 * not contain are not changed. A limit that is sent as `""` is removed, and an empty list clears the list.
 * Source: the card record and update of the platform's v2 reference; decision `controls-update` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import { type Cents, formatMoney, parseMoney } from '../../../kernel/money.ts';
import { LIMIT_PERIODS } from '../../../model/vocabulary.ts';
import { as, codec, fields, plain } from '../../codec.ts';
import {
  bodyObject,
  enumOf,
  flagCodec,
  LimitAmountInput,
  LimitCount,
  LimitMoney,
  object,
  Text,
} from '../fields.ts';

const MERCHANTS = { description: 'Names of merchants.' };
const CATEGORIES = { description: 'Merchant category codes, four digits each.' };
const COUNTRIES = { description: 'Two-letter country codes.' };

const LIST = fields({
  merchants: as(
    'merchants',
    plain(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 1000, ...MERCHANTS }),
      Type.Array(Text, MERCHANTS),
    ),
  ),
  categories: as(
    'categories',
    plain(
      Type.Array(Type.String({ pattern: '^\\d{4}$', description: 'Four digits.' }), {
        maxItems: 1000,
        ...CATEGORIES,
      }),
      Type.Array(Text, CATEGORIES),
    ),
  ),
  countries: as(
    'countries',
    plain(
      Type.Array(
        Type.String({ pattern: '^[A-Z]{2}$', description: 'Two capital letters.', isCountry: true }),
        { maxItems: 300, ...COUNTRIES },
      ),
      Type.Array(Text, COUNTRIES),
    ),
  ),
});
const listCodec = codec(bodyObject(LIST.inputs), object(LIST.outputs), LIST.parse, LIST.format);

const period = enumOf(['', ...LIMIT_PERIODS]);
const amountCodec = codec(
  LimitAmountInput,
  LimitMoney,
  (text) => parseMoney(text) ?? null,
  (cents: Cents | null) => (cents === null ? '' : formatMoney(cents)),
);
const LIMIT = fields({
  period: as('period', plain(period, period)),
  max_spend_amount: as('maxSpendAmount', amountCodec),
  max_spend_per_transaction: as('maxSpendPerTransaction', amountCodec),
  max_spend_count: as(
    'maxSpendCount',
    codec(
      Type.String({
        pattern: '^\\d{0,9}$',
        description: 'A number of transactions per period, up to nine digits; "" for no limit.',
      }),
      LimitCount,
      (text) => (text === '' ? null : Number(text)),
      (count: number | null) => (count === null ? '' : String(count)),
    ),
  ),
});

export const CONTROLS = fields({
  allowed: as('allowed', listCodec),
  blocked: as('blocked', listCodec),
  limit: as('limit', codec(bodyObject(LIMIT.inputs), object(LIMIT.outputs), LIMIT.parse, LIMIT.format)),
  atm_enabled: as('atmEnabled', flagCodec),
});
