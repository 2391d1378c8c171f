/**
 * A refusal of the bank as an error: the status, the code and the field, read from the error body of any interface,
 * and the body itself.
 */

import type { V2ErrorCode } from './event-types.ts';

/** The request: its path as it was sent, without the query. */
interface Called {
  readonly method: string;
  readonly path: string;
}

/** Thrown for every response that is not a success. */
export class SandbankError extends Error {
  override readonly name = 'SandbankError';
  readonly status: number;
  /** Such as `ERROR_CODE_INVALID_FIELD` (v2), `EC_CONTACT_NOT_FOUND` (v1) or `sandbox_not_found` (control plane). */
  readonly code: V2ErrorCode | (string & {});
  /** v2: the invalid field; `''` if there is no single one, and in the other interfaces. */
  readonly field: string;
  /** Control plane: what to do, or the invalid field; `''` in the other interfaces. */
  readonly hint: string;
  /** The parsed body; its text if it is not JSON. */
  readonly body: unknown;
  /** The id of the request in the bank's log and journal; `''` if the response has none. */
  readonly requestId: string;

  constructor({ method, path }: Called, status: number, text: string, requestId: string | null) {
    const body = parse(text);
    const { code, message, field, hint } = partsOf(body);
    super(`${method} ${path}: ${status} ${code} ${message}`.trim());
    this.status = status;
    this.code = code;
    this.field = field;
    this.hint = hint;
    this.body = body;
    this.requestId = requestId ?? '';
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** v2 and the control plane put the error into a nested object, v1 into the body. */
function partsOf(body: unknown): Record<'code' | 'message' | 'field' | 'hint', string> {
  const outer = record(body);
  const inner = 'error' in outer ? record(outer.error) : outer;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    code: text(inner.code),
    message: text(inner.message),
    field: text(inner.field_name),
    hint: text(inner.hint),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
