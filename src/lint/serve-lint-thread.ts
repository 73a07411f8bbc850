import { parentPort, workerData } from 'node:worker_threads';
import { readThrough } from '../../rules/project/modules-of-parser.ts';
import { codeOfFile, codeOfSql, mayHoldCode, noFileCode } from './file-code.ts';
import { createInspector, createLinter } from './linter.ts';
import { isTooLarge, mayUsePool } from './may-use-pool.ts';
import type { Plugin } from './plugin.ts';
import { readSource } from './read-source.ts';
import type {
  CodeAnswer,
  CodeQuestion,
  ThreadAnswer,
  ThreadQuestion,
  ThreadStart,
} from './thread-messages.ts';
import { createTolerantParser, type TolerantParser } from './tolerant-parser.ts';

/** The other end of `createLintThread`: answers until the thread is ended. */
export function serveLintThread(plugin: Plugin): void {
  const { open } = workerData as ThreadStart;
  const parser = createTolerantParser();
  readThrough(parser, {
    isFixed: true,
    textOf: (path) => asOpen(open.get(path)),
    paths: () => open.keys(),
  });
  parentPort?.on('message', (question: ThreadQuestion | CodeQuestion) => {
    const answered: Promise<unknown> =
      'wants' in question ? readCode(question, plugin, parser) : answer(question, plugin, parser);
    void answered.then((found) => parentPort?.postMessage(found));
  });
}

function asOpen(text: string | undefined) {
  return text === undefined ? undefined : { text, version: 1 };
}

async function answer(
  { path, settings }: ThreadQuestion,
  plugin: Plugin,
  parser: TolerantParser,
): Promise<ThreadAnswer> {
  const text = await readSource(path);
  if (isTooLarge(text) || !mayUsePool(text)) return [];
  return createLinter(plugin, { ...settings, parser })({ path, text }).problems;
}

async function readCode(
  { path, settings, isLinted }: CodeQuestion,
  plugin: Plugin,
  parser: TolerantParser,
): Promise<CodeAnswer> {
  const text = await readSource(path);
  if (path.endsWith('.sql')) return codeOfSql(text);
  return mayHoldCode(text)
    ? codeOfFile(createInspector(plugin, { ...settings, parser })({ path, text }), isLinted)
    : noFileCode;
}
