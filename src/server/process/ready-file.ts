/**
 * Reads and writes the ready file: the address of the bank of this environment, and the token of its control plane. A bank
 * writes it when it accepts requests, readable only by its own user. The image sets a ready file, so that commands inside
 * the container need no token setting.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** The contents of a ready file. */
export interface Ready {
  /** The URL for this machine. */
  readonly url: string;
  /** `undefined` if the control plane requires none. */
  readonly controlToken: string | undefined;
}

/** The contents of the ready file that SANDBANK_READY_FILE names; `undefined` if it does not exist or is invalid. */
export function readReadyFile({
  SANDBANK_READY_FILE: path,
}: Readonly<Record<string, string | undefined>>): Ready | undefined {
  try {
    const { url, control_token: controlToken } = JSON.parse(readFileSync(path ?? '', 'utf8')) as Record<
      string,
      string | undefined
    >;
    return { url: fromHere(url ?? ''), controlToken };
  } catch {
    // No file is named, or it is unreadable or not JSON; the caller has other ways to find the bank.
    return undefined;
  }
}

/** Replaces the address of a server that listens on every address by loopback. Throws if the text is not a URL. */
function fromHere(text: string): string {
  const url = new URL(text);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}

const temporaryOf = (path: string): string => `${path}.${process.pid}`;

/** Throws, with the path, if the ready file cannot be written. */
export function tryReadyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw Object.assign(new Error(`EISDIR: ${path} is a directory`), { code: 'EISDIR', path });
  }
  writeFileSync(temporaryOf(path), '');
  rmSync(temporaryOf(path));
}

/** The contents of the ready file of a bank of this process. */
export interface Announced {
  readonly url: string;
  readonly apiKey: string;
  /** `null` if the control plane requires none. */
  readonly controlToken: string | null;
}

/** Writes the file completely and renames it, so that no reader sees a partial file. */
export function writeReadyFile(path: string, { url, apiKey, controlToken }: Announced): void {
  const ready = { url, api_key: apiKey, pid: process.pid };
  if (controlToken === null) writeFileSync(temporaryOf(path), JSON.stringify(ready));
  else {
    const withToken = { ...ready, control_token: controlToken };
    writeFileSync(temporaryOf(path), JSON.stringify(withToken), { mode: 0o600 });
  }
  renameSync(temporaryOf(path), path);
}
