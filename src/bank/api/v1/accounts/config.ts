/**
 * Parses and formats the configuration of an account. A body may contain any part of it, and other parts do not
 * change; a limit of `''` means no limit. A response contains the effective configuration with all fields.
 * Source: the account configuration and the guide on fallback accounts of the platform's v1 reference; decisions
 * `account-config-changes` and `fallback-accounts` in docs/fidelity.md.
 */
import { Type } from '@sinclair/typebox';
import {
  type Cents,
  formatMoney,
  MONEY_OR_DOLLARS_PATTERN,
  parseMoneyOrDollars,
} from '../../../kernel/money.ts';
import { readAt } from '../../../kernel/refusal.ts';
import type { Covers, Limits, WaySwitch } from '../../../model/account-config.ts';
import { RECEIVE_WAYS, type ReceiveWay, SEND_WAYS, type SendWay } from '../../../model/records.ts';
import { CARD_TYPES, type CoveredWay } from '../../../model/vocabulary.ts';
import { as, codec, each, fields, plain } from '../../codec.ts';
import { formatV1 } from '../../ids.ts';
import { IdText, object, orNull, parseId, record, Text, text } from '../fields.ts';

const enabled = as('enabled', plain(Type.Boolean(), Type.Boolean()));

const SWITCH = fields({ enabled });
const switchCodec = codec(
  Type.Object(SWITCH.inputs, {
    title: 'AccountSwitchInput',
    description: 'Whether an account can use a rail.',
  }),
  record('AccountSwitch', 'Whether an account can use a rail.', SWITCH.outputs),
  SWITCH.parse,
  SWITCH.format,
);
const ACH_SWITCH = fields({ enabled, sameDay: as('sameDay', plain(Type.Boolean(), Type.Boolean())) });
const achCodec = codec(
  Type.Object(ACH_SWITCH.inputs),
  record('AccountAchSwitch', 'Whether an account can use ACH and same-day ACH.', ACH_SWITCH.outputs),
  ACH_SWITCH.parse,
  (way: WaySwitch) => ACH_SWITCH.format({ sameDay: true, ...way }),
);
const SEND = fields({ ...each(SEND_WAYS, switchCodec), ach: as('ach', achCodec) });
const RECEIVE = fields({ ...each(RECEIVE_WAYS, switchCodec), ach: as('ach', achCodec) });

const ALLOWANCE = fields({
  enabled,
  count: as(
    'count',
    codec(
      Type.String({ pattern: '^\\d{1,6}$', description: 'a number of cards, like "10"' }),
      text('Maximum number, like "10".'),
      Number,
      (count: number) => String(count),
    ),
  ),
});
const CARDS = fields(
  each(
    CARD_TYPES,
    codec(
      Type.Object(ALLOWANCE.inputs),
      record('AccountCards', 'Whether an account can have cards, and how many.', ALLOWANCE.outputs),
      ALLOWANCE.parse,
      ALLOWANCE.format,
    ),
  ),
);

/** A limit that is sent as `''` is removed. */
const limitAmount = (when: string) =>
  codec(
    Type.String({
      pattern: `^$|${MONEY_OR_DOLLARS_PATTERN}`,
      description: `maximum dollars and cents ${when}, like "2000.00"; "" for no limit`,
    }),
    text(`Dollars and cents ${when}, like "2000.00"; "" for no limit.`),
    (amount) => parseMoneyOrDollars(amount) ?? null,
    (cents: Cents | null) => (cents === null ? '' : formatMoney(cents)),
  );
const LIMIT = fields({
  daily: as('daily', limitAmount('per UTC day')),
  monthly: as('monthly', limitAmount('per UTC month')),
});
const limitCodec = codec(
  Type.Object(LIMIT.inputs, {
    title: 'AccountLimitInput',
    description: 'The limits of an account for a rail.',
  }),
  record('AccountLimit', 'The limits of an account for a rail.', LIMIT.outputs),
  LIMIT.parse,
  LIMIT.format,
);
const SENT = fields(each(SEND_WAYS, limitCodec));
const RECEIVED = fields(each(RECEIVE_WAYS, limitCodec));
/** The overall limits are next to those of each method. */
const LIMITS = fields({
  send: as(
    'send',
    codec(
      Type.Object({ ...LIMIT.inputs, ...SENT.inputs }),
      object({ ...LIMIT.outputs, ...SENT.outputs }),
      (sent) => ({ overall: LIMIT.parse(sent), ways: SENT.parse(sent) }),
      ({ overall, ways }: Limits<SendWay>) => ({ ...LIMIT.format(overall), ...SENT.format(ways) }),
    ),
  ),
  receive: as(
    'receive',
    codec(
      Type.Object({ ...LIMIT.inputs, ...RECEIVED.inputs }),
      object({ ...LIMIT.outputs, ...RECEIVED.outputs }),
      (sent) => ({ overall: LIMIT.parse(sent), ways: RECEIVED.parse(sent) }),
      ({ overall, ways }: Limits<ReceiveWay>) => ({ ...LIMIT.format(overall), ...RECEIVED.format(ways) }),
    ),
  ),
});

const COVER = fields({
  enabled,
  fallbackId: as(
    'fallbackId',
    codec(
      Type.String({
        maxLength: 200,
        description: 'an account of the type fallbackAccount, of the same holder',
      }),
      IdText,
      (id, name) => (id === '' ? '' : parseId('account', id, name)),
      (id: string) => formatV1('account', id),
    ),
  ),
});
const COVERING = 'Whether a fallback account covers the account, and which.';
const CoverInput = Type.Object(COVER.inputs, { title: 'AccountFallbackInput', description: COVERING });
const Cover = record('AccountFallback', COVERING, COVER.outputs);
const cover = <Way extends CoveredWay>(way: Way) =>
  as(
    way,
    codec(
      CoverInput,
      Cover,
      (sent) => readAt(`config.fallback.received.${way}`, () => COVER.parse(sent)),
      COVER.format,
    ),
  );
const COVERS = fields({ ach: cover('ach'), card: cover('card') });
const fallback = codec(
  Type.Object(
    { received: Type.Optional(orNull(Type.Object(COVERS.inputs))) },
    { description: 'null: removes the fallback account' },
  ),
  object({ received: orNull(object(COVERS.outputs)) }),
  ({ received }) => received && COVERS.parse(received),
  (covers: Covers | null) => ({ received: covers && COVERS.format(covers) }),
);
export const FallbackInput = fallback.input;

const originators = (description: string) =>
  plain(
    Type.Array(Type.String({ pattern: '\\S', maxLength: 100, description: 'a name or a routing number' }), {
      maxItems: 100,
      description: 'originators that can pull, or that cannot',
    }),
    Type.Array(Text, { description }),
  );
const ACH_PULL = fields({
  enabled,
  allowedOriginators: as('allowedOriginators', originators('Names or routing numbers; empty for all.')),
  blockedOriginators: as('blockedOriginators', originators('Names or routing numbers.')),
});
const INCOMING = fields({
  achPull: as(
    'achPull',
    codec(Type.Object(ACH_PULL.inputs), object(ACH_PULL.outputs), ACH_PULL.parse, ACH_PULL.format),
  ),
});

/** The parts of a configuration; unknown fields of a body are ignored. */
export const CONFIG = fields({
  card: as('cards', codec(Type.Object(CARDS.inputs), object(CARDS.outputs), CARDS.parse, CARDS.format)),
  send: as('send', codec(Type.Object(SEND.inputs), object(SEND.outputs), SEND.parse, SEND.format)),
  receive: as(
    'receive',
    codec(Type.Object(RECEIVE.inputs), object(RECEIVE.outputs), RECEIVE.parse, RECEIVE.format),
  ),
  limits: as(
    'limits',
    codec(Type.Object(LIMITS.inputs), object(LIMITS.outputs), LIMITS.parse, LIMITS.format),
  ),
  fallback: as('fallback', fallback),
  incoming: as(
    'achPull',
    codec(
      Type.Object(INCOMING.inputs),
      object(INCOMING.outputs),
      (sent) => INCOMING.parse(sent).achPull,
      (achPull: Parameters<typeof ACH_PULL.format>[0]) => INCOMING.format({ achPull }),
    ),
  ),
});
export const AccountConfig = record('AccountConfig', 'The configuration of an account.', CONFIG.outputs);
export const AccountConfigInput = Type.Object(CONFIG.inputs, { emptyClears: true });
