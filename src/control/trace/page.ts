/**
 * A trace as one HTML file: the inspector's code, which `build/inspector.mjs` puts into `dist/trace.html`, and the data of
 * the sandbox, compressed. The file calls no server and opens from a disk.
 */
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { projectFile } from '../../kernel/project.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { Answers } from './collect.ts';

export interface Trace {
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
  readonly answers: Answers;
}

/** A larger file is refused: no browser opens it in a reasonable time. */
export const TRACE_AT_MOST_BYTES = 25 * 1024 * 1024;

const TEMPLATE = projectFile('dist/trace.html');
/** Where the data goes. */
const PLACE = '<!-- trace -->';
const compress = promisify(gzip);

/** Makes the file. Refuses: `trace_too_large`, `failure` where the inspector was not built. */
export async function makeTracePage(trace: Trace, atMostBytes = TRACE_AT_MOST_BYTES): Promise<Buffer> {
  if (!existsSync(TEMPLATE)) {
    throw refuse('failure', {
      message: 'the inspector was not made: run "node build/bundle.mjs" in the folder of the program',
    });
  }
  const data = (await compress(JSON.stringify(trace), { level: 9 })).toString('base64');
  // A function, because a text would have `$` in it replaced.
  const page = readFileSync(TEMPLATE, 'utf8').replace(
    PLACE,
    () => `<script type="application/gzip" id="trace">${data}</script>`,
  );
  const bytes = Buffer.from(page, 'utf8');
  if (bytes.length > atMostBytes) {
    const megabytes = (bytes.length / 1024 / 1024).toFixed(1);
    throw refuse('trace_too_large', {
      message: `the trace would have ${megabytes} MB, and ${atMostBytes / 1024 / 1024} MB is the maximum: reset the sandbox before the test, or give each test a sandbox of its own`,
    });
  }
  return bytes;
}
