import { defineConfig } from 'vitest/config';

const elsewhere = [
  'test/bare/**',
  'test/e2e/**',
  'test/chaos/**',
  'test/k6/**',
  'test/security/hostile-owner/**',
  '**/node_modules/**',
];

/** What starts a server, a browser or a process of its own. */
const integration = [
  'test/**/*.integration.test.ts',
  'test/{database,harm,libraries,published,webview}/**/*.test.ts',
];

/** What measures, and compares with what it measures itself. */
const figures = 'test/database/figures/**/*.test.ts';

const servers = ['test/support/build-all.ts', 'test/support/postgres-for-all-tests.ts'];

const shared = {
  env: { POOLGUARD_DEBUG: '1', POOLGUARD_CACHE_KEY: 'signs the caches of tests' },
  // Limits for what hangs, not for what is slow: a busy machine takes three times as long.
  testTimeout: 90_000,
  hookTimeout: 120_000,
  // What a test waits for has no limit of its own.
  expect: { poll: { timeout: 90_000 } },
  // No module keeps state from one file to the next, so each worker loads them once.
  isolate: false,
  allowOnly: false,
} as const;

export default defineConfig({
  test: {
    // Most tests wait for processes and servers: two files at a time fill two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, ...integration],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: integration,
          exclude: [...elsewhere, figures],
          globalSetup: [...servers, 'test/support/packed-artifacts.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'figures',
          include: [figures],
          globalSetup: servers,
          // Behind the others, one file after the other: nothing else is at work then.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
        },
      },
    ],
  },
});
