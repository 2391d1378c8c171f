/** The tools that a command installs before its first use take the space on disk that their package.json states. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installTools, TOOL_FOLDERS } from '../../build/tools.mjs';

const TIMEOUT_MS = 300_000;
const BYTES_OF_A_BLOCK = 512;
/** Other systems have binaries of another size. */
const TOLERANCE = 0.3;

function bytesOnDisk(path: string): number {
  const { blocks } = lstatSync(path);
  const own = blocks * BYTES_OF_A_BLOCK;
  if (!lstatSync(path).isDirectory()) return own;
  return readdirSync(path).reduce((sum, name) => sum + bytesOnDisk(join(path, name)), own);
}

it.each(TOOL_FOLDERS)(
  'the tools of %s',
  (folder) => {
    const path = installTools(folder);
    const { installedMB } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const mb = bytesOnDisk(join(path, 'node_modules')) / 1024 ** 2;
    expect(mb).toBeGreaterThan(installedMB * (1 - TOLERANCE));
    expect(mb).toBeLessThan(installedMB * (1 + TOLERANCE));
  },
  TIMEOUT_MS,
);
