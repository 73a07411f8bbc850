import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's connection strings: a server for each test file that runs at a time, so that none sees the sessions of another. */
    readonly postgresUrls: readonly string[];
  }
}

/** The superuser's connection string of the server that no other test file uses at the same time. */
export function postgresUrl(): string {
  const urls = inject('postgresUrls');
  const url = urls[(Number(process.env['VITEST_POOL_ID']) - 1) % urls.length];
  if (url === undefined) throw new Error('No PostgreSQL was started for this worker.');
  return url;
}
