/**
 * Ends a sandbox with everything that it kept, its snapshots included.
 */
import { NameParams } from '../names.ts';
import { controlOperation } from '../operation.ts';

export const deleteSandbox = controlOperation({
  id: 'sandbox_delete_sandbox',
  method: 'DELETE',
  path: '/_sandbox/sandboxes/:name',
  group: 'Sandboxes',
  summary: 'Delete a sandbox with its snapshots',
  status: 204,
  refuses: ['illegal_step'],
  params: NameParams,
  example: { params: { name: 'spare' } },
  run: ({ registry }, { params }) => registry.remove(params.name),
});
