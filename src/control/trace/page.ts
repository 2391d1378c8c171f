/**
 * A trace as one HTML file: the inspector's code, which `build/inspector.mjs` puts into `dist/trace.html`, and the data of
 * the sandbox, compressed. The file calls no server and opens from a disk.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { readProjectFile } from '../../kernel/project.ts';
import { refuse } from '../../kernel/refusal.ts';

/** What is in a trace besides the answers of the sandbox. */
export interface TraceHead {
  /** Of the form of this data. */
  readonly version: 1;
  readonly sandbox: string;
  /** On the real clock, ISO 8601 in UTC. */
  readonly made_at: string;
  /** The version of the program. */
  readonly program: string;
  /** The test that failed; empty for a trace that was asked for. */
  readonly test: string;
  readonly error: string;
}

/** The data of a trace. The page knows it as the same. */
export interface Trace extends TraceHead {
  /** By path and query. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A larger file is refused: no browser opens it in a reasonable time. */
export const TRACE_AT_MOST_BYTES = 25 * 1024 * 1024;

const TEMPLATE = 'dist/trace.html';
/** Where the data goes. */
const PLACE = '<!-- trace -->';
const OPEN = '<script type="application/gzip" id="trace">';
const CLOSE = '</script>';
const compress = promisify(gzip);
/** Smaller by a fifth than the fastest, for twice its time. */
const LEVEL = 4;

let template: readonly [Buffer, Buffer] | undefined;

/** The page before its data and after, which is the same for all traces. */
function readTemplate(): readonly [Buffer, Buffer] {
  const page = readProjectFile(TEMPLATE)?.toString('utf8');
  if (page === undefined) {
    throw refuse('failure', {
      message: 'the inspector was not made: run "node build/bundle.mjs" in the folder of the program',
    });
  }
  const at = page.indexOf(PLACE);
  return [Buffer.from(page.slice(0, at) + OPEN), Buffer.from(CLOSE + page.slice(at + PLACE.length))];
}

/** Makes the file with a `Trace` as JSON. Refuses: `trace_too_large`, `failure` where the inspector was not built. */
export async function makeTracePage(json: Buffer, atMostBytes = TRACE_AT_MOST_BYTES): Promise<Buffer> {
  template ??= readTemplate();
  const data = (await compress(json, { level: LEVEL })).toString('base64');
  const page = Buffer.concat([template[0], Buffer.from(data, 'latin1'), template[1]]);
  if (page.length > atMostBytes) {
    const megabytes = (page.length / 1024 / 1024).toFixed(1);
    throw refuse('trace_too_large', {
      message: `the trace would have ${megabytes} MB, and ${atMostBytes / 1024 / 1024} MB is the maximum: reset the sandbox before the test, or give each test a sandbox of its own`,
    });
  }
  return page;
}
