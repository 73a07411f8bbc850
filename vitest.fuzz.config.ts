import { defineConfig } from 'vitest/config';

/** Fuzzers: `npm run fuzz`. Each runs for a fixed time with a fixed seed; a table tells how many cases each tried. */
export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.fuzz.ts'],
    globalSetup: [
      'test/support/build-all.ts',
      'test/support/postgres-for-all-tests.ts',
      'test/fuzz/support/tell-table.ts',
    ],
    // Less would end a target that is asked to run for long.
    testTimeout: 24 * 60 * 60_000,
    maxWorkers: 2,
    allowOnly: false,
  },
});
