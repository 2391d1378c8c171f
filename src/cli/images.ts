/**
 * Converts an image of a bank between its two forms: a SQLite database, which any SQLite program reads, and the rows
 * of one, which a sandbox in a Durable Object of workerd also reads and writes.
 */
import { CommandError } from './bank.ts';

/** Loaded for a conversion only, because no other command needs SQLite. */
const load = async () => {
  const [images, rows, open, error] = await Promise.all([
    import('../bank/store/images.ts'),
    import('../bank/store/row-image.ts'),
    import('../bank/store/open.ts'),
    import('../bank/store/image-error.ts'),
  ]);
  return { ...images, ...rows, ...open, ...error };
};

/** Converts an image to a SQLite database. Fails with a `CommandError` for rows that cannot be read. */
export async function asDatabase(image: Uint8Array): Promise<Uint8Array> {
  const { databaseOf, ImageError, isRowImage } = await load();
  if (!isRowImage(image)) return image;
  try {
    return databaseOf(image);
  } catch (error) {
    throw error instanceof ImageError ? unreadable(error) : error;
  }
}

/** Converts an image to rows. Fails with a `CommandError` for a database that cannot be read. */
export async function asRows(image: Uint8Array): Promise<Uint8Array> {
  const { dumpRows, ImageError, isRowImage, openConnection, readImage } = await load();
  if (isRowImage(image)) return image;
  try {
    const { sqlite, close } = openConnection({ kind: 'image', image: readImage([image]) });
    try {
      return dumpRows(sqlite);
    } finally {
      close();
    }
  } catch (error) {
    throw error instanceof ImageError ? unreadable(error) : error;
  }
}

/** The rows of a SQLite database; `null` if it is none that this program can read. */
export async function rowsIn(image: Buffer): Promise<Uint8Array | null> {
  const { isRowImage } = await load();
  return isRowImage(image) ? null : asRows(image).catch(() => null);
}

const unreadable = ({ message }: Error): CommandError =>
  new CommandError(`this image cannot be converted: ${message}`);
