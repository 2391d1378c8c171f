/**
 * An idle bank in memory: the difference of its image from the image that new sandboxes are cloned from, compressed. An unused
 * sandbox differs in some hundred bytes of a few pages, so thousands of them take little.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface RestingImage {
  /** How large the database is, in bytes. */
  readonly bytes: number;
  /** Shared by all resting sandboxes. */
  readonly base: Buffer;
  /** The numbers of the pages that differ from the base. */
  readonly pages: readonly number[];
  /**
   * The exclusive or of these pages with those of the base, in order, compressed with Zstandard. A text with a
   * character for each byte, because a buffer would be allocated between memory that SQLite has freed, which then could
   * not be returned to the system.
   */
  readonly packed: string;
}

/** SQLite's default page size. Another size would be correct too, but more pages would differ. */
const PAGE = 4096;

export function packImage(image: Buffer, base: Buffer): RestingImage {
  const pages: number[] = [];
  const parts: Buffer[] = [];
  for (let at = 0; at < image.length; at += PAGE) {
    const end = Math.min(at + PAGE, image.length);
    if (end <= base.length && image.compare(base, at, end, at, end) === 0) continue;
    pages.push(at / PAGE);
    parts.push(image.subarray(at, end));
  }
  const changed = Buffer.concat(parts);
  for (const [number, page] of pages.entries()) combine(changed, number * PAGE, base, page * PAGE);
  return { bytes: image.length, base, pages, packed: zstdCompressSync(changed).toString('latin1') };
}

export function unpackImage({ bytes, base, pages, packed }: RestingImage): Buffer {
  const image = Buffer.allocUnsafeSlow(bytes);
  base.copy(image);
  const changed = zstdDecompressSync(Buffer.from(packed, 'latin1'));
  for (const [number, page] of pages.entries()) {
    combine(changed, number * PAGE, base, page * PAGE);
    changed.copy(image, page * PAGE, number * PAGE, (number + 1) * PAGE);
  }
  return image;
}

/**
 * Replaces a page by its exclusive or with the page of the base, if the base has one. A second call restores the page.
 */
function combine(pages: Buffer, at: number, base: Buffer, baseAt: number): void {
  const length = Math.min(PAGE, pages.length - at, base.length - baseAt);
  for (let place = 0; place < length; place += 1) {
    pages[at + place] = (pages[at + place] as number) ^ (base[baseAt + place] as number);
  }
}

/** Releases the memory of an image at once, and not with the next garbage collection; the image is empty afterwards. */
export function releaseImage(image: Buffer): void {
  const { buffer } = image;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === image.length) buffer.transfer(0);
}
