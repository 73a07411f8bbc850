import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import type { Row } from '../figures.ts';
import type { BenchReport } from './print-table.ts';
import { toProbeRows } from './probe-rows.ts';

const program = fileURLToPath(new URL('bench-probe.js', import.meta.url));
/** Short fixtures and a short brute force: with so many runs some five minutes. */
const runs = 2;

/** How well a probe tells, by the short form of `npm run bench:probe`. */
export async function benchProbe(bench: Bench): Promise<readonly Row[]> {
  bench.progress('probes against known answers: some five minutes');
  const args = [
    '--quick',
    '--runs',
    String(bench.scale < 1 ? 1 : runs),
    '--json',
    '--state',
    join(bench.scratch, 'probe-state.json'),
  ];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-1_000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`Probes could not be measured: ${said.trim()}`);
  return toProbeRows(JSON.parse(out) as BenchReport);
}
