// The entry of the process that runs a workspace's own ESLint, and with that its configuration: code that may do anything, hang or exit.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ESLint } from 'eslint';
import type { ConfigAnswer, ConfigQuestion } from './messages.ts';
import { reduceConfig, type ReducedConfig } from './reduce-config.ts';

/** The part of the package `eslint` that is used. */
interface EslintModule {
  readonly ESLint: typeof ESLint;
}

/**
 * Standard input closes when the starting process is gone, even if it was killed. A thread of its own sees that while a configuration
 * keeps this one busy indefinitely.
 */
const watch =
  "const { Socket } = require('node:net'); new Socket({ fd: 0 }).on('close', () => process.kill(process.pid, 'SIGKILL')).on('error', () => {}).resume();";

listen();

function listen(): void {
  new Worker(watch, { eval: true, stdin: false }).unref();
  const instances = new Map<string, ESLint>();
  process.on('message', (question: ConfigQuestion) => {
    void answer(question, instances).then((told) => process.send?.(told));
  });
}

async function answer(
  { paths, folder, config: named }: ConfigQuestion,
  instances: Map<string, ESLint>,
): Promise<ConfigAnswer> {
  try {
    const [first = folder] = paths;
    const eslint = instances.get(folder) ?? startEslint(first, folder, named);
    instances.set(folder, eslint);
    const indices = new Map<string, number>();
    const chosen: number[] = [];
    for (const path of paths) {
      const config: unknown = await eslint.calculateConfigForFile(path);
      const reduced = JSON.stringify(reduceConfig(config));
      if (config !== undefined && !indices.has(reduced)) indices.set(reduced, indices.size);
      chosen.push(config === undefined ? -1 : (indices.get(reduced) ?? -1));
    }
    const configurations = [...indices.keys()].map((each) => JSON.parse(each) as ReducedConfig);
    return { kind: 'configured', configurations, chosen };
  } catch (failure) {
    return { kind: 'broken', sentence: toSentence(failure) };
  }
}

function startEslint(path: string, cwd: string, config: string | undefined): ESLint {
  const { ESLint } = createRequire(path)('eslint') as EslintModule;
  return new ESLint({ cwd, ...(config === undefined ? {} : { overrideConfigFile: config }) });
}

function toSentence(failure: unknown): string {
  const line = (failure instanceof Error ? failure.message : String(failure))
    .split('\n')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .slice(0, 2)
    .join(' ');
  return line.slice(0, 300);
}
