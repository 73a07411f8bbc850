import { defineConfig } from 'vitest/config';

/** Fuzzers: `npm run fuzz`. Each tries its number of cases from a fixed seed; a table tells how many and how long they took. */
export default defineConfig({
  test: {
    include: ['test/fuzz/**/*.fuzz.ts', 'test/rules/oracle/oracle.test.ts'],
    // `npm test` tries the first 150 of them.
    env: { POOLGUARD_ORACLE_RUNS: process.env['POOLGUARD_ORACLE_RUNS'] ?? '1500' },
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
