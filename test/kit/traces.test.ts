/** The folder and the names of traces of failed tests. */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorText, traceBody, traceFile, traceFolder, writeTrace } from '../../src/kit/traces.ts';
import { makeFolder } from '../support/folder.ts';

describe('the folder of traces', () => {
  it.each<[env: Record<string, string>, folder: string | undefined]>([
    [{}, undefined],
    [{ CI: 'true' }, 'sandbank-traces'],
    [{ CI: '1' }, 'sandbank-traces'],
    [{ CI: 'false' }, undefined],
    [{ CI: '' }, undefined],
    [{ CI: 'true', SANDBANK_TRACES: 'off' }, undefined],
    [{ CI: 'true', SANDBANK_TRACES: '0' }, undefined],
    [{ CI: 'true', SANDBANK_TRACES: '' }, undefined],
    [{ SANDBANK_TRACES: 'on' }, 'sandbank-traces'],
    [{ SANDBANK_TRACES: 'build/traces' }, 'build/traces'],
    [{ CI: 'true', SANDBANK_TRACES: '/var/kept' }, '/var/kept'],
  ])('with %j is %s', (env, folder) => {
    expect(traceFolder(env)).toBe(folder);
  });
});

describe('the file of a trace', () => {
  it.each([
    ['pays the rent', 'sandbank-pays-the-rent.html'],
    ['payments > ACH: R01 / "late"', 'sandbank-payments-ACH-R01-late.html'],
    ['../../etc/passwd', 'sandbank-etc-passwd.html'],
    ['', 'sandbank-trace.html'],
    ['🙂', 'sandbank-trace.html'],
    ['x'.repeat(300), `sandbank-${'x'.repeat(100)}.html`],
  ])('of %j is %s', (test, file) => {
    expect(traceFile(test)).toBe(file);
  });

  it('never replaces another', () => {
    const folder = makeFolder();
    const names = ['a', 'a', 'a'].map((name) => basename(writeTrace(folder, name, new Uint8Array([1]))));
    expect(names).toEqual(['sandbank-a.html', 'sandbank-a-2.html', 'sandbank-a-3.html']);
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });
});

describe('the data of a test in a trace', () => {
  it('are the name and the error, without terminal colours, limited to what the bank accepts', () => {
    expect(traceBody({ test: 'a', error: 'no' })).toEqual({ test: 'a', error: 'no' });
    expect(traceBody({ error: new TypeError('wrong') }).error).toMatch(/^TypeError: wrong\n/);
    // As vitest reports a test that timed out, and node:test any failed one.
    const late = Object.assign(new Error('timed out in 5000ms'), {
      stack: 'Error: STACK\n    at a.test.ts:1',
    });
    expect(traceBody({ error: late }).error).toBe('Error: timed out in 5000ms\n    at a.test.ts:1');
    const cause = new RangeError('not equal');
    const wrapped = Object.assign(new Error('not equal', { cause }), { code: 'ERR_TEST_FAILURE' });
    expect(traceBody({ error: wrapped }).error).toBe(cause.stack);
    // The difference of an assertion of vitest comes before the frames.
    expect(
      errorText({ message: 'not equal', stack: 'Error: not equal\n    at a.test.ts:1', diff: '- 1\n+ 2' }),
    ).toBe('Error: not equal\n\n- 1\n+ 2\n\n    at a.test.ts:1');
    expect(traceBody({ error: '\u001b[31mred\u001b[0m' }).error).toBe('red');
    expect(traceBody({})).toEqual({ test: '', error: '' });
    const long = traceBody({ test: 'x'.repeat(2_000), error: 'y'.repeat(200_000) });
    expect([long.test.length, long.error.length]).toEqual([1_000, 100_000]);
  });
});
