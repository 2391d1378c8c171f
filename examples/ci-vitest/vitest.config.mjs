import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One server for the whole run; each test still has a sandbox of its own.
    globalSetup: 'sandbank/vitest/global-setup',
  },
});
