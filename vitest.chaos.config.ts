import { defineConfig } from 'vitest/config';

/** Faults at random moments: `npm run chaos`. POOLGUARD_CHAOS_ROUNDS=1 crosses every fault with every subject, POOLGUARD_CHAOS_SEED moves the moments. */
export default defineConfig({
  test: {
    include: ['test/chaos/**/*.test.ts'],
    globalSetup: ['test/support/build-all.ts', 'test/chaos/support/ledger-for-all.ts'],
    maxWorkers: 2,
    // Trials wait more than they work: for time limits, and for faults to end.
    maxConcurrency: 4,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    allowOnly: false,
  },
});
