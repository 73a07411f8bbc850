import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's connection string of the one server that all test files share. */
    readonly postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startEmbeddedServer();
  project.provide('postgresUrl', server.url());
  return () => server.stop();
}
