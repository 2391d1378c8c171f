/**
 * The guide to a release, followed in a copy of the project up to publishing: every line of it that runs here, in its order.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES, PLACEHOLDER } from '../../build/owner.mjs';
import { type Ran, ROOT, run, succeed } from '../package/support.ts';
import { copyProject } from '../support/project-copy.ts';

const TIMEOUT_MS = 600_000;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/release.md'), 'utf8');
/** The blocks of a part of the guide, by the word behind `sh`. */
const blocksOf = (part: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`sh ${part}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

const folder = mkdtempSync(join(tmpdir(), 'sandbank-release-'));
const project = join(folder, 'project');
const out = (name: string): string => join(project, 'out', name);
const shell = (script: string): Promise<Ran> =>
  run('bash', ['-ec', script], { cwd: project, timeoutMs: TIMEOUT_MS });

beforeAll(async () => {
  copyProject(project);
  // A link to a folder is no folder, so the pattern with a slash does not ignore it.
  const identity = 'git config user.name Publisher && git config user.email publisher@sandbank.example';
  const ignore = 'echo node_modules >> .git/info/exclude';
  await succeed(
    'bash',
    ['-ec', `git init -q -b main && ${identity} && ${ignore} && git add -A && git commit -qm Begin`],
    {
      cwd: project,
    },
  );
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('is refused while the addresses name the placeholder, with the command that replaces it', async () => {
    const { code, stderr } = await run(process.execPath, ['build/release.mjs'], { cwd: project });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('node build/owner.mjs <account>'),
    });
    const [once = '', ...others] = blocksOf('once');
    expect(others).toEqual([]);
    expect(await shell(once)).toMatchObject({ code: 0 });
    for (const path of FILES)
      expect(readFileSync(join(project, path), 'utf8')).not.toContain(`/${PLACEHOLDER}/`);
    // Elsewhere only the documents and programs that explain it name it.
    const words = [
      'grep',
      '-lE',
      `(github\\.com/|@)${PLACEHOLDER}\\b`,
      '--',
      '.',
      ':!docs',
      ':!build',
      ':!test',
    ];
    expect(await run('git', words, { cwd: project })).toMatchObject({ code: 1, stdout: '' });
  });

  it(
    'is prepared, shown and tagged by the lines of the guide',
    async () => {
      const [prepare = '', show = '', tag = '', ...others] = blocksOf('each');
      expect(others).toEqual([]);
      expect(await shell(prepare)).toMatchObject({ code: 0 });
      expect(blocksOf('try')).toEqual([`npm ci\n${show}`]);
      const shown = await shell(show);
      expect(shown, shown.stderr).toMatchObject({ code: 0 });
      const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
      expect(shown.stdout).toMatch(/^Ready: run "npm run release"\.$/m);
      expect(shown.stdout).toContain(`v${version}: not made in a dry run`);
      expect(await succeed('git', ['tag'], { cwd: project })).toBe('');

      const tagged = await shell(tag);
      expect(tagged, tagged.stderr).toMatchObject({ code: 0 });
      expect(await succeed('git', ['tag'], { cwd: project })).toBe(`v${version}\n`);
      const commit = (await succeed('git', ['rev-parse', `v${version}^{commit}`], { cwd: project })).trim();

      // What is in out/ belongs together.
      await succeed('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(project, 'out') });
      const { subject, predicateType, predicate } = JSON.parse(
        readFileSync(out('provenance.intoto.json'), 'utf8'),
      );
      expect(predicateType).toBe('https://slsa.dev/provenance/v1');
      for (const { name, digest } of subject as { name: string; digest: { sha256: string } }[]) {
        expect(digest.sha256).toBe(
          createHash('sha256')
            .update(readFileSync(out(name)))
            .digest('hex'),
        );
      }
      expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(commit);
      const labels = readFileSync(out('image-labels.txt'), 'utf8');
      expect(labels).toContain(`org.opencontainers.image.revision=${commit}\n`);
      expect(labels).toContain('org.opencontainers.image.source=https://github.com/my-account/sandbank\n');
      const packed = JSON.parse(readFileSync(out('package/package.json'), 'utf8'));
      expect(packed).toMatchObject({ repository: { url: 'git+https://github.com/my-account/sandbank.git' } });
    },
    TIMEOUT_MS,
  );

  it('is refused twice, and without its heading, lock file or data file', async () => {
    const change = (path: string, from: string | RegExp, to: string): void => {
      const text = readFileSync(join(project, path), 'utf8');
      const changed = text.replace(from, to);
      expect(changed, path).not.toBe(text);
      writeFileSync(join(project, path), changed);
    };
    const refusals = async (): Promise<string> =>
      (await run(process.execPath, ['build/release.mjs'], { cwd: project })).stderr;
    expect(await refusals()).toMatch(/the tag v\S+ is there already/);
    change('package.json', /"version": "[^"]+"/, '"version": "7.8.9"');
    const found = await refusals();
    for (const words of [
      'package-lock.json has another version',
      'no heading "## [7.8.9]',
      'no data file of 7.8.9',
      'not committed',
    ]) {
      expect(found).toContain(words);
    }
  });
});
