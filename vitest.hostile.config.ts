import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/security/hostile-owner/*.test.ts'],
    globalSetup: ['test/security/hostile-owner/closing-table.ts'],
    env: { POOLGUARD_DEBUG: '1' },
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 15_000 } },
    // Most of it waits for servers: four files at a time fill two cores.
    maxWorkers: 4,
    allowOnly: false,
  },
});
