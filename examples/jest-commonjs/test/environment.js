/**
 * Remembers why a test failed, for the hooks that run after it.
 */
const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test, error }) {
    if (name === 'test_start') this.global.failure = undefined;
    if (name === 'test_fn_failure') this.global.failure = { test: test.name, error };
  }
};
