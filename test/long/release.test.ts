/**
 * Follows the release guide in a copy of the project with a remote repository: every command in order. Then tests
 * every problem that prevents a release, and its solution.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES, PLACEHOLDER } from '../../build/owner.mjs';
import { type Ran, ROOT, run, succeed } from '../package/support.ts';
import { copyProject } from '../support/project-copy.ts';

const TIMEOUT_MS = 600_000;
const GUIDE = readFileSync(join(ROOT, 'docs/guides/release.md'), 'utf8');
/** The blocks of a part of the guide, by the word after `sh` or `text`. */
const blocksOf = (part: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^( *)\`\`\`(?:sh|text) ${part}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );

const folder = mkdtempSync(join(tmpdir(), 'sandbank-release-'));
const project = join(folder, 'project');
const out = (name: string): string => join(project, 'out', name);
const shell = (script: string, env: Record<string, string> = {}): Promise<Ran> =>
  run('bash', ['-ec', script], { cwd: project, timeoutMs: TIMEOUT_MS, env });
const git = async (...words: string[]): Promise<string> =>
  (await succeed('git', words, { cwd: project })).trim();

beforeAll(async () => {
  copyProject(project);
  const started = await shell(`
    git init -q -b main
    git config user.name Publisher
    git config user.email publisher@sandbank.example
    # A link to a folder is no folder, so the pattern with a slash does not ignore it.
    echo node_modules >> .git/info/exclude
    git add -A
    git commit -qm Begin
    git init -q --bare -b main ../origin
    git remote add origin ../origin
  `);
  expect(started).toMatchObject({ code: 0 });
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A release up to its obstacles: nothing is built while there is one. */
const release = (...words: string[]): Promise<Ran> =>
  run(process.execPath, ['build/release.mjs', ...words], { cwd: project, timeoutMs: TIMEOUT_MS });
const prepare = (...words: string[]): Promise<Ran> =>
  run(process.execPath, ['build/prepare-release.mjs', ...words], { cwd: project, timeoutMs: TIMEOUT_MS });
const change = (path: string, from: string | RegExp, to: string): void => {
  const text = readFileSync(join(project, path), 'utf8');
  const changed = text.replace(from, to);
  expect(changed, path).not.toBe(text);
  writeFileSync(join(project, path), changed);
};

describe('the release guide', () => {
  it('names the owner everywhere', async () => {
    expect(await release()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('node build/owner.mjs <account>'),
    });
    const [once = '', ...others] = blocksOf('once');
    expect(others).toEqual([]);
    expect(await shell(once)).toMatchObject({ code: 0 });
    for (const path of FILES)
      expect(readFileSync(join(project, path), 'utf8'), path).not.toMatch(new RegExp(`\\b${PLACEHOLDER}\\b`));
    // Other places that name it are the documents and programs that explain it.
    const words = ['-lE', `(github\\.com/|@)${PLACEHOLDER}\\b`, '--', '.', ':!docs', ':!build', ':!test'];
    expect(await run('git', ['grep', ...words], { cwd: project })).toMatchObject({ code: 1, stdout: '' });
    expect(await shell('node build/owner.mjs my-account')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to change'),
    });
  });

  it('publishes under another name if that of the project is taken', async () => {
    const added = /`(--package \S+)`/.exec(GUIDE)?.[1] ?? '';
    // The last value applies.
    for (const scope of ['@mistaken/sandbank', '@my-scope/sandbank']) {
      const words = added.replace('@my-scope/sandbank', scope);
      expect(await shell(`node build/owner.mjs my-account ${words}`)).toMatchObject({ code: 0 });
    }
    expect(
      await git('grep', '-h', '@my-scope/sandbank', '--', '.', ':!docs/guides', ':!build', ':!test'),
    ).toBe(
      [
        '*) package="sandbank@npm:@my-scope/sandbank@$VERSION" ;;',
        'npm install --save-dev sandbank@npm:@my-scope/sandbank',
        '  "publishedName": "@my-scope/sandbank",',
      ].join('\n'),
    );
    expect(await git('grep', '-c', '@mistaken', '--', '.', ':!test').catch(() => '')).toBe('');
    await git('commit', '--quiet', '--all', '--message', 'Choose a name');
  });

  it(
    'prepares, shows, tags and publishes a version',
    async () => {
      const [prepareIt = '', push = '', show = '', tag = '', publish = '', ...others] = blocksOf('each');
      expect(others).toEqual([]);
      expect(blocksOf('try')).toEqual([`npm ci\n${show}`]);
      // Nothing is prepared yet, and the heading is as a person writes it.
      change('CHANGELOG.md', /^## \[0\.1\.0\].*$/m, '## [0.1.0]');
      await git('rm', '--quiet', 'test/bank/store/released/0.1.0.*');
      await git('commit', '--quiet', '--all', '--message', 'Write what is new');
      expect(await shell(prepareIt)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/Release 0\.1\.0[\s\S]*\nNext: npm run release -- --dry-run\n$/),
      });
      const prepared = await git('rev-parse', 'HEAD');
      expect(await git('status', '--porcelain')).toBe('');
      // A repetition changes nothing, not even the data file.
      expect(await shell(prepareIt)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('is already prepared'),
      });
      expect(await git('rev-parse', 'HEAD')).toBe(prepared);
      expect(await shell(push)).toMatchObject({ code: 0 });

      const shown = await shell(show);
      expect(shown, shown.stderr).toMatchObject({ code: 0, stderr: '' });
      expect(shown.stdout).toMatch(/\nReady: run "npm run release"\.\n$/);
      expect(shown.stdout).toContain('v0.1.0: not made in a dry run');
      expect(shown.stdout).toMatch(/unpacked \d,\d{3},\d{3} of at most 7,500,000 bytes/);
      expect(await git('tag')).toBe('');

      const tagged = await shell(tag);
      expect(tagged, tagged.stderr).toMatchObject({ code: 0 });
      expect(tagged.stdout).toMatch(/\nTagged: publish with "git push --atomic origin main v0\.1\.0"\.\n$/);
      expect(tagged.stdout).toContain(publish.trim());
      expect(GUIDE).toContain('`git tag --delete v0.1.0`');
      expect(tagged.stdout).toContain('"git tag --delete v0.1.0"');
      expect(await git('tag')).toBe('v0.1.0');
      expect(await shell(publish)).toMatchObject({ code: 0 });
      expect(await git('ls-remote', 'origin', 'refs/tags/v0.1.0^{}')).toContain(prepared);
    },
    TIMEOUT_MS,
  );

  it('creates consistent parts in out/, and names each', async () => {
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
    const commit = await git('rev-parse', 'HEAD');
    expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(commit);
    const labels = readFileSync(out('image-labels.txt'), 'utf8');
    expect(labels).toContain(`org.opencontainers.image.revision=${commit}\n`);
    expect(labels).toContain('org.opencontainers.image.source=https://github.com/my-account/sandbank\n');
    const packed = JSON.parse(readFileSync(out('package/package.json'), 'utf8'));
    expect(packed).toMatchObject({
      name: '@my-scope/sandbank',
      repository: { url: 'git+https://github.com/my-account/sandbank.git' },
    });
    expect(packed).not.toHaveProperty('publishedName');
    for (const name of readdirSync(join(project, 'out')))
      expect(GUIDE).toContain(`\`${name.replace('my-scope-', '')}`);
  });

  it(
    'publishes the first version with the documented command',
    async () => {
      const [first = ''] = blocksOf('first');
      const [login, command = '', ...others] = first.trim().split('\n');
      expect([login, ...others]).toEqual(['npm login']);
      const file = out('my-scope-sandbank-0.1.0.tgz');
      const content = readFileSync(file);
      // The file of the release, and an empty registry.
      const server = createServer(({ url = '' }, response) => {
        if (url === `/${basename(file)}`) response.end(content);
        else response.writeHead(404).end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const page = 'https://github.com/my-account/sandbank/releases/download/v0.1.0/sandbank-0.1.0.tgz';
      expect(command).toContain(page);
      const ended = await shell(`${command.replace(page, `${address}${basename(file)}`)} --dry-run`, {
        npm_config_registry: address,
        npm_config_cache: join(folder, 'cache'),
      });
      server.close();
      server.closeAllConnections();
      expect(ended).toMatchObject({ code: 0, stdout: '+ @my-scope/sandbank@0.1.0\n' });
    },
    TIMEOUT_MS,
  );

  it(
    'shows a version that is tagged, and one that is not ready',
    async () => {
      // Without `--`, npm sets the option for itself and its children.
      const again = await shell('npm run release --dry-run');
      expect(again).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/\nTagged: publish with ".+"\.\n$/),
      });
      writeFileSync(join(project, 'left.txt'), '');
      const notReady = await shell('npm run release -- --dry-run');
      expect(notReady).toMatchObject({ code: 1, stdout: expect.stringContaining('image.revision') });
      expect(notReady.stderr).toMatch(
        /left\.txt[\s\S]*\nNot ready: 1 obstacle, above\. Then run it again\.\n$/,
      );
      rmSync(join(project, 'left.txt'));
    },
    TIMEOUT_MS,
  );
});

const COMMIT = 'git commit -qam Change';
const heading = (text: string): string => `sed -i 's/^## \\[0.1.0\\].*$/${text}/' CHANGELOG.md && ${COMMIT}`;
const PREPARE = '"npm run prepare-release 0.1.0"';

/** An action of a person, and the one obstacle that it causes. */
const OBSTACLES: readonly [name: string, script: string, says: readonly string[]][] = [
  ['no heading', heading('## [0.0.9] - 2026-11-25'), ['no heading "## [0.1.0]"', PREPARE]],
  ['a heading without a date', heading('## [0.1.0]'), ['has no date', PREPARE]],
  ['a date that is none', heading('## [0.1.0] - 2026-11-31'), ['"2026-11-31", which is not a date', PREPARE]],
  [
    'a date in other words',
    heading('## [0.1.0] - 25 November'),
    ['"25 November", which is not a date', PREPARE],
  ],
  ['an old date', heading('## [0.1.0] - 2001-02-03'), ['has the date 2001-02-03, and today is', PREPARE]],
  ['a date to come', heading('## [0.1.0] - 2999-02-03'), ['has the date 2999-02-03, and today is', PREPARE]],
  [
    'nothing below the heading',
    `sed -i '/^## /,/^\\[0/{/^## /!{/^\\[0/!d}}' CHANGELOG.md && ${COMMIT}`,
    ['has no text below the heading', 'list the changes, and commit'],
  ],
  [
    'another version in the lock file',
    `sed -i '0,/"version": "0.1.0"/s//"version": "0.0.9"/' package-lock.json && ${COMMIT}`,
    ['package-lock.json has the version 0.0.9, and package.json 0.1.0', PREPARE],
  ],
  [
    'a version that npm would not make the latest',
    `sed -i 's/"version": "0.1.0"/"version": "0.1.0-rc.1"/' package.json package-lock.json
     sed -i 's/^## .0.1.0./## [0.1.0-rc.1]/' CHANGELOG.md
     for end in json sqlite; do cp test/bank/store/released/0.1.0.$end.br test/bank/store/released/0.1.0-rc.1.$end.br; done
     git add -A && ${COMMIT}`,
    ['the version 0.1.0-rc.1, which is not like 0.1.0'],
  ],
  [
    'no data file',
    `git rm -q test/bank/store/released/0.1.0.* && ${COMMIT}`,
    ['no data file of 0.1.0', PREPARE],
  ],
  [
    'a damaged data file',
    `echo damaged > test/bank/store/released/0.1.0.sqlite.br && ${COMMIT}`,
    ['0.1.0.sqlite.br differs from the file that this commit writes', PREPARE],
  ],
  [
    'a data file of another schema',
    `echo 'CREATE TABLE another (id TEXT);' >> "$(ls -d migrations/*/migration.sql migrations/*.sql 2> /dev/null | tail -n 1)" && ${COMMIT}`,
    ['0.1.0.sqlite.br differs from the file that this commit writes', PREPARE],
  ],
  [
    'changes that are not committed',
    'touch a b c d e f && echo >> README.md',
    ['7 files changed and not committed: README.md, a, b, c, d, 2 more', 'git stash'],
  ],
  [
    'a tag on another commit',
    'git tag v0.1.0 HEAD~1',
    ['is on another commit', 'prepare-release 0.1.1', 'git tag --delete v0.1.0'],
  ],
  ['another branch', 'git switch -qc topic', ['the branch is topic', '"git switch main"']],
  ['no branch', 'git switch -q --detach', ['no branch is checked out', '"git switch main"']],
  [
    'newer commits on the server',
    'git update-ref refs/remotes/origin/main "$(git commit-tree -p HEAD -m Newer HEAD^{tree})"',
    ['main lacks 1 commit of origin/main', '"git pull --rebase"'],
  ],
  [
    'an owner that nobody named',
    `sed -i s/my-account/OWNER/ package.json && ${COMMIT}`,
    ['node build/owner.mjs <account>'],
  ],
  ['no dependencies', 'mv node_modules ..', ['"npm ci"']],
  ['no git', 'mv .git ..', ['not a git checkout']],
  ['git with no commit', 'mv .git .. && git init -q', ['not a git checkout with a commit']],
];

describe('a release', () => {
  let ready = '';
  beforeAll(async () => {
    // The state after the guide, without the tag.
    const prepared = await shell(`
      if git rev-parse -q --verify v0.1.0 > /dev/null; then git tag --delete v0.1.0; fi
      node build/owner.mjs my-account
      git commit -qam 'Name the owner' || true
      node build/prepare-release.mjs 0.1.0
    `);
    expect(prepared, prepared.stderr).toMatchObject({ code: 0 });
    ready = await git('rev-parse', 'HEAD');
    await restore();
  });

  const restore = async (): Promise<void> => {
    for (const name of ['.git', 'node_modules']) {
      if (!existsSync(join(folder, name))) continue;
      rmSync(join(project, name), { recursive: true, force: true });
      renameSync(join(folder, name), join(project, name));
    }
    const ended = await shell(`
      git switch -qfC main ${ready}
      git reset -q --hard
      git clean -qfd
      git update-ref refs/remotes/origin/main ${ready}
      if git rev-parse -q --verify v0.1.0 > /dev/null; then git tag --delete v0.1.0; fi
    `);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
  };

  it.each(OBSTACLES)(
    'is refused with the reason in the last line: %s',
    async (_, script, says) => {
      expect(await shell(script)).toMatchObject({ code: 0 });
      try {
        const { code, stderr } = await release();
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: expect.stringMatching(
            /^release: .*\n\nNot released: 1 obstacle, above\. Then run it again\.\n$/,
          ),
        });
        for (const words of says) expect(stderr).toContain(words);
      } finally {
        await restore();
      }
      expect(await git('tag')).toBe('');
    },
    TIMEOUT_MS,
  );

  it('lists all of its obstacles together', async () => {
    await shell(`${heading('## [0.1.0]')} && git switch -qc another && touch left.txt`);
    const { stderr } = await release();
    await restore();
    expect(stderr.match(/^release: /gm)).toHaveLength(3);
    expect(stderr).toContain('Not released: 3 obstacles, above.');
  });

  it('may be on a branch for an older version', async () => {
    // Another obstacle, without which it would be released.
    await shell('git switch -qc release/0.1 && touch left.txt');
    const { stderr } = await release();
    await restore();
    expect(stderr).toContain('Not released: 1 obstacle, above.');
  });

  it.each([
    ['--dry', "Unknown option '--dry'"],
    ['0.1.0', "Unexpected argument '0.1.0'"],
  ])('has no option %s', async (word, says) => {
    const { code, stderr } = await release(word);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `release: ${says}. Run "npm run release -- --dry-run" or "npm run release".\n`,
    });
  });

  it.each<[name: string, script: string, words: string[], code: number, says: string]>([
    ['without a version', '', [], 2, 'give the version, like "npm run prepare-release 0.1.0"'],
    ['of a version with a v', '', ['v0.1.0'], 2, 'give the version, like'],
    ['of a version before a release', '', ['0.1.0-rc.1'], 2, 'give the version, like'],
    [
      'without a heading',
      `sed -i 's/^## .Unreleased.$/## Later/' CHANGELOG.md`,
      ['0.2.0'],
      1,
      'no heading "## [0.2.0]" or "## [Unreleased]"',
    ],
    ['with nothing new', 'printf "## [0.2.0]\\n" >> CHANGELOG.md', ['0.2.0'], 1, 'has no text below'],
    ['of a version with a tag here', 'git tag v0.1.0', ['0.1.0'], 1, '"git tag --delete v0.1.0"'],
    [
      'of a version with a tag elsewhere',
      'git tag v0.1.0 HEAD~1',
      ['0.1.0'],
      1,
      '"npm run prepare-release 0.1.1"',
    ],
    ['without dependencies', 'mv node_modules ..', ['0.1.0'], 1, 'run "npm ci"'],
  ])('is not prepared %s', async (_, script, words, code, says) => {
    expect(await shell(script)).toMatchObject({ code: 0 });
    const ended = await prepare(...words);
    await restore();
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(says) });
  });

  it('is prepared from the unreleased changes, with a link to its page', async () => {
    await shell(
      `sed -i '/^## .Unreleased.$/,/^## .0/{/^## /!d}; s/^## .Unreleased.$/&\\n\\n- New.\\n/' CHANGELOG.md && ${COMMIT}`,
    );
    const prepared = await prepare('0.2.0');
    expect(prepared, prepared.stderr).toMatchObject({ code: 0 });
    const changelog = readFileSync(join(project, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toMatch(/^## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n- New\.\n\n## \[0\.1\.0\] - /m);
    expect(changelog).toContain(
      '\n[0.2.0]: https://github.com/my-account/sandbank/releases/tag/v0.2.0\n[0.1.0]: ',
    );
    expect(await git('show', '--name-only', '--format=%s')).toBe(
      [
        'Release 0.2.0',
        '',
        'CHANGELOG.md',
        'package-lock.json',
        'package.json',
        'test/bank/store/released/0.2.0.json.br',
        'test/bank/store/released/0.2.0.sqlite.br',
      ].join('\n'),
    );
    await restore();
  });
});
