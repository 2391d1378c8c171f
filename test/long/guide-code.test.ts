/**
 * The code of the guides to pagination, idempotency and webhook signatures, in four languages: each program of a guide is
 * written to a file and run against a bank.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../package/support.ts';
import { makeFolder, type Running, startBank } from '../server/process/support.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LANGUAGES = [
  { language: 'js', command: [process.execPath] },
  { language: 'python', command: ['/usr/bin/python3'] },
  { language: 'go', command: ['/usr/bin/go', 'run'] },
  { language: 'java', command: ['/usr/bin/java'] },
];

/** A program of a guide; its first line has the name of its file. */
function programIn(guide: string, language: string): { name: string; code: string } {
  const text = readFileSync(join(ROOT, `docs/guides/${guide}.md`), 'utf8');
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  const [, name = ''] = /^(?:\/\/|#) (\S+)\n/.exec(code) ?? [];
  expect(name).not.toBe('');
  return { name, code };
}

/**
 * Code around a function for signatures that makes it a program: it prints whether the body, and a changed one, have
 * a valid signature.
 */
const AROUND: Readonly<Record<string, (code: string) => { name: string; code: string }>> = {
  js: (code) => ({
    name: 'main.mjs',
    code: `${code}\nconst { BODY, SIGNATURE, SECRET } = process.env;\nconsole.log(isSigned(BODY, SIGNATURE, SECRET), isSigned(BODY + ' ', SIGNATURE, SECRET), isSigned(BODY, 'x', SECRET));\n`,
  }),
  python: (code) => ({
    name: 'main.py',
    code: `${code}\nimport os\nbody, signature, secret = (os.environ[name] for name in ("BODY", "SIGNATURE", "SECRET"))\nprint(*(str(is_signed(text.encode(), given, secret)).lower() for text, given in ((body, signature), (body + " ", signature), (body, "x"))))\n`,
  }),
  go: (code) => ({
    name: 'main.go',
    code: `${code.replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"\n\t"os"')}\nfunc main() {\n\tbody, signature, secret := os.Getenv("BODY"), os.Getenv("SIGNATURE"), os.Getenv("SECRET")\n\tfmt.Println(isSigned([]byte(body), signature, secret), isSigned([]byte(body+" "), signature, secret), isSigned([]byte(body), "x", secret))\n}\n`,
  }),
  java: (code) => ({
    name: 'Verify.java',
    code: code.replace(
      'public class Verify {',
      'public class Verify {\n  public static void main(String[] arguments) throws Exception {\n    String body = System.getenv("BODY"), signature = System.getenv("SIGNATURE"), secret = System.getenv("SECRET");\n    System.out.println(isSigned(body.getBytes(StandardCharsets.UTF_8), signature, secret) + " " + isSigned((body + " ").getBytes(StandardCharsets.UTF_8), signature, secret) + " " + isSigned(body.getBytes(StandardCharsets.UTF_8), "x", secret));\n  }',
    ),
  }),
};

describe.each(LANGUAGES)('in $language', ({ language, command }) => {
  let bank: Running;

  beforeAll(async () => {
    bank = await startBank({ SANDBANK_RAILS: 'manual' });
  });

  const runProgram = async (
    { name, code }: { name: string; code: string },
    env: Record<string, string>,
  ): Promise<string> => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, name), code);
    const [program = '', ...words] = command;
    const {
      code: status,
      stdout,
      stderr,
    } = await run(program, [...words, join(cwd, name)], {
      cwd,
      env: { SANDBANK_URL: bank.url, SANDBANK_API_KEY: bank.key, ...env },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim();
  };

  it('all pages of a list are read', async () => {
    const { body } = await bank.v2('GET', '/v2/accounts/sub_account');
    expect(Number(body.total)).toBeGreaterThan(2);
    expect(await runProgram(programIn('pagination', language), {})).toBe(String(body.total));
  });

  it('a repeated payment is created once', async () => {
    const { sub_account_id = '', ach_counterparty_id = '' } = bank.seeded;
    expect(
      await runProgram(programIn('idempotency', language), { sub_account_id, ach_counterparty_id }),
    ).toBe('true');
  });

  it('a signature is verified, and a modified body or signature is rejected', async () => {
    const { body: list } = await bank.v2('GET', '/_sandbox/events?limit=1');
    const [{ id }] = list.events as [{ id: string }];
    const { body } = await bank.v2('GET', `/_sandbox/events/${id}/delivery`);
    const { headers, body: BODY } = body as { headers: Record<string, string>; body: string };
    const env = {
      BODY,
      SIGNATURE: headers['sd-webhook-sha256-signature'] ?? '',
      SECRET: bank.seeded.webhook_secret ?? '',
    };
    const code = AROUND[language]?.(programIn('webhook-signatures', language).code);
    expect(await runProgram(code ?? { name: '', code: '' }, env)).toBe('true false false');
  });
});
