import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/projects/**', '**/node_modules/**'],
    globalSetup: ['test/support/build-all.ts', 'test/support/postgres-for-all-tests.ts'],
    env: { POOLGUARD_DEBUG: '1' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    allowOnly: false,
  },
});
