import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createFileStates } from '../../rules/project/file-states.ts';
import { withoutMark } from '../../rules/project/file-source.ts';
import { readOrdinary } from '../../rules/project/ordinary-file.ts';
import { createDriverNear } from '../lint/driver-near.ts';
import { createPoolFileFinder, stampOf } from './find-pool-files.ts';
import { findFiles, findSqlFiles } from '../lint/find-files.ts';
import { createLintThread } from '../lint/lint-thread.ts';
import { hostWithoutFiles, type Host, type TextOnDisk } from './host.ts';
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
  const drivers = createDriverNear(createFileStates());
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
      textOf: (path) => Promise.resolve(readTextOnDisk(path)),
      startLinting: (start) => createLintThread(join(bundles, 'server.cjs'), start),
      processors: availableParallelism(),
    },
    dispose: () => {
      eslint.dispose();
      return Promise.resolve();
    },
  };
}

/** Larger files are generated. */
const longestFile = 2_000_000;

/** Reads an ordinary file through one handle, so that the time is that of the text. Undefined for what cannot be read, is no file, or is too large. */
function readTextOnDisk(path: string): TextOnDisk | undefined {
  const read = readOrdinary(path, { longest: longestFile });
  return read.kind === 'read'
    ? { text: withoutMark(read.bytes.toString('utf8')), changedAt: read.changedMs }
    : undefined;
}
