import { createFileLooks } from '../../rules/analysis/files/file-looks.ts';
import { createDriverNear } from '../lint/driver-near.ts';
import { createPoolFileFinder } from './find-pool-files.ts';
import { hostWithoutFiles, type Host } from './host.ts';
import { createEslintConfiguration, type ConfiguredRulesOptions } from './eslint-config/configured-rules.ts';

const eslintLimits = { limitMs: 10_000, idleMs: 120_000 };

export interface NodeHostOptions {
  /** `dist/eslint-config.cjs`, which lies beside the bundle of whoever starts the server. */
  readonly eslintConfig: ConfiguredRulesOptions['file'];
  readonly log: ConfiguredRulesOptions['log'];
}

/** A host that sees the files of this machine. */
export function createNodeHost({ eslintConfig, log }: NodeHostOptions): Host {
  const drivers = createDriverNear(createFileLooks());
  const eslint = createEslintConfiguration({ file: eslintConfig, log, ...eslintLimits });
  return {
    ...hostWithoutFiles,
    isDriverNear: (path, folder) => drivers.isNear(path, folder),
    configuredRules: (path, folder) => eslint.of(path, folder),
    filesWithPools: createPoolFileFinder(),
    forgetFiles: () => {
      drivers.invalidate();
      eslint.forgetFiles();
    },
    dispose: () => {
      eslint.dispose();
      return Promise.resolve();
    },
  };
}
