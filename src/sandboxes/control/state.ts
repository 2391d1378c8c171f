/**
 * The whole state of a bank: reset, seed, export and import, and the short form that these operations and those of
 * snapshots return.
 */
import { type Static, Type } from '@sinclair/typebox';
import { formatV2 } from '../../bank/api/ids.ts';
import { refuse } from '../../bank/kernel/refusal.ts';
import { Upload } from '../registry/image-import.ts';
import { SQLITE_TYPE } from '../registry/images.ts';
import type { Registry } from '../registry/registry.ts';
import { markToken } from '../registry/token-marks.ts';
import type { Image } from '../sandbox/bank-replacement.ts';
import type { Instance } from '../sandbox/instance.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SECTIONS, type Section } from '../sandbox/seed-checks.ts';
import { defaultSeedDocument, type SeedDocument, SeedDocumentShape } from '../sandbox/seed-document.ts';
import { ClockView, formatClock } from './clock.ts';
import { Counts, text } from './fields.ts';
import { controlOperation } from './operation.ts';

export const StateView = Type.Object({
  sandbox: text('The name of the sandbox.'),
  clock: ClockView,
  counts: Counts,
});

export const SnapshotView = Type.Object({
  name: Type.String(),
  bytes: Type.Integer({ description: 'Size of the image in bytes.' }),
});

/** The counts of a bank's records, and its clock. */
export function formatState(
  name: string,
  { clock, store }: Pick<Sandbox, 'clock' | 'store'>,
): Static<typeof StateView> {
  return { sandbox: name, clock: formatClock({ clock }), counts: store.counts() };
}

/** Replaces the bank of a sandbox, and returns the counts and the clock of the new bank, or of the one of `preview`. */
export function exchange(
  registry: Registry,
  sandbox: Sandbox,
  image: Image,
  preview?: () => Instance,
): Promise<Static<typeof StateView>> {
  return registry.exchange(sandbox, image, (bank) => formatState(sandbox.name, bank), preview);
}

/** The kind of record that the entries of each list create. */
const KINDS = {
  persons: 'holder',
  businesses: 'holder',
  accounts: 'account',
  counterparties: 'counterparty',
  card_holders: 'card_holder',
  cards: 'card',
  families: 'family',
  memberships: 'member',
  documents: 'document',
  attachments: 'attachment',
  transfers: 'transaction',
  incoming: 'transaction',
  wallets: 'wallet',
} as const satisfies Record<Exclude<Section, 'tokens'>, string>;

/** The ids of the records of a seed document by their names in it, as v2 writes them. */
export function idsOf(
  name: string,
  { seeded: { ids, tokens = {} } }: Pick<Sandbox, 'seeded'>,
  document: SeedDocument,
): Record<string, string> {
  const formatted = SECTIONS.flatMap((section) =>
    (document[section] ?? []).map(({ as }) => [
      as,
      section === 'tokens' ? markToken(name, tokens[as] ?? '') : formatV2(KINDS[section], ids[as] ?? ''),
    ]),
  );
  const members = document.businesses.flatMap((business) => business.members).map(({ as }) => as);
  const named = members.filter((as) => as !== undefined).map((as) => [as, formatV2('member', ids[as] ?? '')]);
  return Object.fromEntries([...formatted, ...named]);
}

export const STATE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_reset',
    method: 'POST',
    path: '/_sandbox/reset',
    group: 'State',
    summary: 'Reset the sandbox',
    description:
      'Resets the sandbox to its seed: the same records with the same ids, and the clock of the process settings. Requests that have begun finish on the old bank, and later requests use the new one.',
    answer: 'The newly seeded bank.',
    status: 200,
    response: StateView,
    run({ registry, sandbox }) {
      const { seedImages } = registry;
      const image = seedImages.imageOf(sandbox);
      return exchange(registry, sandbox, image, () => seedImages.preview(image));
    },
  }),

  controlOperation({
    id: 'sandbox_seed',
    method: 'POST',
    path: '/_sandbox/seed',
    group: 'State',
    summary: 'Seed the sandbox from a document',
    description:
      "Seeds the bank again from a document, completely or not at all. A later reset restores this seed. The records are created at the time of the sandbox's clock.",
    answer: 'The new bank with the ids of its records.',
    status: 200,
    body: SeedDocumentShape,
    response: Type.Intersect([
      StateView,
      Type.Object({
        ids: Type.Record(Type.String(), Type.String(), {
          description: 'The ids by the names in the document.',
        }),
      }),
    ]),
    example: { body: () => defaultSeedDocument() },
    run: async ({ registry, sandbox }, { body }) => {
      const { clock } = sandbox;
      const now = clock.now();
      const image = registry.seedImages.imageFrom(body, now);
      const { mode, shows, setAt } = clock.setting();
      const wasSet = mode !== 'live' || shows !== setAt;
      // Set in the image, so that the bank and its clock change in one step.
      const fresh = wasSet ? registry.seedImages.withClock(image, clock) : image;
      return registry.exchange(sandbox, fresh, (bank) => ({
        ...formatState(sandbox.name, bank),
        ids: idsOf(sandbox.name, bank, body),
      }));
    },
  }),

  controlOperation({
    id: 'sandbox_export',
    method: 'GET',
    path: '/_sandbox/export',
    group: 'State',
    summary: 'Export the bank as a SQLite database',
    description:
      'Exports the whole bank as a SQLite database. Any SQLite program can read it, and it can be imported again.',
    answer: 'The bank, a SQLite database.',
    status: 200,
    contentType: SQLITE_TYPE,
    response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
    run: async ({ registry: { images }, sandbox }) => images.body(await images.of(sandbox)),
  }),

  controlOperation({
    id: 'sandbox_import',
    method: 'POST',
    path: '/_sandbox/import',
    group: 'State',
    summary: 'Import an exported SQLite database',
    description:
      'Replaces the bank with an exported one; the body is the SQLite database itself. It is checked first: an image that is damaged, too new, of another program, or with books that do not balance is refused and changes nothing.',
    answer: 'The imported bank.',
    status: 200,
    refuses: ['image_invalid', 'body_too_large'],
    bodyType: SQLITE_TYPE,
    response: StateView,
    run: async ({ registry, sandbox }, { body }) => {
      const upload: unknown = body;
      if (!(upload instanceof Upload) || upload.length === 0) {
        throw refuse('image_invalid', {
          message: 'send the database itself as the body: curl --data-binary @bank.sqlite',
        });
      }
      return exchange(registry, sandbox, await registry.images.take(upload));
    },
  }),
] as const;
