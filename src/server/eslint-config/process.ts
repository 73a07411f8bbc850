// The entry of the process that runs a workspace's own ESLint, and with that its configuration: code that may do anything, hang or exit.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { ESLint } from 'eslint';
import type { ConfigAnswer, ConfigQuestion } from './messages.ts';
import { reduceConfig } from './reduce-config.ts';

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
  { path, folder }: ConfigQuestion,
  instances: Map<string, ESLint>,
): Promise<ConfigAnswer> {
  try {
    const eslint = instances.get(folder) ?? startEslint(path, folder);
    instances.set(folder, eslint);
    return { kind: 'configured', rules: reduceConfig(await eslint.calculateConfigForFile(path)) };
  } catch (failure) {
    return { kind: 'broken', sentence: toSentence(failure) };
  }
}

function startEslint(path: string, cwd: string): ESLint {
  const { ESLint } = createRequire(path)('eslint') as EslintModule;
  return new ESLint({ cwd });
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
