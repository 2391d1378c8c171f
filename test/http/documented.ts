/**
 * Whether the OpenAPI documents tell of every refusal that is given: each answer in a test of the interface is held
 * against what its operation is said to refuse, by status and by the code that the caller reads.
 */

import { CONTROL_OPERATIONS } from '../../src/api/control/index.ts';
import { V1_OPERATIONS } from '../../src/api/v1/index.ts';
import { V2_OPERATIONS } from '../../src/api/v2/index.ts';
import { STATUS_OF_KIND } from '../../src/http/errors.ts';
import {
  formatControlExample,
  formatV1Example,
  formatV2Example,
  refusalCodesOf,
} from '../../src/http/openapi/refusals.ts';
import type { ApiDocument, OperationRow } from '../../src/http/openapi/schemas.ts';
import { refuse } from '../../src/kernel/refusal.ts';
import { REFUSALS } from '../../src/kernel/refusals.ts';

interface Known {
  row: OperationRow;
  matches: RegExp;
  refusals: ReadonlySet<string>;
}

const SPELLERS = { v1: formatV1Example, v2: formatV2Example, sandbox: formatControlExample } as const;

/** The code of an error's body; v1's say of which sort of holder they are, which depends on the field. */
function codeIn(body: unknown): string {
  const { code, error } = body as { code?: string; error?: { code?: string } };
  return String(code ?? error?.code).replace(/_(PERSON|BUSINESS)(?=_|$)/, '_HOLDER');
}

const KNOWN: readonly Known[] = (
  [
    ['v2', V2_OPERATIONS],
    ['v1', V1_OPERATIONS],
    ['sandbox', CONTROL_OPERATIONS],
  ] as [ApiDocument['name'], readonly OperationRow[]][]
).flatMap(([name, rows]) =>
  rows.map((row) => ({
    row,
    matches: new RegExp(`^${row.path.replace(/:\w+/g, '[^/]+')}$`),
    refusals: new Set(
      refusalCodesOf(name, row).map((code) => {
        const status = STATUS_OF_KIND[REFUSALS[code].kind];
        return `${status} ${codeIn(SPELLERS[name](refuse(code), row))}`;
      }),
    ),
  })),
);

/** A path that is written out is meant before one with a parameter in its place. */
function rowOf(method: string, path: string): Known | undefined {
  const found = KNOWN.filter(({ row, matches }) => row.method === method && matches.test(path));
  return found.find(({ row }) => row.path === path) ?? found[0];
}

/** The refusal that no document tells of; `undefined` when there is none. */
export function undocumented(
  method: string,
  url: string,
  answer: { status: number; headers: Record<string, string>; body: unknown },
): string | undefined {
  const { status, headers, body } = answer;
  if (status < 400 || typeof body !== 'object' || body === null) return undefined;
  // What a fault plays is what somebody asked for.
  if (String(headers['x-sandbox-hint'] ?? '').startsWith('fault ')) return undefined;
  const known = rowOf(method, url.split('?', 1)[0] ?? '');
  if (known === undefined) return undefined;
  const given = `${status} ${codeIn(body)}`;
  return known.refusals.has(given) ? undefined : `${known.row.id}: ${given}`;
}
