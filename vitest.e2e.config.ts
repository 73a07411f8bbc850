import { defineConfig } from 'vitest/config';
import { patience } from './test/e2e/support/patience.ts';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/support/set-up.ts', 'test/support/postgres-for-all-tests.ts'],
    setupFiles: ['test/e2e/support/failed-pages.ts'],
    maxWorkers: 3,
    // Every wait is for a condition and ends by itself: a test is a row of them.
    testTimeout: 5 * patience,
    hookTimeout: 2 * patience,
    expect: { poll: { timeout: patience } },
    allowOnly: false,
  },
});
