/**
 * The common part of the traces of one sandbox: its answers, masked and compressed. Collecting them takes much memory
 * and time, so a process runs one collection at a time, and all traces of a sandbox that wait meanwhile share its
 * result.
 */
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { collectAnswers, type ReadPath } from './collect.ts';
import { createTraceMask, type TraceMask } from './mask.ts';
import { compressPart, type TracePart } from './page.ts';

export interface SharedAnswers {
  /** The start of a trace as JSON, up to the field after the answers. */
  readonly begin: TracePart;
  /** Masks the secrets of the answers. */
  readonly mask: TraceMask;
}

let last: Promise<unknown> = Promise.resolve();
/** By sandbox, the collection that has not started. */
const waiting = new WeakMap<Sandbox, Promise<SharedAnswers>>();

/** The answers of a sandbox, now or a moment later. */
export function shareAnswers(sandbox: Sandbox, read: ReadPath): Promise<SharedAnswers> {
  const shared = waiting.get(sandbox);
  if (shared !== undefined) return shared;
  const next = last.then(() => {
    // Later callers need a new collection.
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
