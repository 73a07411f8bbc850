import { existsSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { toPlainText } from '../../activity/plain-text.ts';
import { isLoopback } from '../../database/target.ts';
import type { K6Plan } from '../../k6/k6-plan.ts';
import { toScriptRequest, type GivenRequest, type ScriptRequest } from '../../k6/script-request.ts';
import { scriptName, summaryName, writeScript } from '../../k6/write-script.ts';
import { testRunName, writeTestRun } from '../../k6/write-test-run.ts';
import type { CliIo } from '../cli-io.ts';
import { CouldNotRun } from '../exit-code.ts';
import { whyNotWritable, writeWhole } from '../../files/write-whole.ts';
import type { ExportFlags } from './export-options.ts';

const usualParallelism = 2;

/** The request without its secrets. Throws `CouldNotRun` with a sentence for a URL that is none. */
export function readScriptRequest(given: GivenRequest): ScriptRequest {
  const read = toScriptRequest(given);
  if (read.kind === 'problem') throw new CouldNotRun(`--url: ${read.sentence}`);
  return read.request;
}

/** Throws `CouldNotRun` where the address of an application stands in the place of the database's. */
export function refuseHttpTarget(target: string | undefined): void {
  if (target !== undefined && /^https?:/i.test(target))
    throw new CouldNotRun(
      'Set the address of the application with --url; an export does not need a database.',
    );
}

/** Writes both files, or leaves none that was not there before, and says how to go on. Throws `CouldNotRun` where one is there already, or cannot be written. */
export function exportK6(
  plan: K6Plan,
  { outputDir = '.', force, parallelism = usualParallelism }: ExportFlags,
  io: Pick<CliIo, 'cwd' | 'stdout'>,
): void {
  const folder = resolve(io.cwd, outputDir);
  const files = [
    [join(folder, scriptName), writeScript(plan)],
    [join(folder, testRunName), writeTestRun(plan, parallelism)],
  ] as const;
  for (const [path] of files) {
    const why = whyNotWritable(path, io.cwd);
    if (why !== null) throw new CouldNotRun(why);
    if (force !== true && existsSync(path))
      throw new CouldNotRun(
        `${toPlainText(path)} already exists. Use another directory with --output-dir, or overwrite it with --force.`,
      );
  }
  const made: string[] = [];
  for (const [path, text] of files) {
    const isNew = !existsSync(path);
    const failure = writeWhole(path, text, { cwd: io.cwd });
    if (failure !== null) {
      for (const each of made) rmSync(each, { force: true });
      throw new CouldNotRun(failure);
    }
    if (isNew) made.push(path);
  }
  io.stdout.write(describeExport(plan, toPlainText(relative(io.cwd, folder))));
}

function isThisMachine(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1'));
}

function describeExport({ request, sizes }: K6Plan, folder: string): string {
  const where = folder === '' ? '' : ` in ${folder}`;
  const summaries =
    sizes.length === 0 ? [summaryName] : sizes.map((size) => `k6-summary-${size}.json`);
  const lines = [
    `Written${where}: ${scriptName} and ${testRunName}. Nothing was run.`,
    ...(request.required.length === 0
      ? []
      : [
          `The script holds no secrets. Set ${request.required.join(', ')} in the environment of k6 before it runs.`,
        ]),
    '',
    ...(sizes.length === 0
      ? ['Run it:', `  k6 run ${scriptName}`]
      : [
          'Start the application with each pool size in turn, and run:',
          ...sizes.map(
            (size) => `  k6 run -e POOL=${size} -e SUMMARY=k6-summary-${size}.json ${scriptName}`,
          ),
        ]),
    '',
    'Show the result:',
    ...summaries.map((name) => `  poolguard report ${name}`),
    '',
    'With the k6 operator, in a cluster:',
    `  kubectl create configmap poolguard-k6 --from-file=${scriptName}`,
    ...(request.required.length === 0
      ? []
      : [
          '  kubectl create secret generic poolguard-k6 --from-env-file=FILE     (its lines: NAME=value)',
        ]),
    `  kubectl apply -f ${testRunName}`,
    ...(isThisMachine(request.url)
      ? [
          `In a pod, ${toPlainText(request.url)} is the pod itself. Set --url to the address of the application in the cluster, such as http://shop.default.svc:3000/.`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}
