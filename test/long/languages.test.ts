/**
 * The examples in other languages and their guides, with the tools of each language. The test follows a guide in an
 * empty folder: it writes the shown files and runs the command. If Debian packages for a language are missing, a test
 * fails and names them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';
import { runScript } from '../support/page-examples.ts';
import { partOfToday } from '../support/runs.ts';
import { dataOf } from '../support/traces.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONTROL_TOKEN = 'only-for-this-test-run';
const TIMEOUT_MS = 120_000;
const MAVEN_REPOSITORY = '/usr/share/maven-repo';

interface Language {
  readonly name: string;
  readonly folder: string;
  /** Runs the tests as in the guide. */
  readonly command: string;
  /** A test for a Debian package, and its name. */
  readonly needs: readonly (readonly [path: string, debian: string])[];
  /** The option with which the tools name the tests that pass. */
  readonly naming: string;
  /** The output when all tests of the example but the one below pass, and when all those of the guide do. */
  readonly allButOne: RegExp;
  readonly ofGuide: RegExp;
  /** A test that fails intentionally: its file, its text, and the trace that it leaves. */
  readonly failing: { readonly file: string; readonly code: string; readonly trace: string };
}

const PYTHON_FAILS = `
def test_pays_the_rent(bank):
    payment = bank.pull("40.00")
    bank.settle()
    bank.return_payment(payment["id"], "R01")
    assert bank.transaction(payment["id"])["status"] == "settled"
`;

const GO_FAILS = `package payments

import "testing"

func TestPaysTheRent(t *testing.T) {
	b := newBank(t)
	payment := b.pull(t, "40.00")
	b.settle(t)
	b.returnPayment(t, payment.ID, "R01")
	if got := b.transaction(t, payment.ID); got.Status != "settled" {
		b.errorf(t, "status = %s, want settled", got.Status)
	}
}
`;

const JAVA_FAILS = `package payments;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RentTest {
    @RegisterExtension
    final Bank bank = new Bank();

    @Test
    void paysTheRent() throws Exception {
        var id = bank.pull("40.00").path("id").asText();
        bank.settle();
        bank.returnPayment(id, "R01");
        assertEquals("settled", bank.transaction(id).path("status").asText());
    }
}
`;

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    folder: 'python',
    command: 'pytest',
    needs: [['/usr/lib/python3/dist-packages/pytest', 'python3-pytest']],
    naming: '',
    allButOne: /\b1 failed, 6 passed/,
    ofGuide: /\b3 passed/,
    failing: {
      file: 'test_rent.py',
      code: PYTHON_FAILS,
      trace: 'sandbank-test-pays-the-rent.html',
    },
  },
  {
    name: 'Go',
    folder: 'go',
    command: 'go test ./...',
    needs: [['/usr/bin/go', 'golang-go']],
    naming: ' -v',
    allButOne: /(?:^--- PASS: [\s\S]*){5}/m,
    ofGuide: /^ok\s+example\.com\/payments\s/m,
    failing: { file: 'rent_test.go', code: GO_FAILS, trace: 'sandbank-TestPaysTheRent.html' },
  },
  {
    name: 'Java',
    folder: 'java',
    command: 'mvn test',
    needs: [
      ['/usr/bin/javac', 'default-jdk-headless'],
      ['/usr/bin/mvn', 'maven'],
      ['/usr/share/java/junit-jupiter.jar', 'junit5'],
      ['/usr/share/java/jackson-databind.jar', 'libjackson2-databind-java'],
      [`${MAVEN_REPOSITORY}/org/apache/maven/plugins/maven-surefire-plugin`, 'libsurefire-java'],
      [`${MAVEN_REPOSITORY}/org/apache/maven/plugins/maven-compiler-plugin`, 'libmaven-compiler-plugin-java'],
      [
        `${MAVEN_REPOSITORY}/org/apache/maven/plugins/maven-resources-plugin`,
        'libmaven-resources-plugin-java',
      ],
    ],
    naming: '',
    allButOne: /Tests run: 7, Failures: 1, Errors: 0, Skipped: 0/,
    ofGuide: /Tests run: 3, Failures: 0, Errors: 0, Skipped: 0/,
    failing: {
      file: 'src/test/java/payments/RentTest.java',
      code: JAVA_FAILS,
      trace: 'sandbank-RentTest-paysTheRent-paysTheRent.html',
    },
  },
];

/** The names in this project of Debian's versions of the dependencies in `pom.xml`. */
const VERSIONS = {
  'compiler.plugin.version': 'org/apache/maven/plugins/maven-compiler-plugin',
  'surefire.plugin.version': 'org/apache/maven/plugins/maven-surefire-plugin',
  'junit.version': 'org/junit/jupiter/junit-jupiter',
  'jackson.version': 'com/fasterxml/jackson/core/jackson-databind',
};

/** Makes Maven use Debian's packages and no network, from which its files are not available here. */
function useDebiansMaven(folder: string, repository: string): void {
  const versions = Object.entries(VERSIONS).map(([name, path]) => {
    const [newest] = execFileSync('ls', [join(repository, path)], { encoding: 'utf8' })
      .split('\n')
      .filter((version) => /^\d+(\.\d+)+$/.test(version))
      .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
    return `-D${name}=${newest}`;
  });
  mkdirSync(join(folder, '.mvn'), { recursive: true });
  // Debian's Surefire waits for ten seconds after a JVM has ended, so it starts none.
  const settings = [`-Dmaven.repo.local=${repository}`, '-DforkCount=0'];
  const options = ['--offline', '--batch-mode', ...settings, ...versions];
  writeFileSync(join(folder, '.mvn/maven.config'), `${options.join('\n')}\n`);
}

/** A folder with the commands that a reader has on the PATH. */
function commands(): string {
  const folder = makeFolder();
  const command = (name: string, line: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  command('sandbank', `'${process.execPath}' '${join(ROOT, 'bin/sandbank.mjs')}'`);
  command('pytest', '/usr/bin/python3 -B -m pytest -p no:cacheprovider');
  command('go', '/usr/bin/go');
  command('mvn', '/usr/bin/mvn');
  return folder;
}

const guideOf = ({ folder }: Language): string =>
  readFileSync(join(ROOT, `docs/guides/${folder}.md`), 'utf8');
/** The code blocks of a guide, except those that need Docker; with the name of the file for complete ones. */
function blocksOf(guide: string): { file: string | undefined; code: string }[] {
  const run = guide.slice(0, guide.indexOf('\n## Testcontainers'));
  return [...run.matchAll(/(?:^`(\S+)`.*:\n\n)?^```(?:python|go|java|xml)\n([\s\S]*?)^```$/gm)].map(
    ([, file, code = '']) => ({ file, code }),
  );
}

/** Their tools are slow: one language each day. */
const TODAY = partOfToday(LANGUAGES, LANGUAGES.length);

describe.each(LANGUAGES)('$name', (language) => {
  const { folder, command, needs } = language;
  const example = join(ROOT, 'examples', folder);
  const missing = needs.filter(([path]) => !existsSync(path)).map(([, debian]) => debian);
  let bank: Running;
  let repository = '';
  let copy = '';

  /** Runs a command in the folder like a reader, who has a home but no variables of Sandbank. */
  const run = (cwd: string, line: string): ReturnType<typeof runScript> => {
    if (folder === 'java') useDebiansMaven(cwd, repository);
    const path = `${commands()}${delimiter}${process.env.PATH}`;
    return runScript(`cd '${cwd}'\n${line} 2>&1`, { PATH: path }, TIMEOUT_MS);
  };

  it(missing.length === 0 ? 'is installed' : `needs Debian's ${missing.join(', ')}`, () => {
    expect(missing).toEqual([]);
  });

  it('the guide shows the files of the example unchanged', () => {
    const blocks = blocksOf(guideOf(language));
    expect(blocks.filter(({ file }) => file !== undefined).length).toBeGreaterThanOrEqual(2);
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '.'], {
      cwd: example,
      encoding: 'utf8',
    });
    const texts = files
      .trim()
      .split('\n')
      .map((file) => readFileSync(join(example, file), 'utf8'));
    for (const { file, code } of blocks) {
      if (file !== undefined) expect(code).toBe(readFileSync(join(example, file), 'utf8'));
      else {
        // Some functions of a file, with an empty line between them.
        for (const piece of code.trimEnd().split(/\n{2,}(?=\S)/)) {
          expect(texts.some((text) => text.includes(piece))).toBe(true);
        }
      }
    }
  });

  if (!TODAY.includes(language)) return;
  describe.skipIf(missing.length > 0)('with its tools', () => {
    beforeAll(async () => {
      bank = await startBank({ SANDBANK_CONTROL_TOKEN: CONTROL_TOKEN });
      copy = join(makeFolder(), folder);
      cpSync(example, copy, { recursive: true, filter: (path) => !/__pycache__|\/target$/.test(path) });
      if (folder === 'java') {
        // A copy, because Maven writes into it; most of Debian's files are links.
        repository = makeFolder();
        cpSync(MAVEN_REPOSITORY, repository, { recursive: true, dereference: true });
      }
    }, TIMEOUT_MS);

    it(
      'the guide works in an empty folder',
      async () => {
        const guide = guideOf(language);
        expect(guide).toContain(`\nsandbank exec -- ${command}\n`);
        const empty = makeFolder();
        for (const { file, code } of blocksOf(guide)) {
          if (file === undefined) continue;
          mkdirSync(dirname(join(empty, file)), { recursive: true });
          writeFileSync(join(empty, file), code);
        }
        const { code, stdout } = await run(empty, `sandbank exec -- ${command}`);
        expect(stdout).toMatch(language.ofGuide);
        expect(code).toBe(0);
      },
      TIMEOUT_MS,
    );

    // One run of the tools shows both.
    it(
      'the example passes with a running bank and leaves no sandbox, and a failed test leaves a trace with its name, the reason and its requests',
      async () => {
        const { file, code: text, trace } = language.failing;
        writeFileSync(join(copy, file), text);
        const traces = join(makeFolder(), 'traces');
        const where = `SANDBANK_URL=${bank.url} SANDBANK_CONTROL_TOKEN=${CONTROL_TOKEN} SANDBANK_TRACES='${traces}'`;
        const { code, stdout } = await run(copy, `${where} ${command}${language.naming}`);
        rmSync(join(copy, file));
        expect(code, stdout).not.toBe(0);
        expect(stdout).toMatch(language.allButOne);
        const headers = { 'x-control-token': CONTROL_TOKEN };
        const { body, text: list } = await bank.v2('GET', '/_sandbox/sandboxes', undefined, headers);
        expect((body.sandboxes as unknown[]).length, list).toBe(1);
        expect(stdout).toContain(join(traces, trace));
        expect(readdirSync(traces)).toEqual([trace]);
        const { test, error, answers } = dataOf(readFileSync(join(traces, trace)));
        expect(test.toLowerCase()).toMatch(/pays_?the_?rent/);
        expect(error).toContain('settled');
        expect(error).toContain('returned');
        expect(JSON.stringify(answers['/_sandbox/requests?limit=1000'])).toContain('/v2/payments/ach/pull');
      },
      TIMEOUT_MS,
    );

    it(
      'the error without a running bank contains a solution',
      async () => {
        const { code, stdout } = await run(copy, `SANDBANK_URL=http://127.0.0.1:9 ${command}`);
        expect(code).not.toBe(0);
        expect(stdout).toContain(`sandbank exec -- ${command}`);
      },
      TIMEOUT_MS,
    );
  });
});
