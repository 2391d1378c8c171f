/**
 * A trace as one HTML file: the inspector's code, which `build/inspector.mjs` puts into `dist/trace.html`, and the
 * data of the sandbox, compressed. The file calls no server and opens from a disk. The common part of the traces of
 * one sandbox is compressed once: the two parts of the data form one gzip file (RFC 1952), because the first ends at
 * a byte boundary.
 */
import { promisify } from 'node:util';
import { crc32, deflateRaw, constants as zlib } from 'node:zlib';
import { readServedFile } from '../../../bank/kernel/project.ts';
import { refuse } from '../../../bank/kernel/refusal.ts';

/** The data of a trace. The page has the same type. */
export interface Trace {
  /** The version of this data format. */
  readonly version: 1;
  readonly sandbox: string;
  /** On the real clock, ISO 8601 in UTC. */
  readonly made_at: string;
  /** The version of the program. */
  readonly program: string;
  /** The test that failed; empty for a trace on request. */
  readonly test: string;
  readonly error: string;
  /** By path and query. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The start of the data, compressed. */
export interface TracePart {
  readonly bytes: Buffer;
  readonly length: number;
  readonly crc: number;
}

/** A larger file is refused: no browser opens it in a reasonable time. */
const MAX_TRACE_BYTES = 25 * 1024 * 1024;

const TEMPLATE = 'dist/trace.html';
/** The placeholder of the data. */
const PLACE = '<!-- trace -->';
const OPEN = '<script type="application/gzip" id="trace">';
const CLOSE = '</script>';
const compress = promisify(deflateRaw);
/** A fifth smaller than with the fastest level, in twice its time. */
const LEVEL = 4;
/** Deflate, no flags, no time, an unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

let template: readonly [Buffer, Buffer] | undefined;

/** The page before and after its data, which is the same for all traces. */
async function readTemplate(): Promise<readonly [Buffer, Buffer]> {
  const page = (await readServedFile(TEMPLATE))?.toString('utf8');
  if (page === undefined) {
    throw refuse('failure', {
      message: 'the inspector was not built: run "node build/bundle.mjs" in the folder of the program',
    });
  }
  const at = page.indexOf(PLACE);
  return [Buffer.from(page.slice(0, at) + OPEN), Buffer.from(CLOSE + page.slice(at + PLACE.length))];
}

/** Compresses the start of the data, a `Trace` as JSON. */
export async function compressPart(json: Buffer): Promise<TracePart> {
  const bytes = await compress(json, { level: LEVEL, finishFlush: zlib.Z_SYNC_FLUSH });
  return { bytes, length: json.length, crc: crc32(json) };
}

/** Creates the file from the data. Refuses: `trace_too_large`, `failure` if the inspector was not built. */
export async function makeTracePage(
  begin: TracePart,
  end: Buffer,
  maxBytes = MAX_TRACE_BYTES,
): Promise<Buffer> {
  template ??= await readTemplate();
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(end, begin.crc), 0);
  trailer.writeUInt32LE((begin.length + end.length) % 2 ** 32, 4);
  const data = Buffer.concat([GZIP_HEADER, begin.bytes, await compress(end, { level: LEVEL }), trailer]);
  const page = Buffer.concat([template[0], Buffer.from(data.toString('base64'), 'latin1'), template[1]]);
  if (page.length > maxBytes) {
    const megabytes = (page.length / 1024 / 1024).toFixed(1);
    throw refuse('trace_too_large', {
      message: `the trace would have ${megabytes} MB, and ${maxBytes / 1024 / 1024} MB is the maximum: reset the sandbox before the test, or use a separate sandbox for each test`,
    });
  }
  return page;
}
