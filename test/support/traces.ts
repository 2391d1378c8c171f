/** Reads the data in a trace. */
import { gunzipSync } from 'node:zlib';
import type { Trace } from '../../src/sandboxes/control/trace/page.ts';

const DATA = /<script type="application\/gzip" id="trace">([^<]*)<\/script>/;

/** The data of a trace file. */
export function dataOf(page: Buffer): Trace {
  const [, data = ''] = DATA.exec(page.toString()) ?? [];
  return JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString()) as Trace;
}
