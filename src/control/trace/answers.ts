/**
 * What traces of one sandbox have in common: its answers, masked and compressed. Collecting them takes much memory and time, so a
 * process does it once at a time, and all traces of a sandbox that wait meanwhile get the same ones.
 */
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { collectAnswers, type ReadPath } from './collect.ts';
import { createTraceMask, type TraceMask } from './mask.ts';
import { compressPart, type TracePart } from './page.ts';

export interface SharedAnswers {
  /** The beginning of a trace as JSON, up to the field after the answers. */
  readonly begin: TracePart;
  /** Knows what is secret in the answers. */
  readonly mask: TraceMask;
}

let last: Promise<unknown> = Promise.resolve();
/** By sandbox, what has not begun. */
const waiting = new WeakMap<Sandbox, Promise<SharedAnswers>>();

/** The answers of a sandbox as it is now or a moment later. */
export function shareAnswers(sandbox: Sandbox, read: ReadPath): Promise<SharedAnswers> {
  const shared = waiting.get(sandbox);
  if (shared !== undefined) return shared;
  const next = last.then(() => {
    // Whoever comes from here on needs what is there then.
    waiting.delete(sandbox);
    return readAnswers(sandbox, read);
  });
  waiting.set(sandbox, next);
  last = next.catch(() => {});
  return next;
}

async function readAnswers(sandbox: Sandbox, read: ReadPath): Promise<SharedAnswers> {
  const mask = createTraceMask();
  const parts: Buffer[] = [];
  const add = (text: string): number => parts.push(Buffer.from(text));
  add('{"answers":{');
  let separator = '';
  await collectAnswers(sandbox, read, (path, answer) => {
    add(separator);
    separator = ',';
    parts.push(mask.write(path));
    add(':');
    parts.push(mask.write(answer));
  });
  add('},');
  return { begin: await compressPart(mask.hide(Buffer.concat(parts))), mask };
}
