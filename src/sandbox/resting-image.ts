/**
 * A bank in memory at rest: the pages in which its image differs from the one that new sandboxes are cloned from, compressed.
 * A sandbox that nobody has touched differs in a few pages of more than a hundred, so a thousand of them need some megabytes.
 */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

export interface RestingImage {
  /** How large the database is, in bytes. */
  readonly bytes: number;
  /** Shared by all that rest. */
  readonly base: Buffer;
  /** The numbers of the pages that differ from the base. */
  readonly pages: Uint32Array;
  /** These pages one after the other, compressed with Zstandard. */
  readonly packed: Buffer;
}

/** SQLite's usual page. Another size would still be right, but more would differ. */
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
