/**
 * A trace: one file that shows a sandbox as it is now, for whoever looks at a failed test later. It opens without a server.
 */
import { Type } from '@sinclair/typebox';
import { formatInstant } from '../kernel/time.ts';
import { controlOperation } from './operation.ts';
import { collectAnswers } from './trace/collect.ts';
import { createTraceMask } from './trace/mask.ts';
import { makeTracePage, type TraceHead } from './trace/page.ts';

const MOST_CHARACTERS = 100_000;

let last = Promise.resolve();

/** A trace takes much memory for a moment, so a process makes one after the other. */
async function inTurn<T>(make: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const before = last;
  last = promise;
  await before;
  try {
    return await make();
  } finally {
    resolve();
  }
}

export const TRACE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_make_trace',
    method: 'POST',
    path: '/_sandbox/trace',
    group: 'Look',
    summary: 'Make a trace of the sandbox',
    description:
      'Makes a trace: the inspector, read-only, with the records, the activity, the clock and the deliveries of the sandbox, in one HTML file. Use it to keep what a failed test left behind. Secrets, numbers of cards and accounts and id numbers are masked, and nothing is changed.',
    answer: 'An HTML file that opens without a server.',
    status: 200,
    refuses: ['trace_too_large'],
    body: Type.Object({
      test: Type.Optional(
        Type.String({ maxLength: 1000, description: 'The name of the test that failed; shown at the top.' }),
      ),
      error: Type.Optional(
        Type.String({ maxLength: MOST_CHARACTERS, description: 'Why it failed; shown at the top.' }),
      ),
    }),
    contentType: 'text/html; charset=utf-8',
    response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
    example: { body: { test: 'pays the rent', error: 'expected "settled", received "returned"' } },
    run: ({ sandbox, version, read }, { body: { test = '', error = '' } }) =>
      inTurn(async () => {
        const { name, wallClock } = sandbox;
        const mask = createTraceMask();
        const parts: Buffer[] = [];
        await collectAnswers(sandbox, read, (path, answer) => {
          parts.push(Buffer.from(parts.length === 0 ? '' : ','), mask.write(path), Buffer.from(':'));
          parts.push(mask.write(answer));
        });
        const made_at = formatInstant(wallClock.now());
        const head = mask.write({
          version: 1,
          sandbox: name,
          made_at,
          program: version,
          test,
          error,
        } satisfies TraceHead);
        const json = Buffer.concat([
          head.subarray(0, -1),
          Buffer.from(',"answers":{'),
          ...parts,
          Buffer.from('}}'),
        ]);
        // The answers and the error together: what is secret in one place is masked in the other.
        return makeTracePage(mask.hide(json));
      }),
  }),
] as const;
