/**
 * Reads the file of a SQLite database without SQLite: a Durable Object can use SQLite only for its own database, so it
 * imports the rows of an exported one. It reads whole b-trees in order. Invalid bytes are an `ImageError`; the caller
 * checks the rows.
 * Source: https://www.sqlite.org/fileformat2.html.
 */
import { ImageError } from './image-error.ts';
import type { SchemaRow } from './schema-texts.ts';

/** A value of a row; an integer that a number cannot represent exactly is a `bigint`. */
type FileValue = string | number | bigint | Buffer | null;

/** A row of a table: the number that SQLite gave it, `null` in a table without them, and its stored values. */
interface FileRow {
  readonly rowid: number | bigint | null;
  readonly values: readonly FileValue[];
}

interface FileObject extends SchemaRow {
  readonly rootPage: number;
}

export interface DatabaseFile {
  /** `user_version`. */
  readonly version: number;
  readonly schema: readonly FileObject[];
  /** The rows of the b-tree that begins at a page. */
  rows(rootPage: number): Generator<FileRow>;
}

const HEADER_BYTES = 100;
const PAGE_SIZE_AT = 16;
const RESERVED_AT = 20;
const PAGE_COUNT_AT = 28;
const ENCODING_AT = 56;
const VERSION_AT = 60;
const UTF8 = 1;
/** The value in the header for the largest page size, which does not fit into the field. */
const LARGEST_PAGE = 65_536;

const INDEX_INTERIOR = 0x02;
const TABLE_INTERIOR = 0x05;
const INDEX_LEAF = 0x0a;
const TABLE_LEAF = 0x0d;
/** Deeper than any tree of a file that fits into memory. */
const MOST_LEVELS = 20;

const damaged = (what: string): ImageError => new ImageError(`it is damaged: ${what}`);

/** Opens the bytes of a whole file. Throws `ImageError`. */
export function openDatabaseFile(file: Buffer): DatabaseFile {
  const word = file.readUInt16BE(PAGE_SIZE_AT);
  const pageSize = word === 1 ? LARGEST_PAGE : word;
  const pages = file.readUInt32BE(PAGE_COUNT_AT);
  if (file.readUInt32BE(ENCODING_AT) !== UTF8) throw new ImageError('its texts are not UTF-8');
  const usable = pageSize - (file[RESERVED_AT] ?? 0);
  if (file.length !== pageSize * pages || usable < 480) {
    throw damaged(`it has ${file.length} bytes, and its header says ${pageSize * pages}`);
  }
  const pageAt = (number: number): Buffer => {
    if (number < 1 || number > pages) throw damaged(`there is no page ${number}`);
    return file.subarray((number - 1) * pageSize, number * pageSize);
  };
  /** The number of visited pages of the current tree: a tree has no page twice. */
  let visited = 0;
  const payloadAt = (page: Buffer, at: number, length: number, isTable: boolean): Buffer => {
    if (length > file.length) throw damaged('a row in it is larger than the file');
    const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
    if (length <= most) return whole(page.subarray(at, at + length), length);
    const least = Math.floor(((usable - 12) * 32) / 255) - 23;
    const fitting = least + ((length - least) % (usable - 4));
    const local = fitting <= most ? fitting : least;
    const parts = [page.subarray(at, at + local)];
    let next = page.readUInt32BE(at + local);
    for (let left = length - local; left > 0; ) {
      const overflow = pageAt(next);
      const part = overflow.subarray(4, Math.min(usable, 4 + left));
      parts.push(part);
      left -= part.length;
      next = overflow.readUInt32BE(0);
    }
    return whole(Buffer.concat(parts), length);
  };

  function* rows(number: number, level = 0): Generator<FileRow> {
    if (level === 0) visited = 0;
    visited += 1;
    if (level > MOST_LEVELS || visited > pages) throw damaged('a tree in it contains a page twice');
    const page = pageAt(number);
    const start = number === 1 ? HEADER_BYTES : 0;
    const type = page[start];
    const isInterior = type === TABLE_INTERIOR || type === INDEX_INTERIOR;
    const isTable = type === TABLE_INTERIOR || type === TABLE_LEAF;
    if (!isInterior && type !== TABLE_LEAF && type !== INDEX_LEAF)
      throw damaged(`page ${number} has an unknown type`);
    const cells = page.readUInt16BE(start + 3);
    const pointers = start + (isInterior ? 12 : 8);
    for (let cell = 0; cell < cells; cell += 1) {
      const reader = new Reader(page, page.readUInt16BE(pointers + 2 * cell));
      if (isInterior) yield* rows(reader.page(), level + 1);
      if (isInterior && isTable) continue;
      const length = Number(reader.varint());
      const rowid = isTable ? asNumber(reader.varint()) : null;
      yield { rowid, values: valuesIn(payloadAt(page, reader.at, length, isTable)) };
    }
    if (isInterior) yield* rows(page.readUInt32BE(start + 8), level + 1);
  }

  const schema = [...rows(1)].map(({ values: [type, name, table, rootPage, sql] }): FileObject => {
    return {
      type: String(type),
      name: String(name),
      table: String(table),
      rootPage: Number(rootPage),
      sql: sql === null || sql === undefined ? null : String(sql),
    };
  });
  return { version: file.readInt32BE(VERSION_AT), schema, rows: (rootPage) => rows(rootPage) };
}

function whole(payload: Buffer, length: number): Buffer {
  if (payload.length !== length) throw damaged('a row in it is cut off');
  return payload;
}

/** Reads a buffer, starting at an offset. */
class Reader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  page(): number {
    this.at += 4;
    return this.#bytes.readUInt32BE(this.at - 4);
  }

  /** A variable-length integer: seven bits in each of up to eight bytes, and eight bits in a ninth. */
  varint(): bigint {
    let value = 0n;
    for (let count = 0; count < 9; count += 1) {
      const byte = this.#bytes[this.at];
      if (byte === undefined) throw damaged('a number in it is cut off');
      this.at += 1;
      if (count === 8) return BigInt.asIntN(64, (value << 8n) | BigInt(byte));
      value = (value << 7n) | BigInt(byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  }

  value(type: number): FileValue {
    const length = type >= 12 ? (type - 12) >> 1 : (LENGTHS[type] ?? -1);
    if (length < 0) throw damaged('a value in it has an unknown type');
    const bytes = whole(this.#bytes.subarray(this.at, this.at + length), length);
    this.at += length;
    if (type >= 12) return type % 2 === 0 ? bytes : bytes.toString('utf8');
    if (type === 0) return null;
    if (type >= 8) return type - 8;
    if (type === 7) return bytes.readDoubleBE(0);
    return length === 8 ? asNumber(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, length);
  }
}

/** The sizes in bytes of the types of values below 12; a type from 12 on contains its size. */
const LENGTHS = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0];

const asNumber = (value: bigint): number | bigint => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
};

/** A record: the types of its values, then the values. */
function valuesIn(record: Buffer): FileValue[] {
  const head = new Reader(record, 0);
  const end = Number(head.varint());
  const body = new Reader(record, end);
  const values: FileValue[] = [];
  while (head.at < end) values.push(body.value(Number(head.varint())));
  return values;
}
