/**
 * Copies the small bank of a file in one turn of the event loop, which takes less time than a copy of its file.
 */
import { withoutSurroundings } from '../store/images.ts';
import { AT_ONCE_BYTES } from './image-thread.ts';
import type { Instance } from './instance.ts';

/**
 * The image of a small bank in a file, without its surroundings; `undefined` for a larger one, which `writeTo` copies
 * in several turns of the event loop.
 */
export function smallImageOf(sandbox: Pick<Instance, 'connection' | 'image'>): Buffer | undefined {
  return sandbox.connection.bytes() > AT_ONCE_BYTES ? undefined : withoutSurroundings(sandbox.image());
}
