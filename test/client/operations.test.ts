/**
 * The client against a bank: the example of every operation of v1 and v2, called by the client's own methods, succeeds.
 */
import { expect } from 'vitest';
import { nameOf } from '../../src/client/table.ts';
import { type AnyOperation, type ExampleWorld, writeExample } from '../../src/http/operation.ts';
import type { Sandbank } from '../../src/kit/bank.ts';
import { test } from '../../src/kit/vitest.ts';
import { CASES } from '../http/cases.ts';

type Methods = Record<string, (request: object) => Promise<unknown>>;
type Answers = Map<AnyOperation, unknown>;

/** Carries out an operation's example, and before it the one that it builds on. */
async function carryOut(
  bank: Sandbank,
  seeded: Readonly<Record<string, string>>,
  operation: AnyOperation,
  answers: Answers = new Map(),
): Promise<unknown> {
  const { after } = operation.example;
  if (after !== undefined) await carryOut(bank, seeded, after, answers);
  const made: ExampleWorld['made'] = (path, of = after) => textAt(of && answers.get(of), path);
  const seed: ExampleWorld['seed'] = (name) => textAt(seeded, name);
  const { files, headers, ...request } = writeExample(operation, { seed, made });
  const answer = await methodsFor(bank, operation)[nameOf(operation.id)]?.({
    ...request,
    headers: { 'sd-person-id': seed('person_id'), ...headers },
    ...(files !== undefined && {
      files: Object.fromEntries(
        Object.entries(files).map(([part, { contentType, base64 }]) => [
          part,
          new Blob([Buffer.from(base64, 'base64')], { type: contentType }),
        ]),
      ),
    }),
  });
  answers.set(operation, answer);
  return answer;
}

/** What comes before an example may be the control plane's. */
function methodsFor({ v1, v2, sandbox }: Sandbank, { path }: AnyOperation): Methods {
  const of: Record<string, unknown> = { v1, v2, _sandbox: sandbox };
  return of[path.split('/')[1] ?? ''] as Methods;
}

function textAt(value: unknown, path: string): string {
  const found = path.split('.').reduce((inner, name) => (inner as Record<string, unknown>)?.[name], value);
  if (typeof found === 'number') return String(found);
  if (typeof found !== 'string') throw new Error(`there is no text at ${path}`);
  return found;
}

test.for(CASES)('$name', async ({ operation }, { bank }) => {
  const answer = await carryOut(bank, await bank.seeded(), operation);
  if (operation.status === 204) expect(answer).toBeUndefined();
  else expect(answer).toBeTypeOf('object');
});
