/**
 * A folder for the files of one test, removed when the test ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder for the running test; returns its path. */
export function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbank-test-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
