/**
 * The body of a v2 webhook delivery: the event, its owner, and the v2 record at the time of the event. A delivery
 * signs and sends exactly this text. Some kinds of events never happen in this bank, because they concern the
 * platform itself: the client, its members, the holder of the master account, and the master account. A webhook can
 * subscribe to them and receive an example.
 * Source: the platform's v2 reference, which does not publish its envelope; decisions `v2-event-envelope`,
 * `v2-uncaused-kinds` and `event-examples` in docs/fidelity.md.
 */
import type { TSchema } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import type { Fact, FactRecords, Resource } from '../../model/facts.ts';
import type { Program } from '../../model/records.ts';
import { HOLDER_STATUSES } from '../../model/vocabulary.ts';
import type { Viewer } from '../view.ts';
import { formatAccount, MasterAccount, SubAccount } from './accounts.ts';
import { CardHolder, formatCardHolder } from './card-holders.ts';
import { formatCard } from './cards/format.ts';
import { Card } from './cards/shapes.ts';
import { Counterparty, formatCounterparty } from './counterparties/counterparty.ts';
import { enumOf, formatId, IdText, record, Text, Time, Timestamp } from './fields.ts';
import { formatHolder, SubAccountHolder } from './holders.ts';
import { formatTransaction } from './transactions/format.ts';
import { Transaction } from './transactions/shapes.ts';

/** v2 has no kinds of events for these records. */
const noRecord = (resource: Resource) => (): never => {
  throw refuse('failure', { message: `v2 has no record of a ${resource}` });
};

const VIEWS: { readonly [R in Resource]: (record: FactRecords[R], viewer: Viewer) => object } = {
  holder: formatHolder,
  family: noRecord('family'),
  wallet: noRecord('wallet'),
  member: noRecord('member'),
  account: formatAccount,
  card_holder: formatCardHolder,
  counterparty: formatCounterparty,
  card: formatCard,
  transaction: formatTransaction,
};

/** The input for an event of v2. */
export interface EventToWrite<R extends Resource = Resource> {
  /** The event's own id, without a prefix. */
  id: Id;
  /** One of the fact's kinds of v2. */
  kind: string;
  at: Instant;
  fact: Pick<Fact<R>, 'resource' | 'record'>;
  program: Program;
}

/** Formats the JSON text of one event. */
export function formatEvent<R extends Resource>({ fact, ...event }: EventToWrite<R>): string {
  // The record is from the time of the event, so it is shown without its current attachments (decision
  // `attachments-shown`).
  const data = VIEWS[fact.resource](fact.record, { program: event.program });
  return formatEnvelope(event, data);
}

/** Formats the envelope of a v2 event with this record. */
export function formatEnvelope({ id, kind, at, program }: Omit<EventToWrite, 'fact'>, data: object): string {
  return JSON.stringify({
    id: formatId('event', id),
    event_type: kind,
    client_id: formatId('client', program.clientId),
    env: 'sandbox',
    created_at: formatInstant(at),
    data,
  });
}

const RECORDS: Readonly<Record<string, TSchema>> = {
  sub_account_holder: SubAccountHolder,
  sub_account: SubAccount,
  master_account: MasterAccount,
  card_holder: CardHolder,
  counterparty: Counterparty,
  card: Card,
  transaction: Transaction,
};

/** The shape of the record of a kind. */
export function recordOf(kind: string): TSchema {
  const [noun = ''] = kind.split('.');
  const shape = RECORDS[noun] ?? UNSERVED_NOUNS[noun]?.shape;
  if (shape === undefined) throw new Error(`${kind} is not a kind of v2`);
  return shape;
}

const STATUS = {
  status: enumOf(HOLDER_STATUSES),
  timestamps: record('PartyTimestamps', 'When the record was created, changed and deactivated.', {
    created_at: Timestamp,
    updated_at: Timestamp,
    deactivated_at: Time,
  }),
};

/** The platform does not document the records of these three. */
const Client = record('Client', 'The client of the platform.', { id: IdText, name: Text, ...STATUS });
const ClientMember = record('ClientMember', 'A member of the client.', {
  id: IdText,
  client_id: IdText,
  name: Text,
  ...STATUS,
});
const MasterAccountHolder = record('MasterAccountHolder', 'The holder of the master account.', {
  id: IdText,
  client_id: IdText,
  name: Text,
  ...STATUS,
});

type Ids = Readonly<Record<'client_id' | 'master_account_holder_id', string>>;

/** The nouns of these kinds: their shape, and an example that was created at `at`. */
export const UNSERVED_NOUNS: Readonly<
  Record<string, { shape: TSchema; example: (ids: Ids, at: string) => Record<string, unknown> }>
> = {
  client: {
    shape: Client,
    example: ({ client_id }, at) => ({ id: client_id, name: 'Sandbank Demo', ...activated(at) }),
  },
  client_member: {
    shape: ClientMember,
    example: ({ client_id }, at) => ({
      id: client_id.replace('cli_', 'mem_'),
      client_id,
      name: 'Mara Quill',
      ...activated(at),
    }),
  },
  master_account_holder: {
    shape: MasterAccountHolder,
    example: ({ client_id, master_account_holder_id: id }, at) => ({
      id,
      client_id,
      name: 'Sandbank Demo',
      ...activated(at),
    }),
  },
};

const activated = (at: string) => ({
  status: 'activated',
  timestamps: { created_at: at, updated_at: at, deactivated_at: '' },
});
