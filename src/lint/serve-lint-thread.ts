import { parentPort, workerData } from 'node:worker_threads';
import { readThrough } from '../../rules/project/modules-of-parser.ts';
import { createFileCheck, mayFind } from './check-file.ts';
import { codeOfFile, codeOfSql, mayHoldCode, noFileCode } from './file-code.ts';
import { createInspector, createLinter } from './linter.ts';
import { mayUsePool } from './may-use-pool.ts';
import type { Mistake } from './mistake.ts';
import type { Plugin } from './plugin.ts';
import { placeProblems, readBeside } from './placed-problem.ts';
import { positionsIn } from './positions.ts';
import { readSource } from './read-source.ts';
import type {
  AnyQuestion,
  CodeAnswer,
  CodeQuestion,
  ThreadAnswer,
  ThreadQuestion,
  ThreadStart,
} from './thread-messages.ts';
import { createTolerantParser, type TolerantParser } from './tolerant-parser.ts';

/** The other end of `createLintThread`: answers until the thread is ended. */
export function serveLintThread(plugin: Plugin): void {
  const { open, checks } = workerData as ThreadStart;
  const check = checks && createFileCheck(plugin, checks);
  const parser = createTolerantParser();
  readThrough(parser, {
    isFixed: true,
    textOf: (path) => asOpen(open.get(path)),
    paths: () => open.keys(),
  });
  const answerTo = async (question: AnyQuestion): Promise<unknown> => {
    if (!('wants' in question)) return answer(question, plugin, parser, open);
    return question.wants === 'code' ? readCode(question, plugin, parser) : check?.(question.path);
  };
  parentPort?.on('message', (question: AnyQuestion) => {
    void answerTo(question).then((found) => parentPort?.postMessage(found));
  });
}

function asOpen(text: string | undefined) {
  return text === undefined ? undefined : { text, version: 1 };
}

async function answer(
  { path, settings }: ThreadQuestion,
  plugin: Plugin,
  parser: TolerantParser,
  open: ThreadStart['open'],
): Promise<ThreadAnswer> {
  const text = readSource(path);
  if (!mayUsePool(text) || !mayFind({ path, text }, plugin, { ...settings, parser }))
    return { problems: [] };
  const { problems, mistake } = createLinter(plugin, { ...settings, parser })({ path, text });
  const beside = await readBeside(problems, (file) =>
    Promise.resolve(open.get(file) ?? (readSource(file) || undefined)),
  );
  return { problems: placeProblems(problems, positionsIn(text), beside), mistake };
}

function readCode(
  { path, settings, isLinted }: CodeQuestion,
  plugin: Plugin,
  parser: TolerantParser,
): CodeAnswer {
  const text = readSource(path);
  if (path.endsWith('.sql')) return { code: codeOfSql(text) };
  if (!mayHoldCode(text)) return { code: noFileCode };
  let mistake: Mistake | undefined;
  const inspect = createInspector(plugin, { ...settings, parser }, (found) => (mistake ??= found));
  const code = codeOfFile(inspect({ path, text }), isLinted);
  return { code, mistake };
}
