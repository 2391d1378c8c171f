/**
 * Sends one request of v2, v1 or the control plane, as a program under test would. The operation is one of the OpenAPI
 * documents of the bank, so that an unknown parameter is an error with the allowed ones.
 */
import type { Sandbank } from '../../kit/bank.ts';
import { CommandError, UsageError } from '../bank.ts';
import { type OperationRow, operationNamed } from './find.ts';

/** The input of the tool. */
export interface RequestInput {
  readonly operation: string;
  /** Values of the path, the query and the headers, by name. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The status and the body of the response. Throws a `CommandError` with them for a refusal. */
export async function sendRequest(bank: Sandbank, input: RequestInput): Promise<string> {
  const row = await operationNamed(bank, input.operation);
  const { path, headers } = placeParams(row, input.params ?? {});
  const answer = await bank.fetch(path, {
    method: row.method,
    headers: { ...headers, ...(input.body !== undefined && { 'content-type': 'application/json' }) },
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
  });
  const hint = answer.headers.get('x-sandbox-hint');
  const lines = [`${answer.status}`, await answer.text(), hint === null ? '' : `hint: ${hint}`];
  const text = lines.filter((line) => line !== '').join('\n');
  if (!answer.ok) throw new CommandError(text);
  return text;
}

/** The path with its query, and the headers. Throws a `UsageError` for an unknown or a missing name. */
function placeParams(
  { path, operation }: OperationRow,
  params: Readonly<Record<string, unknown>>,
): { path: string; headers: Record<string, string> } {
  const { operationId, parameters = [] } = operation;
  const known = parameters.map(({ name }) => name);
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `params has no ${unknown} in ${operationId}; its names: ${known.join(', ') || 'none'}`,
    );
  }
  const missing = parameters.find(({ name, in: place }) => place === 'path' && params[name] === undefined);
  if (missing !== undefined) throw new UsageError(`${operationId} needs ${missing.name} in params`);
  const ofPlace = (wanted: string): [string, string][] =>
    parameters.flatMap(({ name, in: place }) =>
      place === wanted && params[name] !== undefined ? [[name, String(params[name])]] : [],
    );
  const filled = ofPlace('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(ofPlace('query')).toString();
  return {
    path: query === '' ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(ofPlace('header')),
  };
}
