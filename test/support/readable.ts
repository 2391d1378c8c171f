/** The form of an image that the bank under test reads: one of a cluster reads rows alone. */
import { readImage } from '../../src/bank/store/images.ts';
import { openConnection } from '../../src/bank/store/open.ts';
import { dumpRows, isRowImage } from '../../src/bank/store/row-image.ts';
import { IS_WORKERD } from '../server/process/support.ts';

/** The image itself, or for a bank of a cluster its rows. */
export function readable(image: Buffer): Buffer {
  if (!IS_WORKERD || isRowImage(image)) return image;
  const { sqlite, close } = openConnection({ kind: 'image', image: readImage([image]) });
  try {
    return dumpRows(sqlite);
  } finally {
    close();
  }
}
