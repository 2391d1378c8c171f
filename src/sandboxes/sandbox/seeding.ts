/**
 * Seeds an empty database: the program and its master account, then the records of the seed document with the bank's
 * commands, then a v1 webhook. The webhook is last, so that the events of the seeding are not delivered. A seeded
 * image depends only on the seed; a sandbox that opens one replaces the seeded secrets with its own.
 * Source: decision `seeded-webhook` in docs/fidelity.md.
 */

import { ALPHANUMERIC, HEX, type Id } from '../../bank/kernel/sequence.ts';
import { V1_KINDS } from '../../bank/model/facts.ts';
import type { Program } from '../../bank/model/records.ts';
import { inTransaction } from '../../bank/store/group-commit.ts';
import type { Connection } from '../../bank/store/open.ts';
import { replaceSecrets } from '../../bank/store/secrets.ts';
import { type Bank, createBank } from '../../bank/verbs/bank.ts';
import type { Dependencies } from '../../bank/verbs/dependencies.ts';
import { TOKEN_DIGITS } from '../../bank/verbs/tokens.ts';
import { SECRET_LENGTH, V1_SECRET_PREFIX } from '../../bank/verbs/webhooks.ts';
import type { SandboxSecrets, SeededSecret } from './secrets.ts';
import { loadParties, loadTransactions, type SeedDocument } from './seed-document.ts';
import { MONTH_MS, writeMonth } from './seed-history.ts';

/** The ids of the seeded records by their names in the seed document, and the seeded webhook. */
export interface SeededBank {
  ids: Record<string, Id>;
  /**
   * The tokens by their names in the seed document, without the mark of a sandbox; absent in a bank of an older
   * version.
   */
  tokens?: Record<string, string>;
  webhookId: Id;
  webhookSecret: string;
  /**
   * Signs the links to files and is in no response. The stored secret is used only with seeded secrets, so an image
   * does not let its owner sign links.
   */
  linkSecret: string;
  /**
   * Whether the first sandbox that opened the image replaced the seeded secrets with its own. `null` before, which is as long as
   * `true`: SQLite then overwrites the row in its place, and a new database in memory does not grow, which would double it. Absent
   * in a bank of an older version.
   */
  hasOwnSecrets?: true | null;
  /** The seq of the last fact of the seeding; absent in a bank that an older version seeded. */
  lastFact?: number;
}

export interface SeedSource {
  document: SeedDocument;
  /** The address of the seeded webhook's receiver; with `null` the webhook is paused. */
  webhookUrl: string | null;
  /** Whether the accounts have a month of history: decision `seed-history` in docs/fidelity.md. */
  history?: boolean;
}

const PROGRAM_KEY = 'program';
const SEEDED_KEY = 'seeded';
const LINK_SECRET_LENGTH = 32;
/** An address without a listener. */
const NO_RECEIVER = 'http://127.0.0.1:9/';

/** Opens the bank of a database with the sandbox's own secrets. An empty database is seeded first. */
export function openOrSeedBank(
  connection: Connection,
  dependencies: Omit<Dependencies, 'program' | 'secretFor'>,
  seedSource: SeedSource,
  secrets: SandboxSecrets,
  beforeCommit: () => void,
): { bank: Bank; seeded: SeededBank } {
  const withSecrets = { ...dependencies, secretFor: secrets.fresh };
  const { bank, seeded } = openOrSeed(connection, withSecrets, seedSource, beforeCommit);
  const { seededSecret } = secrets;
  if (seededSecret === null) return { bank, seeded };
  const own = seeded.hasOwnSecrets ? seeded : takeOwnSecrets(connection, dependencies, seeded, seededSecret);
  return { bank, seeded: { ...own, linkSecret: seededSecret('links', LINK_SECRET_LENGTH, ALPHANUMERIC) } };
}

function openOrSeed(
  { sqlite }: Connection,
  dependencies: Omit<Dependencies, 'program'>,
  seedSource: SeedSource,
  beforeCommit: () => void,
): { bank: Bank; seeded: SeededBank } {
  const { store } = dependencies;
  const program = store.meta.read<Program>(PROGRAM_KEY);
  const seeded = store.meta.read<SeededBank>(SEEDED_KEY);
  if (program !== undefined && seeded !== undefined) {
    const bank = createBank({ ...dependencies, program });
    deliverTo(bank, seeded.webhookId, seedSource.webhookUrl, sqlite);
    return { bank, seeded };
  }
  return inTransaction(sqlite, () => {
    const { document } = seedSource;
    const begin = () => {
      const made = createProgram(dependencies, document.program);
      const bank = createBank({ ...dependencies, program: made });
      return { bank, parties: loadParties(bank, document) };
    };
    const { clock } = dependencies;
    const { bank, parties } = seedSource.history ? clock.at(clock.now() - MONTH_MS, begin) : begin();
    if (seedSource.history) writeMonth({ bank, store, clock }, (name) => idAmong(parties, name));
    const { ids, tokens } = loadTransactions(bank, document, parties);
    const { webhookUrl } = seedSource;
    const webhook = bank.webhooks.create({
      apiVersion: 'v1',
      url: webhookUrl ?? NO_RECEIVER,
      description: 'Every event of v1',
      events: [...V1_KINDS],
      status: webhookUrl === null ? 'paused' : 'active',
    });
    const seeded = {
      ids,
      tokens,
      webhookId: webhook.id,
      webhookSecret: webhook.secret,
      linkSecret: dependencies.sequence.text(LINK_SECRET_LENGTH, ALPHANUMERIC),
      lastFact: dependencies.outbox.latestSeq(),
      hasOwnSecrets: null,
    };
    store.meta.write(SEEDED_KEY, seeded);
    beforeCommit();
    return { bank, seeded };
  });
}

/** Replaces the seeded secrets of the webhook and the tokens with the sandbox's own. */
function takeOwnSecrets(
  connection: Connection,
  { store }: Pick<Dependencies, 'store'>,
  seeded: SeededBank,
  seededSecret: SeededSecret,
): SeededBank {
  const { webhookId: id } = seeded;
  const from = String(seeded.webhookSecret);
  const webhookSecret = V1_SECRET_PREFIX + seededSecret('webhook', SECRET_LENGTH, HEX);
  const tokens = Object.entries(seeded.tokens ?? {}).map(([as, token]) => {
    // An imported image may contain any value.
    const drawn = String(token);
    const to = drawn.slice(0, -TOKEN_DIGITS) + seededSecret(`token/${as}`, TOKEN_DIGITS, HEX);
    return { as, from: drawn, to };
  });
  const own: SeededBank = {
    ...seeded,
    webhookSecret,
    tokens: Object.fromEntries(tokens.map(({ as, to }) => [as, to])),
    hasOwnSecrets: true,
  };
  // This is the first write to a new file, whose log SQLite would sync. If it is lost, the next opening derives the same secrets.
  connection.withoutSync(() =>
    inTransaction(connection.sqlite, () => {
      replaceSecrets(connection, { id, from, to: webhookSecret }, tokens);
      store.meta.write(SEEDED_KEY, own);
    }),
  );
  return own;
}

/** Changes the seeded webhook of an existing bank if the setting names another receiver. */
function deliverTo(bank: Bank, webhookId: Id, url: string | null, sqlite: Connection['sqlite']): void {
  if (url === null) return;
  const webhook = bank.webhooks.byId(webhookId);
  if (url === webhook.url || webhook.status === 'deleted') return;
  inTransaction(sqlite, () =>
    bank.webhooks.change(webhookId, { url, ...(webhook.status !== 'active' && { status: 'active' }) }),
  );
}

function idAmong(ids: ReadonlyMap<string, Id>, name: string): Id {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the month of history requires ${name}`);
  return id;
}

/** The id of a seeded record. Throws if the seed document does not have the name. */
export function seededId(seeded: SeededBank, name: string): Id {
  const id = seeded.ids[name];
  if (id === undefined) throw new Error(`the seed document has no ${name}`);
  return id;
}

function createProgram(
  dependencies: Omit<Dependencies, 'program'>,
  document: SeedDocument['program'],
): Program {
  const { store, ledger, sequence, clock } = dependencies;
  const now = clock.now();
  const program: Program = {
    clientId: sequence.id(now),
    programId: sequence.id(now),
    masterAccountHolderId: sequence.id(now),
    masterAccountId: sequence.id(now),
    name: document.name,
    sponsorBank: document.sponsor_bank,
    routingNumber: document.routing_number,
  };
  store.masterAccounts.insert({
    id: program.masterAccountId,
    label: document.master_account.label,
    accountNumber: document.master_account.account_number,
    status: 'open',
    createdAt: now,
    updatedAt: now,
    closedAt: null,
  });
  ledger.open(program.masterAccountId, 'master_account');
  store.meta.write(PROGRAM_KEY, program);
  return program;
}
