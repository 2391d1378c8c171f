/**
 * A trace: one file that shows the current state of a sandbox, for the later analysis of a failed test. It opens
 * without a server.
 */
import { Type } from '@sinclair/typebox';
import { formatInstant } from '../../bank/kernel/time.ts';
import { controlOperation } from './operation.ts';
import { shareAnswers } from './trace/answers.ts';
import { makeTracePage, type Trace } from './trace/page.ts';

const MAX_CHARACTERS = 100_000;

export const TRACE_OPERATIONS = [
  controlOperation({
    id: 'sandbox_make_trace',
    method: 'POST',
    path: '/_sandbox/trace',
    group: 'Inspect',
    summary: 'Make a trace of the sandbox',
    description:
      'Makes a trace: the inspector, read-only, with the records, the activity, the clock and the deliveries of the sandbox, in one HTML file. Use it to keep the state after a failed test. Secrets, numbers of cards and accounts and id numbers are masked, and the sandbox does not change.',
    answer: 'An HTML file that opens without a server.',
    status: 200,
    refuses: ['trace_too_large'],
    body: Type.Object({
      test: Type.Optional(
        Type.String({ maxLength: 1000, description: 'The name of the test that failed; shown at the top.' }),
      ),
      error: Type.Optional(
        Type.String({ maxLength: MAX_CHARACTERS, description: 'Why it failed; shown at the top.' }),
      ),
    }),
    contentType: 'text/html; charset=utf-8',
    response: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
    example: { body: { test: 'pays the rent', error: 'expected "settled", received "returned"' } },
    run: async ({ sandbox, version, read }, { body: { test = '', error = '' } }) => {
      const { begin, mask } = await shareAnswers(sandbox, read);
      const { name, wallClock } = sandbox;
      const made_at = formatInstant(wallClock.now());
      const head: Omit<Trace, 'answers'> = {
        version: 1,
        sandbox: name,
        made_at,
        program: version,
        test,
        error,
      };
      // Secrets of the answers are masked in the error, too.
      return makeTracePage(begin, mask.hide(mask.write(head)).subarray('{'.length));
    },
  }),
] as const;
