/**
 * Every statement fails once: an operation is called with the n-th statement of its bank failing, for every n, with a
 * full disk, a disk error that ends the transaction, and a locked file. The response is correct, the caches equal the
 * file, the books balance, and the same request under the same key then has its effect once. `npm test` tries a
 * sample.
 */
import { describe, expect, it } from 'vitest';
import { cachesOf } from '../../../src/bank/store/cache.ts';
import { CASES, prepareExample, TEN } from '../../server/http/cases.ts';
import { openServer, pull, type Server } from '../../server/http/control/server.ts';
import { sqliteError, watchSqlite } from '../../support/failing-sqlite.ts';
import { makeFolder } from '../../support/folder.ts';
import { FUZZ_RUNS } from '../../support/runs.ts';
import { START } from '../../support/sandbox.ts';
import { digestOf, readBank } from '../../support/tables.ts';

const IS_LONG = FUZZ_RUNS !== undefined;
/** A prime, so that the sample has other statements of each operation. */
const EVERY = IS_LONG ? 1 : 29;
const PLACES = IS_LONG ? ['memory', 'a file'] : ['memory'];
const FAILURES = [
  { code: 'SQLITE_FULL', endsTransaction: false },
  { code: 'SQLITE_IOERR', endsTransaction: true },
  { code: 'SQLITE_BUSY', endsTransaction: false },
] as const;
type Failure = (typeof FAILURES)[number];

const OPERATIONS = CASES.filter(({ name }) => TEN.includes(name));
/** The lists of v2. */
const READS = CASES.filter(
  ({ apiVersion, operation }) =>
    apiVersion === 'v2' && operation.method === 'GET' && !operation.path.includes(':'),
)
  .map(({ operation }) => operation.path)
  .slice(0, 8);
const withoutRequest = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null).replaceAll(/req_\w+/g, ''));

interface Answer {
  status: number;
  body: unknown;
}

/** The server of one operation, with the initial bank of each of its cases. */
interface Bench {
  readonly server: Server;
  readonly failures: unknown[];
  /**
   * Restores the initial state; then calls with the n-th statement failing. Returns the number of statements.
   */
  run<T>(nth: number, failure: Failure, work: () => Promise<T>): Promise<{ value: T; statements: number }>;
  begin(): void;
}

async function createBench(place: string, prepare?: (server: Server) => Promise<unknown>): Promise<Bench> {
  const failures: unknown[] = [];
  const server = await openServer({ data: place === 'memory' ? null : makeFolder() }, failures);
  await prepare?.(server);
  const sandbox = server.registry.default();
  const image = sandbox.image();
  return {
    server,
    failures,
    begin() {
      server.clock.set(START);
      sandbox.replaceWith(image);
    },
    async run(nth, { code, endsTransaction }, work) {
      const { sqlite } = sandbox.connection;
      let statements = 0;
      const end = watchSqlite(({ database }) => {
        if (database !== sqlite) return;
        statements += 1;
        if (statements !== nth) return;
        if (endsTransaction && sqlite.inTransaction) sqlite.exec('ROLLBACK');
        throw sqliteError(code);
      });
      try {
        const value = await work();
        await sandbox.courier?.idle();
        return { value, statements };
      } finally {
        end();
        failures.length = 0;
      }
    },
  };
}

const countRows = ({ registry }: Server): Record<string, number> =>
  Object.fromEntries(Object.entries(readBank(registry.default())).map(([name, rows]) => [name, rows.length]));

async function requireWhole({ registry, call }: Server): Promise<void> {
  const sandbox = registry.default();
  const read = async () =>
    Promise.all(READS.map(async (url) => withoutRequest((await call('GET', url)).body)));
  const seen = await read();
  expect(seen.length).toBeGreaterThan(3);
  cachesOf(sandbox.connection.sqlite).settle(0);
  expect(await read()).toEqual(seen);
  expect(sandbox.audit().problems).toEqual([]);
}

let cases = 0;

describe.each(PLACES)('a bank in %s', (place) => {
  it.each(OPERATIONS.map(({ name, operation }) => [name, operation] as const))(
    'has a correct response to %s, whichever statement fails',
    async (name, operation) => {
      const bench = await createBench(place);
      const { server } = bench;
      const sandbox = server.registry.default();
      const { seeded } = (await server.call('GET', '/_sandbox')).body;
      const { path, body, form, headers } = prepareExample(operation, (one) => String(seeded[one]));
      const call = (): Promise<Answer> =>
        server.call(operation.method as 'POST', path, form ?? body, 'test_default', {
          ...headers,
          [path.startsWith('/v1') ? 'sd-idempotency-key' : 'idempotency-key']: 'once',
        });
      bench.begin();
      const whole = await bench.run(0, FAILURES[0], call);
      expect(whole.value.status, name).toBeLessThan(300);
      const expected = countRows(server);
      for (let nth = 1; nth <= whole.statements; nth += EVERY) {
        for (const failure of FAILURES) {
          cases += 1;
          bench.begin();
          const before = digestOf(sandbox);
          const { value: answer } = await bench.run(nth, failure, call);
          const at = `${name}: ${failure.code} at statement ${nth}, answered ${answer.status}`;
          const isDone = answer.status < 300;
          expect(isDone || answer.status >= 500, at).toBe(true);
          expect(digestOf(sandbox) === before, at).toBe(!isDone);
          await requireWhole(server);
          const again = await call();
          expect(again.status, at).toBe(whole.value.status);
          if (isDone) expect(withoutRequest(again.body), at).toEqual(withoutRequest(answer.body));
          expect(countRows(server), at).toEqual(expected);
        }
      }
      bench.failures.length = 0;
    },
    600_000,
  );

  it('settles a payment once, whichever statement of its settlement fails', async () => {
    const bench = await createBench(place, (server) => pull(server, '12.00'));
    const { server } = bench;
    const sandbox = server.registry.default();
    const settle = async (): Promise<boolean> => {
      server.clock.advance(10 * 24 * 3_600_000);
      return sandbox.agenda.runDue().then(
        () => true,
        () => false,
      );
    };
    bench.begin();
    const whole = await bench.run(0, FAILURES[0], settle);
    const expected = countRows(server);
    expect(whole.value).toBe(true);
    for (let nth = 1; nth <= whole.statements; nth += EVERY) {
      for (const failure of FAILURES) {
        cases += 1;
        bench.begin();
        await bench.run(nth, failure, settle);
        await sandbox.agenda.runDue();
        const at = `${failure.code} at statement ${nth}`;
        expect(countRows(server), at).toEqual(expected);
        await requireWhole(server);
      }
    }
    bench.failures.length = 0;
  }, 600_000);
});

it('an error that ends the whole transaction is the result of every command in it', async () => {
  const bench = await createBench('memory');
  const { commit, connection, bank, seeded } = bench.server.registry.default();
  const rename = (label: string) =>
    commit(() => bank.cards.change(String(seeded.ids.virtual_card), { label }));
  const end = watchSqlite(({ sql, database }) => {
    if (database !== connection.sqlite || !/^update "cards"/i.test(sql)) return;
    connection.sqlite.exec('ROLLBACK');
    throw sqliteError('SQLITE_IOERR');
  });
  const answers = await Promise.allSettled([rename('a'), rename('b')]);
  end();
  for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'SQLITE_IOERR' } });
});

it('a step that failed because of the disk stays scheduled, and the payment settles later', async () => {
  const bench = await createBench('memory', (server) => pull(server, '12.00'));
  const { server } = bench;
  bench.begin();
  const { agenda, connection, store } = server.registry.default();
  server.clock.advance(10 * 24 * 3_600_000);
  const end = watchSqlite(({ sql, database }) => {
    if (database === connection.sqlite && /^insert into "transfers"/i.test(sql))
      throw sqliteError('SQLITE_FULL');
  });
  await agenda.runDue().catch(() => {});
  end();
  bench.failures.length = 0;
  expect(store.agenda.nextDueAt()).toEqual(expect.any(Number));
  await agenda.runDue();
  expect(store.agenda.nextDueAt()).toBeUndefined();
});

it('each of the ten operations is called', () => {
  expect(OPERATIONS.length).toBe(TEN.length);
});

it('there are as many cases as statements', () => {
  expect(cases).toBeGreaterThan(IS_LONG ? 1500 : 30);
  if (IS_LONG) console.info(`${cases} failures injected`);
});
