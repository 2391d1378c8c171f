/** The lock files name every installed package with its version and hash, and no installed package runs a script. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { TOOL_FOLDERS } from '../build/tools.mjs';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: true;
  hasInstallScript?: true;
  optional?: true;
  os?: string | string[];
  cpu?: string | string[];
}

const pathOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
const readJson = <T>(name: string): T => JSON.parse(readFileSync(pathOf(name), 'utf8')) as T;
const LOCKS = ['', 'build/node/', ...TOOL_FOLDERS.map((folder) => `${folder}/`)].map(
  (folder) => `${folder}package-lock.json`,
);
const packagesOf = (lock: string) =>
  Object.entries(readJson<{ packages: Record<string, Locked> }>(lock).packages).filter(
    ([path]) => path !== '',
  );
const EXACT = /^\d+\.\d+\.\d+$/;

describe.each(LOCKS)('%s', (lock) => {
  it('names every package by version and hash, and contains no registry addresses', () => {
    const packages = packagesOf(lock);
    expect(packages.length).toBeGreaterThan(1);
    for (const [path, { version, integrity, resolved, link }] of packages) {
      expect([path, link, resolved]).toEqual([path, undefined, undefined]);
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/);
      expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/);
    }
  });
});

describe('an install', () => {
  it('runs no package scripts', () => {
    const { allowScripts, dependencies, devDependencies } =
      readJson<Record<'allowScripts' | 'dependencies' | 'devDependencies', Record<string, unknown>>>(
        'package.json',
      );
    expect(Object.values(allowScripts).every((allowed) => allowed === false)).toBe(true);
    const scripted = packagesOf('package-lock.json')
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1) ?? '');
    // Packages for another platform are never installed here, but are in the lock file.
    for (const name of scripted) if (name !== 'fsevents') expect(Object.keys(allowScripts)).toContain(name);
    // The package that fetches a Node when it is installed.
    expect(Object.keys({ ...dependencies, ...devDependencies })).not.toContain('node');
  });

  it('includes one exact version of Node for each platform', () => {
    const { optionalDependencies } = readJson<{ optionalDependencies: Record<string, string> }>(
      'build/node/package.json',
    );
    for (const version of Object.values(optionalDependencies)) expect(version).toMatch(EXACT);
    const platforms = packagesOf('build/node/package-lock.json').map(([, { os, cpu }]) => `${os} ${cpu}`);
    expect(platforms.sort()).toEqual(['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64', 'win32 x64']);
  });

  it('includes no Node if the installed one is new enough', () => {
    const text = execFileSync(process.execPath, [pathOf('build/node/install.mjs')], {
      env: { npm_execpath: '/nowhere/npm' },
      encoding: 'utf8',
    });
    expect(text).toBe('');
  });

  it('has at most 210 packages', () => {
    const installed = packagesOf('package-lock.json').filter(([, { optional }]) => optional !== true);
    expect(installed.length).toBeLessThanOrEqual(210);
  });

  it('includes no Node in an image', () => {
    const installs = readFileSync(pathOf('Dockerfile'), 'utf8').match(/npm ci.*/g) ?? [];
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
  });
});
