import type { Bench } from './bench.ts';
import { benchStart } from './bench-start.ts';
import { benchEditor } from './editor/bench-editor.ts';
import { benchVscode } from './editor/bench-vscode.ts';
import type { Row } from './figures.ts';
import { benchMonitor } from './monitor/bench-monitor.ts';
import { benchNeighbour } from './neighbour/bench-neighbour.ts';
import { benchObserver } from './observer/bench-observer.ts';
import { benchPanel } from './panel/bench-panel.ts';
import { benchProbe } from './probe/bench-probe.ts';
import type { Project } from './project-files.ts';
import { benchRepositories } from './repositories/bench-repositories.ts';
import { benchInstall, benchRun } from './run/bench-run.ts';
import { benchGrowth, benchMemory, benchNests, benchQuiet, benchShare } from './rule-benchmarks.ts';

type Benchmark = (bench: Bench, projects: readonly Project[]) => Promise<readonly Row[]>;

/** By the name that `--only` takes. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  run: benchRun,
  install: benchInstall,
  share: benchShare,
  quiet: benchQuiet,
  growth: benchGrowth,
  nests: benchNests,
  memory: benchMemory,
  start: benchStart,
  editor: benchEditor,
  panel: benchPanel,
  observer: benchObserver,
  monitor: benchMonitor,
  neighbour: benchNeighbour,
  repositories: benchRepositories,
  vscode: benchVscode,
  probe: benchProbe,
};

/** Measured only when asked for, by name or with all: they pack what is published, fetch another plugin, need repositories, fetch and open a VS Code, or need the machine for minutes. */
export const onlyByName: ReadonlySet<string> = new Set([
  'run',
  'install',
  'neighbour',
  'repositories',
  'vscode',
  'probe',
]);
