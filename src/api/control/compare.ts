/**
 * Two states of a bank side by side: what was created, changed and removed between a snapshot and another, or the bank as
 * it is. A record is shown as its version shows it, with numbers of people and accounts and secrets masked.
 */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { maskRecord } from '../../kernel/masks.ts';
import type { Id } from '../../kernel/sequence.ts';
import { AT_ONCE_BYTES, inThread } from '../../sandboxes/image-thread.ts';
import type { Registry } from '../../sandboxes/registry.ts';
import type { Image, Sandbox } from '../../sandboxes/sandbox.ts';
import {
  COMPARED_NOUNS,
  type ComparedNoun,
  compareImages,
  type ImageComparison,
} from '../../store/image-comparison.ts';
import { formatDocument } from '../v1/documents.ts';
import { formatFamily } from '../v1/families.ts';
import { formatMember } from '../v1/members.ts';
import { formatWebhook as formatWebhookV1 } from '../v1/webhooks.ts';
import { formatAccount, formatMasterAccount } from '../v2/accounts.ts';
import { formatAttachment } from '../v2/attachments.ts';
import { formatCardHolder } from '../v2/card-holders.ts';
import { formatCard } from '../v2/cards/format.ts';
import { formatCounterparty } from '../v2/counterparties/format.ts';
import { formatHolder } from '../v2/holders.ts';
import { formatTransaction } from '../v2/transactions/format.ts';
import { formatWebhook } from '../v2/webhooks.ts';
import { enumOf, text } from './fields.ts';
import { PageQuery, parsePage } from './ledger.ts';
import { controlOperation } from './operation.ts';
import { imageOf, NameParams, snapshotOf } from './sandboxes.ts';

/** Leads to no file: only what is kept of an attachment or a document is compared. */
const NO_LINK = '';

type Format = (sandbox: Sandbox, id: Id) => { id: string } | undefined;

/** A record that may not be there: `make` gets one that is. */
const one = <R>(record: R | undefined, make: (record: R) => { id: string }) =>
  record === undefined ? undefined : make(record);

const FORMATS: { readonly [N in ComparedNoun]: Format } = {
  holders: ({ bank, program }, id) => formatHolder(bank.holders.byId(id), program),
  members: ({ bank, program }, id) => formatMember(bank.members.byId(id), program),
  families: ({ store, program }, id) => one(store.families.byId(id), (row) => formatFamily(row, program)),
  accounts: ({ bank, program }, id) => formatAccount(bank.accounts.byId(id), program),
  master_accounts: ({ bank, program }) => formatMasterAccount(bank.accounts.master(), program),
  card_holders: ({ store, program }, id) =>
    one(store.cardHolders.byId(id), (row) => formatCardHolder(row, program)),
  cards: ({ bank, program }, id) => formatCard(bank.cards.byId(id), program),
  counterparties: ({ store, program }, id) =>
    one(store.counterparties.byId(id), (row) => formatCounterparty(row, program)),
  transactions: ({ store, program }, id) =>
    one(store.transactions.byId(id), (row) => formatTransaction(row, program)),
  documents: ({ store }, id) => one(store.documents.byId(id), (row) => formatDocument(row, NO_LINK)),
  attachments: ({ store }, id) => one(store.attachments.byId(id), (row) => formatAttachment(row, NO_LINK)),
  webhooks: ({ store, program }, id) =>
    one(store.webhooks.byId(id), (row) =>
      row.dialect === 'v1'
        ? formatWebhookV1(row, program)
        : formatWebhook(row, program, { withSecret: false }),
    ),
};

const Value = (description: string) => Type.Unknown({ description });

const Difference = Type.Object({
  noun: enumOf(COMPARED_NOUNS),
  id: text('In the spelling of v2; that of v1 where the record belongs to v1.'),
  change: enumOf(['created', 'changed', 'removed']),
  record: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The record as its version shows it: as it was where it was removed, otherwise as it is now.',
  }),
  fields: Type.Array(
    Type.Object({
      field: text('The name of the field, with those around it: `controls.limit.period`.'),
      before: Value('What it was; null for a field that was not there.'),
      after: Value('What it is; null for a field that is no longer there.'),
    }),
    {
      description:
        'Of a record that was changed; empty where that was only something which the version does not show, like its next planned step.',
    },
  ),
});

/** Every value of a record that has none within it, by the names that lead to it. */
function flatten(value: unknown, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isNested) return into.set(path, value);
  for (const [name, field] of Object.entries(value)) {
    flatten(field, path === '' ? name : `${path}.${name}`, into);
  }
  return into;
}

/** The fields in which two forms of a record differ, masked only once that is known. */
function differencesOf(before: object, after: object): Static<typeof Difference>['fields'] {
  const [old, fresh] = [flatten(before), flatten(after)];
  const [shownOld, shownFresh] = [flatten(maskRecord(before)), flatten(maskRecord(after))];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((field) => !isDeepStrictEqual(old.get(field), fresh.get(field)))
    .map((field) => ({
      field,
      before: shownOld.get(field) ?? null,
      after: shownFresh.get(field) ?? null,
    }));
}

function formatDifferences(
  compared: ImageComparison,
  before: Sandbox,
  after: Sandbox,
): Static<typeof Difference>[] {
  return COMPARED_NOUNS.flatMap((noun) =>
    compared[noun].rows.flatMap(({ id, change }) => {
      const old = change === 'created' ? undefined : FORMATS[noun](before, id);
      const fresh = change === 'removed' ? undefined : FORMATS[noun](after, id);
      const shown = fresh ?? old;
      if (shown === undefined) return [];
      const fields = old === undefined || fresh === undefined ? [] : differencesOf(old, fresh);
      const record = maskRecord(shown) as Record<string, unknown>;
      return [{ noun, id: shown.id, change, record, fields }];
    }),
  );
}

function sizeOf(image: Image): number {
  return Buffer.isBuffer(image) ? image.length : statSync(image.file).size;
}

/** Walks both images, in a thread where they are large. */
function compare(before: Image, after: Image, limit: number): ImageComparison | Promise<ImageComparison> {
  const [old, fresh] = [before, after].map((image) => (Buffer.isBuffer(image) ? image : image.file));
  if (old === undefined || fresh === undefined) throw new Error('two images are compared');
  const isSmall = sizeOf(before) + sizeOf(after) <= 2 * AT_ONCE_BYTES;
  return isSmall
    ? compareImages(old, fresh, limit)
    : inThread('compare', { before: old, after: fresh, limit });
}

/** What was made only to be compared is removed again. */
function discard({ folder }: Registry, image: Image): void {
  if (!Buffer.isBuffer(image)) folder?.discard(image.file);
}

async function compareSnapshots(
  registry: Registry,
  sandbox: Sandbox,
  { name, other, limit }: { name: string; other: string | undefined; limit: number },
) {
  const before = await snapshotOf(registry, sandbox.name, name);
  try {
    const after =
      other === undefined
        ? await imageOf(registry, sandbox)
        : await snapshotOf(registry, sandbox.name, other);
    try {
      const compared = await compare(before, after, limit);
      const { seedImages } = registry;
      const differences = seedImages.withTemporary(before, (old) =>
        seedImages.withTemporary(after, (fresh) => formatDifferences(compared, old, fresh)),
      );
      return { compared, differences };
    } finally {
      discard(registry, after);
    }
  } finally {
    discard(registry, before);
  }
}

const NounCounts = Type.Object({
  noun: enumOf(COMPARED_NOUNS),
  created: Type.Integer({ description: 'How many there are only now.' }),
  changed: Type.Integer({ description: 'How many are in both, and not the same.' }),
  removed: Type.Integer({ description: 'How many there were only before.' }),
});

export const COMPARE_OPERATIONS = [
  /**
   * What became of the bank since a snapshot: the records that were created, changed and removed until another snapshot,
   * or until now. All are counted, and the first of each noun shown with their fields before and after.
   */
  controlOperation({
    id: 'sandbox_compare_snapshot',
    method: 'GET',
    path: '/_sandbox/snapshots/:name/compare',
    group: 'State',
    summary: 'What changed since a snapshot',
    status: 200,
    refuses: ['snapshot_not_found', 'image_invalid'],
    params: NameParams,
    query: Type.Object({
      with: Type.Optional(
        Type.String({ description: 'A later snapshot of the sandbox; the bank as it is when not sent.' }),
      ),
      limit: PageQuery.limit,
    }),
    response: Type.Object({
      counts: Type.Array(NounCounts, { description: 'Of every noun, also those that are all the same.' }),
      records: Type.Array(Difference, {
        description: 'By noun, in the order of their ids; of each noun as many as `limit`.',
      }),
    }),
    example: { params: { name: 'payday' } },
    run: async ({ registry, sandbox }, { params, query }) => {
      const { limit } = parsePage(query);
      const { compared, differences } = await compareSnapshots(registry, sandbox, {
        name: params.name,
        other: query.with,
        limit,
      });
      const counts = COMPARED_NOUNS.map((noun) => ({ noun, ...compared[noun].counts }));
      return { counts, records: differences };
    },
  }),
] as const;
