/**
 * Events as bodies of webhook deliveries. One fact can be several kinds of event, each with its own id. The id is
 * computed from the time and number of the fact and the position of the kind, so it is the same at every attempt and
 * every resend, and an event can be found by its id alone.
 */
import { type TSchema, Type } from '@sinclair/typebox';
import type { Id } from '../kernel/sequence.ts';
import { formatInstant, type Instant } from '../kernel/time.ts';
import { type Fact, type FactRecords, RESOURCES, type Resource, V1_KINDS, V2_KINDS } from '../model/facts.ts';
import type { Program, Webhook } from '../model/records.ts';
import type { MasterAccountWithBalance } from '../verbs/inputs.ts';
import { DATE_TIME } from './fields.ts';
import { formatV1, formatV2, tryParseId } from './ids.ts';
import {
  formatEnvelope as formatEnvelopeV1,
  formatEvent as formatEventV1,
  recordOf as recordOfV1,
} from './v1/events.ts';
import { UNSERVED } from './v1/unserved-events.ts';
import { formatMasterAccount } from './v2/accounts.ts';
import {
  formatEnvelope as formatEnvelopeV2,
  formatEvent as formatEventV2,
  recordOf as recordOfV2,
  UNSERVED_NOUNS,
} from './v2/events.ts';

/** One kind of one fact, to be formatted for a webhook. */
export interface EventToWrite {
  fact: Fact;
  kind: string;
  /** The position of the kind among the fact's kinds of its version, from 0. */
  ordinal: number;
  program: Program;
}

export type ApiVersion = 'v1' | 'v2';

/** The parts of an event's id. */
export interface EventPlace {
  /** `evt_` and 32 digits. */
  id: string;
  version: ApiVersion;
  at: Instant;
  seq: number;
  ordinal: number;
}

const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');
/** Distinguishes the ids of the two versions. */
const VERSION_DIGIT: Record<ApiVersion, string> = { v1: '1', v2: '2' };

function eventId(version: ApiVersion, { at, seq }: Fact, ordinal: number): Id {
  return `${hex(at, 12)}7000${`8${VERSION_DIGIT[version]}`}${hex(ordinal, 2)}${hex(seq, 12)}`;
}

/** The id that the event carries in `webhook-id` and in the v2 envelope, `evt_` and 32 digits. */
export function formatEventId(version: ApiVersion, fact: Fact, ordinal: number): string {
  return formatV2('event', eventId(version, fact, ordinal));
}

const EVENT_ID = /^([0-9a-f]{12})70008([12])([0-9a-f]{2})([0-9a-f]{12})$/;

/** Parses the id of an event in the format of either version; returns `undefined` for an impossible id. */
export function parseEventId(text: string): EventPlace | undefined {
  const id = tryParseId('event', text) ?? '';
  const [, at, version, ordinal, seq] = EVENT_ID.exec(id) ?? [];
  if (at === undefined || ordinal === undefined || seq === undefined) return undefined;
  const number = (digits: string): number => Number.parseInt(digits, 16);
  return {
    id: formatV2('event', id),
    version: version === VERSION_DIGIT.v1 ? 'v1' : 'v2',
    at: number(at),
    seq: number(seq),
    ordinal: number(ordinal),
  };
}

/** The kinds under which a version publishes a fact. */
export function kindsIn(version: ApiVersion, { kindsV1, kindsV2 }: Fact): readonly string[] {
  return version === 'v1' ? kindsV1 : kindsV2;
}

/** The id of a webhook, in the format of its version. */
export function formatWebhookId({ id, apiVersion }: Pick<Webhook, 'id' | 'apiVersion'>): string {
  return apiVersion === 'v1' ? formatV1('webhook', id) : formatV2('webhook', id);
}

/** The JSON text of an event in the envelope of its version. */
export function formatEventFor(version: ApiVersion, event: EventToWrite): string {
  const { fact, kind, ordinal, program } = event;
  return version === 'v1'
    ? formatEventV1({ kind, fact, program })
    : formatEventV2({ id: eventId('v2', fact, ordinal), kind, at: fact.at, fact, program });
}

/** The record of an event, in the format of its version. */
export function formatEventData(version: ApiVersion, event: EventToWrite): object {
  return (JSON.parse(formatEventFor(version, event)) as { data: object }).data;
}

/** The id of the record of an event, in the format of its version. */
export function formatResourceId(
  version: ApiVersion,
  { resource, resourceId, record }: Fact,
  kind: string,
): string {
  if (version === 'v2') return formatV2(resource, resourceId);
  if (resource === 'holder') return formatV1((record as FactRecords['holder']).holder.type, resourceId);
  return formatV1(kind.startsWith('transfer.') ? 'transfer' : resource, resourceId);
}

/** Parses the id of any record that an event can have, in the format of either version. */
export function parseResourceId(text: string): { resource: Resource; id: Id } | undefined {
  for (const resource of RESOURCES) {
    const id = tryParseId(resource, text);
    if (id !== undefined) return { resource, id };
  }
  return undefined;
}

/** The source of examples of events: a history with every kind that can occur in this bank. */
export interface ExampleHistory {
  /** The first fact of this kind; `undefined` for a kind that never occurs in this bank. */
  factOf(version: ApiVersion, kind: string): Fact | undefined;
  readonly master: MasterAccountWithBalance;
}

/** An example of an event. It did not happen, so it has its own id, and in v2 its own time. */
export interface ExampleToWrite {
  id: Id;
  at: Instant;
  kind: string;
  program: Program;
}

/** The JSON text of an example of any kind, with a record that fits the kind. */
export function formatExample(version: ApiVersion, example: ExampleToWrite, history: ExampleHistory): string {
  const { id, at, kind, program } = example;
  const fact = history.factOf(version, kind);
  if (fact !== undefined) return formatExampleOf(version, example, fact);
  const data = version === 'v1' ? unservedV1(example, history) : unservedV2(example, history);
  return version === 'v1'
    ? formatEnvelopeV1(kind, program, data)
    : formatEnvelopeV2({ id, kind, at, program }, data);
}

/** The JSON text of an example that is made from an event of its kind. */
export function formatExampleOf(version: ApiVersion, example: ExampleToWrite, fact: Fact): string {
  return version === 'v1' ? formatEventV1({ ...example, fact }) : formatEventV2({ ...example, fact });
}

type EventData = Record<string, unknown>;

const parseData = (text: string): EventData => (JSON.parse(text) as { data: EventData }).data;

function unservedV1(example: ExampleToWrite, history: ExampleHistory): object {
  const of = (kind: string): EventData => parseData(formatExample('v1', { ...example, kind }, history));
  const unserved = UNSERVED[example.kind];
  if (unserved === undefined) throw new Error(`there is no example of ${example.kind}`);
  return unserved.example(of);
}

const STATUS_IN_KIND = /\.status\.(\w+)$/;

/** The record of a kind that names a status has that status. */
function unservedV2(example: ExampleToWrite, history: ExampleHistory): object {
  const { kind, at, program } = example;
  const [noun = ''] = kind.split('.');
  const ids = {
    client_id: formatV2('client', program.clientId),
    master_account_holder_id: formatV2('master_account_holder', program.masterAccountHolderId),
  };
  const status = STATUS_IN_KIND.exec(kind)?.[1];
  const data =
    UNSERVED_NOUNS[noun]?.example(ids, formatInstant(at)) ??
    (noun === 'master_account'
      ? formatMasterAccount(history.master, { program })
      : parseData(formatExample('v2', { ...example, kind: `${noun}.created` }, history)));
  return status === undefined ? data : inStatus(data, status);
}

/** A record in a status; in a final status it also has the time of its end. */
function inStatus(data: EventData, status: string): EventData {
  const { timestamps } = data as { timestamps?: Record<string, string> };
  const end = `${status}_at`;
  if (timestamps?.[end] === undefined) return { ...data, status };
  return { ...data, status, timestamps: { ...timestamps, [end]: timestamps.updated_at } };
}

/** The kinds that a webhook of a version may subscribe to. */
export function kindsOf(version: ApiVersion): readonly string[] {
  return version === 'v1' ? V1_KINDS : V2_KINDS;
}

/** The shape of the body that a webhook receives for a kind. */
export function eventShape(version: ApiVersion, kind: string): TSchema {
  const exactly = { additionalProperties: false };
  if (version === 'v1') {
    return Type.Object(
      {
        eventType: Type.Literal(kind),
        programId: Type.String(),
        env: Type.Literal('test'),
        data: recordOfV1(kind),
      },
      exactly,
    );
  }
  return Type.Object(
    {
      id: Type.String({ description: 'The same as in the header `webhook-id`.' }),
      event_type: Type.Literal(kind),
      client_id: Type.String(),
      env: Type.Literal('sandbox'),
      created_at: Type.String({ description: 'ISO 8601 in UTC.', ...DATE_TIME }),
      data: recordOfV2(kind),
    },
    exactly,
  );
}
