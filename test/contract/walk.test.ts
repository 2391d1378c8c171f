/**
 * The contract, row by row: every operation of both versions is called in states that fill every part of its
 * response, and each value is compared with the row of its table. The counts here detect a table that shrinks.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { V1_OPERATIONS } from '../../src/bank/api/v1/index.ts';
import { V2_OPERATIONS } from '../../src/bank/api/v2/index.ts';
import { REGISTER } from '../../src/bank/model/fidelity.ts';
import { CASES, callCase } from '../server/http/cases.ts';
import { useHttp } from '../server/http/support.ts';
import { createIds, NO_PAGE } from './ids.ts';
import type { PublishedOperation } from './operations.ts';
import type { Table } from './rows.ts';
import { accounts, contacts, counterparties, vendors } from './scenarios/accounts.ts';
import { cardHolders, cards, cardsOfV1, declines, purchases } from './scenarios/cards.ts';
import { besides, incoming, orders, payments } from './scenarios/payments.ts';
import { businesses, families, persons } from './scenarios/people.ts';
import { DECLINED_EVENT } from './v1/card.ts';
import { KINDS_V1 } from './v1/kinds.ts';
import { CHARGEBACK } from './v1/money.ts';
import { OPERATIONS_V1 } from './v1/operations.ts';
import { EVENT_V1 } from './v1/others.ts';
import { KINDS_V2 } from './v2/kinds.ts';
import { OPERATIONS_V2 } from './v2/operations.ts';
import { EVENT_V2 } from './v2/others.ts';
import { createWalk } from './walk.ts';
import { createWitness, meetEvents } from './witness.ts';
import { worldOf } from './world.ts';

/** The minimum number of rows of each version, so that no table loses rows unnoticed. New rows need no change here. */
const MIN_ROWS = { v2: 647, v1: 877 };
const KINDS_PUBLISHED = { v1: 59, v2: 44 };

const SCENARIOS = [
  persons,
  businesses,
  families,
  accounts,
  counterparties,
  vendors,
  contacts,
  cardHolders,
  cards,
  cardsOfV1,
  purchases,
  declines,
  payments,
  orders,
  incoming,
  besides,
];

const tablesOf = (operations: readonly PublishedOperation[], ...more: Table[]): Table[] => [
  ...new Set([
    ...operations.flatMap(({ answer, items }) => [answer, items?.table].filter((one) => one !== undefined)),
    ...more,
  ]),
];
const OF_V1 = tablesOf(OPERATIONS_V1, DECLINED_EVENT, CHARGEBACK, EVENT_V1);
const TABLES = {
  // Some operations of v2 return records of v1.
  v2: tablesOf(OPERATIONS_V2, EVENT_V2).filter((table) => !OF_V1.includes(table)),
  v1: OF_V1,
};
const countRows = (tables: readonly Table[]): number =>
  tables.reduce((sum, { rows }) => sum + rows.length, 0);

const http = useHttp();
const walk = createWalk();
const witness = createWitness(walk);
const ids = createIds();
const unread: string[] = [];
const publishedKinds = new Set<string>();
const unpublished: string[] = [];

beforeAll(async () => {
  for (const entry of CASES) await callCase(witness.watch(http.caller()), entry);
  for (const run of SCENARIOS) {
    const caller = http.caller();
    const world = worldOf(ids.watch(witness.watch(caller)));
    await run(world);
    unread.push(...(await ids.follow(caller)));
    unpublished.push(...(await meetEvents(walk, world, publishedKinds)));
  }
});

describe('the tables', () => {
  it(`have at least ${MIN_ROWS.v2} rows of v2 and ${MIN_ROWS.v1} of v1, and all are checked`, () => {
    const counts = { v2: countRows(TABLES.v2), v1: countRows(TABLES.v1) };
    expect(counts.v2).toBeGreaterThanOrEqual(MIN_ROWS.v2);
    expect(counts.v1).toBeGreaterThanOrEqual(MIN_ROWS.v1);
    expect(new Set(walk.tables())).toEqual(new Set([...TABLES.v2, ...TABLES.v1]));
    expect(walk.rowCount()).toBe(counts.v2 + counts.v1);
    expect(walk.valueCount()).toBeGreaterThan(100 * walk.rowCount());
  });

  it('name only existing rows of the register', () => {
    const slugs = new Set(REGISTER.map(({ slug }) => slug));
    const reasons = [
      ...[...TABLES.v2, ...TABLES.v1].flatMap(({ rows }) => rows.map(({ reason }) => reason)),
      ...[...OPERATIONS_V2, ...OPERATIONS_V1].map(({ reason }) => reason),
    ];
    const named = reasons
      .flatMap((reason) => reason.split(/ and |; /))
      .filter((word) => /^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(word));
    expect(named.filter((slug) => !slugs.has(slug))).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(20);
  });
});

describe.each([
  ['v2', TABLES.v2],
  ['v1', TABLES.v1],
] as const)('a response of %s', (_, tables) => {
  it.each(tables.map((table) => [table.name, table] as const))('%s: matches its table', (name, table) => {
    const about = walk.problems.filter((problem) => problem.startsWith(`${name} of `));
    expect([...new Set(about)]).toEqual([]);
    expect(walk.gaps(table)).toEqual([]);
  });
});

describe('the records that a record refers to', () => {
  it('can be read by the same caller', () => {
    expect([unread, [...ids.without].sort()]).toEqual([[], Object.keys(NO_PAGE).sort()]);
    expect(ids.read.size).toBeGreaterThan(17);
  });
});

describe('the operations', () => {
  const ours = [...V2_OPERATIONS, ...V1_OPERATIONS].map(({ method, path }) => `${method} ${path}`);
  const published = [...OPERATIONS_V2, ...OPERATIONS_V1];

  it(`are the ${OPERATIONS_V2.length} of v2 and the ${OPERATIONS_V1.length} of v1 in the tables`, () => {
    expect([OPERATIONS_V2.length, OPERATIONS_V1.length]).toEqual([66, 144]);
    expect([...ours].sort()).toEqual(published.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('are all called, and succeed with the status of their table', () => {
    expect([...new Set(witness.problems)]).toEqual([]);
    expect([...witness.called].sort()).toEqual([...ours].sort());
  });

  it.each(
    published
      .filter(({ fields }) => fields.length > 0)
      .map((row) => [`${row.method} ${row.path}`, row] as const),
  )('%s: accepts every published field', (name, { fields }) => {
    const operation = [...V2_OPERATIONS, ...V1_OPERATIONS].find(
      ({ method, path }) => name === `${method} ${path}`,
    );
    const { query, body } = operation as { query?: Shape; body?: Shape };
    expect(Object.keys((body ?? query)?.properties ?? {})).toEqual(expect.arrayContaining([...fields]));
  });
});

interface Shape {
  properties: Record<string, unknown>;
}

describe('the events', () => {
  it('of each version are those of its catalogue', async () => {
    const caller = http.caller();
    const v1 = (await caller.v1('GET', '/v1/webhook/events')).at('data') as string[];
    const v2 = (await caller.v2('GET', '/v2/webhook/events')).at('data') as string[];
    expect([KINDS_V1.size, KINDS_V2.size]).toEqual([73, 78]);
    expect([...v1].sort()).toEqual([...KINDS_V1.keys()].sort());
    expect([...v2].sort()).toEqual([...KINDS_V2.keys()].sort());
  });

  it('that are sent contain the record that is published for them', () => {
    expect([...new Set(unpublished)]).toEqual([]);
    const count = (apiVersion: string) =>
      [...publishedKinds].filter((name) => name.startsWith(apiVersion)).length;
    expect({ v1: count('v1'), v2: count('v2') }).toEqual(KINDS_PUBLISHED);
  });
});
