import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { max, median, quantile } from 'simple-statistics';
import type { Bench } from '../bench.ts';
import { spreadOf, type Row } from '../figures.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** As the file under test/e2e/bench/ writes them, in ms. */
interface Latencies {
  readonly activations: readonly number[];
  readonly firstUnderlines: readonly number[];
  readonly bareUnderlines: readonly number[];
  readonly keystrokes: number[];
}

/** What people wait for in a real VS Code, which is fetched first if there is none. */
export async function benchVscode(bench: Bench): Promise<readonly Row[]> {
  bench.progress('VS Code is opened six times: some minutes');
  const result = join(bench.scratch, 'latencies.json');
  const args = [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'vitest.bench.config.ts',
  ];
  const running = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, POOLGUARD_BENCH_RESULT: result },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  running.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const [code] = (await once(running, 'close')) as [number | null];
  if (code !== 0) throw new Error(`VS Code could not be measured:\n${said.join('').slice(-2000)}`);
  return rowsOf(JSON.parse(readFileSync(result, 'utf8')) as Latencies);
}

/** In ms; a machine on which the editor itself takes longer gives us what we may add to it. */
const goalOfUnderline = 1_500;
const roomOfOurs = 300;

const inSeconds = (ms: number): number => ms / 1_000;

function rowsOf({
  activations,
  firstUnderlines,
  bareUnderlines,
  keystrokes,
}: Latencies): readonly Row[] {
  const group = 'in VS Code';
  const method =
    'A new window of code-server with the packed extension, seen through Chromium; the first file is opened when the editor’s own extension host has started, and with it start our extension, its server, and at the same time the editor’s two TypeScript servers; times between the event of the key or button and the change of the page, by the page’s own clock, the editor’s delays included. Activation is what “Show Running Extensions” says. Before each window another one is opened, which in place of Poolguard has an extension that underlines the first line of every file and does nothing else: what the editor itself takes.';
  const stroke = (which: string, value: number, goal: number | null): Row => ({
    group,
    name: `${which} from a keystroke to its underline, 2,000 lines`,
    unit: 'ms',
    value: spreadOf([value]),
    goal,
    note: `${keystrokes.length} keystrokes`,
    method,
  });
  return [
    {
      group,
      name: 'activation',
      unit: 'ms',
      value: spreadOf(activations),
      goal: 40,
      note: `${activations.length} windows`,
      method,
    },
    {
      group,
      name: 'from opening 500 lines to the first underline',
      unit: 's',
      value: spreadOf(firstUnderlines.map(inSeconds)),
      goal: inSeconds(Math.max(goalOfUnderline, median([...bareUnderlines]) + roomOfOurs)),
      note: `first file of ${firstUnderlines.length} windows`,
      method,
    },
    {
      group,
      name: 'the same, of an extension that does nothing else',
      unit: 's',
      value: spreadOf(bareUnderlines.map(inSeconds)),
      goal: null,
      note: `first file of ${bareUnderlines.length} windows`,
      method,
    },
    stroke('p50', median(keystrokes), null),
    stroke('p95', quantile(keystrokes, 0.95), 150),
    stroke('worst', max(keystrokes), null),
  ];
}
