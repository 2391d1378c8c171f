/**
 * Comparing in the control plane: what became of a bank between a snapshot and another, or the bank as it is.
 */
import { Type } from '@sinclair/typebox';
import type { Registry } from '../registry/registry.ts';
import { type Comparison, compareImages, sizeOf } from '../sandbox/comparison.ts';
import { AT_ONCE_BYTES, inThread } from '../sandbox/image-thread.ts';
import type { Image, Sandbox } from '../sandbox/sandbox.ts';
import { COMPARED_NOUNS } from '../store/comparison.ts';
import { enumOf, text } from './fields.ts';
import { PageQuery, parsePage } from './ledger.ts';
import { controlOperation } from './operation.ts';
import { imageOf, NameParams, snapshotOf } from './sandboxes.ts';

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

/** Uses files up. Where the images are large a thread compares them; it gets copies of what is in memory. */
async function compare(
  { seedImages }: Registry,
  before: Image,
  after: Image,
  limit: number,
): Promise<Comparison> {
  const isLarge = sizeOf(before) + sizeOf(after) > 2 * AT_ONCE_BYTES;
  if (!isLarge) return compareImages(seedImages, before, after, limit);
  return inThread('compare', { before, after, limit, now: seedImages.now() });
}

/** What was made only to be compared is removed again. */
function discard({ folder }: Registry, image: Image): void {
  if (!Buffer.isBuffer(image)) folder?.discard(image.file);
}

async function compareSnapshots(
  registry: Registry,
  sandbox: Sandbox,
  { name, other, limit }: { name: string; other: string | undefined; limit: number },
): Promise<Comparison> {
  const before = await snapshotOf(registry, sandbox.name, name);
  try {
    const after =
      other === undefined
        ? await imageOf(registry, sandbox)
        : await snapshotOf(registry, sandbox.name, other);
    try {
      return await compare(registry, before, after, limit);
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
  controlOperation({
    id: 'sandbox_compare_snapshot',
    method: 'GET',
    path: '/_sandbox/snapshots/:name/compare',
    group: 'State',
    summary: 'Compare the bank with a snapshot',
    description:
      'Compares the bank with a snapshot, or one snapshot with another: which records were created, changed and removed. All are counted, and the first of each kind are shown with their fields before and after.',
    answer: 'The differences, counted and with their first records.',
    status: 200,
    refuses: ['snapshot_not_found', 'image_invalid', 'field_invalid'],
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
    run: ({ registry, sandbox }, { params, query }) => {
      const { limit } = parsePage(query);
      return compareSnapshots(registry, sandbox, { name: params.name, other: query.with, limit });
    },
  }),
] as const;
