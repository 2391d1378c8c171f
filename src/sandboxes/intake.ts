/**
 * Takes in images of banks. One from outside is opened aside and looked at before a sandbox goes on with it, because
 * what a sandbox has gone on with cannot be taken back; the books must be right as well as the bytes.
 */
import { readFileSync } from 'node:fs';
import { refuse } from '../kernel/refusal.ts';
import { ImageError, readImage } from '../store/images.ts';
import type { DataFolder } from './data-folder.ts';
import type { Founder } from './founder.ts';
import type { Image } from './sandbox.ts';

/** An image from outside, brought to this program's schema. Refuses: `image_invalid`, and then nothing was changed. */
export function checkedImage(founder: Founder, bytes: Buffer): Buffer {
  const image = read(bytes);
  let problems: string[];
  try {
    problems = founder.aside(image, (sandbox) => {
      sandbox.store.counts();
      sandbox.bank.webhooks.list();
      const { program, seeded, store } = sandbox;
      const isFounded =
        store.masterAccounts.byId(program.masterAccountId) !== undefined &&
        store.webhooks.byId(seeded.webhookId) !== undefined &&
        typeof seeded.ids === 'object' &&
        typeof seeded.linkSecret === 'string';
      if (!isFounded) throw new Error('what it was founded with is not in it');
      return sandbox.audit().problems;
    });
  } catch (error) {
    throw invalid(`the bank in it does not open: ${error instanceof Error ? error.message : String(error)}`);
  }
  const [problem, ...more] = problems;
  if (problem === undefined) return image;
  const others = more.length === 0 ? '' : `, and ${more.length} more`;
  throw invalid(`its books are wrong: ${problem}${others}`);
}

function read(bytes: Buffer): Buffer {
  try {
    return readImage(bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw invalid(error.message);
  }
}

function invalid(problem: string): Error {
  return refuse('image_invalid', {
    message: `this is no bank that can be gone on with: ${problem}. GET /_sandbox/export makes one that is; nothing was changed`,
  });
}

/**
 * A copy of the file of a snapshot, brought to this program's schema, for a sandbox to go on with. Refuses: `image_invalid`.
 */
export async function checkedCopy(founder: Founder, folder: DataFolder, file: string): Promise<Image> {
  const fresh = folder.unfinished();
  await folder.copy(file, fresh);
  const bytes = checkedImage(founder, readFileSync(fresh));
  folder.discard(fresh);
  return bytes;
}
