import { defineConfig } from 'vitest/config';
import { patience } from './test/e2e/support/patience.ts';

/** What probes, and needs an answer. */
const figures = 'test/e2e/figures/**/*.test.ts';

const shared = {
  setupFiles: ['test/e2e/support/failed-pages.ts'],
  // Every wait is for a condition and ends by itself: a test is a row of them.
  testTimeout: 5 * patience,
  hookTimeout: 2 * patience,
  expect: { poll: { timeout: patience } },
  allowOnly: false,
};

export default defineConfig({
  test: {
    maxWorkers: 3,
    globalSetup: ['test/e2e/support/set-up.ts', 'test/support/postgres-for-all-tests.ts'],
    projects: [
      {
        test: {
          ...shared,
          name: 'editors',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [figures],
        },
      },
      {
        test: {
          ...shared,
          name: 'figures',
          include: [figures],
          // Behind the others, one file after the other: nothing else is at work then.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
