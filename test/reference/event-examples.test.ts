/**
 * Every kind of event has an example: in the document of its version, and for a webhook of a new sandbox. An example
 * matches its kind, and has the shape of a real event.
 */
import { describe, expect, it } from 'vitest';
import { V1_KINDS, V2_KINDS } from '../../src/bank/model/facts.ts';
import { useHttp } from '../server/http/support.ts';
import { createDocumentAjv } from '../support/document-ajv.ts';

type Json = Record<string, unknown>;
type Event = { data: Json } & Json;
interface Document {
  webhooks: Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: Json; example: Event }> } } }
  >;
  components: { schemas: Json };
}

const http = useHttp();

const VERSIONS = { v1: V1_KINDS, v2: V2_KINDS } as const;
const EACH = (['v1', 'v2'] as const).flatMap((version) =>
  VERSIONS[version].map((kind) => [version, kind] as const),
);

const documents = new Map<string, Document>();
async function read(version: string): Promise<Document> {
  const known = documents.get(version);
  if (known !== undefined) return known;
  const document = (await http.call('GET', `/openapi/${version}.json`)).body as Document;
  documents.set(version, document);
  return document;
}

/** The envelope of an event for its validation: the components that its schema refers to. */
async function check(version: string, kind: string, event: Event): Promise<unknown> {
  const { webhooks, components } = await read(version);
  const schema = webhooks[kind]?.post.requestBody.content['application/json']?.schema;
  const validate = createDocumentAjv({ allErrors: true }).compile({ ...schema, components });
  return validate(event) ? [] : validate.errors;
}

/** The condition on the record of a kind, by the words in the kind's name. */
function contradictions(kind: string, data: Json): string[] {
  const found: string[] = [];
  const amount = String(data.amount ?? '');
  const isEntry =
    data.txnType !== undefined && !kind.startsWith('transfer.') && !kind.startsWith('wallet.transfer');
  if (isEntry && kind.endsWith('.credit') && amount.startsWith('-')) found.push('a credit below zero');
  if (isEntry && kind.endsWith('.debit') && !amount.startsWith('-')) found.push('a debit above zero');
  if (isEntry && (data.txnType === 'debit') !== amount.startsWith('-'))
    found.push('a sign that is not of its side');
  if (['card.refund', 'card.reversal', 'card.deposit'].includes(kind) && data.txnType !== 'credit') {
    found.push('money back that goes out');
  }
  if (kind === 'card.declined' && data.approved !== 'false') found.push('a decline that is approved');
  if (kind.startsWith('ach.') && kind !== 'ach.auth.request' && data.ach === null) found.push('no ach');
  if (kind.startsWith('wire.') && data.domesticWire === null) found.push('no wire');
  if (kind.startsWith('check.') && data.physicalCheck === null) found.push('no check');
  if (kind.startsWith('intrabank.') && data.intrabank === null) found.push('no intrabank');
  if (kind.includes('.reversal.') && data.subType !== 'reversal')
    found.push(`a reversal that is ${data.subType}`);
  if (kind.includes('.originated.') && data.subType !== 'originated') found.push(`sub type ${data.subType}`);
  const outcome = /\.(kyc|kyb)\.(approved|declined|review)$/.exec(kind)?.[2];
  if (outcome !== undefined && data.status !== (outcome === 'review' ? 'inReview' : outcome)) {
    found.push(`a check that is ${data.status}`);
  }
  if (kind === 'card.canceled' && data.cardStatus !== 'canceled')
    found.push(`a card that is ${data.cardStatus}`);
  const status = /\.status\.(\w+)$/.exec(kind)?.[1];
  if (status !== undefined && data.status !== status) found.push(`status ${data.status}`);
  const { [`${status}_at`]: endedAt } = (data.timestamps ?? {}) as Json;
  if (endedAt === '') found.push(`no instant at which it was ${status}`);
  return found;
}

describe('the document', () => {
  it.each(['v1', 'v2'] as const)('of %s has every kind', async (version) => {
    expect(Object.keys((await read(version)).webhooks).sort()).toEqual([...VERSIONS[version]].sort());
  });

  it.each(['v1', 'v2'] as const)('of %s has no business without a list of members', async (version) => {
    expect(JSON.stringify(await read(version))).not.toContain('"members":null');
  });

  it.each(EACH)(
    'of %s has an example of %s that matches its schema and is consistent',
    async (version, kind) => {
      const { webhooks } = await read(version);
      const event = webhooks[kind]?.post.requestBody.content['application/json']?.example as Event;
      expect(event.eventType ?? event.event_type).toBe(kind);
      expect(await check(version, kind, event)).toEqual([]);
      expect(contradictions(kind, event.data)).toEqual([]);
    },
  );
});
