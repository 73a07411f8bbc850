import { defineConfig } from 'vitest/config';

/** What is measured in a real VS Code; no part of the tests. */
export default defineConfig({
  test: {
    include: ['test/e2e/bench/*.bench-e2e.ts'],
    globalSetup: ['test/e2e/support/set-up.ts'],
    hookTimeout: 180_000,
  },
});
