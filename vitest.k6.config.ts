import { defineConfig } from 'vitest/config';

/** The longer suite with a real k6: `npm run test:k6`. */
export default defineConfig({
  test: {
    include: ['test/k6/**/*.test.ts'],
    globalSetup: ['test/support/build-all.ts', 'test/support/postgres-for-all-tests.ts'],
    env: { POOLGUARD_DEBUG: '1' },
    // Each file loads the machine for itself.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    allowOnly: false,
  },
});
