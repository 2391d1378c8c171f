/**
 * Finds records by a part of a name, a label or a description, the end of a number, an amount, a trace number, a
 * return code, or a part of an id. It reads whole tables, but only the newest transactions.
 */

import type { Id } from '../kernel/sequence.ts';
import type { Driver } from './driver.ts';
import { lazily } from './lazily.ts';

/** A matching record. */
export interface FoundRow {
  readonly kind: 'holder' | 'account' | 'card' | 'card_holder' | 'counterparty' | 'transaction' | 'webhook';
  readonly id: Id;
  readonly title: string;
  readonly detail: string;
  readonly at: number;
}

/** The search terms. */
export interface Search {
  /** A part of a text. */
  readonly text: string;
  /** Digits of an id; `''` if the text contains none. */
  readonly idDigits: string;
  /** In cents; `null` if the text is not an amount. */
  readonly amount: number | null;
  /** The maximum number of results of each kind. */
  readonly limit: number;
}

/** Only the newest transactions are searched, because a bank may have millions. */
const TRANSACTIONS_LOOKED_AT = 100_000;
/** A return code like `R01`; other reasons have no such code. */
const RETURN_CODE = /^[a-z]\d\d$/i;
/** Numbers are found by their last digits; a full card number finds no card. */
const NUMBER_END = '^\\d{4,16}$';

const BY_ID = "(:id <> '' AND (id LIKE :id || '%' OR id LIKE '%' || :id))";
/** Whether a column contains the text, in any case. An object refuses long patterns of LIKE. */
const has = (column: string): string => `instr(lower(${column}), lower(:text)) > 0`;

const STATEMENTS = [
  `SELECT 'holder' AS kind, id, name AS title, type || ', ' || status AS detail, created_at AS at FROM holders
   WHERE ${BY_ID} OR ${has('name')} OR ${has('external_reference_id')} ORDER BY id DESC LIMIT :limit`,
  `SELECT 'account' AS kind, id, label AS title, holder_name || ', ' || status AS detail, created_at AS at FROM accounts
   WHERE ${BY_ID} OR ${has('label')} OR ${has('external_reference_id')}
     OR (:end <> '' AND account_number LIKE '%' || :end) ORDER BY id DESC LIMIT :limit`,
  `SELECT 'card' AS kind, id, label || ' ' || last4 AS title, type || ', ' || status AS detail, created_at AS at FROM cards
   WHERE ${BY_ID} OR ${has('label')} OR ${has('external_reference_id')} OR last4 = :end ORDER BY id DESC LIMIT :limit`,
  `SELECT 'card_holder' AS kind, id, json_extract(person, '$.firstName') || ' ' || json_extract(person, '$.lastName') AS title,
     status AS detail, created_at AS at FROM card_holders
   WHERE ${BY_ID} ORDER BY id DESC LIMIT :limit`,
  `SELECT 'counterparty' AS kind, id, name AS title, type || ', ' || status AS detail, created_at AS at FROM counterparties
   WHERE ${BY_ID} OR ${has('name')} OR ${has('label')} OR ${has('external_reference_id')} ORDER BY id DESC LIMIT :limit`,
  `SELECT 'transaction' AS kind, id, title,
     rail || ', ' || printf('%d.%02d', amount / 100, amount % 100) || ', ' || status || ', ' || description AS detail, created_at AS at
   FROM transactions WHERE rowid > (SELECT coalesce(max(rowid), 0) FROM transactions) - ${TRANSACTIONS_LOOKED_AT}
     AND (${BY_ID} OR amount = :amount OR ${has('description')} OR ${has('title')} OR ${has('external_reference_id')}
       OR (:code <> '' AND json_extract(reason, '$.code') = :code)
       OR (:end <> '' AND length(:end) > 4 AND details LIKE '%"traceNumber":"%' || :end || '"%'))
   ORDER BY rowid DESC LIMIT :limit`,
  `SELECT 'webhook' AS kind, id, url AS title, api_version || ', ' || status AS detail, created_at AS at FROM webhooks
   WHERE status <> 'deleted' AND (${BY_ID} OR ${has('url')} OR ${has('description')}) ORDER BY id DESC LIMIT :limit`,
];

/** Finds records of every kind; the newest of each kind first. */
export function createSearch(sqlite: Driver): (search: Search) => FoundRow[] {
  const statements = lazily(() => STATEMENTS.map((sql) => sqlite.prepare(sql)));
  const isNumberEnd = new RegExp(NUMBER_END);
  return ({ text, idDigits, amount, limit }) => {
    const values = {
      text,
      id: idDigits,
      amount,
      end: isNumberEnd.test(text) ? text : '',
      code: RETURN_CODE.test(text) ? text.toUpperCase() : '',
      limit,
    };
    return statements().flatMap((statement) => statement.all(values) as FoundRow[]);
  };
}
