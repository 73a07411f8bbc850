import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { runNode, type Finished } from './run-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where test files ask for what is packed. */
    readonly packedUrl: string;
  }
}

export interface PackedArtifacts {
  /** Holds what is published; nobody writes into it. */
  readonly folder: string;
  /** The run of `release:check` that filled it. */
  readonly checked: Finished;
}

/** As in package.json: a package that vsce stands on uses a module that Node gives up, which nobody here can change. */
const quiet = ['--disable-warning=DEP0040'];

/** Packs when the first test file asks, once for all of them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path, [Symbol.asyncDispose]: remove } = await createTemporaryFolder();
  let checked: Promise<Finished> | undefined;
  const server = createServer((_request, response) => {
    checked ??= runNode(
      [...quiet, '--import', 'tsx', 'scripts/published/main.ts', 'check', '--into', path],
      resolve(import.meta.dirname, '../..'),
    );
    void checked.then((each) => response.end(JSON.stringify({ folder: path, checked: each })));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  project.provide('packedUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.close();
    await remove();
  };
}

/** All that is published, packed as `npm run release:check` does it. */
export async function packedArtifacts(): Promise<PackedArtifacts> {
  return (await (await fetch(inject('packedUrl'))).json()) as PackedArtifacts;
}
