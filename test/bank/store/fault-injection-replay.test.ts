/**
 * A replay of a long log commits in parts, and every statement of it fails once. Whatever fails, the response has the
 * number of queued events, exactly those are queued, and the same call then queues the others: each event once.
 */
import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../../src/bank/kernel/time.ts';
import { Database } from '../../../src/bank/store/drizzle.ts';
import type { Sandbox } from '../../../src/sandboxes/sandbox/sandbox.ts';
import { openServer } from '../../server/http/control/server.ts';
import { START } from '../../support/sandbox.ts';
import { digestOf } from '../../support/tables.ts';
import { casesOf, FAILURES, failNth, IS_LONG, requireWhole, watchProcess } from './faults.ts';

/** More facts than one part has, of which only these become events. */
const FACTS = 2_200;
const EVENTS = [10, 20, 2_180, 2_190];
const AT = START + MINUTE_MS;

/** A log in which each fact is about the same transaction. */
function withLongLog(image: Buffer): Buffer {
  const copy = new Database(image);
  copy.exec(`
    UPDATE webhooks SET status = 'paused';
    UPDATE backlogs SET up_to_fact = (SELECT max(seq) FROM facts) WHERE up_to_fact IS NULL;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${FACTS})
    INSERT INTO facts (seq, at, resource, resource_id, change, kinds_v1, kinds_v2, moved, record)
      SELECT (SELECT max(seq) FROM facts) + n.i, ${AT}, f.resource, f.resource_id, 'updated', '',
        iif(n.i IN (${EVENTS.join(', ')}), 'transaction.updated', ''), 0, f.record
      FROM n, (SELECT * FROM facts WHERE resource = 'transaction' ORDER BY seq DESC LIMIT 1) AS f;`);
  const changed = copy.serialize();
  copy.close();
  return changed;
}

const queuedIn = ({ connection }: Sandbox): number[] =>
  connection.sqlite.prepare('SELECT fact_seq FROM deliveries ORDER BY fact_seq').pluck().all() as number[];

it('a replay returns how many events it queued, whichever statement fails in any part', async () => {
  const failures: unknown[] = [];
  const server = await openServer({}, failures);
  const sandbox = server.registry.default();
  const { id } = (
    await server.call('POST', '/_sandbox/webhooks', { api_version: 'v2', receiver: true, events: ['*'] })
  ).body;
  await sandbox.courier?.idle();
  const image = withLongLog(sandbox.image());
  const replay = () =>
    server.call('POST', `/_sandbox/webhooks/${id}/replay`, { since: new Date(AT).toISOString() });

  sandbox.replaceWith(image);
  await replay();
  sandbox.replaceWith(image);
  const { value: whole, statements } = await failNth(0, FAILURES[0], replay);
  const all = queuedIn(sandbox);
  expect([whole.status, whole.body.queued, whole.body.problem]).toEqual([202, all.length, '']);
  expect(all).toHaveLength(EVENTS.length);
  const seen = new Set<string>();
  for (const [nth, failure] of casesOf(statements, IS_LONG ? 'all' : 2)) {
    sandbox.replaceWith(image);
    const before = digestOf(sandbox);
    const process = watchProcess();
    const { value: answer } = await failNth(nth, failure, replay);
    const at = `${failure.code} at statement ${nth} of ${statements}, answered ${answer.status}`;
    expect(await process.end(), at).toEqual([]);
    failures.length = 0;
    const queued = queuedIn(sandbox);
    if (answer.status >= 500) {
      seen.add('nothing');
      expect(digestOf(sandbox), at).toBe(before);
    } else {
      seen.add(answer.body.problem === '' ? 'all' : 'a part');
      expect(queued, at).toEqual(all.slice(0, answer.body.queued));
      expect(answer.body.problem === '', at).toBe(queued.length === all.length);
    }
    const rest = await replay();
    expect([rest.status, rest.body.queued], at).toEqual([202, all.length - queued.length]);
    expect(queuedIn(sandbox), at).toEqual(all);
    requireWhole(sandbox, ({ bank }) => bank.webhooks.list(), at);
  }
  if (IS_LONG) expect([...seen].toSorted()).toEqual(['a part', 'all', 'nothing']);
}, 600_000);
