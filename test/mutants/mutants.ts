/**
 * Mutants of one line, each of which must make a test fail: in the ledger, the outbox, the group commit and the
 * idempotency of the interface, where an error would lose money or an event. The original text occurs once in its
 * file.
 */

interface Mutant {
  file: string;
  text: string;
  replacement: string;
  /** The tests that should fail; vitest runs every file whose path contains one of these. */
  tests: readonly string[];
}

/** Whether the mutation is impossible, because its text does not occur exactly once in the file. */
export const isStale = ({ text }: Mutant, source: string): boolean => source.split(text).length !== 2;

const mutantsOf = (
  file: string,
  tests: readonly string[],
  changes: readonly (readonly [text: string, replacement: string])[],
): Mutant[] => changes.map(([text, replacement]) => ({ file, text, replacement, tests }));

const LEDGER = ['test/bank/ledger', 'test/bank/verbs/books.property'];
/** The control plane reads the entries. */
const ENTRIES = ['test/server/http/control/explain'];
const OUTBOX = ['test/bank/outbox', 'test/bank/delivery/courier.test'];
const CACHES = [
  'test/bank/store/cache',
  'test/bank/store/records',
  'test/bank/verbs/books.property',
  'test/bank/verbs/holders',
];
const GROUP = [
  'test/bank/store/group-commit',
  'test/bank/store/waiting-rows',
  'test/sandboxes/sandbox/sandbox.test',
];
const DRIVER = ['test/bank/store/node-driver', 'test/bank/store/waiting-rows'];
const WAITING_ROWS = ['test/bank/store/waiting-rows', 'test/bank/store/object-driver'];
const FALLBACKS = ['test/bank/verbs/books.property', 'test/server/http/v1-fallback'];
const IDEMPOTENCY = ['test/server/http/idempotency'];

export const MUTANTS: readonly Mutant[] = [
  ...mutantsOf('src/bank/model/balances.ts', LEDGER, [
    ['debitsPosted - creditsPosted - creditsPending', 'debitsPosted - creditsPosted'],
    ['creditsPosted - debitsPosted - debitsPending', 'creditsPosted - debitsPosted'],
  ]),
  ...mutantsOf('src/bank/ledger/ledger.ts', LEDGER, [
    ['available(debit) < 0', 'available(debit) < -1'],
    ['available(debit) < 0', 'available(debit) <= 0'],
    ["debit.kind !== 'master_account'", "debit.kind === 'master_account'"],
    ['debitAvailableAfter: available(debit)', 'debitAvailableAfter: available(credit)'],
    ['readResolution.get({ holdId }) !== undefined', 'false'],
    ['posted > hold.amount', 'posted > hold.amount + 1'],
    ['mayOverdraw: true', 'mayOverdraw: false'],
    ['creditsPending: -hold.amount', 'creditsPending: -posted'],
    ['debitsPosted: posted', 'debitsPosted: hold.amount'],
    ['unwritten.add(account.id)', '{}'],
    ['known.set(account.id, account);', ''],
    ['known.remove(id);', ''],
    ['if (!isExact(after))', 'if (false)'],
    ['amount <= 0', 'amount < 0'],
    ['amount > MAX_CENTS', 'amount > MAX_CENTS - 1'],
    ['debit === credit', 'false'],
  ]),
  ...mutantsOf('src/bank/ledger/entries.ts', ENTRIES, [
    ['desc(transfers.id)', 'asc(transfers.id)'],
    ['availableAfter: debit ?', 'availableAfter: !debit ?'],
    ['contraAccountId: debit ?', 'contraAccountId: !debit ?'],
  ]),
  ...mutantsOf('src/bank/outbox/outbox.ts', OUTBOX, [
    ['latest = seq;', ''],
    ['backlogs.follow();', ''],
    ['backlogs.clear();', ''],
    ['kindsV2: kinds.v2', 'kindsV2: kinds.v1'],
  ]),
  ...mutantsOf(
    'src/bank/store/backlogs.ts',
    [...OUTBOX, 'test/bank/store/backlogs.test'],
    [
      ["eq(webhooks.status, 'active')", 'sql`1`'],
      ['if (wants.has(kind)) count += 1', 'count += 1'],
      ['if (backlog.dropped) continue;', ''],
      ['end.run({ id, upToFact })', 'end.run({ id, upToFact: upToFact + 1 })'],
      ['- changes', '- changes - 1'],
      ['count + wantedOf', 'count - wantedOf'],
      ['|| factSeq <= upToFact', '|| factSeq < upToFact'],
    ],
  ),
  ...mutantsOf('src/bank/outbox/queue.ts', OUTBOX, [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the source
    ["gt(deliveries.seq, sql.placeholder('after'))", "sql`${sql.placeholder('after')} is not null`"],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the source
    ['${deliveries.attempts} + 1', '${deliveries.attempts} + 0'],
    [" and excluded.state <> 'delivered'", ''],
    ['NOT_PAUSED,', ''],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the source
    ['${deliveries.dueAt} + ${', '${deliveries.dueAt} - ${'],
  ]),
  ...mutantsOf('src/bank/outbox/delivery-history.ts', OUTBOX, [
    ["in ('waiting', 'delivered')", "in ('waiting')"],
  ]),
  ...mutantsOf('src/bank/store/cache.ts', CACHES, [
    ['note(key);\n          rows.set(key, value);', 'rows.set(key, value);'],
    ['note(key);\n          rows.delete(key);', 'rows.delete(key);'],
    ['log.splice(length).toReversed()', 'log.splice(length)'],
    ['rows.size > max', 'false'],
  ]),
  ...mutantsOf('src/bank/store/store.ts', CACHES, [
    ['known.remove(row.id);\n      rows.replace(row);', 'rows.replace(row);'],
    ['statuses.remove(row.id);\n      rows.replace(row);', 'rows.replace(row);'],
    ["cachesOf(db.$client).named('accounts').clear();", ''],
  ]),
  ...mutantsOf('src/bank/store/group-commit.ts', GROUP, [
    ['undo();\n      hooks.afterUndo();\n      return', 'hooks.afterUndo();\n      return'],
    ['undo();\n      hooks.afterUndo();\n      throw', 'hooks.afterUndo();\n      throw'],
    ['if (isDatabaseFailure(error)) throw error.cause;', 'throw error.cause;'],
    ['setSequenceBack();', ''],
    ['return commit(group, false);', 'return commit(group, true);'],
    ['hooks.beforeCommit();', ''],
    ['waiting.length === 1', 'waiting.length === 2'],
    ['closed = true', 'closed = false'],
  ]),
  ...mutantsOf('src/bank/store/node-driver.ts', DRIVER, [
    ['if (this.waitingRows.isOpen) return this.waitingRows.part(action);', ''],
    ['if (rowsMayWait) waitingRows.write();', ''],
    ['waitingRows.end();', ''],
    ['if (this.waitingRows.isOpen) this.waitingRows.beforeWrite();', ''],
    ['if (this.inTransaction) this.#rollback().run();', ''],
    ['this.#commit().run();', ''],
    ['rest.\n        this.#rollback().run();', 'rest.'],
    ["this.pragma('foreign_keys = OFF');", ''],
  ]),
  ...mutantsOf('src/bank/store/waiting-rows.ts', WAITING_ROWS, [
    ["'transfers',\n  'transactions',", "'transactions',\n  'transfers',"],
    ['if (sql.includes(table)) tables', 'if (place > 0 && sql.includes(table)) tables'],
    ['const QUERY = /^\\s*select', 'const QUERY = /^\\s*(select|insert)'],
    ['if (part.hasWritten) throw', 'if (part.before < 0) throw'],
    ['this.#rows.length = part.before;', ''],
    ['if (rows.length > part.before) part.hasWritten = true;', ''],
    ['part.before = 0;', ''],
    ['for (const part of this.#parts) part.hasWritten = true;', ''],
    ['if (this.#failure !== undefined) throw this.#failure;', ''],
    ['this.#failure = undefined;', ''],
    ['lane.ids.has(id)) return read();', 'lane.ids.size < 0) return read();'],
    ['for (const { lane } of this.#rows) this.#waiting |= lane.bit;', ''],
    ['Math.min(MAX_ROWS, this.#maxParameters / insert.width)', 'MAX_ROWS'],
  ]),
  ...mutantsOf('src/bank/verbs/accounts/fallbacks.ts', FALLBACKS, [
    ['amount: missing }', 'amount: missing + 1 }'],
    ['availableBalance < missing', 'availableBalance <= missing'],
    ["fallback.status !== 'credit_blocked'", 'true'],
    ['cover?.enabled !== true', 'cover === undefined'],
    ["status !== 'closed' &&", ''],
  ]),
  ...mutantsOf('src/server/http/idempotency.ts', IDEMPOTENCY, [
    ['answers.find(key, now - IDEMPOTENCY_MS)', 'answers.find(key, now)'],
    ['stored.fingerprint === fingerprint', 'true'],
    ['replayed: true', 'replayed: false'],
    [" && request.method !== 'PATCH'", ''],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the source
    ['${version.name}:${key}', '${key}'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the source
    ['\\n${compact(rawBody)}', ''],
    ['record === shown.record', 'record !== null'],
    ['views[shown.view.name] === shown.view', 'shown !== null'],
  ]),
  ...mutantsOf('src/bank/api/view.ts', IDEMPOTENCY, [
    ['viewer.hasAdded ? null : record', 'record'],
    ['found.length > 0', 'false'],
  ]),
];
