import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { Bench } from './bench.ts';
import { spreadOf, type Row } from './figures.ts';

const cli = fileURLToPath(new URL('cli.js', import.meta.url));
/** Starts are short, so there are many in a round. */
const startsARound = 4;
const leak =
  "import { Pool } from 'pg';\nconst pool = new Pool();\nexport async function look() {\n  const client = await pool.connect();\n  await client.query('SELECT 1');\n}\n";

/** By the name of the row: the arguments of `poolguard`, and how many times as long as Node alone it may take. */
const starts: Readonly<Record<string, readonly [args: readonly string[], goal: number | null]>> = {
  'poolguard --help': [['--help'], 2],
  'poolguard lint, a file of 6 lines': [['lint', 'leak.js'], null],
  'poolguard probe --help': [['probe', '--help'], null],
};

/** What the command takes to start, beside what Node itself takes: each in turn, in a process of its own. */
export function benchStart({ rounds, scratch, progress }: Bench): Promise<readonly Row[]> {
  writeFileSync(join(scratch, 'leak.js'), leak);
  const ratios: Readonly<Record<string, number[]>> = Object.fromEntries(
    Object.keys(starts).map((name) => [name, []]),
  );
  const alone: number[] = [];
  for (let turn = 0; turn < rounds * startsARound; turn++) {
    progress(`start: ${turn + 1} of ${rounds * startsARound}`);
    const node = timeOf(['-e', '0'], scratch);
    alone.push(node);
    for (const [name, [args]] of Object.entries(starts))
      ratios[name]?.push(timeOf([cli, ...args], scratch) / node);
  }
  const rows = Object.entries(starts).map(([name, [, goal]]): Row => ({
    group: 'start',
    name,
    unit: 'times',
    value: spreadOf(ratios[name] ?? []),
    goal,
    note: `as long as \`node -e 0\`, which took ${spreadOf(alone).median.toFixed(0)} ms`,
  }));
  return Promise.resolve(rows);
}

/** From the start of a process to its end, in milliseconds. */
function timeOf(args: readonly string[], cwd: string): number {
  const begun = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd });
  // 1 is the leak that is there to be found.
  if (status !== 0 && status !== 1)
    throw new Error(`node ${args.join(' ')} ended with ${String(status)}.`);
  return performance.now() - begun;
}
