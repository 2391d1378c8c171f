// The log of a separate process: a child writes lines and ends in various ways, and the test reads its stdout. Other
// tests check the masks.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { maskKey, maskNumber, maskRecord } from '../../src/bank/kernel/masks.ts';

const LOG = new URL('../../src/server/process/log.ts', import.meta.url).href;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Arguments for a Node process that creates a log and then runs a script with `log` and `flush`. */
function child(script: string, logFormat = 'json', isTerminal = false): string[] {
  const settings = JSON.stringify({ logLevel: 'info', logFormat });
  const code = `
    import { createRequire } from 'node:module';
    import { createLog } from ${JSON.stringify(LOG)};
    const { log, flush } = await createLog(${settings}, ${isTerminal});
    const hasPretty = () => Object.keys(createRequire(${JSON.stringify(LOG)}).cache).some((file) => file.includes('pino-pretty'));
    ${script}`;
  return ['--input-type=module', '--eval', code];
}

function run(...args: Parameters<typeof child>) {
  const { stdout, status } = spawnSync(process.execPath, child(...args), { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, lines: stdout.split('\n').filter((line) => line !== '') };
}

const THOUSAND_LINES = 'for (let n = 0; n < 1000; n++) log.info({ n }, "line");';

describe('a JSON log', () => {
  it('has level names and ISO times, and no host information', () => {
    const { lines } = run('log.warn({ port: 4800 }, "ready")');
    const line = JSON.parse(lines[0] ?? '');
    expect(line).toEqual({ level: 'warn', time: expect.any(String), port: 4800, msg: 'ready' });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it('omits entries below its level', () => {
    expect(run('log.debug("no"); log.info("yes")').lines).toHaveLength(1);
  });

  test.each([
    ['ends by itself', '', 0],
    ['exits immediately', 'process.exit(3)', 3],
    ['throws', 'throw new Error("on purpose")', 1],
    ['rejects', 'Promise.reject(new Error("on purpose"))', 1],
    [
      'exits on a signal that it handles',
      'process.on("SIGTERM", () => process.exit(0)); process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)',
      0,
    ],
  ])('loses no line if the process %s', (_how, end, status) => {
    const result = run(`${THOUSAND_LINES} ${end}`);
    expect(result.status).toBe(status);
    expect(result.lines.map((line) => JSON.parse(line).n)).toEqual([...Array(1000).keys()]);
  });

  it('reports that it cannot be written, and that it can be written again', () => {
    const full = openSync('/dev/full', 'w');
    const { stderr, status } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { closeSync, openSync } from 'node:fs';
        import { createLog } from ${JSON.stringify(LOG)};
        const { log, flush } = await createLog({ logLevel: 'info', logFormat: 'json' }, false, 'stdout',
          (error) => process.stderr.write(error === null ? 'written\\n' : error.code + '\\n'));
        log.info('one');
        flush();
        closeSync(1);
        openSync('/dev/null', 'w');
        log.info('two');
        flush();`,
      ],
      { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', full, 'pipe'] },
    );
    closeSync(full);
    expect(status).toBe(0);
    const told = stderr.split('\n').filter((line) => line !== '');
    expect([told[0], told.at(-1)]).toEqual(['ENOSPC', 'written']);
  });

  it('is written synchronously by flush', () => {
    expect(run('log.info("kept"); flush(); process.kill(process.pid, "SIGKILL")').lines).toHaveLength(1);
  });

  it('is written synchronously after a fatal entry', () => {
    expect(
      run('log.info("kept"); log.fatal("last"); process.kill(process.pid, "SIGKILL")').lines,
    ).toHaveLength(2);
  });

  it('is written after a short delay', async () => {
    const writer = spawn(process.execPath, child('log.info("soon"); setInterval(() => {}, 1000)'), {
      cwd: ROOT,
    });
    const [chunk] = await once(writer.stdout, 'data');
    writer.kill('SIGKILL');
    expect(String(chunk)).toContain('"msg":"soon"');
  });

  it('does not keep its process alive after the reader has closed', async () => {
    const script = `
      process.once('SIGTERM', () => { log.info('down'); process.exit(7); });
      setInterval(() => {}, 1000);
      log.info('up');`;
    const writer = spawn(process.execPath, child(script), {
      cwd: ROOT,
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    await once(writer.stdout, 'data');
    writer.stdout.destroy();
    writer.kill('SIGTERM');
    expect(await once(writer, 'exit')).toEqual([7, null]);
  });

  it('does not load the pretty printer', () => {
    expect(run('log.info({ pretty: hasPretty() })').stdout).toContain('"pretty":false');
  });
});

describe('a pretty log', () => {
  it('is used on request, without colours outside of a terminal', () => {
    expect(run('log.info({ port: 4800 }, "ready"); process.exit()', 'pretty').stdout).toMatch(
      /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: ready \{"port":4800\}\n$/,
    );
  });

  it('is the format for auto on a terminal, with colours', () => {
    expect(run('log.info("ready")', 'auto', true).stdout).toContain('\u001b[32mINFO\u001b[39m');
  });

  it('is not the format for auto outside of a terminal', () => {
    expect(run('log.info("ready")', 'auto', false).stdout).toMatch(/^\{/);
  });

  it('loses no line if the process exits immediately', () => {
    expect(run(`${THOUSAND_LINES} process.exit()`, 'pretty').lines).toHaveLength(1000);
  });
});

describe('masking', () => {
  test.each([
    ['000123456789', '********6789'],
    ['123-45-6789', '*******6789'],
    ['12345678', '****5678'],
    ['1234567', '*******'],
    ['', ''],
  ])('masks the number %j as %j', (text, masked) => {
    expect(maskNumber(text)).toBe(masked);
  });

  test.each([
    ['sd_test_0123456789abcdef', '****cdef'],
    ['test_alice', '****'],
  ])('masks the key %j as %j', (text, masked) => {
    expect(maskKey(text)).toBe(masked);
  });

  test('applies by field name, in every spelling and at every depth', () => {
    const record = {
      id: 'sub_1',
      person: {
        id_number: '123456789',
        idNumber: '123456789',
        ssn: '123456789',
        date_of_birth: '1990-01-02',
      },
      dateOfBirth: '1990-01-02',
      ach: { account_number: '000123456789', routing_number: '122235821', last4: '6789' },
      wire: [{ accountNumber: '000123456789', routingNumber: '122235821' }],
      sub_account_number: '000123456789',
      card_number: '4000000000001234',
      card: { cardNumber: '4000000000001234', cvv: '123', pan: '4000000000001234', pin: '1234' },
      secret: 'k3Jq0VtY8mZc5RbN1xWd7PfLs2GhUa9E',
      show_token: 'card_show_test_0001',
      headers: {
        'API-Key': ['sd_test_0123456789abcdef'],
        'sd-api-key': 'short',
        authorization: 'Basic dXNlcjpwYXNz',
      },
    };
    expect(maskRecord(record)).toEqual({
      id: 'sub_1',
      person: { id_number: '*****6789', idNumber: '*****6789', ssn: '*****6789', date_of_birth: '****' },
      dateOfBirth: '****',
      ach: { account_number: '********6789', routing_number: '122235821', last4: '6789' },
      wire: [{ accountNumber: '********6789', routingNumber: '122235821' }],
      sub_account_number: '********6789',
      card_number: '************1234',
      card: { cardNumber: '************1234', cvv: '****', pan: '************1234', pin: '****' },
      secret: '****Ua9E',
      show_token: '****0001',
      headers: { 'API-Key': ['****cdef'], 'sd-api-key': '****', authorization: '****' },
    });
  });

  test('masks a JSON number, and keeps null and booleans', () => {
    expect(maskRecord({ account_number: 123456789, pin: null, secret: true })).toEqual({
      account_number: '*****6789',
      pin: null,
      secret: true,
    });
  });

  test('masks the fields of an object with such a name by their own names', () => {
    const value = { authorization: { id: 'txn_1', amount: '12.00', card_number: '4000000000001234' } };
    expect(maskRecord(value)).toEqual({
      authorization: { id: 'txn_1', amount: '12.00', card_number: '************1234' },
    });
  });

  test('keeps words that only resemble the names of secrets', () => {
    const value = { company: 'Birch', span: '12345678', pinned: 'yes', trace_number: '122235820000001' };
    expect(maskRecord(value)).toEqual(value);
  });

  test('changes a copy and not the input', () => {
    const value = { cvv: '123', list: [{ pin: '1234' }] };
    maskRecord(value);
    expect(value).toEqual({ cvv: '123', list: [{ pin: '1234' }] });
  });

  test('accepts a value that is nested more deeply than the stack allows', () => {
    const value = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    expect(JSON.stringify(maskRecord(value))).toContain('too deep');
  });

  test('keeps a field named __proto__ as a field', () => {
    expect(JSON.stringify(maskRecord(JSON.parse('{"__proto__":{"pin":"1234"}}')))).toBe(
      '{"__proto__":{"pin":"****"}}',
    );
  });
});
