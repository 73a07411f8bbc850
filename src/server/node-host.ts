import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createFileLooks } from '../../rules/project/file-looks.ts';
import { createDriverNear } from '../lint/driver-near.ts';
import { readTextOnDisk } from './evidence/text-on-disk.ts';
import { createPoolFileFinder, stampOf } from './find-pool-files.ts';
import { findFiles, findSqlFiles } from '../lint/find-files.ts';
import { createLintThread } from '../lint/lint-thread.ts';
import { hostWithoutFiles, type Host } from './host.ts';
import {
  createEslintConfiguration,
  type ConfiguredRulesOptions,
} from './eslint-config/configured-rules.ts';

const eslintLimits = { limitMs: 10_000, idleMs: 120_000 };

export interface NodeHostOptions {
  /** Absolute path of the folder of `server.cjs`, which lints in threads, and `eslint-config.cjs`. */
  readonly bundles: string;
  readonly log: ConfiguredRulesOptions['log'];
}

/** A host that sees the files of this machine. */
export function createNodeHost({ bundles, log }: NodeHostOptions): Host {
  const drivers = createDriverNear(createFileLooks());
  const eslint = createEslintConfiguration({
    file: join(bundles, 'eslint-config.cjs'),
    log,
    ...eslintLimits,
  });
  return {
    ...hostWithoutFiles,
    isDriverNear: (path, folder) => drivers.isNear(path, folder),
    configuredRules: (path, folder) => eslint.of(path, folder),
    forgetFiles: () => {
      drivers.invalidate();
      eslint.forgetFiles();
    },
    files: {
      withPools: createPoolFileFinder(),
      sourcesIn: async (folder) => (await findFiles([folder], folder)).files,
      sqlIn: (folder) => findSqlFiles(folder),
      stampOf,
      realPathOf: (path) => realpath(path).catch(() => path),
      textOf: readTextOnDisk,
      startLinting: (start) => createLintThread(join(bundles, 'server.cjs'), start),
      processors: availableParallelism(),
    },
    dispose: () => {
      eslint.dispose();
      return Promise.resolve();
    },
  };
}
