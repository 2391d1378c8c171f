/**
 * Hands out the whole bank as a SQLite database that any program can read, and an import can go on with.
 */
import { Type } from '@sinclair/typebox';
import { controlOperation } from '../operation.ts';
import { IMAGE_TYPE } from '../transfers.ts';

export const exportSandbox = controlOperation({
  id: 'sandbox_export',
  method: 'GET',
  path: '/_sandbox/export',
  group: 'State',
  summary: 'The bank as a SQLite database',
  status: 200,
  contentType: IMAGE_TYPE,
  response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
  run: ({ sandbox }) => sandbox.image(),
});
