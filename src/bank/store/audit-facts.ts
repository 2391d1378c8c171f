/**
 * Reads the facts for the audit of a bank, in order, and the fields in which the last fact of a transaction differs
 * from its row. It bypasses all caches.
 */

import type { Id } from '../kernel/sequence.ts';
import type { transactions } from '../model/tables.ts';
import { AUDIT_SLICE } from './audit-rows.ts';
import type { Statement } from './driver.ts';
import type { Db } from './open.ts';

/** The record of a fact. */
interface FactSubject {
  resource: string;
  id: Id;
}

type Stored = typeof transactions.$inferSelect;
/** A field in which the last fact of a transaction differs from its row. */
export interface PublishedOtherwise extends Pick<Stored, 'id' | 'accountId' | 'rail' | 'status'> {
  seq: number;
  field: string;
  published: unknown;
  found: unknown;
}

/** The compared fields of a fact of a transaction, each with its column. */
const PUBLISHED = [
  ['status', 'status'],
  ['amount', 'amount'],
  ['direction', 'direction'],
  ['rail', 'rail'],
  ['bookedAt', 'booked_at'],
  ['bookedBalance', 'booked_balance'],
] as const;
/** The tables of the records of facts. */
const FACTS_OF = [
  ['holder', 'holders'],
  ['family', 'families'],
  ['wallet', 'wallets'],
  ['member', 'members'],
  ['account', 'accounts'],
  ['card_holder', 'card_holders'],
  ['counterparty', 'counterparties'],
  ['card', 'cards'],
  ['transaction', 'transactions'],
] as const;

/** Whether a part of the record of a fact `f` contains this text. Bytes are searched in half the time of characters. */
const hasText = (part: string, ...text: string[]): string =>
  `instr(substr(CAST(f.record AS BLOB), ${part}), CAST(${text.join(' || ')} AS BLOB)) > 0`;
/**
 * Whether the record of a fact `f` matches a transaction `t`, by the text that this program writes, which takes a
 * quarter of the time of parsing JSON. No value of a client can be this close to the beginning or the end of the
 * text. Other texts, for example of an older version, are compared as JSON.
 */
const IS_SAME = `(${hasText('181, 160', `'"rail":"'`, 't.rail', `'","status":"'`, 't.status', `'","amount":'`, 't.amount', `',"direction":"'`, 't.direction', `'",'`)}
  AND ${hasText('-130', `'"bookedAt":'`, "coalesce(t.booked_at, 'null')", `',"bookedBalance":'`, 't.booked_balance', `',"createdAt":'`)})`;

/** SQLite returns a fact and its place as one number, because a row of several values takes three times as long. */
const PLACE = 2 ** Math.ceil(Math.log2(AUDIT_SLICE + 1));

/** The statements of the audit of facts. */
export function createFactRows({ $client }: Db) {
  const between = $client
    .prepare(
      `SELECT coalesce(t.rowid, 0) * ${PLACE} + f.seq - :after FROM facts AS f
        LEFT JOIN transactions AS t ON t.id = iif(f.resource = 'transaction', f.resource_id, NULL)
        WHERE f.seq > :after AND f.seq <= min(:after + ${AUDIT_SLICE}, :last)
          AND (f.change <> 'created' OR t.id IS NULL OR NOT ${IS_SAME}) ORDER BY f.seq`,
    )
    .pluck();
  const last = $client.prepare('SELECT coalesce(max(seq), 0) FROM facts').pluck();
  const subjectOf = $client.prepare('SELECT resource, resource_id AS id FROM facts WHERE seq = ?');
  const notSame = $client
    .prepare(
      `SELECT f.seq FROM json_each(?) AS last CROSS JOIN facts AS f ON f.seq = last.value
        CROSS JOIN transactions AS t ON t.id = f.resource_id WHERE NOT ${IS_SAME}`,
    )
    .pluck();
  const otherwise = $client.prepare(
    `SELECT t.id, t.account_id AS accountId, t.rail, t.status, f.seq, named.key AS field,
      f.record ->> ('$.' || named.key) AS published, named.value AS found
      FROM json_each(?) AS last
      JOIN facts AS f ON f.seq = last.value
      JOIN transactions AS t ON t.id = f.resource_id
      JOIN json_each(json_object(${PUBLISHED.map(([field, column]) => `'${field}', t.${column}`).join(', ')})) AS named
      WHERE f.record ->> ('$.' || named.key) <> named.value
        AND (f.moved IS NOT NULL OR named.key NOT IN ('bookedAt', 'bookedBalance'))`,
  );
  const exists = new Map<string, Statement>(
    FACTS_OF.map(([resource, table]) => [
      resource,
      $client.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).pluck(),
    ]),
  );
  return {
    /**
     * Calls `look` for a slice of the facts after `after`, up to `last`, except the first facts of transactions that
     * still match them; `place` is that of the transaction, or 0.
     */
    forBetween(after: number, last: number, look: (seq: number, place: number) => void): void {
      for (const both of between.all({ after, last }) as number[])
        look(after + (both % PLACE), Math.floor(both / PLACE));
    },
    last: () => last.get() as number,
    subjectOf: (seq: number) => subjectOf.get(seq) as FactSubject,
    /** Whether the record of a fact exists. */
    has: (resource: string, id: Id) => exists.get(resource)?.get(id) !== undefined,
    /** The fields in which these last facts of transactions differ from their rows. */
    publishedOtherwise(seqs: readonly number[]): PublishedOtherwise[] {
      const suspicious = notSame.all(JSON.stringify(seqs)) as number[];
      if (suspicious.length === 0) return [];
      return otherwise.all(JSON.stringify(suspicious)) as PublishedOtherwise[];
    },
  };
}
