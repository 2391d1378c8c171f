/**
 * The ready file as others read it: where the bank of this environment listens, and the token of its control plane. The
 * server writes it once it takes requests (`main.ts`), so that only its own user may read a token. The image names one, so
 * that a command inside the container needs no token of its own.
 */
import { readFileSync } from 'node:fs';

/** What a running server wrote. */
export interface Ready {
  /** How this machine reaches it. */
  readonly url: string;
  /** `undefined` where the control plane wants none. */
  readonly controlToken: string | undefined;
}

/** What is in the ready file that SANDBANK_READY_FILE names; `undefined` where there is none that can be used. */
export function readReadyFile({
  SANDBANK_READY_FILE: path,
}: Readonly<Record<string, string | undefined>>): Ready | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    const { url, control_token: controlToken } = JSON.parse(readFileSync(path, 'utf8')) as Record<
      string,
      string | undefined
    >;
    return { url: fromHere(url ?? ''), controlToken };
  } catch {
    // Not there, not ours to read, or no JSON: the caller has other ways to find the bank.
    return undefined;
  }
}

/** A server that listens on every address is called on loopback. Throws for what is no URL. */
function fromHere(text: string): string {
  const url = new URL(text);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
