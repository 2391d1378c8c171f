/**
 * `sandbank cluster instance` without workerd: what it refuses before a start. `test/long/cluster-faults.test.ts`
 * runs instances.
 */
import { describe, expect, it } from 'vitest';
import { sandbank } from '../../cli/support.ts';
import { makeFolder } from '../../server/process/support.ts';

const ENVIRONMENT = {
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  SANDBANK_SECRET_ROOT: 'r'.repeat(64),
};

const instance = (environment: Record<string, string | undefined>, ...words: string[]) => {
  const data = makeFolder();
  const usual = ['--folder', makeFolder(), '--data', data, '--bucket', 's3://bank/sandbank', '--port', '0'];
  return sandbank(['cluster', 'instance', ...usual, ...words], { ...ENVIRONMENT, ...environment });
};

describe('cluster instance', () => {
  it.each([
    ['a folder that init did not write', {}, [], 1, 'make the folder with "sandbank cluster init'],
    ['missing credentials of the bucket', { AWS_ACCESS_KEY_ID: '' }, [], 1, 'AWS_SECRET_ACCESS_KEY'],
    [
      'a missing root of the secrets',
      { SANDBANK_SECRET_ROOT: undefined },
      [],
      1,
      'SANDBANK_SECRET_ROOT is not set',
    ],
    ['a bucket without a scheme', {}, ['--bucket', 'bank'], 2, 'expected an address like s3://'],
    ['an address without a port', {}, ['--peer-address', 'host'], 2, 'expected a host and a port'],
    ['an endpoint that is not a URL', {}, ['--endpoint', 'bucket'], 2, 'Expected an address like http'],
    ['a setting without effect', {}, ['--rest-after', '9'], 1, '--rest-after has no effect in a cluster'],
    ['an open instance on other addresses', {}, ['--host', '0.0.0.0'], 1, 'SANDBANK_SANDBOXES=closed'],
  ] as const)('refuses %s', async (_, environment, words, exitCode, message) => {
    const { code, stdout, stderr } = await instance(environment, ...words);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toMatch(/^sandbank: .*\n$/);
    expect(stderr).toContain(message);
  });

  it('requires no key if a file has the credentials', async () => {
    const { stderr } = await instance({ AWS_ACCESS_KEY_ID: '', AWS_CREDENTIALS_FILE: 'credentials' });
    expect(stderr).toContain('sandbank cluster init');
  });
});
