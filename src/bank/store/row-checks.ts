/**
 * Checks that this program could have written every row of a database: the type of each column, the shape of each
 * record and its JSON, row numbers without gaps, and references to other rows. SQLite's checks precede it: the schema
 * is ours, the pages are complete, and the constraints of the tables hold.
 */

import { type TSchema, Type } from '@sinclair/typebox';
import type { ValueErrorIterator } from '@sinclair/typebox/errors';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { shapesOf } from '../model/columns.ts';
import { FACT_RECORDS } from '../model/fact-records.ts';
import type { Fact, Resource } from '../model/facts.ts';
import { Id, Instant } from '../model/parts.ts';
import { checkOf, type ShapeCheck } from '../model/shape-check.ts';
import * as tables from '../model/tables.ts';
import type { Driver } from './driver.ts';
import { getTableColumns, getTableName } from './drizzle.ts';
import { SHOWS_NO_FACT } from './stored-views.ts';

/** The problem of a row; the message names its table. */
export class RowError extends Error {}

const { facts: factTable, ...TABLES } = tables;

/** References of columns, or parts of their JSON, to rows of other tables by id. `null` and `''` are no references. */
const REFERENCES: readonly (readonly [table: string, value: string, target: string, where?: string])[] = [
  ['master_accounts', 'id', 'ledger_accounts'],
  ['accounts', 'id', 'ledger_accounts'],
  ['ledger_accounts', 'id', 'accounts', "kind = 'sub_account'"],
  ['ledger_accounts', 'id', 'master_accounts', "kind = 'master_account'"],
  ['holders', 'created_by', 'holders'],
  ['families', 'created_by', 'holders'],
  ['members', 'person_id', 'holders'],
  ['accounts', 'created_by', 'holders'],
  ['accounts', 'family_id', 'families'],
  ['accounts', "config ->> '$.fallback.ach.fallbackId'", 'accounts'],
  ['accounts', "config ->> '$.fallback.card.fallbackId'", 'accounts'],
  ['card_holders', 'person_id', 'holders'],
  ['cards', 'family_id', 'families'],
  ['cards', 'replaced_by', 'cards'],
  ['counterparties', "rails ->> '$.intraAccount.accountId'", 'accounts'],
  ['transactions', 'holder_id', 'holders'],
  ['transactions', 'family_id', 'families'],
  ['transactions', 'person_id', 'holders'],
  ['transactions', 'counterparty_id', 'counterparties'],
  ['transactions', 'card_id', 'cards'],
  ['transactions', 'parent_id', 'transactions'],
  ['transactions', 'master_id', 'transactions', "rail = 'sub_ledgered'"],
  ['transactions', "details ->> '$.partnerId'", 'transactions'],
  ['transactions', "details ->> '$.cardId'", 'cards'],
  ['transactions', "details ->> '$.cardHolderId'", 'card_holders'],
  ['transactions', "details ->> '$.sentCardId'", 'cards'],
  ['transactions', "details ->> '$.rtaId'", 'rta_decisions'],
  ['transactions', "details ->> '$.fallbackId'", 'transactions'],
  ['transfers', 'transaction_id', 'transactions'],
  ['agenda', 'subject_id', 'transactions', "task = 'transaction'"],
  ['agenda', 'subject_id', 'holders', "task = 'verification'"],
  ['tokens', 'subject_id', 'counterparties', "purpose = 'set_debit_card'"],
  ['tokens', 'subject_id', 'cards', "purpose <> 'set_debit_card'"],
  ['attachments', 'reference_id', 'holders', "kind = 'holder'"],
  ['attachments', 'reference_id', 'accounts', "kind = 'account'"],
  ['attachments', 'reference_id', 'master_accounts', "kind = 'master_account'"],
  ['attachments', 'reference_id', 'card_holders', "kind = 'card_holder'"],
  ['attachments', 'reference_id', 'cards', "kind = 'card'"],
  ['attachments', 'reference_id', 'counterparties', "kind = 'counterparty'"],
  ['rta_decisions', 'card_id', 'cards'],
  ['facts', 'resource_id', 'holders', "resource = 'holder'"],
  ['facts', 'resource_id', 'families', "resource = 'family'"],
  ['facts', 'resource_id', 'wallets', "resource = 'wallet'"],
  ['facts', 'resource_id', 'members', "resource = 'member'"],
  ['facts', 'resource_id', 'accounts', "resource = 'account'"],
  ['facts', 'resource_id', 'card_holders', "resource = 'card_holder'"],
  ['facts', 'resource_id', 'cards', "resource = 'card'"],
  ['facts', 'resource_id', 'counterparties', "resource = 'counterparty'"],
  ['facts', 'resource_id', 'transactions', "resource = 'transaction'"],
];

/** Tables whose rows are numbered from 1 and never deleted: totals and the order of events depend on these numbers. */
const NUMBERED: readonly (readonly [table: string, number: string, group?: string])[] = [
  ['transactions', 'rowid'],
  ['transactions', 'account_seq', 'account_id'],
  ['transfers', 'id'],
  ['facts', 'seq'],
  ['deliveries', 'seq'],
];

/** Conditions for invalid rows, with their messages. */
const STRANGE: readonly (readonly [table: string, where: string, problem: string])[] = [
  ['idempotency_keys', SHOWS_NO_FACT, 'has an answer that shows no record'],
  ['idempotency_keys', 'status NOT BETWEEN 200 AND 599', 'has an answer with an invalid status'],
  ['files', "content_type GLOB '*[^ -~]*'", 'has a content type with invalid characters'],
  ['deliveries', 'ordinal < 0', 'has an ordinal below 0'],
  [
    'deliveries',
    `kind IS NOT (SELECT value FROM json_each('["' || replace(
      (SELECT iif(w.api_version = 'v1', f.kinds_v1, f.kinds_v2) FROM webhooks AS w, facts AS f
        WHERE w.id = deliveries.webhook_id AND f.seq = deliveries.fact_seq), ' ', '","') || '"]')
      WHERE key = deliveries.ordinal)`,
    'is of a kind that its event does not have',
  ],
  [
    'delivery_attempts',
    'number NOT BETWEEN 1 AND (SELECT attempts FROM deliveries WHERE seq = delivery_seq)',
    'has a number that is larger than the attempts of its delivery',
  ],
  [
    'accounts',
    'holder_type IS NOT (SELECT type FROM holders WHERE id = holder_id)',
    'has another type than its holder',
  ],
  [
    'transactions',
    '(holder_id IS NULL) <> (account_id IS NULL) OR (holder_type IS NULL) <> (account_id IS NULL)',
    'has an account and no holder, or a holder and no account',
  ],
];

/** Throws `RowError` for the first row that this program would not have written. */
export function checkRows(sqlite: Driver): void {
  for (const table of Object.values(TABLES)) checkTable(sqlite, table);
  for (const [table, number, group] of NUMBERED) {
    const gap = sqlite
      .prepare(
        `SELECT 1 FROM (
          SELECT count(*) AS all_rows, min(${number}) AS first, max(${number}) AS last FROM ${table}
          ${group === undefined ? '' : `GROUP BY ${group}`}
        ) WHERE all_rows > 0 AND (first <> 1 OR last <> all_rows)`,
      )
      .get();
    if (gap !== undefined) throw new RowError(`the numbers of ${table} (${number}) have gaps`);
  }
  for (const [table, value, target, where = '1'] of REFERENCES) {
    const named = sqlite
      .prepare(
        `SELECT ${value} FROM ${table} WHERE ${where} AND ${value} <> ''
          AND NOT EXISTS (SELECT 1 FROM ${target} AS target WHERE target.id = ${table}.${value}) LIMIT 1`,
      )
      .pluck()
      .get();
    if (named !== undefined) {
      throw new RowError(`a row of ${table} names ${named} (${value}), which is not in ${target}`);
    }
  }
  for (const [table, where, problem] of STRANGE) {
    if (sqlite.prepare(`SELECT 1 FROM ${table} WHERE ${where} LIMIT 1`).get() !== undefined) {
      throw new RowError(`a row of ${table} ${problem}`);
    }
  }
}

/** Reads and checks the facts in order. Throws `RowError`. */
export function* checkedFacts(sqlite: Driver): Generator<Fact> {
  const checks = Object.fromEntries(
    Object.entries(FACT_RECORDS).map(([resource, shape]) => [resource, checkOf(optional(shape))]),
  ) as Record<Resource, ShapeCheck>;
  for (const row of rowsOf(sqlite, factTable)) {
    const fact = row as unknown as Fact;
    const check = Object.hasOwn(checks, fact.resource) ? checks[fact.resource] : undefined;
    if (check === undefined) {
      throw new RowError(`a row of facts is about "${fact.resource}", which is not a kind of record`);
    }
    requireShape(check, fact.record, `a row of facts (record of ${fact.resource})`);
    yield fact;
  }
}

function checkTable(sqlite: Driver, table: SQLiteTable): void {
  const name = getTableName(table);
  const check = checkOf(Type.Object(shapesOf(table)));
  for (const row of rowsOf(sqlite, table)) requireShape(check, row, `a row of ${name}`);
}

/** Reads the rows of a table as records and checks the type of each column. */
function* rowsOf(sqlite: Driver, table: SQLiteTable): Generator<Record<string, unknown>> {
  const tableName = getTableName(table);
  const columns = Object.entries(getTableColumns(table) as Record<string, SQLiteColumn>);
  const names = columns.map(([, { name }]) => name).join(', ');
  const rows = sqlite.rows(`SELECT ${names} FROM ${tableName}`);
  for (const values of rows) {
    const record: Record<string, unknown> = {};
    for (const [place, [field, column]] of columns.entries()) {
      const value = values[place];
      if (!isOfType(column, field, value)) {
        throw new RowError(`a row of ${tableName} has ${shown(value)} as its ${column.name}`);
      }
      record[field] = value === null ? null : decode(column, value, tableName);
    }
    yield record;
  }
}

function isOfType(column: SQLiteColumn, field: string, value: unknown): boolean {
  if (value === null) return !column.notNull;
  const type = column.getSQLType();
  if (type === 'blob') return Buffer.isBuffer(value);
  if (type === 'text') return typeof value === 'string';
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return false;
  const isInstant = field === 'at' || /(At|Until)$/.test(field);
  return !isInstant || (value >= (Instant.minimum ?? 0) && value <= (Instant.maximum ?? 0));
}

function decode(column: SQLiteColumn, value: unknown, table: string): unknown {
  try {
    return column.mapFromDriverValue(value);
  } catch {
    throw new RowError(`a row of ${table} has invalid JSON in ${column.name}`);
  }
}

function requireShape(check: ShapeCheck, value: unknown, what: string): void {
  if (check.Check(value)) return;
  const problem = deepest(check, value);
  throw new RowError(`${what} has ${shown(problem.value)} at ${problem.path || '/'}`);
}

/** The deepest error of a value; for a union, within the branch that matches best. */
function deepest(check: ShapeCheck, value: unknown): { path: string; value: unknown } {
  let found: { path: string; value: unknown } = { path: '', value };
  const look = (errors: ValueErrorIterator): void => {
    for (const error of errors) {
      if (error.path.length > found.path.length) found = error;
      for (const branch of error.errors) look(branch);
    }
  };
  look(check.Errors(value));
  return found;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

/** The shape with all fields optional, because records of older versions do not have later fields. */
function optional(shape: TSchema): TSchema {
  if (shape.properties !== undefined) {
    const properties = Object.entries(shape.properties as Record<string, TSchema>);
    return Type.Object(
      Object.fromEntries(properties.map(([name, part]) => [name, Type.Optional(optional(part))])),
    );
  }
  if (shape.anyOf !== undefined) return Type.Union((shape.anyOf as TSchema[]).map(optional));
  return shape.type === 'array' ? Type.Array(optional(shape.items)) : shape;
}

/** The tables whose ids come from the bank's sequence. */
const WITH_IDS = Object.values(TABLES)
  .filter((table) => Object.entries(shapesOf(table)).some(([name, shape]) => name === 'id' && shape === Id))
  .map(getTableName);

/** The number of rows with an id of the sequence, and the last of these ids, without rows that a migration created. */
export function idsIn(sqlite: Driver): { count: number; last: string } {
  const columns = [...WITH_IDS.map((table) => [table, 'id']), ['transactions', 'master_id']];
  // One after another: an object accepts only a few in one statement.
  const found = columns.map(
    ([table, id]) =>
      sqlite
        .prepare(
          `SELECT count(*) AS count, coalesce(max(${id}), '') AS last FROM ${table}
            WHERE ${id} <> '' AND substr(${id}, 13, 4) <> '7fff'`,
        )
        .get() as { count: number; last: string },
  );
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    last: found.reduce((latest, { last }) => (last > latest ? last : latest), ''),
  };
}

/** The values in `meta` by key. Throws `RowError` for a value that is not JSON. */
export function metaOf(sqlite: Driver): Map<string, unknown> {
  const rows = [...rowsOf(sqlite, tables.meta)] as unknown as { key: string; value: string }[];
  return new Map(
    rows.map(({ key, value }) => {
      try {
        return [key, JSON.parse(value)];
      } catch {
        throw new RowError(`${key} of meta is not JSON`);
      }
    }),
  );
}

/** Whether a table has a row of this id. */
export function hasRow(sqlite: Driver, table: 'master_accounts' | 'webhooks', id: string): boolean {
  return sqlite.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== undefined;
}
