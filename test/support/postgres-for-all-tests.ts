import type { TestProject } from 'vitest/node';
import { startEmbeddedServer } from '../../scripts/embedded-server.ts';
import './postgres-url.ts';

/** A server for each test file that runs at a time. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = await Promise.all(
    Array.from({ length: project.vitest.config.maxWorkers }, () =>
      startEmbeddedServer({ inMemory: true }),
    ),
  );
  project.provide(
    'postgresUrls',
    servers.map((server) => server.url()),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
  };
}
