/**
 * A recording is a redacted file with the responses of the other side. `--record` and `sandbank proxy` write it;
 * recordings and HAR files can be read.
 */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { exchangesOfHar, isHar } from './har.ts';
import { redact } from './redact.ts';
import type { Transcript } from './transcript.ts';

const FORMAT = 'sandbank-recording';

const Fields = Type.Record(Type.String(), Type.String());
const Exchange = Type.Object({
  step: Type.String(),
  operation: Type.String(),
  request: Type.Object({
    method: Type.String(),
    path: Type.String(),
    query: Type.Optional(Fields),
    headers: Type.Optional(Fields),
    body: Type.Optional(Type.Unknown()),
  }),
  answer: Type.Optional(Type.Object({ status: Type.Integer(), headers: Fields, body: Type.Unknown() })),
  failure: Type.Optional(Type.String()),
  states: Type.Optional(Type.Array(Type.String())),
  field: Type.Optional(Type.String()),
  isReached: Type.Optional(Type.Boolean()),
  ignore: Type.Optional(Type.Array(Type.String())),
  isSteady: Type.Optional(Type.Boolean()),
});
const EventWait = Type.Object({
  step: Type.String(),
  event: Type.String(),
  about: Type.String(),
  operation: Type.String(),
  received: Type.Array(Type.Object({ type: Type.String(), body: Type.Unknown() })),
  isReached: Type.Boolean(),
  afterMs: Type.Number(),
});
const RecordingDocument = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.Literal(1),
  recorded: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' }),
  exchanges: Type.Array(Exchange),
  events: Type.Optional(Type.Array(EventWait)),
});

export interface Recording extends Transcript {
  /** The day, such as `2026-11-25`. */
  readonly recorded: string;
}

export class RecordingError extends Error {}

/** The text of a recording. Everything that identifies a person or business is replaced. */
export function formatRecording(transcript: Transcript, recorded: string): string {
  const { exchanges, events } = redact(transcript);
  const recording = {
    format: FORMAT,
    version: 1,
    recorded,
    exchanges,
    ...(events !== undefined && { events }),
  };
  return `${JSON.stringify(recording, null, 1)}\n`;
}

/** Reads a recording or a HAR file. Throws a `RecordingError` that names the file. */
export function parseRecording(document: unknown, file: string): Recording {
  if (isHar(document)) return exchangesOfHar(document);
  if (Value.Check(RecordingDocument, document)) return document as unknown as Recording;
  const problem = [...Value.Errors(RecordingDocument, document)][0];
  throw new RecordingError(
    `${file} is neither a recording nor a HAR file (${problem?.path || 'the document'}: ${problem?.message ?? 'empty'}). Create one with "sandbank compare --record" or "sandbank proxy", or save a HAR file in the browser`,
  );
}
