/**
 * Compares two states of a bank: the records that were created, changed and removed between their images. A record
 * has the form of its API version, with secrets and the numbers of people and accounts masked.
 */
import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { formatDocument } from '../../bank/api/v1/documents.ts';
import { formatFamily } from '../../bank/api/v1/families.ts';
import { formatMember } from '../../bank/api/v1/members.ts';
import { formatWallet } from '../../bank/api/v1/wallets.ts';
import { formatWebhook as formatWebhookV1 } from '../../bank/api/v1/webhooks.ts';
import { formatAccount, formatMasterAccount } from '../../bank/api/v2/accounts.ts';
import { formatAttachment } from '../../bank/api/v2/attachments.ts';
import { formatCardHolder } from '../../bank/api/v2/card-holders.ts';
import { formatCard } from '../../bank/api/v2/cards/format.ts';
import { formatCounterparty } from '../../bank/api/v2/counterparties/counterparty.ts';
import { formatHolder } from '../../bank/api/v2/holders.ts';
import { formatTransaction } from '../../bank/api/v2/transactions/format.ts';
import { formatWebhook } from '../../bank/api/v2/webhooks.ts';
import { maskRecord } from '../../bank/kernel/masks.ts';
import type { Id } from '../../bank/kernel/sequence.ts';
import {
  COMPARED_NOUNS,
  type ComparedNoun,
  compareDatabases,
  type DatabaseComparison,
  type RecordChange,
  rowsKept,
  rowsOf,
} from '../../bank/store/comparison.ts';
import type { Image } from './bank-replacement.ts';
import type { Sandbox } from './sandbox.ts';
import type { SeedImages } from './seed-images.ts';

/** A field by its path, like `controls.limit.period`; `null` where the field is absent. */
interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** A record that differs between the two, in its later form, or in its earlier form if it was removed. */
interface RecordDifference {
  noun: ComparedNoun;
  id: string;
  change: RecordChange;
  record: Record<string, unknown>;
  fields: FieldChange[];
}

export interface Comparison {
  /** The counts of every noun. */
  counts: ({ noun: ComparedNoun } & Record<RecordChange, number>)[];
  /** By noun, in the order of their ids. */
  records: RecordDifference[];
}

/** No link to a file: only the record of an attachment or a document is compared. */
const NO_LINK = '';

type Format = (sandbox: Sandbox, id: Id) => { id: string } | undefined;

/** A record that may be absent: `make` is called only for one that exists. */
const one = <R>(record: R | undefined, make: (record: R) => { id: string }) =>
  record === undefined ? undefined : make(record);

const FORMATS: { readonly [N in ComparedNoun]: Format } = {
  // Checks cannot be decided in images that are being compared.
  holders: ({ bank }, id) => formatHolder(bank.holders.byId(id), bank),
  members: ({ bank, program }, id) => formatMember(bank.members.byId(id), program),
  wallets: ({ store, program }, id) => one(store.wallets.byId(id), (row) => formatWallet(row, program)),
  families: ({ store, program }, id) => one(store.families.byId(id), (row) => formatFamily(row, program)),
  accounts: ({ bank }, id) => formatAccount(bank.accounts.byId(id), bank),
  master_accounts: ({ bank }) => formatMasterAccount(bank.accounts.master(), bank),
  card_holders: ({ store, bank }, id) =>
    one(store.cardHolders.byId(id), (row) => formatCardHolder(row, bank)),
  cards: ({ bank }, id) => formatCard(bank.cards.byId(id), bank),
  counterparties: ({ store, bank }, id) =>
    one(store.counterparties.byId(id), (row) => formatCounterparty(row, bank)),
  transactions: ({ store, bank }, id) =>
    one(store.transactions.byId(id), (row) => formatTransaction(row, bank)),
  documents: ({ store }, id) => one(store.documents.byId(id), (row) => formatDocument(row, NO_LINK)),
  attachments: ({ store }, id) => one(store.attachments.byId(id), (row) => formatAttachment(row, NO_LINK)),
  webhooks: ({ store, program }, id) =>
    one(store.webhooks.byId(id), (row) =>
      row.apiVersion === 'v1'
        ? formatWebhookV1(row, program)
        : formatWebhook(row, program, { withSecret: false }),
    ),
};

/** Every leaf value of a record, by its path. */
function flatten(value: unknown, path = '', into = new Map<string, unknown>()): Map<string, unknown> {
  const isNested = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isNested) return into.set(path, value);
  for (const [name, field] of Object.entries(value)) {
    flatten(field, path === '' ? name : `${path}.${name}`, into);
  }
  return into;
}

/** The fields in which two forms of a record differ, masked only once that is known. */
function differencesOf(before: object, after: object): FieldChange[] {
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

/** The form of a record in one of the two states; `undefined` if the state does not have it. */
type Formatted = (noun: ComparedNoun, id: Id) => { id: string } | undefined;

const formattedIn =
  (sandbox: Sandbox): Formatted =>
  (noun, id) =>
    FORMATS[noun](sandbox, id);

function comparisonOf(compared: DatabaseComparison, before: Formatted, after: Formatted): Comparison {
  const records = COMPARED_NOUNS.flatMap((noun) =>
    compared[noun].rows.flatMap(({ id, change }): RecordDifference[] => {
      const old = change === 'created' ? undefined : before(noun, id);
      const fresh = change === 'removed' ? undefined : after(noun, id);
      const shown = fresh ?? old;
      if (shown === undefined) return [];
      const fields = old === undefined || fresh === undefined ? [] : differencesOf(old, fresh);
      const record = maskRecord(shown) as Record<string, unknown>;
      return [{ noun, id: shown.id, change, record, fields }];
    }),
  );
  return { counts: COMPARED_NOUNS.map((noun) => ({ noun, ...compared[noun].counts })), records };
}

/** Compares two images, which cannot be used afterwards, and lists at most `limit` records of each noun. */
export function compareImages(
  seedImages: Pick<SeedImages, 'withTemporary'>,
  before: Image,
  after: Image,
  limit: number,
): Comparison {
  return seedImages.withTemporary(before, (old) =>
    seedImages.withTemporary(after, (fresh) => {
      const [olds, news] = [rowsOf(old.connection.sqlite), rowsOf(fresh.connection.sqlite)];
      return comparisonOf(compareDatabases(olds, news, limit), formattedIn(old), formattedIn(fresh));
    }),
  );
}

/**
 * The same with only one image open at a time: it reads all rows of the first image into memory, and opens the image
 * again for the listed records.
 */
export function compareInTurn(
  seedImages: Pick<SeedImages, 'withTemporary'>,
  before: Buffer,
  after: Buffer,
  limit: number,
): Comparison {
  const olds = seedImages.withTemporary(before, ({ connection }) => rowsKept(connection.sqlite));
  const { compared, fresh } = seedImages.withTemporary(after, (sandbox) => {
    const found = compareDatabases(olds, rowsOf(sandbox.connection.sqlite), limit);
    return { compared: found, fresh: formattedAhead(found, 'removed', formattedIn(sandbox)) };
  });
  const old = seedImages.withTemporary(before, (sandbox) =>
    formattedAhead(compared, 'created', formattedIn(sandbox)),
  );
  return comparisonOf(compared, old, fresh);
}

/** The forms of the listed records, except of records that this state does not have. */
function formattedAhead(compared: DatabaseComparison, without: RecordChange, format: Formatted): Formatted {
  const forms = new Map(
    COMPARED_NOUNS.flatMap((noun) =>
      compared[noun].rows
        .filter(({ change }) => change !== without)
        .map(({ id }) => [`${noun} ${id}`, format(noun, id)] as const),
    ),
  );
  return (noun, id) => forms.get(`${noun} ${id}`);
}

/** How large an image is, in bytes. */
export function sizeOf(image: Image): number {
  return Buffer.isBuffer(image) ? image.length : statSync(image.file).size;
}
