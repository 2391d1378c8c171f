/**
 * Hands out the whole bank as a SQLite database that any program can read, and an import can go on with.
 */
import { createReadStream } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { imageOf } from '../names.ts';
import { controlOperation } from '../operation.ts';
import { IMAGE_TYPE } from '../transfers.ts';

export const exportSandbox = controlOperation({
  id: 'sandbox_export',
  method: 'GET',
  path: '/_sandbox/export',
  group: 'State',
  summary: 'The bank as a SQLite database, which an import takes up to 2 GiB',
  status: 200,
  contentType: IMAGE_TYPE,
  response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
  run: async ({ registry, sandbox }) => {
    const image = await imageOf(registry, sandbox);
    return Buffer.isBuffer(image) ? image : streamed(image.file, () => registry.folder?.discard(image.file));
  },
});

/** A file as it is read, which the server sends as it would its bytes; `over` is called when nobody reads it any more. */
function streamed(file: string, over: () => void): Buffer {
  return createReadStream(file).once('close', over) as unknown as Buffer;
}
