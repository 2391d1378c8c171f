/**
 * Shows the calls of a proxy beside this bank's own answers: each call is sent to the bank too, with the ids of the bank in place
 * of the platform's, and the platform's answer is kept with the bank's request, where the inspector shows both. Calls are sent one
 * after the other in the order in which the platform answered, and nobody waits for them.
 */
import { basename } from 'node:path/posix';
import { SandbankError } from '../client/error.ts';
import type { Sandbank } from '../kit/bank.ts';
import type { Found } from './differences.ts';
import { explain } from './explain.ts';
import { createReplayer } from './replay.ts';
import { type Side, SideGone } from './side.ts';
import type { Exchange } from './transcript.ts';

/** What became of a call at the bank. */
export interface Shown {
  readonly there: Exchange;
  readonly differences: readonly Found[];
  /** Why the call is not shown beside an answer of the bank; `''` where it is. */
  readonly problem: string;
}

export interface Mirror {
  /** Sends a call to the bank, after those before it. */
  add(there: Exchange): Promise<Shown>;
}

export interface MirrorOptions {
  readonly bank: Pick<Sandbank, 'sandbox'>;
  readonly side: Side;
  /** The address of the platform, as it is shown. */
  readonly address: string;
}

const LONGEST_TEXT = 400;
const MOST_DIFFERENCES = 200;

/** Begins with a bank that knows nothing of what the platform has. */
export function createMirror({ bank, side, address }: MirrorOptions): Mirror {
  const replayer = createReplayer({ side, patienceMs: 0, isRedacted: false });
  let last: Promise<unknown> = Promise.resolve();

  const show = async (there: Exchange): Promise<Shown> => {
    const { here, found } = await replayer.play(there);
    if (here.answer === undefined || there.answer === undefined) {
      return { there, differences: [], problem: here.failure ?? 'there was no response' };
    }
    const id = here.answer.headers['x-request-id'];
    if (id === undefined) return { there, differences: found, problem: 'the bank did not store the request' };
    const { status, body } = there.answer;
    const differences = found.slice(0, MOST_DIFFERENCES).map(formatDifference);
    await bank.sandbox.keepPlatformAnswer({ params: { id }, body: { address, status, body, differences } });
    return { there, differences: found, problem: '' };
  };

  return {
    add(there) {
      const shown = last.then(
        () => show(there),
        () => show(there),
      );
      last = shown.catch(() => {});
      return shown.catch((error: unknown) => {
        if (!(error instanceof SideGone || error instanceof SandbankError)) throw error;
        return { there, differences: [], problem: error.message };
      });
    },
  };
}

function formatDifference(found: Found) {
  const short = (text: string): string => text.slice(0, LONGEST_TEXT);
  return {
    cause: found.cause,
    field: short(found.field),
    here: short(found.here),
    there: short(found.there),
    decision: explain(found)?.slug ?? '',
  };
}

/** The differences of a call in a few words: `missing label, value status`. */
export function namesOf(differences: readonly Found[]): string {
  return differences
    .map(({ cause, field }) => `${cause} ${basename(field.replaceAll('[]', '').replaceAll('.', '/'))}`.trim())
    .join(', ');
}
