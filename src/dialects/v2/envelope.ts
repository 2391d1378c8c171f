/**
 * The text of a webhook of v2: what happened, whose it is, and the v2 record as it was when it happened. A delivery
 * signs and sends exactly this text.
 * Source: row 48 of docs/fidelity.md, because the platform's v2 reference does not publish its envelope.
 */
import type { TSchema } from '@sinclair/typebox';
import { refuse } from '../../kernel/refusal.ts';
import type { Id } from '../../kernel/sequence.ts';
import { formatInstant, type Instant } from '../../kernel/time.ts';
import type { Fact, FactRecords, Resource } from '../../model/facts.ts';
import type { Program } from '../../model/records.ts';
import { writeId } from './ids.ts';
import { MasterAccount, SubAccount } from './shapes/account.ts';
import { Card } from './shapes/card.ts';
import { CardHolder } from './shapes/card-holder.ts';
import { Counterparty } from './shapes/counterparty.ts';
import { SubAccountHolder } from './shapes/holder.ts';
import { Transaction } from './shapes/transaction.ts';
import { UNSERVED_NOUNS } from './unserved-events.ts';
import { viewAccount } from './views/account.ts';
import type { Viewer } from './views/attachment.ts';
import { viewCard } from './views/card.ts';
import { viewCardHolder } from './views/card-holder.ts';
import { viewCounterparty } from './views/counterparty.ts';
import { viewHolder } from './views/holder.ts';
import { viewTransaction } from './views/transaction.ts';

/** Nothing of v2 tells of these: none of its kinds is ever paired with such a fact. */
const noRecord = (resource: Resource) => (): never => {
  throw refuse('failure', { message: `v2 has no record of a ${resource}` });
};

const VIEWS: { readonly [R in Resource]: (record: FactRecords[R], program: Viewer) => object } = {
  holder: viewHolder,
  family: noRecord('family'),
  member: noRecord('member'),
  account: viewAccount,
  card_holder: viewCardHolder,
  counterparty: viewCounterparty,
  card: viewCard,
  transaction: viewTransaction,
};

/** What an event of v2 is written from. */
export interface EventToWrite<R extends Resource = Resource> {
  /** The event's own id, without a prefix. */
  id: Id;
  /** One of the fact's kinds of v2. */
  kind: string;
  at: Instant;
  fact: Pick<Fact<R>, 'resource' | 'record'>;
  program: Program;
}

/** Writes the JSON text of one event. */
export function writeEvent<R extends Resource>({ fact, ...event }: EventToWrite<R>): string {
  // The record is as it was, and what is attached to it now is no part of that (row 201).
  const data = VIEWS[fact.resource](fact.record, { ...event.program, attachmentsOf: undefined });
  return writeEnvelope(event, data);
}

/** Writes what a v2 webhook is sent with this record. */
export function writeEnvelope({ id, kind, at, program }: Omit<EventToWrite, 'fact'>, data: object): string {
  return JSON.stringify({
    id: writeId('event', id),
    event_type: kind,
    client_id: writeId('client', program.clientId),
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

/** The shape of the record that a kind carries. */
export function recordOf(kind: string): TSchema {
  const [noun = ''] = kind.split('.');
  const shape = RECORDS[noun] ?? UNSERVED_NOUNS[noun]?.shape;
  if (shape === undefined) throw new Error(`${kind} is no kind of v2`);
  return shape;
}
