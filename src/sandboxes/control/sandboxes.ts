/**
 * Sandboxes in the control plane: create, list and delete.
 */
import { Type } from '@sinclair/typebox';
import type { ClockMode } from '../sandbox/sandbox-clock.ts';
import { CLOCK_MODES, formatInstant } from './clock.ts';
import { DATE_TIME, enumOf } from './fields.ts';
import { controlOperation } from './operation.ts';

export const NameParams = Type.Object({ name: Type.String() });

const SandboxView = Type.Object({
  name: Type.String(),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key that opens the sandbox; null if the key is random.',
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
    description: 'The clock of the sandbox; null while its file is closed or its memory is compressed.',
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
      key: Type.String({ description: 'The key that opens the sandbox. A random key is not shown again.' }),
    }),
    example: { body: { name: 'spare' } },
    run: async (context, { body: { name, from } }) => {
      const { registry } = context;
      const image = from === undefined ? undefined : await registry.images.named(from, context);
      return { name, key: registry.create(name, image).key };
    },
  }),

  controlOperation({
    id: 'sandbox_delete_sandbox',
    method: 'DELETE',
    path: '/_sandbox/sandboxes/:name',
    group: 'Sandboxes',
    about: 'none',
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
