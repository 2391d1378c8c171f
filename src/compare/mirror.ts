/**
 * Compares the requests of a proxy with this bank: each request is also sent to the bank, with the bank's ids instead
 * of the platform's. The platform's response is stored with the bank's request, and the inspector shows both.
 * Requests are sent one after the other in the order of the platform's responses, in the background.
 */
import { basename } from 'node:path/posix';
import type { Sandbank } from '../kit/bank.ts';
import { SandbankError } from '../kit/client/error.ts';
import type { Found } from './differences.ts';
import { explain } from './explain.ts';
import { createReplayer } from './replay.ts';
import { type Side, SideGone } from './side.ts';
import type { Exchange } from './transcript.ts';

/** The result of a request to the bank. */
interface Shown {
  readonly there: Exchange;
  readonly differences: readonly Found[];
  /** Why the request has no comparable response of the bank; `''` if it has one. */
  readonly problem: string;
}

export interface Mirror {
  /** Sends a request to the bank after the earlier ones. */
  add(there: Exchange): Promise<Shown>;
}

export interface MirrorOptions {
  readonly bank: Pick<Sandbank, 'sandbox'>;
  readonly side: Side;
  /** The displayed address of the platform. */
  readonly address: string;
}

const LONGEST_TEXT = 400;
const MOST_DIFFERENCES = 200;

/** Creates a mirror; the bank initially has none of the platform's records. */
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

/** A summary of the differences: `missing label, value status`. */
export function namesOf(differences: readonly Found[]): string {
  return differences
    .map(({ cause, field }) => `${cause} ${basename(field.replaceAll('[]', '').replaceAll('.', '/'))}`.trim())
    .join(', ');
}
