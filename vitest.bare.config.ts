import { defineConfig } from 'vitest/config';

/** `npm start` and `npm test` where nothing is prepared: `npm run test:bare`. */
export default defineConfig({
  test: {
    include: ['test/bare/**/*.test.ts'],
    // Two surroundings at a time fill two cores. The limits are for what hangs.
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    allowOnly: false,
  },
});
