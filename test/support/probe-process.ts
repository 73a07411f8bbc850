import { build, type BuildOptions } from 'esbuild';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BuiltProbe {
  /** The measuring process, bundled as it ships. */
  readonly processPath: string;
  /** The same by a clock that runs five times as fast: for whatever is not about time. Of one thread only. */
  readonly quickPath: string;
  /** A script that starts a probe of `PROBE_URL` with the statement in `PROBE_SQL`, and prints the measuring process's id at once: something to kill. */
  readonly parentPath: string;
  remove(): Promise<void>;
}

const parentSource = `
import { parseTarget } from './src/database/target.ts';
import { sizeDefaults, workloadOf } from './src/probe/request.ts';
import { runProbe } from './src/probe/run-probe.ts';
const parsed = parseTarget(process.env['PROBE_URL']);
await runProbe({ ...sizeDefaults, target: parsed.target, secret: parsed.secret, max: 8, workload: workloadOf(process.env['PROBE_SQL']) }, {
  signal: new AbortController().signal,
  processPath: process.env['PROBE_PROCESS'],
  onStart: (pid) => console.log(pid),
  onEvent: () => undefined,
});
`;

/** Bundles today's sources, so that the tests need no build before them. */
export async function buildProbe(): Promise<BuiltProbe> {
  const directory = await mkdtemp(join(tmpdir(), 'poolguard-probe-'));
  const processPath = join(directory, 'probe.cjs');
  const quickPath = join(directory, 'quick.cjs');
  const parentPath = join(directory, 'parent.mjs');
  const shared: BuildOptions = {
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    external: ['pg-native'],
    logLevel: 'warning',
  };
  await copyFile(
    'node_modules/libpg-query/wasm/libpg-query.wasm',
    join(directory, 'libpg-query.wasm'),
  );
  const bundle = (from: string, outfile: string) =>
    build({ ...shared, format: 'cjs', entryPoints: [from], outfile });
  await Promise.all([
    bundle('src/probe/process.ts', processPath),
    bundle('test/support/quick-process.ts', quickPath),
  ]);
  await build({
    ...shared,
    format: 'esm',
    stdin: { contents: parentSource, resolveDir: process.cwd(), loader: 'ts' },
    outfile: parentPath,
    external: ['pg'],
  });
  return {
    processPath,
    quickPath,
    parentPath,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
