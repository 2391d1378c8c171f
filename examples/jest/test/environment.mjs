/**
 * Remembers why a test failed, for the hooks that run after it.
 */
import { TestEnvironment } from 'jest-environment-node';

export default class extends TestEnvironment {
  handleTestEvent({ name, test, error }) {
    if (name === 'test_start') this.global.failure = undefined;
    if (name === 'test_fn_failure') this.global.failure = { test: test.name, error };
  }
}
