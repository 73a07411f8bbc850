import { defineConfig } from 'vitest/config';
import { patience } from './test/e2e/support/patience.ts';

/** What is measured in a real VS Code; no part of the tests. */
export default defineConfig({
  test: {
    include: ['test/e2e/bench/*.bench-e2e.ts'],
    globalSetup: ['test/e2e/support/set-up.ts', 'test/support/postgres-for-all-tests.ts'],
    // One PostgreSQL is started for each.
    maxWorkers: 1,
    hookTimeout: 2 * patience,
    expect: { poll: { timeout: patience } },
  },
});
