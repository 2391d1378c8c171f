/**
 * Prints the exported types of the client: the records of each version, the kinds of events with their records, and
 * the return codes and the error codes. `node build/print-records.ts` writes the files.
 */
import type { TSchema } from '@sinclair/typebox';
import { recordOf as recordOfV1 } from '../src/bank/api/v1/events.ts';
import { V1_OPERATIONS } from '../src/bank/api/v1/index.ts';
import { recordOf as recordOfV2 } from '../src/bank/api/v2/events.ts';
import { V2_OPERATIONS } from '../src/bank/api/v2/index.ts';
import { V2_CODES } from '../src/bank/kernel/v2-codes.ts';
import { V1_KINDS, V2_KINDS } from '../src/bank/model/facts.ts';
import { RETURN_CODE_NAMES } from '../src/bank/model/return-codes.ts';
import { nameOf } from '../src/kit/client/table.ts';
import { type Page, print } from './page.ts';

const PRINTED_BY = 'node build/print-records.ts';

interface Row {
  readonly id: string;
  readonly response?: TSchema;
  /** For operations of v2 with the shapes of v1. */
  readonly recordsOf?: 'v1';
}

const VERSIONS = {
  V1: { operations: V1_OPERATIONS as readonly Row[], kinds: V1_KINDS, recordOf: recordOfV1 },
  V2: { operations: V2_OPERATIONS as readonly Row[], kinds: V2_KINDS, recordOf: recordOfV2 },
};
type Version = keyof typeof VERSIONS;

/** The type of each named record, from an operation that returns it. */
function recordsOf(version: Version): Map<string, string> {
  const found = new Map<string, string>();
  const rows = VERSIONS[version].operations.filter(({ recordsOf: of }) => of === undefined);
  const isAnswer = ({ id }: Row): boolean => nameOf(id).startsWith('retrieve');
  for (const { id, response } of rows.toSorted((a, b) => Number(isAnswer(b)) - Number(isAnswer(a)))) {
    const name = response?.title;
    if (name !== undefined && !found.has(name)) found.set(name, `Answer<'${nameOf(id)}'>`);
  }
  // Records that only lists return.
  for (const { id, response } of rows) {
    const listed = response?.properties?.data?.items?.title;
    const isRecord = response?.properties?.data?.items?.properties !== undefined;
    if (isRecord && listed !== undefined && !found.has(listed)) {
      found.set(listed, `Answer<'${nameOf(id)}'>['data'][number]`);
    }
  }
  return found;
}

function printRecords(version: Version): string {
  const lines = [...recordsOf(version)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => `export type ${name} = ${type};\n`);
  return `/**
 * The records of ${version.toLowerCase()} by their names: \`${version}.Transaction\`. Printed by ${PRINTED_BY}.
 */
import type { ${version}Methods } from './types.ts';

type Answer<Name extends keyof ${version}Methods> = Awaited<ReturnType<${version}Methods[Name]>>;

${lines.join('')}`;
}

function printEvents(version: Version): string {
  const { kinds, recordOf } = VERSIONS[version];
  const names = recordsOf(version);
  const lines = kinds.map((kind) => {
    const { title = '' } = recordOf(kind);
    // No operation returns the records of kinds that the bank only sends as examples.
    return `  '${kind}': ${names.has(title) ? `${version}.${title}` : 'Unserved'};\n`;
  });
  return `/** The event types of ${version.toLowerCase()}, each with the record that it carries. */
export interface ${version}Events {
${lines.join('')}}
`;
}

function printEventTypes(): string {
  const codes = RETURN_CODE_NAMES.map((code) => `  | '${code}'`);
  const errors = Object.keys(V2_CODES).map((code) => `  | '${code}'`);
  return `/**
 * The event types of both versions with the record that each carries, the ACH return codes, and the error codes of v2.
 * Printed by ${PRINTED_BY}.
 */
import type * as V1 from './v1.ts';
import type * as V2 from './v2.ts';

/** The record of a kind that the bank only sends as an example. */
type Unserved = Readonly<Record<string, unknown>>;

${printEvents('V2')}
${printEvents('V1')}
/** An event type of either version. */
export type EventType = keyof V2Events | keyof V1Events;

/** The record that an event of this kind carries; either record for a kind of both versions. */
export type EventRecord<Kind extends EventType> =
  | (Kind extends keyof V2Events ? V2Events[Kind] : never)
  | (Kind extends keyof V1Events ? V1Events[Kind] : never);

/** The code under which an ACH entry is sent back. */
export type ReturnCode =
${codes.join('\n')};

/** A code in the error body of v2. */
export type V2ErrorCode =
${errors.join('\n')};
`;
}

export const RECORD_PAGES: readonly Page[] = [
  { path: 'src/kit/client/v2.ts', printedBy: PRINTED_BY, text: () => printRecords('V2') },
  { path: 'src/kit/client/v1.ts', printedBy: PRINTED_BY, text: () => printRecords('V1') },
  { path: 'src/kit/client/event-types.ts', printedBy: PRINTED_BY, text: printEventTypes },
];

if (import.meta.main) RECORD_PAGES.forEach(print);
