/**
 * Comparison in the control plane: the changes between a snapshot and another snapshot or the current bank.
 */
import { Type } from '@sinclair/typebox';
import { COMPARED_NOUNS } from '../../bank/store/comparison.ts';
import type { Registry } from '../registry/registry.ts';
import type { Comparison } from '../sandbox/comparison.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { enumOf, text } from './fields.ts';
import { PageQuery, parsePage } from './ledger.ts';
import { controlOperation } from './operation.ts';
import { NameParams } from './sandboxes.ts';

const Value = (description: string) => Type.Unknown({ description });

const Difference = Type.Object({
  noun: enumOf(COMPARED_NOUNS),
  id: text('In the format of v2, or of v1 for a record of v1.'),
  change: enumOf(['created', 'changed', 'removed']),
  record: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'The record in the format of its version: the old record if it was removed, otherwise the current one.',
  }),
  fields: Type.Array(
    Type.Object({
      field: text('The path of the field: `controls.limit.period`.'),
      before: Value('The old value; null for a new field.'),
      after: Value('The new value; null for a removed field.'),
    }),
    {
      description:
        'The changed fields; empty if the version does not show the change, like the next scheduled step.',
    },
  ),
});

async function compareSnapshots(
  { images }: Registry,
  sandbox: Sandbox,
  { name, other, limit }: { name: string; other: string | undefined; limit: number },
): Promise<Comparison> {
  const before = await images.ofSnapshot(sandbox.name, name);
  try {
    const after =
      other === undefined ? await images.of(sandbox) : await images.ofSnapshot(sandbox.name, other);
    try {
      return await images.compare(before, after, limit);
    } finally {
      images.discard(after);
    }
  } finally {
    images.discard(before);
  }
}

const NounCounts = Type.Object({
  noun: enumOf(COMPARED_NOUNS),
  created: Type.Integer({ description: 'Number of records that exist only now.' }),
  changed: Type.Integer({ description: 'Number of records that exist in both and differ.' }),
  removed: Type.Integer({ description: 'Number of records that existed only before.' }),
});

export const COMPARE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_compare_snapshot',
    method: 'GET',
    path: '/_sandbox/snapshots/:name/compare',
    group: 'State',
    summary: 'Compare the bank with a snapshot',
    description:
      'Compares the bank with a snapshot, or one snapshot with another: which records were created, changed and removed. The response counts all of them, and shows the first of each kind with their fields before and after.',
    answer: 'The differences, counted and with their first records.',
    status: 200,
    refuses: ['snapshot_not_found', 'image_invalid', 'field_invalid'],
    params: NameParams,
    query: Type.Object({
      with: Type.Optional(
        Type.String({ description: 'A later snapshot of the sandbox; default: the current bank.' }),
      ),
      limit: PageQuery.limit,
    }),
    response: Type.Object({
      counts: Type.Array(NounCounts, {
        description: 'For every kind of record, also for those without a difference.',
      }),
      records: Type.Array(Difference, {
        description: 'By kind, in the order of their ids; at most `limit` of each kind.',
      }),
    }),
    example: { params: { name: 'payday' } },
    run: ({ registry, sandbox }, { params, query }) => {
      const { limit } = parsePage(query);
      return compareSnapshots(registry, sandbox, { name: params.name, other: query.with, limit });
    },
  }),
] as const;
