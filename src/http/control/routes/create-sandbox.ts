/**
 * Makes a sandbox: founded as every other, or a copy of one, or of a snapshot. Where only created sandboxes exist, its
 * key is random and shown here alone.
 */
import { Type } from '@sinclair/typebox';
import { imageNamed } from '../names.ts';
import { controlOperation } from '../operation.ts';

export const createSandbox = controlOperation({
  id: 'sandbox_create_sandbox',
  method: 'POST',
  path: '/_sandbox/sandboxes',
  group: 'Sandboxes',
  summary: 'Make a sandbox',
  status: 201,
  refuses: ['sandbox_exists', 'snapshot_not_found'],
  body: Type.Object({
    name: Type.String({ description: '1 to 64 letters, digits, _ and -, the first a letter or digit.' }),
    from: Type.Optional(
      Type.String({
        description:
          'A sandbox to copy, or else a snapshot of the sandbox that the call addresses; `<sandbox>/<snapshot>` is a snapshot of another.',
      }),
    ),
  }),
  response: Type.Object({
    name: Type.String(),
    key: Type.String({ description: 'The key that opens it. A random one is not shown again.' }),
  }),
  example: { body: { name: 'spare' } },
  run: async ({ registry, sandbox }, { body: { name, from } }) => {
    const image = from === undefined ? undefined : await imageNamed(registry, sandbox, from);
    return { name, key: registry.create(name, image).key };
  },
});
