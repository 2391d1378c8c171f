/**
 * Sandboxes in the control plane: create, list and delete, and the names and images of sandboxes and snapshots.
 */
import { Type } from '@sinclair/typebox';
import { refuse } from '../kernel/refusal.ts';
import { checkedCopy, copyOf } from '../registry/intake.ts';
import { type Registry, SANDBOX_NAME } from '../registry/registry.ts';
import { notThere } from '../registry/removal.ts';
import type { Image, Sandbox } from '../sandbox/sandbox.ts';
import type { ClockMode } from '../sandbox/sandbox-clock.ts';
import { CLOCK_MODES, formatInstant } from './clock.ts';
import { DATE_TIME, enumOf } from './fields.ts';
import { controlOperation } from './operation.ts';

export const NameParams = Type.Object({ name: Type.String() });

/** The name of a snapshot. Refuses: `field_invalid`. */
export function parseSnapshotName(name: string): string {
  if (SANDBOX_NAME.test(name)) return name;
  throw refuse('field_invalid', {
    field: 'name',
    message: `name is ${JSON.stringify(name)}; expected 1 to 64 letters, digits, _ and -, the first a letter or digit`,
  });
}

/** The image of a snapshot of a sandbox, ready to be opened. Refuses: `snapshot_not_found`, `image_invalid`. */
export async function snapshotOf(
  { snapshots, seedImages, folder }: Registry,
  sandbox: string,
  name: string,
): Promise<Image> {
  const found = snapshots.find(sandbox, parseSnapshotName(name));
  if (found === undefined) {
    const known = snapshots.list(sandbox).map((row) => row.name);
    throw refuse('snapshot_not_found', {
      message: `the sandbox ${sandbox} has no snapshot ${name}; PUT /_sandbox/snapshots/${name} takes one`,
      legal: known,
    });
  }
  const { image, isAsTaken } = found;
  if (folder === null || Buffer.isBuffer(image)) return image;
  return isAsTaken ? copyOf(folder, image.file) : checkedCopy(seedImages, folder, image.file);
}

/** The image of a sandbox's current state, for one use. */
export async function imageOf({ folder }: Registry, sandbox: Sandbox): Promise<Image> {
  if (folder === null) return sandbox.image();
  const file = folder.unfinished();
  try {
    await sandbox.writeTo(file);
  } catch (error) {
    folder.discard(file);
    throw error;
  }
  return { file };
}

/**
 * The image that a new sandbox starts with: of a sandbox, or otherwise of a snapshot of the sandbox that the call
 * addresses; `<sandbox>/<snapshot>` is a snapshot of another sandbox. Refuses: `sandbox_not_found`,
 * `snapshot_not_found`.
 */
async function imageNamed(registry: Registry, addressed: Sandbox, from: string): Promise<Image> {
  const [name = '', snapshot, ...rest] = from.split('/');
  if (snapshot !== undefined) {
    if (rest.length > 0 || registry.byName(name) === undefined) throw notThere(name);
    return snapshotOf(registry, name, snapshot);
  }
  const sandbox = registry.byName(name);
  if (sandbox !== undefined) return imageOf(registry, sandbox);
  if (registry.snapshots.list(addressed.name).some((row) => row.name === name)) {
    return snapshotOf(registry, addressed.name, name);
  }
  throw refuse('sandbox_not_found', {
    field: 'from',
    message: `from names ${JSON.stringify(from)}, which is neither a sandbox nor a snapshot of ${addressed.name}; <sandbox>/<snapshot> names a snapshot of another sandbox`,
  });
}

const SandboxView = Type.Object({
  name: Type.String(),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key that opens it; null if that is a random one.',
  }),
  kept: enumOf(['memory', 'file']),
  open: Type.Boolean({ description: 'False for a file that is closed until its next use.' }),
  problem: Type.String({
    description: 'Why its file cannot be used and its requests get 503; "" if it can be used.',
  }),
  bytes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Size of its database in bytes; null if there is none.',
  }),
  used_at: Type.Union([Type.String(DATE_TIME), Type.Null()], {
    description:
      'Time of its last request, in real time, ISO 8601 in UTC to the millisecond; null if there was none since the server started.',
  }),
  clock: Type.Unsafe<{ mode: ClockMode; now: string } | null>({
    type: 'object',
    nullable: true,
    description: 'Its clock; null while it rests.',
    required: ['mode', 'now'],
    properties: {
      mode: { type: 'string', enum: [...CLOCK_MODES] },
      now: { type: 'string', description: 'ISO 8601 in UTC, to the millisecond.', ...DATE_TIME },
    },
  }),
});

export const SANDBOX_OPERATIONS = [
  controlOperation({
    id: 'sandbox_list_sandboxes',
    method: 'GET',
    path: '/_sandbox/sandboxes',
    group: 'Sandboxes',
    about: 'none',
    summary: 'List the sandboxes',
    description:
      'Lists the sandboxes with their sizes, last uses and clocks, without opening any. Random keys are not shown.',
    answer: 'The sandboxes with their sizes and clocks.',
    status: 200,
    response: Type.Object({ sandboxes: Type.Array(SandboxView) }),
    run: ({ registry }) => ({
      sandboxes: registry.list().map(({ usedAt, clock, ...row }) => ({
        ...row,
        used_at: usedAt === null ? null : formatInstant(usedAt),
        clock: clock === null ? null : { mode: clock.setting().mode, now: formatInstant(clock.now()) },
      })),
    }),
  }),

  controlOperation({
    id: 'sandbox_create_sandbox',
    method: 'POST',
    path: '/_sandbox/sandboxes',
    group: 'Sandboxes',
    about: 'none',
    summary: 'Create a sandbox',
    description:
      'Creates a sandbox: newly seeded, or a copy of another sandbox or of a snapshot. If `SANDBANK_SANDBOXES` is `closed`, its key is random and shown only here.',
    answer: 'The sandbox and its key.',
    status: 201,
    refuses: ['sandbox_exists', 'snapshot_not_found'],
    body: Type.Object({
      name: Type.String({ description: '1 to 64 letters, digits, _ and -, the first a letter or digit.' }),
      from: Type.Optional(
        Type.String({
          description:
            'A sandbox to copy, or a snapshot of the sandbox that the key selects; `<sandbox>/<snapshot>` is a snapshot of another sandbox.',
        }),
      ),
    }),
    response: Type.Object({
      name: Type.String(),
      key: Type.String({ description: 'The key that opens it. A random one is not shown again.' }),
    }),
    example: { body: { name: 'spare' } },
    run: async (context, { body: { name, from } }) => {
      const { registry } = context;
      const image = from === undefined ? undefined : await imageNamed(registry, context.sandbox, from);
      return { name, key: registry.create(name, image).key };
    },
  }),

  controlOperation({
    id: 'sandbox_delete_sandbox',
    method: 'DELETE',
    path: '/_sandbox/sandboxes/:name',
    group: 'Sandboxes',
    about: 'name',
    summary: 'Delete a sandbox with its snapshots',
    description: 'Deletes a sandbox with all its data and snapshots. The default sandbox cannot be deleted.',
    answer: 'The sandbox was deleted; there is no body.',
    status: 204,
    refuses: ['illegal_step'],
    params: NameParams,
    example: { params: { name: 'spare' } },
    run: ({ registry }, { params }) => registry.remove(params.name),
  }),
] as const;
