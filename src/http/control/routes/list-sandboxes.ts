/**
 * Lists the sandboxes there are. A random key is not among them: it was shown when its sandbox was made.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { word } from '../shapes.ts';

const SandboxView = Type.Object({
  name: Type.String(),
  key: Type.Union([Type.String(), Type.Null()], {
    description: 'The key that opens it; null where that is a random one.',
  }),
  kept: word(['memory', 'file']),
  open: Type.Boolean({ description: 'False for a file that rests until it is used.' }),
  problem: Type.String({
    description: 'Why its file cannot be used, so that its key answers 503; "" for one that can.',
  }),
});

export const listSandboxes = controlOperation({
  id: 'sandbox_list_sandboxes',
  method: 'GET',
  path: '/_sandbox/sandboxes',
  group: 'Sandboxes',
  summary: 'List the sandboxes',
  status: 200,
  response: Type.Object({ sandboxes: Type.Array(SandboxView) }),
  run: ({ registry }) => ({ sandboxes: registry.list() }),
});
