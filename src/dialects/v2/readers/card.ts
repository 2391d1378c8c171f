/**
 * Reads the body that changes a card. What was not sent is absent, so that the bank leaves it as it is; a limit sent as
 * `""` is taken away.
 * Source: the card update of the platform's v2 reference; row 45a of docs/fidelity.md.
 */
import type { Static } from '@sinclair/typebox';
import type { CardChange, ControlsChange } from '../../../bank/inputs.ts';
import { type Cents, parseMoney } from '../../../kernel/money.ts';
import type { CardLimit, ControlList } from '../../../model/records.ts';
import type { CardUpdate } from '../shapes/card.ts';
import { readFlag, sent } from './fields.ts';

type ControlsBody = NonNullable<Static<typeof CardUpdate>['controls']>;
type ListBody = NonNullable<ControlsBody['allowed']>;
type LimitBody = NonNullable<ControlsBody['limit']>;

/** Reads a change of a card. */
export function readCardChange(body: Static<typeof CardUpdate>): CardChange {
  return {
    ...sent('label', body.label),
    ...sent('controls', body.controls && readControls(body.controls)),
    ...sent('externalReferenceId', body.external_reference_id),
    ...sent('metadata', body.metadata),
    ...sent('status', body.status),
  };
}

function readControls(body: ControlsBody): ControlsChange {
  return {
    ...sent('allowed', body.allowed && readList(body.allowed)),
    ...sent('blocked', body.blocked && readList(body.blocked)),
    ...sent('limit', body.limit && readLimit(body.limit)),
    ...sent('atmEnabled', body.atm_enabled === undefined ? undefined : readFlag(body.atm_enabled)),
  };
}

function readList(body: ListBody): Partial<ControlList> {
  return {
    ...sent('merchants', body.merchants),
    ...sent('categories', body.categories),
    ...sent('countries', body.countries),
  };
}

function readLimit(body: LimitBody): Partial<CardLimit> {
  return {
    ...sent('period', body.period),
    ...sent('maxSpendAmount', readLimitAmount(body.max_spend_amount)),
    ...sent('maxSpendPerTransaction', readLimitAmount(body.max_spend_per_transaction)),
    ...sent('maxSpendCount', readLimitCount(body.max_spend_count)),
  };
}

function readLimitAmount(text: string | undefined): Cents | null | undefined {
  if (text === undefined) return undefined;
  return parseMoney(text) ?? null;
}

function readLimitCount(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return text === '' ? null : Number(text);
}
