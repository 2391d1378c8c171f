/**
 * The recorded answers of the operations, which the documents show as examples. They were recorded from a bank with a
 * fixed seed; the ids of its seeded records are replaced by those of the bank that serves the document. The files are
 * large, so they are read when a document is requested.
 */
import { projectFile, readServedFile } from '../../bank/kernel/project.ts';
import type { When } from '../../bank/model/timetable.ts';
import type { ApiDocument } from './schemas.ts';

/** An event of an operation: sent at once, or after scheduled steps. */
export interface RecordedEvent {
  readonly kind: string;
  /** The steps of the timetable since the event before; empty for an event of the operation itself. */
  readonly steps: readonly When[];
}

export interface RecordedOperation {
  /** The body of the success; absent if there is none or if it is a file. */
  readonly answer?: unknown;
  /** Whether lists in the response were cut to their first items. */
  readonly isShortened?: boolean;
  readonly events: readonly RecordedEvent[];
  /** The names of the error bodies by the codes of the refusals. */
  readonly refusals?: Readonly<Record<string, string>>;
}

export interface RecordedAnswers {
  /** The ids of the seeded records in the recorded bank, by their names. */
  readonly ids: Readonly<Record<string, string>>;
  readonly operations: Readonly<Record<string, RecordedOperation>>;
  /** The error bodies by their names. */
  readonly refusals: Readonly<Record<string, object>>;
}

const pathOf = (name: ApiDocument['name']): string => `fixtures/answers/${name}.json`;
/** The file of a document's answers. */
export const answersFile = (name: ApiDocument['name']): URL => projectFile(pathOf(name));

const RECORDED_ADDRESS = 'http://127.0.0.1:4800';

/** Reads the recorded answers of a document, with the ids and the address of the bank that serves it. */
export async function readAnswers(
  name: ApiDocument['name'],
  { ids, address }: { ids: Readonly<Record<string, string>>; address: string },
): Promise<RecordedAnswers> {
  const text = (await readServedFile(pathOf(name)))?.toString('utf8');
  if (text === undefined) throw new Error(`${pathOf(name)} is missing in the folder of the program`);
  const recorded = (JSON.parse(text) as RecordedAnswers).ids;
  const own = new Map(Object.entries(recorded).map(([as, id]) => [id, ids[as] ?? id]));
  const known = new RegExp([RECORDED_ADDRESS, ...own.keys()].join('|'), 'g');
  const written = text.replaceAll(known, (found) => own.get(found) ?? address);
  return JSON.parse(written) as RecordedAnswers;
}
