import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    globalSetup: ['test/e2e/support/set-up.ts'],
    fileParallelism: false,
    // A first window on a busy machine needs its time; every wait is for a condition.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    allowOnly: false,
  },
});
