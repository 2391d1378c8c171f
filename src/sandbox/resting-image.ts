/**
 * An idle bank in memory: the compressed pages in which its image differs from the image that new sandboxes are
 * cloned from. An unused sandbox differs in a few of more than a hundred pages, so a thousand such sandboxes need a
 * few megabytes.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface RestingImage {
  /** How large the database is, in bytes. */
  readonly bytes: number;
  /** Shared by all resting sandboxes. */
  readonly base: Buffer;
  /** The numbers of the pages that differ from the base. */
  readonly pages: Uint32Array;
  /** These pages in order, compressed with Zstandard. */
  readonly packed: Buffer;
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
  const packed = zstdCompressSync(Buffer.concat(parts));
  return { bytes: image.length, base, pages: Uint32Array.from(pages), packed };
}

export function unpackImage({ bytes, base, pages, packed }: RestingImage): Buffer {
  const image = Buffer.allocUnsafeSlow(bytes);
  base.copy(image);
  const changed = zstdDecompressSync(packed);
  for (const [number, page] of pages.entries()) {
    changed.copy(image, page * PAGE, number * PAGE, (number + 1) * PAGE);
  }
  return image;
}
