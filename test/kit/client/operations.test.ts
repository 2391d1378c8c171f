/**
 * The client against a bank: the example of every operation of v1 and v2, called by the client's own methods, succeeds.
 */
import { expect } from 'vitest';
import { type AnyOperation, type ExampleWorld, formatExample } from '../../../src/bank/api/operation.ts';
import type { Sandbank } from '../../../src/kit/bank.ts';
import { nameOf } from '../../../src/kit/client/table.ts';
import { test } from '../../../src/kit/vitest.ts';
import { CASES } from '../../server/http/cases.ts';

type Methods = Record<string, (request: object) => Promise<unknown>>;
/** Runs an operation's example. */
function carryOut(
  { v1, v2 }: Sandbank,
  seeded: Readonly<Record<string, string>>,
  operation: AnyOperation,
): Promise<unknown> | undefined {
  const seed: ExampleWorld['seed'] = (name) => {
    const id = seeded[name];
    if (id === undefined) throw new Error(`the bank was seeded without ${name}`);
    return id;
  };
  const { files, headers, ...request } = formatExample(operation, { seed });
  const methods = (operation.path.startsWith('/v1/') ? v1 : v2) as unknown as Methods;
  return methods[nameOf(operation.id)]?.({
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
}

test.for(CASES)('$name', async ({ operation }, { bank }) => {
  const answer = await carryOut(bank, await bank.seeded(), operation);
  if (operation.status === 204) expect(answer).toBeUndefined();
  else expect(answer).toBeTypeOf('object');
});
