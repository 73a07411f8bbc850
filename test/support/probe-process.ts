import { build, type BuildOptions } from 'esbuild';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BuiltProbe {
  /** The measuring process, bundled as it ships. */
  readonly processPath: string;
  /** A script that starts a probe of `PROBE_URL` and prints the measuring process's id when it measures, or, with a statement in `PROBE_SQL`, at once: something to kill. */
  readonly parentPath: string;
  remove(): Promise<void>;
}

const parentSource = `
import { parseTarget } from './src/database/target.ts';
import { sizeDefaults, workloadOf } from './src/probe/request.ts';
import { runProbe } from './src/probe/run-probe.ts';
const parsed = parseTarget(process.env['PROBE_URL']);
let pid = 0;
await runProbe({ ...sizeDefaults, target: parsed.target, secret: parsed.secret, max: 8, workload: workloadOf(process.env['PROBE_SQL'] ?? 'SELECT pg_sleep(0.01)') }, {
  signal: new AbortController().signal,
  processPath: process.env['PROBE_PROCESS'],
  onStart: (started) => { pid = started; if (process.env['PROBE_SQL'] !== undefined) console.log(pid); },
  onEvent: (event) => { if (event.kind === 'progress') console.log(pid); },
});
`;

/** Bundles today's sources, so that the tests need no build before them. */
export async function buildProbe(): Promise<BuiltProbe> {
  const directory = await mkdtemp(join(tmpdir(), 'poolguard-probe-'));
  const processPath = join(directory, 'probe.cjs');
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
  await build({
    ...shared,
    format: 'cjs',
    entryPoints: ['src/probe/process.ts'],
    outfile: processPath,
  });
  await build({
    ...shared,
    format: 'esm',
    stdin: { contents: parentSource, resolveDir: process.cwd(), loader: 'ts' },
    outfile: parentPath,
    external: ['pg'],
  });
  return { processPath, parentPath, remove: () => rm(directory, { recursive: true, force: true }) };
}
