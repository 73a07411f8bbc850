import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readThrough } from '../../rules/analysis/files/modules-of-parser.ts';
import { createLinter } from './linter.ts';
import { isTooLarge, mayUsePool } from './may-use-pool.ts';
import type { Plugin } from './plugin.ts';
import type { ThreadAnswer, ThreadQuestion, ThreadStart } from './thread-messages.ts';
import { createTolerantParser, type TolerantParser } from './tolerant-parser.ts';

/** The other end of `createLintThread`: answers until the thread is ended. */
export function serveLintThread(plugin: Plugin): void {
  const { open } = workerData as ThreadStart;
  const parser = createTolerantParser();
  readThrough(parser, { textOf: (path) => asOpen(open.get(path)), paths: () => open.keys() });
  parentPort?.on('message', (question: ThreadQuestion) => {
    void answer(question, plugin, parser).then((problems) => parentPort?.postMessage(problems));
  });
}

function asOpen(text: string | undefined) {
  return text === undefined ? undefined : { text, version: 1 };
}

async function answer({ path, settings }: ThreadQuestion, plugin: Plugin, parser: TolerantParser): Promise<ThreadAnswer> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (isTooLarge(text) || !mayUsePool(text)) return [];
  return createLinter(plugin, { ...settings, parser })({ path, text }).problems;
}
