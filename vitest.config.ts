import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/k6/**', '**/node_modules/**'],
    globalSetup: ['test/support/build-all.ts', 'test/support/postgres-for-all-tests.ts'],
    env: { POOLGUARD_DEBUG: '1' },
    // Limits for what hangs, not for what is slow: a busy machine takes three times as long.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    // Most tests wait for processes and servers: two files at a time fill two cores.
    maxWorkers: 2,
    allowOnly: false,
  },
});
